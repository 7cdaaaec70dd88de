-- KEYS[1]: the owners of a crawl. ARGV: owner, ms for which it is alive; 0: it leaves, -1: only asks. Returns
-- the time and each living owner with the ms it has left.
if ARGV[2] == '0' then
  call('HDEL', KEYS[1], ARGV[1])
elseif ARGV[2] ~= '-1' then
  call('HSET', KEYS[1], ARGV[1], text(now + ARGV[2]) .. ' ' .. ARGV[2])
end
local alive = { text(now) }
local all = call('HGETALL', KEYS[1])
for at = 1, #all, 2 do
  local till, span = string.match(all[at + 1], '(%d+) (%d+)')
  local left = till - now
  if left > tonumber(span) then
    left = tonumber(span)
    call('HSET', KEYS[1], all[at], text(now + left) .. ' ' .. span)
  end
  if left > 0 then
    alive[#alive + 1] = all[at]
    alive[#alive + 1] = left
  else
    call('HDEL', KEYS[1], all[at])
  end
end
return alive
