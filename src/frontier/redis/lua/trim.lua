-- KEYS[1]: messages to a partition. ARGV: tag, receiver, number: those up to it are part of its rows.
local call = redis.call
local head = call('LINDEX', KEYS[1], 0)
while head and tonumber(string.match(head, '^%d+')) <= tonumber(ARGV[3]) do
  call('LPOP', KEYS[1])
  head = call('LINDEX', KEYS[1], 0)
end
local left = call('LLEN', KEYS[1])
if left > 0 then return call('HSET', ARGV[1] .. 'o', ARGV[2], left) end
return call('HDEL', ARGV[1] .. 'o', ARGV[2])
