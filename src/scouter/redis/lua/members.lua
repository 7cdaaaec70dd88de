-- The processes that send requests: one reports and sees the others, or some are ended.
--
-- KEYS[1]  HASH  name → "CRAWL\nAT UNTIL SHARES IS_GONE SILENT_SINCE", times in epoch ms, flags 0 or 1
-- ARGV     now; '' is this server's time
--          'report' NAME CRAWL FOR SHARES IS_GONE SILENT_SINCE, or 'end' NAME…
-- Result   report: { now, 1 if the name was known, name, row, … } with those of other crawls
--          end: { now, how many were not gone }
local now = tonumber(ARGV[1])
if now == nil then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local function write(name, crawl, ...)
  redis.call('HSET', KEYS[1], name, crawl .. string.format('\n%.0f %.0f %d %d %.0f', ...))
  redis.call('PEXPIRE', KEYS[1], 2 * 24 * 60 * 60 * 1000)
end
local function parsed(row)
  local crawl, at, till, shares, isGone, silent = row:match('^(.*)\n(%d+) (%d+) (%d) (%d) (%d+)$')
  return crawl, tonumber(at), tonumber(till), tonumber(shares), tonumber(isGone), tonumber(silent)
end
if ARGV[2] == 'end' then
  local ended = 0
  for nth = 3, #ARGV do
    local row = redis.call('HGET', KEYS[1], ARGV[nth])
    if row then
      local crawl, at, till, shares, isGone, silent = parsed(row)
      if isGone == 0 then
        ended = ended + 1
        -- No row says what one that shared nothing did until now.
        write(ARGV[nth], crawl, at, math.min(till, now), shares, 1, shares == 1 and silent or now)
      end
    end
  end
  return { now, ended }
end
local name, crawl, silent = ARGV[3], ARGV[4], tonumber(ARGV[8])
local known = redis.call('HGET', KEYS[1], name)
if known then silent = math.max(silent, (select(6, parsed(known)))) end
write(name, crawl, now, now + ARGV[5], ARGV[6], ARGV[7], silent)
local answer = { now, known and 1 or 0 }
local rows = redis.call('HGETALL', KEYS[1])
for nth = 1, #rows, 2 do
  if rows[nth + 1]:sub(1, #crawl + 1) ~= crawl .. '\n' then
    answer[#answer + 1] = rows[nth]
    answer[#answer + 1] = rows[nth + 1]
  end
end
return answer
