-- KEYS: partitions. ARGV: owner, ms. Renews those it owns. Of each: made, owner, epoch, summary, batch, and
-- how many messages wait for whom; or only whether it was discarded.
local all = {}
for at, key in ipairs(KEYS) do
  local p = read(key)
  if p == nil then
    all[at] = { '', call('HEXISTS', key, 'gone') }
  else
    if p.owner == ARGV[1] then
      call('HSET', key, 'until', text(now + ARGV[2]), 'for', ARGV[2], 'seen', text(now))
    elseif isFree(key, p) then
      p.owner = ''
    end
    local rest = call('HMGET', key, 'made', 'gen', 'summary', 'batch')
    local waiting = call('HGETALL', string.sub(key, 1, -2) .. 'o')
    all[at] = { rest[1], rest[2] or '', p.owner, text(p.epoch), rest[3] or '', rest[4], waiting }
  end
end
return all
