-- KEYS[1]: a partition. ARGV: made, then pairs for what is new. Makes a partition that is not there, and takes
-- one over whose last moments are lost: with an owner and epoch (ARGV[3], ARGV[5]) not older than its own.
local p = call('HMGET', KEYS[1], 'made', 'owner', 'epoch', 'gone')
local epoch, own = tonumber(p[3] or -1), tonumber(ARGV[5])
if own == 0 and p[1] == ARGV[1] then return 1 end
if own > 0 and (p[4] or (p[1] and p[1] ~= ARGV[1]) or epoch > own or (epoch == own and p[2] ~= ARGV[3])) then
  return 0
end
if own == 0 then
  local tag = string.sub(KEYS[1], 1, -2)
  for _, to in ipairs(call('HKEYS', tag .. 'o')) do call('DEL', tag .. 'o:' .. to) end
  call('DEL', KEYS[1], tag .. 'o', tag .. 't', tag .. 's')
end
call('HSET', KEYS[1], 'made', ARGV[1], 'until', text(now + GRACE), 'for', GRACE, 'seen', text(now), unpack(ARGV, 2))
return 1
