-- 抗秦 as a program. Where the rules are silent the rulings of course.toml hold: who has no token can neither offer twice nor refuse; on
-- failure as much is paid as the card says, or all.

local ROUNDS, PASSES, OFFERS = 4, 3, 2
local TOKENS, QIN_TOKENS = 2, 9

local dice_of = {}
for _, one in ipairs(records.difficulty) do dice_of[one.id] = one.dice end

figures = {
  { name = "won", title = "诸侯胜，%" },
  { name = "successes", title = "抗秦成功，回合", at_most = ROUNDS },
  { name = "qin", title = "终局嬴秦的圆片" },
  { name = "offers", title = "提议，次", at_most = 4 * OFFERS * ROUNDS },
  { name = "tokens", title = "圆片总数", at_least = 4 * TOKENS + QIN_TOKENS, at_most = 4 * TOKENS + QIN_TOKENS },
}

local function tokens(game)
  local sum = game.qin.tokens
  for _, seat in ipairs(game.seats) do sum = sum + seat.tokens end
  return sum
end

function setup(deal)
  local game = {
    seats = {}, qin = { tokens = deal.qin_tokens or QIN_TOKENS, card = 0 }, dice = dice_of[deal.difficulty or "normal"],
    round = 0, phase = "deal", successes = 0, offers = 0, last = {},
  }
  for at = 1, deal.players do
    game.seats[at] = { name = deal.seats and deal.seats[at] or "seat " .. at, tokens = deal.tokens and deal.tokens[at] or TOKENS, cards = {},
      offers = 0 }
  end
  if tokens(game) ~= 4 * TOKENS + QIN_TOKENS then breaks("tokens17", "there are " .. tokens(game) .. " tokens", "tokens") end
  return game
end

-- Rounds begin with their leader; everything goes clockwise from there.
local function nth(game, at) return (game.round - 1 + at - 1) % #game.seats + 1 end

function turn(game)
  if game.phase == "over" then return nil end
  if game.phase == "deal" then return 0 end
  if game.phase == "answer" then return game.offer.to end
  if game.phase == "settle" then return game.last.least_seat end
  return nth(game, game.at)
end

function chance(game)
  local deck, hands, dice = {}, {}, {}
  for at, figure in ipairs(records.figure) do deck[at] = figure.number end
  shuffle(deck)
  for at = 1, #game.seats do hands[at] = { deck[2 * at - 1], deck[2 * at] } end
  for at = 1, game.dice do dice[at] = math.random(6) end
  return { hands = hands, qin_card = deck[#deck], dice = dice }
end

-- Steps 3 and 4: every card is somewhere, each once.
local function check_deal(game, move)
  local seen = {}
  local function see(card)
    if card < 1 or card > #records.figure then breaks("cards9", "there is no card " .. card, "hands") end
    if has(seen, card) then breaks("cards9", "the card " .. card .. " lies there twice", "hands") end
    seen[card] = true
  end
  see(move.qin_card)
  if #move.hands ~= #game.seats then breaks("cards9", "a hand for each player", "hands") end
  for _, hand in ipairs(move.hands) do
    if #hand ~= 2 then breaks("cards9", "two cards a player", "hands") end
    see(hand[1])
    see(hand[2])
  end
  if #move.dice ~= game.dice then breaks("dice", game.dice .. " dice are thrown", "dice") end
  for _, eyes in ipairs(move.dice) do
    if eyes < 1 or eyes > 6 then breaks("dice", "no die shows " .. eyes, "dice") end
  end
end

local function deal_out(game, move)
  if game.phase ~= "deal" then breaks("leaders", "this round is dealt already", "hands") end
  check_deal(game, move)
  game.round = game.round + 1
  game.qin.card, game.qin.force = move.qin_card, move.qin_card
  for _, eyes in ipairs(move.dice) do game.qin.force = game.qin.force + eyes end
  for at, seat in ipairs(game.seats) do
    seat.cards, seat.offers, seat.shown = copy(move.hands[at]), 0, 0
  end
  game.phase, game.pass, game.at = "offer", 1, 1
  return { leader = game.seats[nth(game, 1)].name, round = game.round, qin = game.qin.force }
end

local function seat_called(game, name, key)
  for at, seat in ipairs(game.seats) do
    if seat.name == name then return seat, at end
  end
  breaks("leaders", "nobody here is called " .. name, key)
end

local function holds(seat, card)
  for at, own in ipairs(seat.cards) do
    if own == card then return at end
  end
  breaks("cards9", seat.name .. " does not hold " .. card, "give")
end

local function next_offer(game)
  game.at = game.at + 1
  if game.at > #game.seats then game.pass, game.at = game.pass + 1, 1 end
  if game.pass > PASSES then game.phase, game.at = "show", 1 end
end

-- Step 5. An empty offer is a pass.
local function offer(game, seat, at, move)
  if game.phase ~= "offer" then breaks("offers", "nobody offers now", "offer") end
  if at ~= turn(game) then breaks("offers", "it is the turn of " .. game.seats[turn(game)].name, "by") end
  if move.offer == "" then
    next_offer(game)
    return {}
  end
  if seat.offers == OFFERS then breaks("offers", seat.name .. " has offered twice", "offer") end
  if seat.offers == 1 and seat.tokens == 0 then breaks("offers", seat.name .. " cannot pay for a second offer", "offer") end
  local own = holds(seat, move.give)
  seat.offers = seat.offers + 1
  game.offers = game.offers + 1
  if move.offer == "秦" then
    seat.cards[own], game.qin.card = game.qin.card, seat.cards[own]
    game.qin.force = game.qin.force + game.qin.card - seat.cards[own]
    if seat.offers == 2 then seat.tokens, game.qin.tokens = seat.tokens - 1, game.qin.tokens + 1 end
    next_offer(game)
    return {}
  end
  local _, to = seat_called(game, move.offer, "offer")
  if to == at then breaks("offers", "nobody bargains with himself", "offer") end
  game.offer = { from = at, to = to, card = own }
  game.phase = "answer"
  return {}
end

local function answer(game, seat, at, move)
  if game.phase ~= "answer" or at ~= game.offer.to then breaks("offers", "nobody asked " .. seat.name, "by") end
  local from = game.seats[game.offer.from]
  if move.answer == "换" then
    local own = holds(seat, move.give)
    seat.cards[own], from.cards[game.offer.card] = from.cards[game.offer.card], seat.cards[own]
    if from.offers == 2 then from.tokens, seat.tokens = from.tokens - 1, seat.tokens + 1 end
  elseif move.answer == "不换" then
    if seat.tokens == 0 then breaks("offers", seat.name .. " cannot pay for refusing", "answer") end
    seat.tokens, from.tokens = seat.tokens - 1, from.tokens + 1
  else
    breaks("offers", "the answer is 换 or 不换", "answer")
  end
  game.phase = "offer"
  next_offer(game)
  return {}
end

local function reveal(game)
  local sum, least = 0, 1
  for at, seat in ipairs(game.seats) do
    sum = sum + seat.cards[seat.shown]
    if seat.cards[seat.shown] < game.seats[least].cards[game.seats[least].shown] then least = at end
  end
  local seat = game.seats[least]
  local success = sum > game.qin.force
  local cap = seat.cards[3 - seat.shown]
  local most = math.min(cap, success and game.qin.tokens or seat.tokens)
  if success then game.successes = game.successes + 1 end
  game.last = { sum = sum, qin = game.qin.force, success = success, least = seat.name, least_seat = least, cap = cap, most = most }
  game.phase = "settle"
end

-- Step 6.
local function show(game, seat, at, move)
  if game.phase ~= "show" then breaks("strict_win", "nobody shows a card now", "show") end
  if at ~= turn(game) then breaks("strict_win", "it is the turn of " .. game.seats[turn(game)].name, "by") end
  for place, own in ipairs(seat.cards) do
    if own == move.show then seat.shown = place end
  end
  if seat.shown == 0 then breaks("cards9", seat.name .. " does not hold " .. move.show, "show") end
  game.at = game.at + 1
  if game.at > #game.seats then reveal(game) end
  return {}
end

-- Step 8: on success what one likes up to the card, on failure all that the card says.
local function settle(game, seat, at, move)
  if game.phase ~= "settle" or at ~= game.last.least_seat then breaks("payment", seat.name .. " settles nothing now", "by") end
  local before, most = tokens(game), game.last.most
  if move.tokens < 0 or move.tokens > most then breaks("payment", "at most " .. most .. " can change hands", "tokens") end
  if not game.last.success and move.tokens < most then breaks("payment", "a failure costs " .. most, "tokens") end
  local taken = game.last.success and move.tokens or -move.tokens
  seat.tokens, game.qin.tokens = seat.tokens + taken, game.qin.tokens - taken
  if tokens(game) ~= before or seat.tokens < 0 then breaks("tokens17", "tokens are lost or made") end
  game.phase = game.round == ROUNDS and "over" or "deal"
  return { cap = game.last.cap }
end

function apply(game, move)
  if move.hands then return deal_out(game, move) end
  local seat, at = seat_called(game, move.by, "by")
  if move.offer then return offer(game, seat, at, move) end
  if move.answer then return answer(game, seat, at, move) end
  if move.show then return show(game, seat, at, move) end
  return settle(game, seat, at, move)
end

local function most_tokens(game)
  local most = 0
  for _, seat in ipairs(game.seats) do most = math.max(most, seat.tokens) end
  return most
end

function facts(game)
  local seats = {}
  for _, seat in ipairs(game.seats) do seats[seat.name] = { tokens = seat.tokens, cards = seat.cards } end
  return {
    round = game.round, seats = seats, qin_tokens = game.qin.tokens, tokens = tokens(game),
    last = { sum = game.last.sum, qin = game.last.qin, success = game.last.success, least = game.last.least, cap = game.last.cap,
      most = game.last.most },
  }
end

local function offers(game, seat, at, list)
  list[1] = { by = seat.name, offer = "" }
  if seat.offers == OFFERS or seat.offers == 1 and seat.tokens == 0 then return list end
  for _, card in ipairs(seat.cards) do
    list[#list + 1] = { by = seat.name, offer = "秦", give = card }
    for other, target in ipairs(game.seats) do
      if other ~= at then list[#list + 1] = { by = seat.name, offer = target.name, give = card } end
    end
  end
  return list
end

function moves(game)
  local at, list = turn(game), {}
  local seat = game.seats[at]
  if game.phase == "offer" then return offers(game, seat, at, list) end
  if game.phase == "answer" then
    for _, card in ipairs(seat.cards) do list[#list + 1] = { by = seat.name, answer = "换", give = card } end
    if seat.tokens > 0 then list[#list + 1] = { by = seat.name, answer = "不换" } end
  elseif game.phase == "show" then
    for _, card in ipairs(seat.cards) do list[#list + 1] = { by = seat.name, show = card } end
  else
    local least = game.last.success and 0 or game.last.most
    for amount = least, game.last.most do list[#list + 1] = { by = seat.name, tokens = amount } end
  end
  return list
end

-- A greedy lord bargains away his smaller card, fights with the larger one, and takes what he can.
function value(game, move)
  local seat = seat_called(game, move.by, "by")
  local large = math.max(seat.cards[1], seat.cards[2])
  if move.offer then
    if move.offer == "" then return 0 end
    return seat.offers == 0 and large + move.give < 9 and move.give < large and 1 or -1
  end
  if move.answer then return move.answer == "不换" and -1 or -move.give end
  return move.show or move.tokens
end

function result(game)
  local won, best = game.qin.tokens == 0, most_tokens(game)
  local scores, winners = {}, {}
  for at, seat in ipairs(game.seats) do
    scores[at] = seat.tokens
    if won and seat.tokens == best then winners[#winners + 1] = at end
  end
  return {
    scores = scores, winners = winners, names = {},
    figures = {
      won = won and 100 or 0, successes = game.successes, qin = game.qin.tokens, offers = game.offers, tokens = tokens(game),
    },
  }
end

-- The claims of the text that need the rules: see claims.toml.
claims = {}

-- A game in which nobody bargains, up to the phase `until_phase` of its first round, or to its end.
local function quiet(deal, until_phase)
  local game = setup(deal)
  local leaders, made = {}, 0
  while turn(game) and game.phase ~= until_phase do
    local seat = game.seats[turn(game)]
    if game.phase == "deal" then
      local said = apply(game, chance(game))
      leaders[said.leader] = (leaders[said.leader] or 0) + 1
    elseif game.phase == "offer" then
      apply(game, { by = seat.name, offer = "" })
      made = made + 1
    else
      apply(game, moves(game)[1])
    end
  end
  return game, leaders, made
end

function claims.rounds_played()
  local game = quiet({ players = 4 })
  return game.round
end

-- How often each seat leads in a game.
function claims.leaderships()
  local game, leaders = quiet({ players = 4 })
  local list = {}
  for at, seat in ipairs(game.seats) do list[at] = leaders[seat.name] end
  return list
end

-- How often a seat may offer, or pass, before cards are shown.
function claims.passes()
  local game, _, made = quiet({ players = 4 }, "show")
  return made // #game.seats
end

-- The leader offers his first card to the next seat `times` times, and is answered.
local function bargained(times, answer)
  local game = setup({ players = 4 })
  apply(game, chance(game))
  for at = 1, times do
    apply(game, { by = "seat 1", offer = "seat 2", give = game.seats[1].cards[1] })
    local reply = { by = "seat 2", answer = answer }
    if answer == "换" then reply.give = game.seats[2].cards[1] end
    apply(game, reply)
    for other = 2, 4 do apply(game, { by = "seat " .. other, offer = "" }) end
  end
  return game
end

-- What the n-th offer of a round costs who makes it.
function claims.cost_of_offer(n)
  return bargained(n - 1, "换").seats[1].tokens - bargained(n, "换").seats[1].tokens
end

function claims.cost_of_refusal() return bargained(0, "不换").seats[2].tokens - bargained(1, "不换").seats[2].tokens end

-- After how many offers of a round nothing is left but to pass.
function claims.most_offers()
  local made = 0
  while #moves(bargained(made, "换")) > 1 do made = made + 1 end
  return made
end

-- How many cards a seat holds when it comes to showing, and how many of them it has shown when the round is settled.
function claims.shown()
  local before, after = quiet({ players = 4 }, "show"), quiet({ players = 4 }, "settle")
  local shown = after.seats[1].shown > 0 and 1 or 0
  return { #before.seats[1].cards, shown }
end

-- How many tokens change hands when the least contributor turns up `card` and who pays has `stock`: the most on success, all on failure.
function claims.settled(success, card, stock)
  local others = 4 * TOKENS + QIN_TOKENS - stock
  local tokens = success and { others, 0, 0, 0 } or { stock, 0, 0, others }
  local game = setup({ players = 4, difficulty = "easy", qin_tokens = success and stock or 0, tokens = tokens })
  -- Seat 1 shows the smallest card of all and keeps `card`.
  local left = {}
  for number = 2, #records.figure do
    if number ~= card then left[#left + 1] = number end
  end
  local qin = table.remove(left, success and 1 or #left)
  local hands = { { 1, card } }
  for seat = 2, 4 do hands[seat] = { table.remove(left), table.remove(left, 1) } end
  local eyes = success and 1 or 6
  apply(game, { hands = hands, qin_card = qin, dice = { eyes, eyes, eyes } })
  while game.phase == "offer" do apply(game, { by = game.seats[turn(game)].name, offer = "" }) end
  while game.phase == "show" do
    local seat = game.seats[turn(game)]
    apply(game, { by = seat.name, show = seat.cards[1] })
  end
  if game.last.success ~= success or game.last.least_seat ~= 1 then error("the round does not come out as it should") end
  return game.last.most
end
