-- What the host does inside Lua: the few functions of the library that must be tamed, and the calls that the host makes.
-- Gets the raw library and the table of names that the script will see; returns the calls.
local raw, seen = ...
local type, next, error, setmetatable, getmetatable = raw.type, raw.next, raw.error, raw.setmetatable, raw.getmetatable
local tostring, sort, find, format = raw.tostring, raw.table.sort, raw.string.find, raw.string.format

-- Only plain values have a text: a table's would be its address, another one in every run.
local plain = { string = true, number = true, boolean = true, ["nil"] = true }

function seen.tostring(value)
  if not plain[type(value)] then error("a " .. type(value) .. " has no text", 2) end
  return tostring(value)
end

local function tame_format(text, ...)
  for at = 1, raw.select("#", ...) do
    local value = (raw.select(at, ...))
    if not plain[type(value)] then error("a " .. type(value) .. " has no text", 2) end
  end
  if find(text, "%%[-%d.]*p") then error("`%p` is not possible here", 2) end
  return format(text, ...)
end
raw.string.format = tame_format

-- Numbers first, then texts, each in order: the same walk in every run.
local rank = { number = 1, string = 2, boolean = 3 }

local function before(a, b)
  local ra, rb = rank[type(a)], rank[type(b)]
  if ra ~= rb then return ra < rb end
  if ra == 3 then return b and not a end
  return a < b
end

function seen.pairs(t)
  if type(t) ~= "table" then error("`pairs` walks tables, and this is a " .. type(t), 2) end
  local keys, count = {}, 0
  for key in next, t do
    if not rank[type(key)] then error("a table with a " .. type(key) .. " as key has no certain order", 2) end
    count = count + 1
    keys[count] = key
  end
  sort(keys, before)
  local at = 0
  return function()
    at = at + 1
    local key = keys[at]
    if key ~= nil then return key, t[key] end
  end
end

-- Whether a record has this field; reading a field that is not there is an error.
function seen.has(record, field)
  return raw.rawget(record, field) ~= nil
end

-- A table copied through and through; what the host gave is shared.
local function copy(value)
  if type(value) ~= "table" or getmetatable(value) then return value end
  local twin = {}
  for key, inner in next, value do twin[key] = copy(inner) end
  return twin
end
seen.copy = copy

-- SplitMix64, seeded by the host before each game.
local state = 0

local function bits()
  state = state + 0x9E3779B97F4A7C15
  local z = state
  z = (z ~ (z >> 30)) * 0xBF58476D1CE4E5B9
  z = (z ~ (z >> 27)) * 0x94D049BB133111EB
  return z ~ (z >> 31)
end

function seen.math.random(low, high)
  if low == nil then return (bits() >> 11) * 0x1p-53 end
  if high == nil then low, high = 1, low end
  if low > high then error("`math.random` has nothing to choose from", 2) end
  return low + (bits() >> 1) % (high - low + 1)
end

-- Puts a list in random order, and returns it.
function seen.shuffle(list)
  for at = #list, 2, -1 do
    local other = 1 + (bits() >> 1) % at
    list[at], list[other] = list[other], list[at]
  end
  return list
end

-- Names that do not exist are errors; after loading, new ones too, so that nothing passes from one game to the next.
local loading = true
setmetatable(seen, {
  __index = function(_, name) error("`" .. tostring(name) .. "` is not known here", 2) end,
  __newindex = function(t, name, value)
    if not loading then error("`" .. tostring(name) .. "` is not local: what a game remembers belongs into its state", 2) end
    raw.rawset(t, name, value)
  end,
})

local record = {
  __index = function(t, field)
    error("there is no field `" .. tostring(field) .. "` in " .. tostring(raw.rawget(t, "id") or "this table"), 2)
  end,
  __newindex = function() error("the data cannot be changed", 2) end,
}

local calls = { samples = {} }

-- Plays the sample game `id` again, its slips mended, and returns the state at its end. `change(n, move)` may return another move for the
-- n-th, or false to stop before it.
function seen.sample(id, change)
  local told = raw.rawget(calls.samples, id)
  if not told then error("there is no sample `" .. tostring(id) .. "`", 2) end
  local game = seen.setup(copy(told.setup))
  for n, made in raw.ipairs(told.moves) do
    local move = copy(made)
    local other = change and change(n, move)
    if other == false then break end
    seen.apply(game, other or move)
  end
  return game
end

-- The function of the script's table `claims` that has this name.
local function claim(name)
  local all = raw.rawget(seen, "claims")
  local found = type(all) == "table" and raw.rawget(all, name)
  return type(found) == "function" and found or nil
end

function calls.can_claim(name) return claim(name) ~= nil end

function calls.claim(name, arguments) return claim(name)(raw.table.unpack(arguments)) end

function calls.loaded() loading = false end

function calls.seed(number) state = number end

-- Marks a table of the data: a field that is missing is an error.
function calls.record(t) return setmetatable(t, record) end

function calls.has(name) return type(raw.rawget(seen, name)) == "function" end

function calls.global(name) return raw.rawget(seen, name) end

calls.copy = copy

function calls.setup(deal) return seen.setup(deal) end

function calls.turn(game) return seen.turn(game) end

function calls.facts(game) return seen.facts(game) end

-- Makes a move; returns what the script says of it, and the keys of the move that it never looked at.
function calls.apply(game, move)
  local looked = {}
  local watched = setmetatable({}, { __index = function(_, key)
    looked[key] = true
    return move[key]
  end })
  local said = seen.apply(game, watched)
  local unread = {}
  for key in seen.pairs(move) do
    if not looked[key] then unread[#unread + 1] = key end
  end
  return said, unread
end

local function greediest(game, moves)
  local best, most = nil, nil
  local first = seen.math.random(#moves)
  for step = 0, #moves - 1 do
    local move = moves[1 + (first - 1 + step) % #moves]
    local worth = seen.value(game, move)
    if most == nil or worth > most then best, most = move, worth end
  end
  return best
end

-- Plays a game to its end and returns its result.
function calls.play(deal, greedy)
  local game = seen.setup(deal)
  local made = 0
  while true do
    local who = seen.turn(game)
    if who == nil then break end
    local move
    if who == 0 then
      move = seen.chance(game)
    else
      local moves = seen.moves(game)
      if #moves == 0 then error("seat " .. tostring(who) .. " has no move", 0) end
      move = greedy and greediest(game, moves) or moves[seen.math.random(#moves)]
    end
    seen.apply(game, move)
    made = made + 1
  end
  local result = seen.result(game)
  result.moves = made
  return result
end

return calls
