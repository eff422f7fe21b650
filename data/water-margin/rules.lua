-- 水浒传一百零八星宿 as a program. Edicts and skills are left out, as in the sample game: it holds only without them.

local POINTS = 2         -- 行动力 a round
local CHAIRS = 6
local START, TOP = 6, 12 -- of the balance
local ROUNDS = #records.edict -- one edict a round, and no second pass through them
local SILVER = 5         -- derived from the sample's final silver

figures = {
  { name = "rounds", title = "回数", at_most = ROUNDS },
  { name = "left", title = "离寨人次" },
  { name = "flags", title = "扯反旗，次" },
  { name = "amnesties", title = "受招安，次" },
  { name = "kept", title = "终局在寨" },
}

local kind, hero = {}, {}
for _, type in ipairs(records.type) do kind[type.id] = type.icon end
for _, one in ipairs(records.hero) do
  hero[one.position] = {
    position = one.position, name = one.name, star = one.star, type = kind[one.type], loyalty = one.loyalty,
    heaven = one.faction == "tiangang",
  }
end

local function seat_of(name)
  return {
    name = name, camp = {}, silver = SILVER, honour = 0, amnesty = 0, pardoned = false, spent = 0, recruited = false,
    left = {}, gone = 0,
  }
end

function setup(deal)
  local game = {
    seats = {}, scale = START, round = 0, phase = "open", order = {}, at = 1, market = {}, deck = {}, out = {}, flags = 0,
    unseen = 0,
  }
  for at = 1, deal.players do game.seats[at] = seat_of(deal.seats and deal.seats[at] or "seat " .. at) end
  for _, one in ipairs(records.hero) do game.deck[#game.deck + 1] = one.position end
  shuffle(game.deck)
  for at = 1, 4 do
    local position = deal.market and deal.market[at] or table.remove(game.deck)
    if not has(hero, position) then breaks("replay_board", "there is no hero " .. position, "market") end
    if has(game.out, position) then breaks("replay_board", position .. " lies there twice", "market") end
    game.market[at], game.out[position] = position, true
  end
  game.known = deal.market ~= nil
  return game
end

local function current(game) return game.seats[game.order[game.at]] end

function turn(game)
  if game.phase == "over" then return nil end
  if game.phase == "act" then return game.order[game.at] end
  return 0
end

function chance(game)
  if game.phase == "open" then return { round = game.round + 1 } end
  if game.phase == "close" then return { close = game.round } end
  return { fill = #game.deck > 0 and game.deck[#game.deck] or 0 }
end

-- 顺位: the smaller camp first, then less honour, then the seat.
local function sooner(game)
  return function(a, b)
    local one, other = game.seats[a], game.seats[b]
    if #one.camp ~= #other.camp then return #one.camp < #other.camp end
    if one.honour ~= other.honour then return one.honour < other.honour end
    return a < b
  end
end

local function names(game)
  local list = {}
  for at, seat in ipairs(game.order) do list[at] = game.seats[seat].name end
  return table.concat(list, " ")
end

local function open(game, round)
  if game.phase ~= "open" then breaks("replay_order", "the round is open already", "round") end
  if round ~= game.round + 1 then breaks("replay_order", "the next round is " .. game.round + 1, "round") end
  game.round, game.phase, game.at = round, "act", 1
  game.order = {}
  for at, seat in ipairs(game.seats) do
    game.order[at] = at
    seat.spent, seat.recruited = 0, false
  end
  table.sort(game.order, sooner(game))
  return { scale = game.scale, market = table.concat(game.market, " "), order = names(game) }
end

-- The place in the market is filled again at once.
local function fill(game, position)
  if game.phase ~= "fill" then breaks("replay_board", "no place of the market is empty", "fill") end
  game.phase = "act"
  if position == 0 then
    game.unseen = game.unseen + 1
    return {}
  end
  if not has(hero, position) then breaks("replay_board", "there is no hero " .. position, "fill") end
  if has(game.out, position) then breaks("replay_board", position .. " has been drawn before", "fill") end
  game.out[position] = true
  game.market[#game.market + 1] = position
  if not game.known then table.remove(game.deck) end
  return {}
end

local function leave(game, seat, at, how)
  local one = table.remove(seat.camp, at)
  local full = one.hero.heaven and 2 or 1
  local honour = how == "挤走" and full - 1 or full
  seat.honour = seat.honour + honour
  seat.gone = seat.gone + 1
  local word = (one.hero.heaven and "天罡" or "地煞") .. how
  seat.left[word] = (seat.left[word] or 0) + 1
  return how .. " +" .. honour
end

local function positions(seat)
  local list = {}
  for at, one in ipairs(seat.camp) do list[at] = one.hero.position end
  return list
end

local function from_market(game, position)
  for at, own in ipairs(game.market) do
    if own == position then return table.remove(game.market, at) end
  end
  breaks("replay_board", position .. " is not in the market: " .. table.concat(game.market, " "), "position")
end

-- Everybody above the new one loses 1; who has none left goes; a seventh is pushed out.
local function recruit(game, seat, position)
  if seat.pardoned then breaks("replay_ap", seat.name .. " has taken the amnesty", "act") end
  if seat.recruited then breaks("replay_ap", seat.name .. " has recruited in this round", "act") end
  from_market(game, position)
  local new = hero[position]
  local before, loyalty, pushed, place = positions(seat), {}, 0, 1
  for at, one in ipairs(seat.camp) do
    local was = one.loyalty
    if one.hero.position > position then
      one.loyalty = was - 1
      pushed = pushed + 1
    else
      place = at + 1
    end
    loyalty[tostring(one.hero.position)] = { was, one.loyalty }
  end
  table.insert(seat.camp, place, { hero = new, loyalty = new.loyalty })
  local gone = {}
  for at = #seat.camp, 1, -1 do
    if seat.camp[at].loyalty <= 0 then
      local who = tostring(seat.camp[at].hero.position)
      gone[who] = leave(game, seat, at, "气走")
    end
  end
  if #seat.camp > CHAIRS then
    local who = tostring(seat.camp[#seat.camp].hero.position)
    gone[who] = leave(game, seat, #seat.camp, "挤走")
  end
  seat.recruited = true
  game.phase = "fill"
  return {
    type = new.type, star = new.star, name = new.name, pushed = pushed, before = before, loyalty = loyalty, left = gone,
    entered = new.loyalty,
  }
end

local function member(seat, position)
  for at, one in ipairs(seat.camp) do
    if one.hero.position == position then return at, one end
  end
  breaks("replay_board", position .. " is not in the camp of " .. seat.name, "position")
end

local function soothe(seat, position)
  local _, one = member(seat, position)
  if seat.silver < 2 then breaks("replay_silver", seat.name .. " has " .. seat.silver .. " silver", "act") end
  seat.silver = seat.silver - 2
  one.loyalty = one.loyalty + 1
  return { loyalty = one.loyalty }
end

local function end_now(game)
  if game.scale >= TOP then game.phase = "over" end
end

local function flag(game, seat)
  game.scale = math.max(0, game.scale - 1)
  game.flags = game.flags + 1
  seat.honour = seat.honour + 1
  return { scale = game.scale }
end

local function amnesty(game, seat)
  if seat.pardoned then breaks("replay_ap", seat.name .. " has taken the amnesty before", "act") end
  seat.pardoned = true
  seat.silver = seat.silver + 8
  game.scale = game.scale + 1
  end_now(game)
  return { scale = game.scale }
end

local function loot(seat)
  seat.silver = seat.silver + 3
  return { silver = seat.silver }
end

local function dismiss(game, seat, position)
  local at = member(seat, position)
  return { left = leave(game, seat, at, "遣散") }
end

local function pass(game)
  if game.at == #game.order then game.phase = "close" else game.at = game.at + 1 end
  return {}
end

-- Who has not used all points may stop: the next one in the order simply acts.
local function act(game, move)
  if game.phase ~= "act" then breaks("replay_order", "nobody acts now", "by") end
  if current(game).name ~= move.by and game.at < #game.order then game.at = game.at + 1 end
  local seat = current(game)
  if seat.name ~= move.by then breaks("replay_order", "it is the turn of " .. seat.name, "by") end
  if move.act == "pass" then return pass(game) end
  if move.act == "遣散" then return dismiss(game, seat, move.position) end
  if seat.spent == POINTS then breaks("replay_ap", seat.name .. " has no action left", "act") end
  seat.spent = seat.spent + 1
  if move.act == "招贤" then return recruit(game, seat, move.position) end
  if move.act == "安抚" then return soothe(seat, move.position) end
  if move.act == "劫富" then return loot(seat) end
  if move.act == "扯旗" then return flag(game, seat) end
  if move.act == "招安" then return amnesty(game, seat) end
  breaks("replay_ap", "there is no action " .. move.act, "act")
end

-- ⑤ 天平推进
local function close(game, round)
  if round ~= game.round then breaks("replay_order", "this is round " .. game.round, "close") end
  if game.phase ~= "close" and not (game.phase == "act" and game.at == #game.order) then
    breaks("replay_order", "not everybody has acted", "close")
  end
  for _, seat in ipairs(game.seats) do
    if seat.pardoned then seat.amnesty = seat.amnesty + 3 end
  end
  game.scale = game.scale + 1
  game.phase = game.round == ROUNDS and "over" or "open"
  end_now(game)
  return { scale = game.scale }
end

function apply(game, move)
  if move.round then return open(game, move.round) end
  if move.fill then return fill(game, move.fill) end
  if move.close then return close(game, move.close) end
  return act(game, move)
end

local function lineup(seat)
  local points, heavens, pairs_of_a_kind = 0, 0, 0
  for at, one in ipairs(seat.camp) do
    points = points + one.loyalty * (one.hero.heaven and 3 or 1)
    if one.hero.heaven then heavens = heavens + 1 end
    if at > 1 and seat.camp[at - 1].hero.type == one.hero.type then pairs_of_a_kind = pairs_of_a_kind + 1 end
  end
  return points, heavens, pairs_of_a_kind
end

local function total(seat)
  local points, _, bonds = lineup(seat)
  return points + 3 * bonds + seat.honour + seat.amnesty + seat.silver // 3
end

local function rank(game, seat)
  local above = 0
  for _, other in ipairs(game.seats) do
    if total(other) > total(seat) then above = above + 1 end
  end
  return above + 1
end

function facts(game)
  local seats = {}
  for _, seat in ipairs(game.seats) do
    local points, heavens, bonds = lineup(seat)
    local loyalty = {}
    for _, one in ipairs(seat.camp) do loyalty[tostring(one.hero.position)] = one.loyalty end
    seats[seat.name] = {
      village = table.concat(positions(seat), " "), tiangang = heavens, lineup = points, pairs = bonds, bond = 3 * bonds,
      honour = seat.honour, amnesty = seat.amnesty, silver = seat.silver, silver_points = seat.silver // 3, total = total(seat),
      rank = rank(game, seat), gone = seat.gone, left = seat.left, loyalty = loyalty,
    }
  end
  return { round = game.round, scale = game.scale, flags = game.flags, seats = seats }
end

function moves(game)
  local seat = current(game)
  local list = { { by = seat.name, act = "pass" } }
  if seat.spent == POINTS then return list end
  local function may(act, position) list[#list + 1] = { by = seat.name, act = act, position = position } end
  may("劫富")
  may("扯旗")
  if not seat.pardoned then may("招安") end
  if not seat.pardoned and not seat.recruited then
    for _, position in ipairs(game.market) do may("招贤", position) end
  end
  if seat.silver >= 2 then
    for _, one in ipairs(seat.camp) do may("安抚", one.hero.position) end
  end
  return list
end

-- What a move adds to the score by itself.
function value(game, move)
  local seat = current(game)
  if move.act == "pass" then return 0 end
  if move.act == "劫富" or move.act == "扯旗" then return 1 end
  if move.act == "招安" then return 2 + 1.5 * (TOP - game.scale) - 4 * (CHAIRS - #seat.camp) end
  if move.act == "安抚" then
    local _, one = member(seat, move.position)
    return (one.hero.heaven and 3 or 1) - 2 / 3
  end
  local new, worth, last = hero[move.position], 0, nil
  for _, one in ipairs(seat.camp) do
    if one.hero.position > move.position then worth = worth - (one.hero.heaven and 3 or 1) end
    last = one
  end
  worth = worth + new.loyalty * (new.heaven and 3 or 1)
  if #seat.camp == CHAIRS and last then worth = worth - last.loyalty * (last.hero.heaven and 3 or 1) end
  return worth
end

function result(game)
  local scores, names_of, winners, gone, kept, pardons = {}, {}, {}, 0, 0, 0
  for at, seat in ipairs(game.seats) do
    scores[at], names_of[at] = total(seat), seat.pardoned and "受招安" or "替天行道"
    if rank(game, seat) == 1 then winners[#winners + 1] = at end
    gone, kept = gone + seat.gone, kept + #seat.camp
    if seat.pardoned then pardons = pardons + 1 end
  end
  return {
    scores = scores, names = names_of, winners = winners,
    figures = { rounds = game.round, left = gone, flags = game.flags, amnesties = pardons, kept = kept },
  }
end
