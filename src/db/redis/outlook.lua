-- What every answer ends with: a list of numbers, in the order that src/frontier/redis/reply.ts knows.
local HELD_RECHECK, LONGEST_WAIT = 200, 5 * 60000

-- What is out of reach, as { origin, reason } pairs; the rules of unreachable.ts of the SQLite frontier.
local function outOfReach()
  local found, tooLate = {}, now + LONGEST_WAIT
  for _, id in ipairs(call('SMEMBERS', P .. 'troubled')) do
    local h = host(tonumber(id))
    local isDown = h.failures > num('maxHostFailures') or (h.failures > 0 and restOf(h) > tooLate)
    for isHttps = 0, 1 do
      local o = h[isHttps]
      if o then
        local isShut = not ignoresRobots and o.robots == OUT_OF_REACH
        local isLost = o.tried > num('maxRobotsFailures') or opensAt(o) > tooLate
        if isShut and (isDown or isLost) then
          found[#found + 1] = { 2 * h.id + isHttps, 'robots-unreachable' }
        elseif isDown then
          found[#found + 1] = { 2 * h.id + isHttps, 'host-unreachable' }
        end
      end
    end
  end
  return found
end

local function waitsOnlyBehind()
  local isNew = onlyRevisits and 0 or 1
  local waiting = num('revisits') + isNew * (num('c0') + num('c7') + num('mapsWaiting'))
  if waiting == 0 then return false end
  local behind = 0
  for _, pair in ipairs(outOfReach()) do
    local origin = pair[1]
    local h = hostOfOrigin(origin)
    local o = h[origin % 2]
    behind = behind + revisitsAt(origin) + o.again
    behind = behind + isNew * (queuedAt(origin) + o.delayed + mapsAt(h, origin))
  end
  return behind == waiting
end

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
  if call('ZCARD', P .. 'ready') == 0 then return paced(at), false end
  if not isHeldBack then return paced(now), false end
  local after = paced(now)
  if after > now then return math.max(after, math.min(at, now + HELD_RECHECK)), false end
  return at, true
end

-- `isHeldBack`: whoever is ready had to wait for others when it was asked.
local function outlook(isHeldBack)
  saveMine()
  saveHolds()
  local unsettled = call('HLEN', P .. 'holds')
  local at, asksAgain = readyAt(isHeldBack)
  if at > now then at = math.min(at, retryAt()) end
  local isHopeless = unsettled == 0 and waitsOnlyBehind()
  return {
    now, at < math.huge and at or -1, unsettled,
    session ~= '' and tonumber(call('HGET', P .. 'mine', session) or 0) or 0,
    isHopeless and 1 or 0, num('revisits'), num('revisiting'), num('lastId'), num('learned'),
    num('c0') + num('c7'), num('c1'), num('c2'), num('c3'), num('c4'), num('c5') + num('c8'),
    num('c6'), isReborn and 1 or 0, asksAgain and 1 or 0, num('epoch'),
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
