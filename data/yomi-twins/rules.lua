-- 黄泉双生 as a program: the basic game, without wardens and curses (§ 一个夜晚的九个步骤).

local limit = records.limit[1]

figures = {
  { name = "won", title = "守夜成功，%" },
  { name = "layers", title = "封层" },
  { name = "joins", title = "合符次数" },
  { name = "lone", title = "落单张数" },
  { name = "cracks", title = "侵蚀次数" },
  { name = "taint", title = "终局污秽" },
}

local setups, readings, forces, partner, gates = {}, {}, {}, {}, {}
for _, one in ipairs(records.setup) do setups[one.n] = one end
for _, one in ipairs(records.reading) do readings[one.id] = one end
for _, one in ipairs(records.force) do forces[one.force] = one end
for _, one in ipairs(records.partner) do partner[one.name] = one end
for _, one in ipairs(records.gate) do gates[one.id] = one end

-- The halves by the names of the text: partner, side, force.
local half = {}
for _, one in ipairs(records.partner) do
  half[one.name .. "L" .. one.left] = { name = one.name, left = true }
  half[one.name .. "R" .. one.right] = { name = one.name, left = false }
end

local function gates_of(plan)
  local list = {}
  for _, id in ipairs(plan.gates) do
    local gate = gates[id]
    local most = plan.n == 3 and gate.layers3 or gate.layers
    list[#list + 1] = { name = gate.name, gap = gate.gap, most = most, layers = 0 }
  end
  return list
end

local function tide_name(tide) return gates[tide.gate].name .. " T" .. tide.t .. tide.omen end

-- The sample fixes the first hands; what is drawn later shows only when it is played.
local function deal_known(game, seats)
  for at, seat in ipairs(seats) do
    if #seat.hand ~= limit.hand then breaks("replay_hand", seat.name .. " begins with " .. #seat.hand .. " cards", "seats") end
    for _, card in ipairs(seat.hand) do
      if not half[card] then breaks("replay_hand", "there is no half " .. card, "seats") end
      game.seen[card] = (game.seen[card] or 0) + 1
      if game.seen[card] > 4 then breaks("replay_hand", "a fifth " .. card, "seats") end
    end
    game.seats[at] = { name = seat.name, hand = copy(seat.hand), unknown = 0, drawn = {} }
  end
end

local function deal_unknown(game, hands)
  for card in pairs(half) do
    for _ = 1, 4 do game.deck[#game.deck + 1] = card end
  end
  shuffle(game.deck)
  for at = 1, hands do
    local seat = { name = "seat " .. at, hand = {}, unknown = 0, drawn = {} }
    for _ = 1, limit.hand do seat.hand[#seat.hand + 1] = table.remove(game.deck) end
    game.seats[at] = seat
  end
end

function setup(deal)
  local plan = setups[deal.players]
  local reading = readings[deal.reading or "rules"]
  if not reading then breaks(nil, "there is no reading `" .. deal.reading .. "`", "reading") end
  local game = {
    nights = plan.nights, night = 0, phase = "tide", gates = gates_of(plan), taint = 0, joins = 0, lone = 0, cracks = 0,
    lone_first = reading.lone_first, purify_unsealed = reading.purify_unsealed, known = deal.seats ~= nil,
    seats = {}, seen = {}, deck = {}, used = {}, tides = {}, risen = {}, left = {}, pending = {}, tonight = { joins = 0, lone = 0, purified = 0 },
  }
  if deal.seats then deal_known(game, deal.seats) else deal_unknown(game, plan.hands) end
  if #game.seats ~= plan.hands then breaks(nil, #game.seats .. " hands for " .. deal.players .. " players", "seats") end
  for at, tide in ipairs(records.tide) do
    game.tides[at] = tide
    local name = tide_name(tide)
    game.left[name] = (game.left[name] or 0) + 1
  end
  shuffle(game.tides)
  return game
end

-- Who keeps the lantern lit instead of playing: with an odd number of hands one a night, in turn.
local function keeper(game)
  if #game.seats % 2 == 0 then return nil end
  return (game.night - 1) % #game.seats + 1
end

function turn(game)
  if game.phase == "over" then return nil end
  if game.phase == "tide" then return 0 end
  if game.phase == "join" then return game.pending[1].left end
  for at, seat in ipairs(game.seats) do
    if at ~= keeper(game) and not seat.played then return at end
  end
end

function chance(game)
  local tide = game.tides[game.night + 1]
  return { tide = gates[tide.gate].name, t = tide.t, omen = tide.omen }
end

-- ① 潮起
local function rise(game, move)
  local omen = move.omen or ""
  local name = move.tide .. " T" .. move.t .. omen
  if game.phase ~= "tide" then breaks("tides_replay", "the tide of this night has risen already", "tide") end
  if not game.left[name] then breaks("tides_replay", "there is no tide " .. name, "tide") end
  if game.left[name] == 0 then breaks("tides_replay", "no tide " .. name .. " is left", "tide") end
  game.left[name] = game.left[name] - 1
  game.risen[#game.risen + 1] = name
  game.night = game.night + 1
  game.phase = "play"
  game.tide = { gate = move.tide, t = move.t, omen = omen }
  game.tonight = { joins = 0, lone = 0, purified = 0, may = 0, clean = 0 }
  return { night = game.night }
end

local function seat_called(game, name)
  for at, seat in ipairs(game.seats) do
    if seat.name == name then return seat, at end
  end
  breaks("replay_hand", "nobody here is called " .. name, "by")
end

-- Takes a card out of a hand; one that nobody has seen must have been drawn since.
local function take_from(game, seat, card)
  for at, own in ipairs(seat.hand) do
    if own == card then return table.remove(seat.hand, at) end
  end
  if seat.unknown == 0 then breaks("replay_hand", seat.name .. " has no " .. card, "play") end
  game.seen[card] = (game.seen[card] or 0) + 1
  if game.seen[card] > 4 then breaks("replay_hand", "a fifth " .. card, "play") end
  seat.unknown = seat.unknown - 1
  seat.drawn[#seat.drawn + 1] = card
end

local function force_of(game, name)
  local force = partner[name].left + partner[name].right
  if game.tide.omen == "fog" then force = math.max(1, force - 1) end
  return force
end

-- How many layers a pair of this force puts on a gate.
local function layers_on(gate, force)
  local can = has(forces, force) and forces[force].layers or 0
  if force < gate.gap then return 0 end
  return math.min(can, gate.most - gate.layers)
end

local function somewhere(game, force)
  for _, gate in ipairs(game.gates) do
    if layers_on(gate, force) > 0 then return true end
  end
  return false
end

local function full(game)
  for _, gate in ipairs(game.gates) do
    if gate.layers < gate.most then return false end
  end
  return true
end

-- ⑧ 潮落
local function fall(game)
  if game.tonight.joins >= game.tide.t then return true end
  for _, gate in ipairs(game.gates) do
    if gate.name == game.tide.gate then
      game.cracks = game.cracks + 1
      if gate.layers > 0 then gate.layers = gate.layers - 1 else game.taint = game.taint + limit.crack_empty end
    end
  end
  return false
end

-- ⑨ 补牌
local function draw(game)
  for _, seat in ipairs(game.seats) do
    if seat.played then
      if game.known then
        seat.unknown = seat.unknown + 1
      else
        game.used[#game.used + 1] = seat.played
        if #game.deck == 0 then game.deck, game.used = shuffle(game.used), {} end
        seat.hand[#seat.hand + 1] = table.remove(game.deck)
      end
      seat.played = nil
    end
  end
end

-- ⑥ the cleaning, ⑦ the lone cards, in the order of the reading; then ⑧ and ⑨.
local function end_night(game)
  local night = game.tonight
  local clean = math.min(limit.purify, night.clean)
  if game.tide.omen == "silt" then clean = 0 end
  local dirt = night.lone * limit.lone
  if game.lone_first then
    night.purified = math.min(clean, game.taint + dirt)
    game.taint = math.max(0, game.taint + dirt - clean)
  else
    night.purified = math.min(clean, game.taint)
    game.taint = math.max(0, game.taint - clean) + dirt
  end
  if keeper(game) then game.taint = math.max(0, game.taint - 1) end
  game.lone = game.lone + night.lone
  game.joins = game.joins + night.joins
  night.may = clean
  if game.taint >= limit.taint then
    game.phase = "over"
    return
  end
  night.held = fall(game)
  draw(game)
  local over = game.taint >= limit.taint or game.night == game.nights
  game.phase = over and "over" or "tide"
end

-- ⑤ 显形: one left and one right half of a name join, whatever else is lone.
local function reveal(game)
  local groups = {}
  for at, seat in ipairs(game.seats) do
    if seat.played then
      local card = half[seat.played]
      local group = groups[card.name] or { name = card.name, count = 0 }
      group.count = group.count + 1
      group[card.left and "left" or "right"] = at
      groups[card.name] = group
    end
  end
  game.pending = {}
  for _, group in pairs(groups) do
    if group.count == 2 and group.left and group.right then
      game.pending[#game.pending + 1] = group
    else
      game.tonight.lone = game.tonight.lone + group.count
    end
  end
  game.phase = "join"
  if #game.pending == 0 then end_night(game) end
end

-- ④ 暗出
local function play(game, move)
  local seat, at = seat_called(game, move.by)
  local card = move.play
  if game.phase ~= "play" then breaks("replay_hand", "nobody plays a card now", "play") end
  if at == keeper(game) then breaks("replay_hand", seat.name .. " keeps the lantern tonight", "by") end
  if seat.played then breaks("replay_hand", seat.name .. " has played a card tonight already", "by") end
  if not has(half, card) then breaks("replay_hand", "there is no half " .. card, "play") end
  take_from(game, seat, card)
  seat.played = card
  if turn(game) == nil then reveal(game) end
  return { force = half[card].left and partner[half[card].name].left or partner[half[card].name].right }
end

local function gate_called(game, name)
  for _, gate in ipairs(game.gates) do
    if gate.name == name then return gate end
  end
  breaks("replay_layers", "there is no gate " .. name, "gate")
end

-- ⑥ 合符与封层: who played the left half chooses the gate; "" where no gate can take it.
local function join(game, move)
  if game.phase ~= "join" then breaks("replay_judge", "no halves lie open now", "join") end
  local pair
  for at, group in ipairs(game.pending) do
    if group.name == move.join then pair = table.remove(game.pending, at) break end
  end
  if not pair then breaks("replay_judge", move.join .. " does not join", "join") end
  local force, layers = force_of(game, pair.name), 0
  if move.gate ~= "" then
    local gate = gate_called(game, move.gate)
    layers = layers_on(gate, force)
    if layers == 0 then breaks("replay_layers", "force " .. force .. " puts nothing on " .. gate.name, "gate") end
    gate.layers = gate.layers + layers
  elseif somewhere(game, force) then
    breaks("replay_layers", "there is a gate that force " .. force .. " can close", "gate")
  end
  local night = game.tonight
  night.joins = night.joins + 1
  if layers > 0 or game.purify_unsealed then
    night.clean = night.clean + (has(forces, force) and forces[force].purify or 0)
  end
  if #game.pending == 0 then end_night(game) end
  return { force = force, layers = layers }
end

function apply(game, move)
  if move.tide then return rise(game, move) end
  if move.join then return join(game, move) end
  return play(game, move)
end

local function layers_in_all(game)
  local sum = 0
  for _, gate in ipairs(game.gates) do sum = sum + gate.layers end
  return sum
end

local function outcome(game)
  if game.taint >= limit.taint then return "污秽失控" end
  return full(game) and "守夜成功" or "夜尽门开"
end

function facts(game)
  local layers = {}
  for _, gate in ipairs(game.gates) do layers[gate.name] = gate.layers end
  local seats = {}
  for _, seat in ipairs(game.seats) do
    seats[seat.name] = { drawn = table.concat(seat.drawn, " "), hand = table.concat(seat.hand, " ") }
  end
  return {
    seats = seats, tides = table.concat(game.risen, "、"),
    night = game.night, taint = game.taint, layers = layers, total = layers_in_all(game), joins = game.joins, lone = game.lone,
    tonight = { joins = game.tonight.joins, lone = game.tonight.lone, purifies = game.tonight.may, held = game.tonight.held },
    outcome = game.phase == "over" and outcome(game) or "",
  }
end

function moves(game)
  local list = {}
  if game.phase == "play" then
    local seat = game.seats[turn(game)]
    for at, card in ipairs(seat.hand) do list[at] = { by = seat.name, play = card } end
    return list
  end
  local pair = game.pending[1]
  local force = force_of(game, pair.name)
  for _, gate in ipairs(game.gates) do
    if layers_on(gate, force) > 0 then list[#list + 1] = { join = pair.name, gate = gate.name } end
  end
  if #list == 0 then list[1] = { join = pair.name, gate = "" } end
  return list
end

-- The other half of a card: in the open, or in the hand of one who plays after this seat.
local function mates(game, card, at)
  local mate = half[card]
  local open, same, later = 0, 0, 0
  for other, seat in ipairs(game.seats) do
    if seat.played and half[seat.played].name == mate.name then
      same = same + 1
      if half[seat.played].left ~= mate.left then open = open + 1 end
    elseif other > at and other ~= keeper(game) and not seat.played then
      for _, own in ipairs(seat.hand) do
        if half[own].name == mate.name and half[own].left ~= mate.left then later = later + 1 break end
      end
    end
  end
  return open, same, later
end

-- A greedy table talks enough to know who has the other half, and fills the deep gates first.
function value(game, move)
  if game.phase == "join" then
    if move.gate == "" then return 0 end
    local gate = gate_called(game, move.gate)
    return 10 * layers_on(gate, force_of(game, move.join)) + gate.gap
  end
  local _, at = seat_called(game, move.by)
  local force = force_of(game, half[move.play].name)
  local worth = somewhere(game, force) and force or 0.5
  local open, same, later = mates(game, move.play, at)
  if open == 1 and same == 1 then return 20 + worth end
  if same > 0 then return -10 end
  if later > 0 then return 5 + worth end
  return -worth
end

function result(game)
  local won = outcome(game) == "守夜成功"
  local scores, winners = {}, {}
  for at in ipairs(game.seats) do
    scores[at] = layers_in_all(game)
    if won then winners[at] = at end
  end
  return {
    scores = scores, winners = winners, names = {},
    figures = {
      won = won and 100 or 0, layers = layers_in_all(game), joins = game.joins, lone = game.lone, cracks = game.cracks,
      taint = game.taint,
    },
  }
end

-- What claims.toml asks for.
claims = {}

-- Fills the gates of a game for n with as few pairs as can be: how many in all, and how many at gates that only force 4 can close.
local function filled(n)
  local all, deep = 0, 0
  for _, gate in ipairs(gates_of(setups[n])) do
    local closed_by_3 = layers_on({ gap = gate.gap, most = 1, layers = 0 }, 3) > 0
    while gate.layers < gate.most do
      local put = 0
      for _, one in ipairs(records.force) do put = math.max(put, layers_on(gate, one.force)) end
      gate.layers, all = gate.layers + put, all + 1
      if not closed_by_3 then deep = deep + 1 end
    end
  end
  return all, deep
end

function claims.fewest_joins(n)
  return (filled(n))
end

function claims.fewest_deep(n)
  local _, deep = filled(n)
  return deep
end

-- Layers that a pair puts on an empty gate of this gap with so much room.
function claims.layers(force, gap, room)
  return layers_on({ gap = gap, most = room, layers = 0 }, force)
end

local function choose(things, some)
  local ways = 1
  for at = 1, some do ways = ways * (things - some + at) // at end
  return ways
end

-- Of the pairs that so many cards could make, the share that joins when all are drawn at random: for each partner, one left and one
-- right half and none of its other cards.
function claims.join_rate(cards)
  local joins = 0
  for _, one in ipairs(records.partner) do
    local sides = { 0, 0 }
    for _, card in ipairs(records.half) do
      if card.name == one.name then
        local side = card.half == "左" and 1 or 2
        sides[side] = sides[side] + 1
      end
    end
    joins = joins + sides[1] * sides[2] * choose(#records.half - sides[1] - sides[2], cards - 2)
  end
  return joins / choose(#records.half, cards) / (cards // 2)
end

-- Joins and lone cards among cards laid open together.
function claims.judged(cards)
  local game = setup({ players = #cards })
  game.tide = { gate = "", t = 0, omen = "" }
  game.tonight = { joins = 0, lone = 0, purified = 0, may = 0, clean = 0 }
  for at, card in ipairs(cards) do game.seats[at].played = card end
  reveal(game)
  return { #game.pending, game.tonight.lone }
end

-- The sample game up to the end of a night; `change` may alter its moves.
local function told(id, night, change)
  local at = 0
  return sample(id, function(_, move)
    if move.tide then at = at + 1 end
    if at > night then return false end
    return change and change(at, move)
  end)
end

local function heights(game)
  local list = {}
  for at, gate in ipairs(game.gates) do list[at] = gate.layers end
  return list
end

-- Layers on the five gates, in the order of the setup.
function claims.layers_after(night)
  return heights(told("sample", night))
end

-- What is missing on the two deep gates.
function claims.missing_after(night)
  local list = {}
  for _, gate in ipairs(told("sample", night).gates) do
    if gate.gap == 4 then list[#list + 1] = gate.most - gate.layers end
  end
  return list
end

function claims.total_after(night)
  return layers_in_all(told("sample", night))
end

function claims.joined()
  local game = told("sample", #records.night)
  return { game.joins, game.lone }
end

function claims.lone_in(...)
  local lone = 0
  for _, night in ipairs({ ... }) do lone = lone + told("sample", night).lone - told("sample", night - 1).lone end
  return lone
end

function claims.taint_after(id, night)
  return told(id, night).taint
end

function claims.purified_in(id, night)
  return told(id, night).tonight.may
end

-- The last night at whose start a pair of this force still finds a gate.
function claims.last_use(force)
  local last = 0
  for night = 1, setups[4].nights do
    if somewhere(told("sample", night - 1), force) then last = night end
  end
  return last
end

-- The pairs of the sample that went to gates of gap 4.
local function deep_joins()
  local count, gap = 0, {}
  for _, gate in ipairs(records.gate) do gap[gate.name] = gate.gap end
  told("sample", #records.night, function(_, move)
    if move.join and gap[move.gate] == 4 then count = count + 1 end
  end)
  return count
end

function claims.sample_evaporated()
  return forces[4].layers * deep_joins() - claims.layers_after(#records.night)[4] - claims.layers_after(#records.night)[5]
end

function claims.joins_to_save()
  return deep_joins() - claims.fewest_deep(4)
end

-- The third night's 角 to the mountain shrine instead, and the sixth night's 眼 to the gate of Yomi.
local function moved(night)
  local other = { ["3角"] = "山神社", ["6眼"] = "黄泉门" }
  return told("sample", night, function(at, move)
    local gate = move.join and other[at .. move.join]
    if gate then move.gate = gate end
    return move
  end)
end

function claims.moved_layers()
  return moved(3).gates[4].layers - told("sample", 2).gates[4].layers
end

function claims.moved_gain(night)
  return layers_in_all(moved(night)) - claims.total_after(night)
end

-- The last night without the right half of 牙: what the five gates hold then.
function claims.without_kiba()
  return layers_in_all(told("sample", 8, function(at, move)
    if at == 8 and move.play == "牙R1" then move.play = "尾R1" end
    if at == 8 and move.join == "牙" then return false end
    return move
  end))
end
