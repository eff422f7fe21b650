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
    left = {}, gone = 0, pushed = 0, upset = false, upsets = 0, calmed = 0,
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
    seat.spent, seat.recruited, seat.upset = 0, false, false
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
  seat.pushed = seat.pushed + pushed
  seat.upset = pushed > 0
  if seat.upset then seat.upsets = seat.upsets + 1 end
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
  if seat.upset then seat.calmed = seat.calmed + 1 end
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

-- What claims.toml asks for.
claims = {}

-- Rounds until the balance is at the top, when `once` is added in the first round, `every` in each, and `flags` take as much away.
local function rounds(start, top, once, every, flags)
  local scale, round = start + once, 0
  while true do
    round = round + 1
    local flag = flags[round] or 0
    scale = math.max(0, scale - flag) + every + 1
    if scale >= top then return round end
  end
end

function claims.rounds(start, top, once, every)
  return rounds(start, top, once, every, {})
end

-- Rounds of a game whose flags are spread over its rounds like this.
function claims.rounds_with(flags)
  return rounds(START, TOP, 0, 0, flags)
end

-- Rounds without flags, the edicts in the order of their records; and the share of all orders that gives so many rounds.
local function rounds_by_edicts(step_at)
  local scale, round = START, 0
  repeat
    round = round + 1
    scale = math.max(0, scale + (step_at[round] or 0)) + 1
  until scale >= TOP
  return round
end

function claims.rounds_by_edicts()
  local step_at = {}
  for _, edict in ipairs(records.edict) do step_at[edict.round] = edict.scale end
  return rounds_by_edicts(step_at)
end

function claims.share_of_orders(wanted)
  local all, hits = 0, 0
  for up = 1, ROUNDS do
    for down = 1, ROUNDS do
      if up ~= down then
        all = all + 1
        if rounds_by_edicts({ [up] = 1, [down] = -1 }) == wanted then hits = hits + 1 end
      end
    end
  end
  return hits / all
end

local function choose(things, some)
  local ways = 1
  for at = 1, some do ways = ways * (things - some + at) // at end
  return ways
end

-- The chance that a random full camp has two neighbours of one type, with the types as they are on the cards.
function claims.pair_chance()
  local lone, count = {}, #records.hero
  for at, one in ipairs(records.hero) do
    lone[at] = { 1 }
    for size = 2, CHAIRS do
      local ways = 0
      for before = 1, at - 1 do
        if records.hero[before].type ~= one.type then ways = ways + lone[before][size - 1] end
      end
      lone[at][size] = ways
    end
  end
  local none = 0
  for at = 1, count do none = none + lone[at][CHAIRS] end
  return 1 - none / choose(count, CHAIRS)
end

-- The same, with the types dealt out at random.
function claims.pair_chance_shuffled()
  local function none(rest, size, last)
    if size == 0 then return 1 end
    local ways = 0
    for at, count in ipairs(rest) do
      if at ~= last and count > 0 then
        local less = copy(rest)
        less[at] = count - 1
        ways = ways + count * none(less, size - 1, at)
      end
    end
    return ways
  end
  local counts, ordered = {}, 1
  for at, type in ipairs(records.type) do counts[at] = type.count end
  for at = 0, CHAIRS - 1 do ordered = ordered * (#records.hero - at) end
  return 1 - none(counts, CHAIRS, 0) / ordered
end

-- The chance that a random other hero who joins takes a loyalty from one of this faction.
function claims.pushed_share(faction)
  local pushes, count = 0, 0
  for at, one in ipairs(records.hero) do
    if one.faction == faction then pushes, count = pushes + at - 1, count + 1 end
  end
  return pushes / count / (#records.hero - 1)
end

-- A camp into which these are recruited one after another.
local function recruited(list)
  local game = setup({ players = 2 })
  local seat = game.seats[1]
  for _, position in ipairs(list) do
    game.market, seat.recruited = { position }, false
    recruit(game, seat, position)
  end
  return seat
end

function claims.pushes(list)
  return recruited(list).pushed
end

function claims.kept(list)
  return positions(recruited(list))
end

-- Pushes and the score of the camp.
function claims.pushes_and_points(list)
  local seat = recruited(list)
  return { seat.pushed, (lineup(seat)) }
end

-- Heroes whose star, in the novel's roll, belongs to another name.
function claims.wrong_stars()
  local of, wrong = {}, 0
  for _, one in ipairs(records.canon) do of[one.star] = one.name end
  for _, one in ipairs(records.hero) do
    if of[one.star] and of[one.star] ~= one.name then wrong = wrong + 1 end
  end
  return wrong
end

-- How many of these positions are on cards.
function claims.on_cards(list)
  local count = 0
  for _, position in ipairs(list) do
    if hero[position] then count = count + 1 end
  end
  return count
end

-- The sample game up to the end of a round.
local function told(round)
  return sample("sample", function(_, move)
    if move.round and move.round > round then return false end
  end)
end

local function called(game, name)
  for at, seat in ipairs(game.seats) do
    if seat.name == name then return seat, at end
  end
end

-- The balance at the end of the rounds from one to another.
function claims.scales(first, last)
  local list = {}
  for round = first, last do list[#list + 1] = told(round).scale end
  return list
end

-- Camp, heavenly stars, lineup, bonds, honour, amnesty, silver, total.
function claims.final(name)
  local seat = called(told(ROUNDS), name)
  local points, heavens, bonds = lineup(seat)
  return { #seat.camp, heavens, points, 3 * bonds, seat.honour, seat.amnesty, seat.silver // 3, total(seat) }
end

function claims.silver()
  local list = {}
  for at, seat in ipairs(told(ROUNDS).seats) do list[at] = seat.silver end
  return list
end

local function each_most(of)
  local most = 0
  for _, seat in ipairs(told(ROUNDS).seats) do most = math.max(most, of(seat)) end
  return most
end

function claims.most_silver()
  return each_most(function(seat) return seat.silver end)
end

function claims.most_honour()
  return each_most(function(seat) return seat.honour end)
end

function claims.left()
  local list = {}
  for at, seat in ipairs(told(ROUNDS).seats) do list[at] = seat.gone end
  return list
end

function claims.left_how(name, ...)
  local seat, list = called(told(ROUNDS), name), {}
  for at, word in ipairs({ ... }) do list[at] = seat.left[word] or 0 end
  return list
end

function claims.left_of_kind(name, word)
  return called(told(ROUNDS), name).left[word] or 0
end

function claims.camp_size(name, round)
  return #called(told(round), name).camp
end

-- How often somebody did something in the sample.
function claims.done(name, what)
  local count = 0
  sample("sample", function(_, move)
    if move.by == name and move.act == what then count = count + 1 end
  end)
  return count
end

function claims.share_of_rounds(name, what)
  return claims.done(name, what) / ROUNDS
end

function claims.share_of_points(name, what)
  return claims.done(name, what) / (POINTS * ROUNDS)
end

function claims.heavens_recruited(name)
  local count = 0
  sample("sample", function(_, move)
    if move.by == name and move.act == "招贤" and hero[move.position].heaven then count = count + 1 end
  end)
  return count
end

function claims.pushed(name, first, last)
  return called(told(last), name).pushed - called(told(first - 1), name).pushed
end

-- Recruits that pushed somebody, and those after which silver was spent at once.
function claims.upsets_calmed(name)
  local seat = called(told(ROUNDS), name)
  return { seat.upsets, seat.calmed }
end

-- What a round did to lineup and honour together.
function claims.gained(name, round)
  local function worth(game)
    local seat = called(game, name)
    return (lineup(seat)) + seat.honour
  end
  return worth(told(round)) - worth(told(round - 1))
end

function claims.pairs_until(name, last)
  local most = 0
  for round = 1, last do
    local _, _, bonds = lineup(called(told(round), name))
    most = math.max(most, bonds)
  end
  return most
end

-- Bonds at the end whose two heroes are also neighbours in the deck.
function claims.bonds_in_a_row(name)
  local camp, at_of, count = called(told(ROUNDS), name).camp, {}, 0
  for at, one in ipairs(records.hero) do at_of[one.position] = at end
  for at = 2, #camp do
    local one, other = camp[at - 1].hero, camp[at].hero
    if one.type == other.type and at_of[other.position] == at_of[one.position] + 1 then count = count + 1 end
  end
  return count
end

-- The first round at whose start this hero lies in the market.
function claims.first_seen(position)
  for round = 1, ROUNDS do
    for _, one in ipairs(told(round - 1).market) do
      if one == position then return round end
    end
  end
end

-- The fewest heroes to choose from that anybody had.
function claims.fewest_choice()
  local there, fewest = 4, 4
  sample("sample", function(_, move)
    if move.fill then there = there + 1 end
    if move.act == "招贤" then
      fewest = math.min(fewest, there)
      there = there - 1
    end
  end)
  return fewest
end

-- How often somebody recruited the largest of the market, or its smallest heavenly star.
function claims.picks_of(name, which)
  local count, by_size = 0, which == "largest"
  local market = copy(told(0).market)
  local function best()
    local found
    for _, position in ipairs(market) do
      if by_size then
        found = math.max(found or 0, position)
      elseif hero[position].heaven then
        found = math.min(found or position, position)
      end
    end
    return found
  end
  sample("sample", function(_, move)
    if move.fill and move.fill > 0 then market[#market + 1] = move.fill end
    if move.act ~= "招贤" then return nil end
    if move.by == name and move.position == best() then count = count + 1 end
    for at, position in ipairs(market) do
      if position == move.position then table.remove(market, at) break end
    end
  end)
  return count
end

-- The rank that this total would have among the others.
function claims.rank_with(name, points)
  local above = 0
  for _, seat in ipairs(told(ROUNDS).seats) do
    if seat.name ~= name and total(seat) > points then above = above + 1 end
  end
  return above + 1
end
