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
  { name = "empties_each", title = "空手人次，人均" },
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
      empties = all.empties, empties_each = all.empties / game.players, gap = MEANS * game.players - game.sum_g, captured = all.captured, lost = all.lost,
      crowd = game.crowd, bonus = game.bonus // BONUS,
    },
  }
end

-- The claims of the text that need the rules: see claims.toml.
claims = {}

local FACES = { 5, 4, 3, 2, 1 }
local GRADES = { 1, 2, 3, 4 }

-- A fact of the sample at its end, by its path.
function claims.sample(...)
  local at = facts(sample("sample"))
  for _, key in ipairs({ ... }) do at = at[key] end
  return at
end

-- §7.7: the G that was lost, and what a player made of his fifteen.
function claims.lost()
  local all = facts(sample("sample")).totals
  return (all.sum_g - all.captured_g) / all.sum_g
end

function claims.efficiency(name) return facts(sample("sample")).seats[name].g / MEANS end

-- A slot of the sample: a flip, and a card of each of the four.
local MOVES = 5

local function slot_of(n) return (n + MOVES - 1) // MOVES end

-- The corridor of the sample after the flip of a slot.
local function corridor(slot)
  return sample("sample", function(n) if n > MOVES * (slot - 1) + 1 then return false end end).corridor
end

function claims.crowd(slot) return #corridor(slot) end

function claims.crowds()
  local sizes = {}
  for slot = 1, SLOTS do sizes[slot] = claims.crowd(slot) end
  return sizes
end

-- In how many slots, up to this one, a recruit of the sample has stood in the corridor; and in which he came.
function claims.slots_in_corridor(name, last)
  local count = 0
  for slot = 1, last do
    for _, recruit in ipairs(corridor(slot)) do
      if recruit.name == name then count = count + 1 end
    end
  end
  return count
end

function claims.came_in(name)
  for slot = 1, SLOTS do
    if claims.slots_in_corridor(name, slot) > 0 then return slot end
  end
end

-- The name of a card or a recruit, taken apart.
local function card_called(name) return { tag = string.sub(name, 1, -2), face = tonumber(string.sub(name, -1)) } end

-- Every recruit of the sample that somebody pointed at, with the bids.
local function contests()
  local list, known = {}, {}
  sample("sample", function(n, move)
    if not move.play then return end
    local key = slot_of(n) .. move.at
    if not known[key] then
      local target = card_called(move.at)
      known[key] = { slot = slot_of(n), name = move.at, tag = target.tag, g = target.face, bids = {} }
      list[#list + 1] = known[key]
    end
    local card = card_called(move.play)
    local bid = { seat = { name = move.by }, card = card, drive = move.drive or 0 }
    bid.strength = strength(card, known[key], bid.drive)
    table.insert(known[key].bids, bid)
  end)
  return list
end

-- How many bids for a recruit of the sample were of his own interest.
function claims.own_bids(slot, name)
  local count = 0
  for _, contest in ipairs(contests()) do
    if contest.slot == slot and contest.name == name then
      for _, bid in ipairs(contest.bids) do
        if bid.card.tag == contest.tag then count = count + 1 end
      end
    end
  end
  return count
end

-- How many recruits a player of the sample took because his interest broke a tie.
function claims.ties_won(name)
  local count = 0
  for _, contest in ipairs(contests()) do
    local bid, highest = taker(contest), 0
    for _, other in ipairs(contest.bids) do
      if bid and other.strength == bid.strength then highest = highest + 1 end
    end
    if highest > 1 and bid.seat.name == name then count = count + 1 end
  end
  return count
end

-- How many recruits a player of the sample took with exactly their G, by his own interest and a drive.
function claims.exact_with_drive(name)
  local count = 0
  for _, contest in ipairs(contests()) do
    local bid = taker(contest)
    if bid and bid.seat.name == name and bid.card.tag == contest.tag and bid.drive == 1 and bid.strength == contest.g then
      count = count + 1
    end
  end
  return count
end

-- The G that a player of the sample took for a point of resolved strength.
function claims.capture_ratio(name)
  local g, force = 0, 0
  for _, contest in ipairs(contests()) do
    local bid = taker(contest)
    if bid and bid.seat.name == name then g, force = g + contest.g, force + bid.strength end
  end
  return g / force
end

-- §7.9: a fact of `whom` if `who` had played otherwise; each four of the rest are a slot, a card, a recruit and the drive.
function claims.what_if(who, whom, key, ...)
  local plays, rest = {}, { ... }
  for at = 1, #rest, 4 do
    plays[rest[at]] = { by = who, play = rest[at + 1], at = rest[at + 2], drive = rest[at + 3] }
  end
  local game = sample("sample", function(n, move) if move.by == who then return plays[slot_of(n)] end end)
  return facts(game).seats[whom][key]
end

-- The most recruits that can stand in the corridor at once: all point at the first one, so that the others stay.
function claims.most_in_corridor(players)
  local game = setup({ players = players })
  while turn(game) do
    if turn(game) == 0 then
      apply(game, chance(game))
    else
      local seat = game.seats[turn(game)]
      for _, name in ipairs(seat.cards) do
        if not seat.hand[name].used then
          apply(game, { by = seat.name, play = name, at = game.corridor[1].name })
          break
        end
      end
    end
  end
  return game.crowd
end

-- How many hands stay empty in the second slot when three players first fight for one recruit, and then each takes one.
function claims.empty_in_a_full_slot()
  local game = setup({ players = 3, seats = {
    { name = "a", club = "light-music" }, { name = "b", club = "cooking" }, { name = "c", club = "astronomy" } } })
  apply(game, { flip = { "🎵1", "🎵2" } })
  apply(game, { by = "a", play = "📚1", at = "🎵1" })
  apply(game, { by = "b", play = "🎵1", at = "🎵1" })
  apply(game, { by = "c", play = "📚1", at = "🎵1" })
  local before = sum(game.seats, "empty")
  apply(game, { flip = { "🍜1", "🔬1" } })
  apply(game, { by = "a", play = "🎵5", at = "🎵2" })
  apply(game, { by = "b", play = "🍜5", at = "🍜1" })
  apply(game, { by = "c", play = "🔬5", at = "🔬1" })
  return sum(game.seats, "empty") - before
end

-- A card and a recruit, of one interest or of two.
local function meeting(face, own, g) return { tag = "a", face = face }, { tag = own == 1 and "a" or "b", g = g } end

-- The resolved strengths of the faces from 5 to 1.
function claims.strengths(own, drive)
  local list = {}
  for at, face in ipairs(FACES) do
    local card, recruit = meeting(face, own, 1)
    list[at] = strength(card, recruit, drive)
  end
  return list
end

-- The highest G that the faces from 5 to 1 can take; 0 where none.
function claims.reaches(own, drive)
  local list = {}
  for at, force in ipairs(claims.strengths(own, drive)) do list[at] = math.min(force, STAR) end
  return list
end

-- Every way to take a recruit: what it earns, the strength and the card spent.
local function takings()
  local list = {}
  for _, face in ipairs(FACES) do
    for _, g in ipairs(GRADES) do
      for own = 0, 1 do
        for drive = 0, 1 do
          local card, recruit = meeting(face, own, g)
          local force = strength(card, recruit, drive)
          if force >= g then
            list[#list + 1] = { key = face .. " " .. own .. " " .. g, points = points(card, recruit), g = g, force = force, card = face }
          end
        end
      end
    end
  end
  return list
end

-- How many kinds of taking earn more than one point for each point of `measure`: the resolved strength ("force") or the card.
function claims.better_than_one(measure)
  local count, seen = 0, {}
  for _, taking in ipairs(takings()) do
    if taking.points > taking[measure] and not seen[taking.key] then
      seen[taking.key] = true
      count = count + 1
    end
  end
  return count
end

-- The best of `earned` ("points", or "g" without the bonus) for a point of `measure`.
function claims.best_ratio(earned, measure)
  local best = 0
  for _, taking in ipairs(takings()) do best = math.max(best, taking[earned] / taking[measure]) end
  return best
end

function claims.best_points()
  local best = 0
  for _, taking in ipairs(takings()) do best = math.max(best, taking.points) end
  return best
end

-- The highest G that one face can take; and that of the best card of another interest, with whatever helps.
function claims.reach(face, own, drive) return claims.reaches(own, drive)[6 - face] end

function claims.best_across() return math.max(claims.reach(SIGNATURE, 0, 0), claims.reach(SIGNATURE, 0, 1)) end

function claims.slots_in_corridor_both(one, other, last)
  return { claims.slots_in_corridor(one, last), claims.slots_in_corridor(other, last) }
end

-- A row of §7.7: recruits, score, empty hands.
function claims.row(name)
  local seat = facts(sample("sample")).seats[name]
  return { seat.recruits, seat.score, seat.empty }
end

function claims.six_and_three()
  local old, ying = claims.row("老望"), claims.row("阿影")
  return { old[1], ying[1], old[2], ying[2] }
end

-- By how much 阿影 gains on 老望 if he plays otherwise.
function claims.swing(...)
  local gap = claims.what_if("阿影", "阿影", "score", ...) - claims.what_if("阿影", "老望", "score", ...)
  return gap - (claims.row("阿影")[2] - claims.row("老望")[2])
end

-- How many drive tokens 阿吉 gains in a slot of the sample that he plays otherwise.
function claims.drive_won(slot, card, at, drive)
  local function before(n) if n > MOVES * (slot - 1) then return false end end
  local function after(n, move)
    if n > MOVES * slot then return false end
    if move.by == "阿吉" and slot_of(n) == slot then return { by = move.by, play = card, at = at, drive = drive } end
  end
  return facts(sample("sample", after)).seats["阿吉"].drive - facts(sample("sample", before)).seats["阿吉"].drive
end
