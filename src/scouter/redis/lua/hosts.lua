-- Rows of hosts: each is written unless another process has written it since its writer has read it, or all
-- that were not used for long are removed.
--
-- KEYS   1 rows HASH host → "VERSION USED_AT QUEUE"   2 ZSET host → used at   3 ZSET host → rests until
-- ARGV   'write' and for each row HOST PREVIOUS VERSION USED_AT RESTS_UNTIL QUEUE, or 'purge' BEFORE
-- Result write: the hosts written; purge: how many were removed
if ARGV[1] == 'purge' then
  local removed = 0
  for _, host in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', '(' .. ARGV[2])) do
    if tonumber(redis.call('ZSCORE', KEYS[3], host) or 0) < tonumber(ARGV[2]) then
      redis.call('HDEL', KEYS[1], host)
      redis.call('ZREM', KEYS[2], host)
      redis.call('ZREM', KEYS[3], host)
      removed = removed + 1
    end
  end
  return removed
end
local written = {}
for nth = 2, #ARGV, 6 do
  local host, previous, version = ARGV[nth], ARGV[nth + 1], ARGV[nth + 2]
  local known = redis.call('HGET', KEYS[1], host)
  if not known or known:match('^%d+') == previous then
    redis.call('HSET', KEYS[1], host, version .. ' ' .. ARGV[nth + 3] .. ' ' .. ARGV[nth + 5])
    redis.call('ZADD', KEYS[2], ARGV[nth + 3], host)
    if ARGV[nth + 4] ~= '0' then redis.call('ZADD', KEYS[3], ARGV[nth + 4], host) end
    written[#written + 1] = host
  end
end
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, 2 * 24 * 60 * 60 * 1000) end
return written
