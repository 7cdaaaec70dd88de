-- Workers and the crawls they share: says something, forgets who fell silent, tells who is there.
-- All of it is one step, so that of two who speak at the same time one sees the other.
--
-- KEYS  1 seen      ZSET   member → when it counts as gone, epoch ms
--       2 workers   HASH   member → "PROTOCOL what it said", JSON
--       3 runs      HASH   member → what it said, JSON
--       4 owners    HASH   member of runs → "PROTOCOL words for a person"
--       5 glances   HASH   crawl → how its frontier looks, JSON
-- Members: w:ID a worker, r:CRAWL a crawl that was announced.
-- ARGV  1 now, epoch ms; '' is the server's time   2 member; '' for who only looks
--       3 for how many ms it counts as there; 0: it leaves
--       4 what it says   5 its protocol   6 who it is, in words
--       7 whose records are wanted: w, r, or '' of nobody   8 whose glance is wanted: a crawl, or ''
--       9… pairs of a crawl and how it looks
-- Result  {'refused', who}, or {'ok', now, glance or '', record…}
-- Owners decide which protocol is spoken: one that is forgotten on some machine keeps nobody from working.
-- A worker of another is refused as soon as it speaks, and until then not told of. There may be thousands
-- of workers, each of which speaks every second: only who asks for them pays for their number.
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function isRun(member) return member:sub(1, 2) == 'r:' end
local function forget(member)
  redis.call('ZREM', KEYS[1], member)
  for nth = 2, 4 do redis.call('HDEL', KEYS[nth], member) end
end
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)) do
  forget(member)
  if isRun(member) then redis.call('HDEL', KEYS[5], member:sub(3)) end
end

local member, forMs, own = ARGV[2], tonumber(ARGV[3]), ARGV[5]
local function strangeOwner()
  local owners = redis.call('HGETALL', KEYS[4])
  for at = 1, #owners, 2 do
    local protocol, who = owners[at + 1]:match('^(%S+) (.*)$')
    if protocol ~= own and owners[at] ~= member then return who or '' end
  end
  return nil
end
if member ~= '' and forMs == 0 then
  forget(member)
elseif member ~= '' then
  local stranger = strangeOwner()
  if stranger then
    forget(member)
    return { 'refused', stranger }
  end
  redis.call('ZADD', KEYS[1], now + forMs, member)
  if isRun(member) then
    redis.call('HSET', KEYS[3], member, ARGV[4])
    redis.call('HSET', KEYS[4], member, own .. ' ' .. ARGV[6])
  else
    redis.call('HSET', KEYS[2], member, own .. ' ' .. ARGV[4])
  end
  for at = 9, #ARGV, 2 do
    -- Of a crawl that nobody announces nothing would ever take it away.
    if redis.call('HEXISTS', KEYS[3], 'r:' .. ARGV[at]) == 1 then
      redis.call('HSET', KEYS[5], ARGV[at], ARGV[at + 1])
    end
  end
end

local answer = { 'ok', tostring(now), '' }
if ARGV[8] ~= '' then answer[3] = redis.call('HGET', KEYS[5], ARGV[8]) or '' end
if ARGV[7] == 'r' then
  for _, record in ipairs(redis.call('HVALS', KEYS[3])) do answer[#answer + 1] = record end
elseif ARGV[7] == 'w' then
  for _, said in ipairs(redis.call('HVALS', KEYS[2])) do
    local space = said:find(' ', 1, true)
    if own == '' or said:sub(1, space - 1) == own then answer[#answer + 1] = said:sub(space + 1) end
  end
end
return answer
