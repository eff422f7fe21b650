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
