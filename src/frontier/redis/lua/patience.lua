-- A crawl that waits for the hosts of better URLs, and begins with few pages at once: the rules of
-- best-heads.ts, schedule.ts and pace.ts of the SQLite frontier, over all sessions. `heads` has the
-- best score of each host that is busy or rests for a moment.
local SCORES_KEPT, OPINION, PATIENCE, PAGES_PER_STEP = 1000, 1e8, 0.25, 32
local isPatient = M.patient == '1'
local maxWaitMs = num('maxWaitMs')

-- Notes the score of one more URL that waits. Newer ones count more.
local function noteScore(score)
  if not isPatient or math.abs(score) > OPINION then return end
  local seen = math.min(num('scores') + 1, SCORES_KEPT)
  local mean, variance = num('scoreMean'), num('scoreVariance')
  local step = score - mean
  mean = mean + step / seen
  setMeta('scores', seen)
  setMeta('scoreMean', mean)
  setMeta('scoreVariance', variance + (step * (score - mean) - variance) / seen)
end

-- `isFree`: it may be visited now, so nobody need wait for it.
local function placeHead(h, isFree)
  if not isPatient then return end
  local score
  if not isFree and restOf(h) <= now + maxWaitMs and isActive(h) then score = bestOf(h) end
  if score then
    call('ZADD', P .. 'heads', -score, h.id)
  else
    call('ZREM', P .. 'heads', h.id)
  end
end

local function waitedTooLong() return now - num('pickedAt') >= maxWaitMs end

-- With hosts ranked by their best URL, whoever comes after this one waits, too.
local function waitsForBetter(h)
  if not isPatient or waitedTooLong() then return false end
  local head = call('ZRANGE', P .. 'heads', 0, 0, 'WITHSCORES')
  -- A host whose request takes long counts no more.
  while head[1] and isLate(host(tonumber(head[1]))) do
    call('ZREM', P .. 'heads', head[1])
    head = call('ZRANGE', P .. 'heads', 0, 0, 'WITHSCORES')
  end
  if not head[1] then return false end
  local spread = math.sqrt(math.max(0, num('scoreVariance')))
  return (bestOf(h) or -math.huge) < -tonumber(head[2]) - PATIENCE * spread
end

-- How many more leases may be given.
local function roomToLease()
  if not isPatient then return math.huge end
  local allowed = 1 + math.floor(num('settled') / PAGES_PER_STEP)
  local sessions = math.max(1, call('ZCARD', P .. 'sessions'))
  local room = math.min(allowed, num('concurrency') * sessions) - call('HLEN', P .. 'holds')
  return waitedTooLong() and math.max(1, room) or room
end
local function paceRoom(limit) return math.max(0, math.min(limit, roomToLease())) end
-- Not before there is room.
local function paced(at)
  if not isPatient or roomToLease() > 0 then return at end
  return math.max(at, num('pickedAt') + maxWaitMs)
end
