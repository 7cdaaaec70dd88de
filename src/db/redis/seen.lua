-- What is known, by hash, in `s:` buckets; and how a known URL stands to one more link.
local function seenKey(hash) return P .. 's:' .. string.sub(hash, 1, 4) end
-- The id of a known URL; nil when it is unknown.
local function find(hash)
  local id = call('HGET', seenKey(hash), string.sub(hash, 5))
  return id and tonumber(id) or nil
end

-- The same, and when it is unknown it is known under this id from now on.
local function claimSeen(hash, id)
  local key, field = seenKey(hash), string.sub(hash, 5)
  if call('HSETNX', key, field, id) == 1 then return nil end
  return tonumber(call('HGET', key, field))
end

local function isUnfollowed(row)
  if row.state ~= REFUSED then return false end
  local reason = REASONS[row.why]
  return reason == 'nofollow' or reason == 'focus'
end
local function isPathRefused(row)
  return isUnfollowed(row) or (row.state == REFUSED and REASONS[row.why] == 'depth')
end
