-- The trap budget: how many URLs of one shape a host is granted; the rules of templates.ts of the SQLite
-- frontier. A hash per host (`k:HOST`): shape → { used, likenesses of the last pages read }.
local REMEMBERED, ALIKE_SHARE = 50, 0.8
local trapBudget = num('trapBudget')

local function readTrap(hostId, shape)
  local raw = call('HGET', P .. 'k:' .. hostId, shape)
  return raw and cmsgpack.unpack(raw) or { 0, {} }
end
local function saveTrap(hostId, shape, trap)
  call('HSET', P .. 'k:' .. hostId, shape, cmsgpack.pack(trap))
end

local function repeats(likes)
  if #likes < math.min(REMEMBERED, trapBudget) then return false end
  local counts, most = {}, 0
  for _, like in ipairs(likes) do
    counts[like] = (counts[like] or 0) + 1
    most = math.max(most, counts[like])
  end
  return most >= ALIKE_SHARE * #likes
end

-- Counts one more URL of a shape and answers nil, or says why it may not be queued.
local function grantTrap(hostId, shape, strict)
  if trapBudget == 0 or not shape then return nil end
  local trap = readTrap(hostId, shape)
  if trap[1] >= trapBudget and (strict or repeats(trap[2])) then
    if strict then return 'trap: ' .. shape .. ' has used its ' .. trapBudget .. ' pages' end
    return 'trap: ' .. shape .. ' shows the same page again and again'
  end
  trap[1] = trap[1] + 1
  saveTrap(hostId, shape, trap)
  return nil
end

-- The URL left the queue without being fetched.
local function takeBackTrap(hostId, shape)
  if trapBudget == 0 or not shape then return end
  local trap = readTrap(hostId, shape)
  trap[1] = math.max(0, trap[1] - 1)
  saveTrap(hostId, shape, trap)
end

-- A page of a shape that is not strict was read.
local function noteRead(hostId, shape, likeness)
  local trap = readTrap(hostId, shape)
  if trap[1] < trapBudget / 2 then return end
  local likes = trap[2]
  likes[#likes + 1] = likeness
  if #likes > REMEMBERED then table.remove(likes, 1) end
  saveTrap(hostId, shape, trap)
end
