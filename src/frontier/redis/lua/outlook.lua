-- What every answer ends with: a list of numbers, in the order that src/frontier/redis/reply.ts knows.
local HELD_RECHECK = 200
-- So many hosts in trouble are looked at by every call; more of them, which take some 60 µs each, not
-- before so many ms per host have passed.
local FEW_TROUBLED, MS_BETWEEN_LOOKS, SAMPLE = 200, 0.6, 8

-- Why nothing of an origin can be had; nil when it can. The rules of unreachable.ts of the SQLite frontier.
local function isHostLost(h, origin, longestWait)
  local rests = restOf(h)
  if h.failures > 0 then
    local waitsUntil = h.downSince + num('patienceMs')
    if now >= waitsUntil or rests > waitsUntil then return true end
    if not hasAnswered(h, origin) and h.failures > num('maxHostFailures') then return true end
  end
  return rests > longestWait
end
local function isRobotsLost(h, origin, longestWait)
  local o = h[origin % 2]
  local isWaitedFor = hasAnswered(h, origin) and h.failures > 0
  return (not isWaitedFor and o.tried > num('maxRobotsFailures')) or opensAt(o) > longestWait
end
local function whyOutOfReach(h, origin)
  local longestWait = now + math.max(num('patienceMs'), delayOf(h))
  local isShut = not ignoresRobots and h[origin % 2].robots == OUT_OF_REACH
  local isDown = isHostLost(h, origin, longestWait)
  if not isDown and not (isShut and isRobotsLost(h, origin, longestWait)) then return nil end
  -- No answer at all, or one that says that the host is unwell.
  local isSilent = h.trouble ~= '' and string.sub(h.trouble, 1, 5) ~= 'http-'
  return isShut and not isSilent and 'robots-unreachable' or 'host-unreachable'
end

local function waitingAt(h, origin)
  local o = h[origin % 2]
  local again = revisitsAt(origin) + o.again
  if onlyRevisits then return again end
  return again + queuedAt(origin) + o.delayed + mapsAt(h, origin)
end

-- How many wait there out of reach; nil when something waits that is not.
local function behindAt(h)
  local behind = 0
  for origin = 2 * h.id, 2 * h.id + 1 do
    local waiting = h[origin % 2] and waitingAt(h, origin) or 0
    if waiting > 0 and not whyOutOfReach(h, origin) then return nil end
    behind = behind + waiting
  end
  return behind
end

-- A look at a few: as a rule one of them is within reach, and then nobody need ask all the others.
local function isOneWithinReach()
  for _, key in ipairs({ 'ready', 'slow', 'resting', 'retry' }) do
    for _, each in ipairs(call('ZRANGE', P .. key, 0, SAMPLE - 1)) do
      local number = tonumber(string.match(each, ':(%d+)$'))
      local h = key == 'retry' and hostOfOrigin(number) or host(number)
      if not behindAt(h) then return true end
    end
  end
  return readyHosts() + call('ZCARD', P .. 'resting') > call('SCARD', P .. 'troubled')
end

local function countsBehind(waiting)
  local behind = 0
  for _, id in ipairs(call('SMEMBERS', P .. 'troubled')) do
    local more = behindAt(host(tonumber(id)))
    if not more then return false end
    behind = behind + more
  end
  return behind == waiting
end

local function waitsOnlyBehind()
  local isNew = onlyRevisits and 0 or 1
  local waiting = num('revisits') + isNew * (num('c0') + num('c7') + num('mapsWaiting'))
  if waiting == 0 or isOneWithinReach() then return false end
  local troubled = call('SCARD', P .. 'troubled')
  if troubled <= FEW_TROUBLED then return countsBehind(waiting) end
  -- Nothing is out, so that whatever is new changes the number of those that wait.
  local isLate = now - num('behindAt') >= troubled * MS_BETWEEN_LOOKS
  if isLate or (num('behind') > 0 and num('behind') ~= waiting) then
    setMeta('behindAt', now)
    setMeta('behind', countsBehind(waiting) and waiting or 0)
    saveMeta()
  end
  return num('behind') == waiting
end

-- False while what is out of reach is being refused: the answer is another after every step.
local looksBehind = true
-- Retries are left that could have been made.
local isMoreDue = false
-- Earliest moment at which a retry may be made, its host permitting.
local function retryAt()
  if isMoreDue then return now end
  local first = call('ZRANGE', P .. 'retry', 0, 0, 'WITHSCORES')
  if not first[1] then return math.huge end
  local origin = tonumber(string.match(first[1], '^%a%d+:(%d+)$'))
  return math.max(tonumber(first[2]), restOf(hostOfOrigin(origin)))
end

-- And whether it is worth asking again before that: whoever is held back waits for others.
local function readyAt(isHeldBack)
  local resting = call('ZRANGE', P .. 'resting', 0, 0, 'WITHSCORES')
  local at = tonumber(resting[2]) or math.huge
  if readyHosts() == 0 then return paced(at), false end
  if not isHeldBack then return paced(now), false end
  local after = paced(now)
  if after > now then return math.max(after, math.min(at, now + HELD_RECHECK)), false end
  return at, true
end

-- `isHeldBack`: whoever is ready had to wait for others when it was asked.
local function outlook(isHeldBack)
  saveHeld()
  saveHolds()
  local unsettled = call('HLEN', P .. 'holds')
  local at, asksAgain = readyAt(isHeldBack)
  -- What could be visited is not known before all hosts are placed, and all shorter paths followed.
  local isLowering = num('lowering') > 0
  if num('toPlace') > 0 or isLowering then at = now end
  if at > now then at = math.min(at, retryAt()) end
  local isHopeless = looksBehind and unsettled == 0 and not isLowering and waitsOnlyBehind()
  return {
    now, at < math.huge and at or -1, unsettled,
    session ~= '' and call('SCARD', P .. 'held:' .. session) or 0,
    isHopeless and 1 or 0, num('revisits'), num('revisiting'), num('lastId'), num('learned'),
    num('c0') + num('c7'), num('c1'), num('c2'), num('c3'), num('c4'), num('c5') + num('c8'),
    num('c6'), isReborn and 1 or 0, asksAgain and 1 or 0, num('epoch'),
    isLowering and 1 or 0, math.max(0, num('outside')),
  }
end

-- A host for the caller: for it to know when a host can be visited once a request is over, and what to
-- show of it.
local function factsOf(h)
  local at, queued = workAt(h), 0
  for isHttps = 0, 1 do
    local o = h[isHttps]
    if o then queued = queued + queuedAt(2 * h.id + isHttps) + o.delayed end
  end
  return {
    h.name, restOf(h), h.inFlight, h.unstarted, h.robotsOut, h.awaited, at < math.huge and at or -1,
    h.ownDelay, h.site, queued, h.stored, h.failures, h.trouble,
  }
end
