-- KEYS[1]: a partition. ARGV: owner, epoch ('' for any), whether its last batch is written.
local p = redis.call('HMGET', KEYS[1], 'owner', 'epoch')
if p[1] ~= ARGV[1] or (ARGV[2] ~= '' and p[2] ~= ARGV[2]) then return 0 end
return redis.call('HSET', KEYS[1], 'owner', '', 'clean', ARGV[3])
