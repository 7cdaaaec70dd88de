-- rank: mark of the server that the caller knows, how many new pages there is room for ('' as before).
-- Tells how good the best is that this shard could give now, for whoever chooses between shards: answers
-- { 'again' } on another server, else { rank of the first host that is ready or false, which of equals it
-- is, and of seeds' domains that could be visited before long: how many, the least served, pages served,
-- sum of their squares; requests that were made; outlook }.
renew()
if isAnotherServer(arg()) then return '["again"]' end
reapOthers()
wakeRetries()
local newPages = argNum()
if newPages then beginRevisits(newPages) end
wakeRested()
lookAtSeeds()
saveAll()
local first = call('ZRANGE', P .. 'ready', 0, 0, 'WITHSCORES')
local slow = call('ZRANGE', P .. 'slow', 0, 0, 'WITHSCORES')
if slow[2] and (not first[2] or tonumber(slow[2]) < tonumber(first[2])) then first = slow end
local seeds = { 0, -1, 0, 0 }
if M.policy == 'fair' then
  local least = call('ZRANGE', P .. 'seeds', 0, 0, 'WITHSCORES')[2]
  seeds = { num('seedsIn'), tonumber(least) or -1, num('seedsServed'), num('seedsSquares') }
end
return cjson.encode({
  first[2] or false, first[1] or '', seeds, num('requests'), outlook(false),
})
