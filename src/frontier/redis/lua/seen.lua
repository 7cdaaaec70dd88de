-- What is known, by hash, in `s:` buckets; and how a known URL stands to one more link.
local function seenKey(hash) return P .. 's:' .. string.sub(hash, 1, 4) end
local foundIds = {}
-- The id of a known URL; nil when it is unknown.
local function find(hash)
  local known = foundIds[hash]
  if known then return known end
  local id = call('HGET', seenKey(hash), string.sub(hash, 5))
  known = id and tonumber(id) or nil
  foundIds[hash] = known
  return known
end

-- The same, and when it is unknown it is known under this id from now on.
local function claimSeen(hash, id)
  local known = foundIds[hash]
  if known then return known end
  local key, field = seenKey(hash), string.sub(hash, 5)
  if call('HSETNX', key, field, digits(id)) == 1 then
    foundIds[hash] = id
    return nil
  end
  known = tonumber(call('HGET', key, field))
  foundIds[hash] = known
  return known
end

local function isUnfollowed(row)
  if row.state ~= REFUSED then return false end
  local reason = REASONS[row.why]
  return reason == 'nofollow' or reason == 'focus'
end
local function isPathRefused(row)
  return isUnfollowed(row) or (row.state == REFUSED and REASONS[row.why] == 'depth')
end
