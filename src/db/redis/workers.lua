-- Workers and the crawls they share: says something, forgets who fell silent, tells who is there.
-- All of it is one step, so that of two who speak at the same time one sees the other.
--
-- KEYS  1 seen      ZSET   member → when it counts as gone, epoch ms
--       2 records   HASH   member → what it said, JSON
--       3 versions  HASH   member → "PROTOCOL words for a person"
--       4 glances   HASH   crawl → how its frontier looks, JSON
-- Members: w:ID a worker, r:CRAWL a crawl that was announced.
-- ARGV  1 now, epoch ms; '' is the server's time   2 member; '' for who only looks
--       3 for how many ms it counts as there; 0: it leaves
--       4 what it says   5 its protocol   6 who it is, in words
--       7 whose records are wanted: w, r       8 whose glance is wanted: a crawl, or ''
--       9… pairs of a crawl and how it looks
-- Result  {'refused', who}, or {'ok', now, glance or '', record…}
-- Owners decide which protocol is spoken: one that is forgotten on some machine keeps nobody from working.
-- A worker of another is refused as soon as it speaks, and until then not told of.
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function forget(member)
  redis.call('ZREM', KEYS[1], member)
  redis.call('HDEL', KEYS[2], member)
  redis.call('HDEL', KEYS[3], member)
end
local gone = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)
for _, member in ipairs(gone) do
  forget(member)
  if member:sub(1, 2) == 'r:' then redis.call('HDEL', KEYS[4], member:sub(3)) end
end

local member, forMs = ARGV[2], tonumber(ARGV[3])
local strangers = {}
if member ~= '' and forMs == 0 then
  forget(member)
elseif member ~= '' then
  local versions = redis.call('HGETALL', KEYS[3])
  for at = 1, #versions, 2 do
    local protocol, who = versions[at + 1]:match('^(%S+) (.*)$')
    if protocol ~= ARGV[5] and versions[at] ~= member then
      strangers[versions[at]] = true
      if versions[at]:sub(1, 2) == 'r:' then
        forget(member)
        return { 'refused', who or '' }
      end
    end
  end
  redis.call('ZADD', KEYS[1], now + forMs, member)
  redis.call('HSET', KEYS[2], member, ARGV[4])
  redis.call('HSET', KEYS[3], member, ARGV[5] .. ' ' .. ARGV[6])
  for at = 9, #ARGV, 2 do
    -- Of a crawl that nobody announces nothing would ever take it away.
    if redis.call('HEXISTS', KEYS[2], 'r:' .. ARGV[at]) == 1 then
      redis.call('HSET', KEYS[4], ARGV[at], ARGV[at + 1])
    end
  end
end

local answer = { 'ok', tostring(now), '' }
if ARGV[8] ~= '' then answer[3] = redis.call('HGET', KEYS[4], ARGV[8]) or '' end
local records = redis.call('HGETALL', KEYS[2])
for at = 1, #records, 2 do
  local isWanted = records[at]:sub(1, 1) == ARGV[7]
  if isWanted and not strangers[records[at]] then
    answer[#answer + 1] = records[at + 1]
  end
end
return answer
