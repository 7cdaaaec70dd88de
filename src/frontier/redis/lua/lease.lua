-- lease: number of this call, how many at most, how many of them new pages at most, how many of slow hosts
-- ('' for any number); of seeds' domains in other shards how many, the least served, pages served, sum of
-- their squares; requests that other shards count. Answers
-- { leases, facts of their hosts, outlook }. The answer is kept: asked again under the same number,
-- because the first one got lost, the same leases are given.
local sequence, limit, newPages = arg(), argNum(), argNum()
roomForSlow = argNum() or math.huge
seedsElsewhere(argNum(), argNum(), argNum(), argNum())
requestsElsewhere = argNum() or 0
renew()
local answerKey = P .. 'answer:' .. session
local kept = call('HMGET', answerKey, 'n', 'answer')
if kept[1] == sequence then return kept[2] end

reapOthers()
wakeRetries()
beginRevisits(newPages)
wakeRested()
lookAtSeeds()
local atMost = limit
if not onlyRevisits then
  atMost = math.min(limit, newPages, num('maxPages') - num('c' .. STORED) - num('c' .. LEASED))
end
atMost = paceRoom(atMost)
local leases, visited = {}, {}
while #leases < atMost and swept < MAX_SWEPT do
  local h = pick()
  if not h then break end
  local lease = leaseFrom(h)
  if lease then
    leases[#leases + 1] = lease
    visited[h.id] = h
  end
  place(h)
end
saveAll()
local facts = {}
for _, h in pairs(visited) do facts[#facts + 1] = factsOf(h) end
local answer = cjson.encode({ leases, facts, outlook(foundNone) })
if #leases > 0 then
  call('HSET', answerKey, 'n', sequence, 'answer', answer)
  call('PEXPIRE', answerKey, 600000)
end
return answer
