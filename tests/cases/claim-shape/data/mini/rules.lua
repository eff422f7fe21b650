-- Take one or two of five stones; who takes the last wins.
function setup(deal)
  return { left = 5, turn = 1, players = deal.players }
end

function turn(game)
  return game.left > 0 and game.turn or nil
end

function apply(game, move)
  if move.by ~= game.turn then breaks("turns", "it is the turn of " .. game.turn, "by") end
  if move.take < 1 or move.take > 2 then breaks(nil, "one or two stones can be taken", "take") end
  game.left = game.left - move.take
  game.turn = game.turn % game.players + 1
  return { left = game.left }
end

function facts(game)
  return { left = game.left, turn = game.turn }
end

function moves(game)
  local list = {}
  for take = 1, math.min(2, game.left) do list[take] = { by = game.turn, take = take } end
  return list
end

function chance(game)
  error("there are no dice in this game")
end

function result(game)
  local last = (game.turn - 2) % game.players + 1
  local scores = {}
  for seat = 1, game.players do scores[seat] = seat == last and 1 or 0 end
  return { scores = scores, winners = { last }, figures = { left = game.left, last = last } }
end

-- Who leaves a multiple of three wins.
function value(game, move)
  return (game.left - move.take) % 3 == 0 and 1 or 0
end

figures = {
  { name = "left", title = "stones left", at_most = 0 },
  { name = "last", title = "seat of the last" },
}

claims = {}

-- How many ways there are to take `stones` by ones and twos.
function claims.ways(stones)
  local last, ways = 1, 1
  for _ = 2, stones do last, ways = ways, last + ways end
  return ways
end

-- What is left at the end of the sample, and when its second move takes `take`.
function claims.left(take)
  return { facts(sample("short")).left, facts(sample("short", function(n)
    if n == 2 then return { by = 2, take = take } end
  end)).left }
end
