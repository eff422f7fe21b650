-- 社团博览会 as a program: §6 of the rules, with the interests, clubs and recruits of the tables.

local SLOTS = 6          -- §6.2
local MOST_DRIVE = 2     -- §5.4
local CROSS = 2          -- §5.2: what a card of another interest loses
local SIGNATURE = 5      -- §5.3: the card that can earn the bonus ...
local STAR = 4           -- ... on a recruit of this G ...
local BONUS = 2          -- ... and how much
local MEANS = 15         -- §5.1: the strength of each club

-- The laws of appendix B that self-play is held to.
figures = {
  { name = "empties", title = "空手人次", at_least = 6 },
  { name = "gap", title = "缺口：总力度减翻出的 ΣG", mean = 15 },
  { name = "captured", title = "抢到的新生" },
  { name = "lost", title = "流失的 ΣG，%" },
  { name = "crowd", title = "同时在场的新生最多" },
  { name = "bonus", title = "招牌奖励，次" },
}

local icon = {}
for _, interest in ipairs(records.interest) do icon[interest.id] = interest.icon end

local club = {}
for _, one in ipairs(records.club) do club[one.id] = one end

-- The cards of a club by the name that they have in the text: icon and strength.
local function hand_of(one)
  local hand, names = {}, {}
  for _, interest in ipairs(records.interest) do
    local face = one.strength[interest.id]
    local name = interest.icon .. face
    hand[name] = { tag = interest.id, face = face, used = false }
    names[#names + 1] = name
  end
  return hand, names
end

local function seat_of(name, club_id)
  local one = club[club_id]
  if not one then breaks("replay_hand", "there is no club `" .. club_id .. "`", "seats") end
  local hand, cards = hand_of(one)
  return {
    name = name, club = one.name, hand = hand, cards = cards,
    score = 0, g = 0, bonus = 0, drive = 0, empty = 0, got = {}, played = false,
  }
end

-- The clubs at the table: those of the sample, or as many as there are players, drawn at random.
local function seats_of(deal)
  local seats = {}
  if deal.seats then
    for _, seat in ipairs(deal.seats) do seats[#seats + 1] = seat_of(seat.name, seat.club) end
    return seats
  end
  local ids = {}
  for at, one in ipairs(records.club) do ids[at] = one.id end
  shuffle(ids)
  for at = 1, deal.players do seats[at] = seat_of("seat " .. at, ids[at]) end
  return seats
end

function setup(deal)
  local seats = seats_of(deal)
  if #seats ~= deal.players then
    breaks("replay_hand", #seats .. " seats for " .. deal.players .. " players", "seats")
  end
  local game = {
    seats = seats, seat = {}, players = deal.players, slot = 0, phase = "flip",
    deck = {}, left = {}, corridor = {}, results = {}, rows = {}, bids = 0, crowd = 0,
    flipped = 0, sum_g = 0, captured = 0, captured_g = 0, retired = 0, broken = 0, bonus = 0,
  }
  for at, seat in ipairs(seats) do
    if game.seat[seat.name] then breaks("replay_hand", "two players are called " .. seat.name, "seats") end
    game.seat[seat.name] = at
  end
  for at, recruit in ipairs(records.recruit) do
    local name = icon[recruit.tag] .. recruit.g
    game.deck[at] = { name = name, tag = recruit.tag, g = recruit.g }
    game.left[name] = (game.left[name] or 0) + 1
  end
  shuffle(game.deck)
  return game
end

-- Who decides: 0 is the deck; nobody when the game is over.
function turn(game)
  if game.phase == "over" then return nil end
  if game.phase == "flip" then return 0 end
  for at, seat in ipairs(game.seats) do
    if not seat.played then return at end
  end
end

-- The deck turns up one recruit less than there are players.
function chance(game)
  local names = {}
  for at = 1, game.players - 1 do names[at] = game.deck[game.flipped + at].name end
  return { flip = names }
end

-- A name is unique among those in the corridor.
local function in_corridor(game, name)
  for _, recruit in ipairs(game.corridor) do
    if recruit.name == name then return recruit end
  end
end

local recruit_of = {}
for _, one in ipairs(records.recruit) do
  recruit_of[icon[one.tag] .. one.g] = { tag = one.tag, g = one.g }
end

local function turn_up(game, card)
  local left = game.left[card]
  if not left then breaks("replay_deck", "there is no recruit " .. card, "flip") end
  if left == 0 then breaks("replay_deck", "no " .. card .. " is left in the deck", "flip") end
  game.left[card] = left - 1
  local name = card
  while in_corridor(game, name) do name = name .. "′" end
  local kind = recruit_of[card]
  game.corridor[#game.corridor + 1] = { name = name, card = card, tag = kind.tag, g = kind.g, bids = {} }
  game.flipped = game.flipped + 1
  game.sum_g = game.sum_g + kind.g
end

-- ① 翻牌: those who walk around once more stand on the left already.
local function flip(game, cards)
  if game.phase ~= "flip" then breaks("replay_deck", "the recruits of this slot are turned up already", "flip") end
  if #cards ~= game.players - 1 then
    breaks("replay_deck", #cards .. " recruits for " .. game.players .. " players", "flip")
  end
  for _, card in ipairs(cards) do turn_up(game, card) end
  game.slot = game.slot + 1
  game.phase = "play"
  game.crowd = math.max(game.crowd, #game.corridor)
  local names = {}
  for at, recruit in ipairs(game.corridor) do names[at] = recruit.name end
  return { corridor = names, slot = game.slot }
end

local function strength(card, recruit, drive)
  local plain = card.face
  if card.tag ~= recruit.tag then plain = math.max(0, plain - CROSS) end
  return plain + drive
end

local function points(card, recruit)
  if card.face == SIGNATURE and card.tag == recruit.tag and recruit.g == STAR then return recruit.g + BONUS end
  return recruit.g
end

-- The one who takes the recruit: the highest alone, or the only one of the interest among the highest.
local function taker(recruit)
  local most, best, own = -1, {}, {}
  for _, bid in ipairs(recruit.bids) do
    if bid.strength > most then most, best, own = bid.strength, {}, {} end
    if bid.strength == most then
      best[#best + 1] = bid
      if bid.card.tag == recruit.tag then own[#own + 1] = bid end
    end
  end
  if most < recruit.g then return nil end
  if #best == 1 then return best[1] end
  if #own == 1 then return own[1] end
end

local function capture(game, recruit, bid)
  local seat, earned = bid.seat, points(bid.card, recruit)
  local extra = earned - recruit.g
  if bid.strength < recruit.g or (earned > bid.card.face and extra == 0 and bid.drive == 0) then
    breaks("efficiency", seat.name .. " takes " .. recruit.name .. " with " .. bid.strength)
  end
  seat.score = seat.score + earned
  seat.g = seat.g + recruit.g
  seat.bonus = seat.bonus + extra
  seat.got[#seat.got + 1] = recruit.card
  seat.took = true
  game.captured = game.captured + 1
  game.captured_g = game.captured_g + recruit.g
  game.bonus = game.bonus + extra
  return seat.name .. " +" .. earned
end

-- ④ 揭示结算, one recruit.
local function settle(game, recruit)
  if #recruit.bids == 0 then
    if game.slot < SLOTS then return "再逛一圈", true end
    game.retired = game.retired + 1
    return "退场"
  end
  local bid = taker(recruit)
  if bid then return capture(game, recruit, bid) end
  game.broken = game.broken + 1
  return "流局"
end

-- ⑤ 收尾
local function close(game)
  for _, seat in ipairs(game.seats) do
    if not seat.took then
      seat.empty = seat.empty + 1
      seat.drive = math.min(MOST_DRIVE, seat.drive + 1)
    end
    seat.played, seat.took = false, false
  end
  game.bids = 0
  game.phase = game.slot < SLOTS and "flip" or "over"
end

local function sum(seats, field)
  local total = 0
  for _, seat in ipairs(seats) do total = total + seat[field] end
  return total
end

-- What holds of every game that is over.
local function final_laws(game)
  local empties = sum(game.seats, "empty")
  if empties ~= SLOTS * game.players - game.captured or empties < SLOTS then
    breaks("empties", "hands were empty " .. empties .. " times, recruits taken " .. game.captured)
  end
  if game.captured + game.broken + game.retired ~= game.flipped or #game.corridor > 0 then
    breaks("fate", game.flipped .. " recruits were turned up, but " ..
      (game.captured + game.broken + game.retired) .. " have a fate")
  end
  if sum(game.seats, "score") ~= game.captured_g + game.bonus then
    breaks("replay_score", "the scores do not sum to the recruits taken and the bonus")
  end
  for _, seat in ipairs(game.seats) do
    for _, name in ipairs(seat.cards) do
      if not seat.hand[name].used then breaks("replay_hand", seat.name .. " never played " .. name) end
    end
  end
end

local function resolve(game)
  local staying = {}
  game.results, game.rows = {}, {}
  for _, recruit in ipairs(game.corridor) do
    local fate, stays = settle(game, recruit)
    game.results[recruit.name] = fate
    local who = {}
    for at, bid in ipairs(recruit.bids) do who[at] = bid.seat.name end
    game.rows[recruit.name] = #who > 0 and table.concat(who, "／") or "无人指向"
    if stays then staying[#staying + 1] = recruit end
  end
  game.corridor = staying
  close(game)
  if game.phase == "over" then final_laws(game) end
end

-- ③ 暗置
local function play(game, move)
  local seat = game.seats[game.seat[move.by] or 0]
  if game.phase ~= "play" then breaks("replay_hand", "nobody plays a card now", "play") end
  if not seat then breaks("replay_hand", "nobody here is called " .. move.by, "by") end
  if seat.played then breaks("replay_hand", seat.name .. " has played a card in this slot already", "by") end
  local card = seat.hand[move.play]
  if not card then breaks("replay_hand", seat.club .. " has no card " .. move.play, "play") end
  if card.used then breaks("replay_hand", seat.name .. " has played " .. move.play .. " before", "play") end
  local recruit = in_corridor(game, move.at)
  if not recruit then breaks("replay_deck", move.at .. " is not in the corridor", "at") end
  local drive = move.drive or 0
  if drive ~= 0 and drive ~= 1 then breaks("replay_grit", "at most one drive a card", "drive") end
  if drive > seat.drive then breaks("replay_grit", seat.name .. " has no drive", "drive") end
  card.used, seat.played = true, true
  seat.drive = seat.drive - drive
  local force = strength(card, recruit, drive)
  recruit.bids[#recruit.bids + 1] = { seat = seat, card = card, drive = drive, strength = force }
  game.bids = game.bids + 1
  if game.bids == game.players then resolve(game) end
  return { strength = force, label = card.tag == recruit.tag and "对口" or "跨科" }
end

function apply(game, move)
  if move.flip then return flip(game, move.flip) end
  return play(game, move)
end

-- Every card that is left, at every recruit, with and without drive.
function moves(game)
  local seat = game.seats[turn(game)]
  local list, count = {}, 0
  for _, name in ipairs(seat.cards) do
    if not seat.hand[name].used then
      for _, recruit in ipairs(game.corridor) do
        for drive = 0, math.min(1, seat.drive) do
          count = count + 1
          list[count] = { by = seat.name, play = name, at = recruit.name, drive = drive }
        end
      end
    end
  end
  return list
end

-- A greedy player takes the most points for the least strength, as if nobody else were there; what cannot take is a small card
-- thrown away.
function value(game, move)
  local seat = game.seats[game.seat[move.by]]
  local card, recruit = seat.hand[move.play], in_corridor(game, move.at)
  local force = strength(card, recruit, move.drive)
  if force < recruit.g then return -card.face - 2 * move.drive end
  return points(card, recruit) - 0.3 * (force - recruit.g) - 0.5 * move.drive
end

-- 6.3: the score, then the number of recruits.
local function beats(a, b)
  if a.score ~= b.score then return a.score > b.score end
  return #a.got > #b.got
end

local function rank(game, seat)
  local above = 0
  for _, other in ipairs(game.seats) do
    if beats(other, seat) then above = above + 1 end
  end
  return above + 1
end

local function rounded(number, unit) return math.floor(number / unit + 0.5) * unit end

local function seat_facts(game, seat)
  local hand = {}
  for at, name in ipairs(seat.cards) do hand[at] = name end
  return {
    club = seat.club, hand = table.concat(hand, " "), got = table.concat(seat.got, " "), recruits = #seat.got,
    score = seat.score, g = seat.g, bonus = seat.bonus, drive = seat.drive, empty = seat.empty, rank = rank(game, seat),
    efficiency = rounded(seat.g / MEANS, 0.01),
  }
end

local function totals(game)
  return {
    flipped = game.flipped, sum_g = game.sum_g, captured = game.captured, captured_g = game.captured_g,
    bonus = game.bonus, points = game.captured_g + game.bonus, empties = sum(game.seats, "empty"),
    lost = game.sum_g > 0 and rounded(100 * (game.sum_g - game.captured_g) / game.sum_g, 0.1) or 0,
  }
end

function facts(game)
  local seats = {}
  for _, seat in ipairs(game.seats) do seats[seat.name] = seat_facts(game, seat) end
  return { slot = game.slot, seats = seats, results = game.results, rows = game.rows, totals = totals(game) }
end

function result(game)
  local scores, names, winners = {}, {}, {}
  for at, seat in ipairs(game.seats) do
    scores[at], names[at] = seat.score, seat.club
    if rank(game, seat) == 1 then winners[#winners + 1] = at end
  end
  local all = totals(game)
  return {
    scores = scores, names = names, winners = winners,
    figures = {
      empties = all.empties, gap = MEANS * game.players - game.sum_g, captured = all.captured, lost = all.lost,
      crowd = game.crowd, bonus = game.bonus // BONUS,
    },
  }
end
