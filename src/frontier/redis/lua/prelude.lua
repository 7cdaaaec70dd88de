-- What every script of the frontier begins with. KEYS[1] is the crawl's `meta`; all its other keys
-- share that key's tag, so that one script sees them all. ARGV[1]: the moment in ms, '' for the
-- server's own; ARGV[2]: the caller's session, '' for none; ARGV[3]: how long it lives without a word
-- from it; arguments of the verb follow from ARGV[4].
local call = redis.call
local P = string.sub(KEYS[1], 1, -5)
local M, metaChanges = {}, {}
do
  -- Only what the script speaks of, where that is known.
  if META then
    local values = call('HMGET', KEYS[1], unpack(META))
    for at, name in ipairs(META) do M[name] = values[at] or nil end
  else
    local flat = call('HGETALL', KEYS[1])
    for at = 1, #flat, 2 do M[flat[at]] = flat[at + 1] end
  end
end
local now = tonumber(ARGV[1])
if now == nil then
  local time = call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000) + (tonumber(M.ahead) or 0)
end
local session = ARGV[2]
local argAt = 4

-- Text of a whole number: what Lua and the server make of it by themselves takes twice as long.
local function digits(number) return string.format('%d', number) end
-- The same of any number that a command is given.
local function textOf(number)
  if number % 1 == 0 and number > -1e15 and number < 1e15 then return digits(number) end
  return number
end

-- The next argument of the verb, as text or as a number.
local function arg()
  local value = ARGV[argAt]
  argAt = argAt + 1
  return value
end
local function argNum() return tonumber(arg()) end

local function num(name) return tonumber(M[name]) or 0 end
local function setMeta(name, value)
  M[name] = value
  metaChanges[name] = value
end
local function addMeta(name, by)
  if by ~= 0 then setMeta(name, num(name) + by) end
end
local function saveMeta()
  local flat = {}
  for name, value in pairs(metaChanges) do
    flat[#flat + 1] = name
    flat[#flat + 1] = type(value) == 'number' and textOf(value) or value
  end
  if #flat > 0 then call('HSET', KEYS[1], unpack(flat)) end
  metaChanges = {}
end

local QUEUED, LEASED, STORED, DUPLICATE, REDIRECTED = 0, 1, 2, 3, 4
local REFUSED, FAILED, DELAYED, UNREACHABLE = 5, 6, 7, 8
local function hasPage(state) return state == STORED or state == DUPLICATE end
local function isOpen(state) return state == QUEUED or state == LEASED or state == DELAYED end
