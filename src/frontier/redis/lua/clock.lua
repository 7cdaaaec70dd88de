-- What the scripts about ownership share. Times are ms of this server's clock.
local call = redis.call
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function text(number) return string.format('%.0f', number) end

-- An owner holds its partition until it was silent for too long. Where the server itself stood still, or its
-- clock was set back, owners get a little time to be heard again: they know best what was written.
local GAP, GRACE = 3000, 3000
local function isFree(key, p)
  if p.owner == '' then return true end
  if p.till > now + p.span then p.till = now + p.span end
  if now - p.seen > GAP then p.till = math.max(p.till, now + GRACE) end
  if math.abs(now - p.seen) >= 1000 then call('HSET', key, 'seen', text(now), 'until', text(p.till)) end
  return p.till <= now
end

local function read(key)
  local p = call('HMGET', key, 'owner', 'until', 'for', 'seen', 'epoch')
  if not p[1] then return nil end
  return { owner = p[1], till = tonumber(p[2]), span = tonumber(p[3]), seen = tonumber(p[4]), epoch = tonumber(p[5]) }
end
