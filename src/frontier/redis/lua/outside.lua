-- outside: number of this call, a URL, its host and site: a lease for a request outside the queue. Answers
-- { the lease or false, facts of its host, outlook }. Who asks in vain is served first for a moment.
-- The answer is kept, as that of `lease`.
local PATIENCE = 200
local sequence, url, name, siteName = arg(), arg(), arg(), arg()
renew()
local answerKey = P .. 'answer:' .. session
local kept = call('HMGET', answerKey, 'outside', 'given')
if kept[1] == sequence then return kept[2] end
local h = hostNamed(name, siteName)
local origin = 2 * h.id + (string.sub(url, 1, 6) == 'https:' and 1 or 0)
originOf(h, origin)
local mayVisit = restOf(h) <= now and not awaitsStart(h) and h.inFlight < perHost
local lease = false
h.awaited = mayVisit and 0 or now + PATIENCE
touch(h)
if mayVisit then
  local hold = grant({ kind = 'r', id = origin, origin = origin, tries = 1, outside = true })
  lease = leaseOf(hold, h, url, 0, 0)
end
saveAll()
local answer = cjson.encode({ lease, { factsOf(h) }, outlook(false) })
if lease then
  call('HSET', answerKey, 'outside', sequence, 'given', answer)
  call('PEXPIRE', answerKey, 600000)
end
return answer
