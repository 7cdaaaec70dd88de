-- KEYS[1]: a partition. ARGV: owner, ms. Returns epoch, whether it was released, made, generation and batch;
-- nothing if another has it, or if its rows are gone.
local p = read(KEYS[1])
local rest = call('HMGET', KEYS[1], 'clean', 'made', 'gen', 'batch')
if p == nil or not rest[3] or (p.owner ~= ARGV[1] and not isFree(KEYS[1], p)) then return false end
-- A server that forgot its last moments must not give an epoch twice.
local epoch = text(math.max(p.epoch + 1, now))
call('HSET', KEYS[1], 'owner', ARGV[1], 'epoch', epoch, 'clean', '0')
call('HSET', KEYS[1], 'until', text(now + ARGV[2]), 'for', ARGV[2], 'seen', text(now))
return { epoch, unpack(rest) }
