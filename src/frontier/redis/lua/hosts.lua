-- Hosts and sites, each one packed value (`h:ID`, hash `sites`), read once per call and written at its
-- end. What only one run knows (failures, places in turns) counts as nothing in the next: `run`.
-- An origin is 2 × host, and one more for https; it has its queue `q:` and its robots standing.
local UNKNOWN, KNOWN, OUT_OF_REACH = 0, 1, 2
local LONG_REST, BARREN_AFTER = 60000, 20
-- Of src/frontier/pace.ts, and how many pages that it missed a domain may catch up with.
local SLOW_MS, CREDIT = 2000, 32
local NEW, QUICK, SLOW = 0, 1, 2
local hosts, sites, touched = {}, {}, {}
-- Sites whose first host may not be in `ready` as it should.
local staleFronts = {}
local run = num('runs')
local delayMs, perHost = num('delayMs'), num('perHost')
local ignoresRobots = M.ignoreRobots == '1'
local hasRevisits = num('revisits') > 0
local onlyRevisits = M.onlyRevisits == '1'

local function site(name)
  local known = sites[name]
  if known then return known end
  local raw = call('HGET', P .. 'sites', name)
  local v = raw and cmsgpack.unpack(raw) or { 0, 0, 0, run, 0, 0, '', 0 }
  local isThisRun = v[4] == run
  known = { name = name, stored = v[1], held = v[2], fruitless = isThisRun and v[3] or 0,
    size = v[5], oldest = v[6], front = v[7], frontKey = v[8], isSeed = v[9] and true or false,
    ready = isThisRun and v[9] or 0, counted = v[10] or -1, inFlight = v[11] or 0, visitedAt = v[12] or 0,
    visitedBy = v[13] or 0, soonUntil = v[14] or 0, missed = v[15] or 0 }
  sites[name] = known
  return known
end

local function newOrigin() return { held = 0, delayed = 0, again = 0, robots = UNKNOWN, untl = 0, tried = 0 } end
local function packOrigin(o)
  return o and { o.held, o.delayed, o.again, o.robots, o.untl, o.tried } or false
end
local function unpackOrigin(v)
  return v and { held = v[1], delayed = v[2], again = v[3], robots = v[4], untl = v[5], tried = v[6] } or nil
end

local function host(id)
  local known = hosts[id]
  if known then return known end
  local v = cmsgpack.unpack(call('GET', P .. 'h:' .. digits(id)))
  local isThisRun = v[16] == run
  known = {
    id = id, name = v[1], site = v[2], stored = v[3],
    failures = isThisRun and v[4] or 0, trouble = isThisRun and v[5] or '',
    ownDelay = v[6], rests = v[7], inFlight = v[8], unstarted = v[9], robotsOut = v[10],
    awaited = v[11], sitemapNext = v[12], revisitNext = v[13], maps = v[14],
    pending = isThisRun and v[15] or 0, lastVisit = isThisRun and v[17] or 0,
    place = v[18], at = v[19], holder = v[20], holderUntil = v[21], noMaps = v[22],
    [0] = unpackOrigin(v[23]), [1] = unpackOrigin(v[24]), key = v[25], wasTroubled = v[26],
    isOn = isThisRun and v[27] or false, pace = isThisRun and v[28] or NEW, visitedAt = v[29] or 0,
    downSince = isThisRun and v[30] or 0, answered = v[31] or 0, restMs = v[32] or 0,
  }
  hosts[id] = known
  return known
end

-- What waits there has changed: it must be placed again.
local function moved(h)
  touched[h.id] = h
  h.isPlaced = false
end
-- The same, and it must be written, too.
local function touch(h)
  h.dirty = true
  moved(h)
end

local function saveHost(h)
  local isTroubled = h.failures > 0 or (h[0] and h[0].robots == OUT_OF_REACH)
    or (h[1] and h[1].robots == OUT_OF_REACH) or h.rests > now + num('patienceMs') or false
  -- Who looks for what is out of reach looks at these only.
  if isTroubled ~= h.wasTroubled then
    call(isTroubled and 'SADD' or 'SREM', P .. 'troubled', h.id)
    h.wasTroubled = isTroubled
  end
  h.dirty = false
  call('SET', P .. 'h:' .. digits(h.id), cmsgpack.pack({
    h.name, h.site, h.stored, h.failures, h.trouble, h.ownDelay, h.rests, h.inFlight, h.unstarted,
    h.robotsOut, h.awaited, h.sitemapNext, h.revisitNext, h.maps, h.pending, run, h.lastVisit,
    h.place, h.at, h.holder, h.holderUntil, h.noMaps, packOrigin(h[0]), packOrigin(h[1]),
    h.key, isTroubled, h.isOn, h.pace, h.visitedAt, h.downSince, h.answered, h.restMs,
  }))
end

local function saveSite(s)
  local v = { s.stored, s.held, s.fruitless, run, s.size, s.oldest, s.front, s.frontKey,
    s.isSeed and s.ready, s.counted, s.inFlight, s.visitedAt, s.visitedBy, s.soonUntil, s.missed }
  call('HSET', P .. 'sites', s.name, cmsgpack.pack(v))
  s.dirty = false
end

-- The host of that name, made known when it is not.
local named = {}
local function hostNamed(name, siteName)
  if named[name] then return named[name] end
  local id = call('HGET', P .. 'hosts', name)
  if id then
    named[name] = host(tonumber(id))
    return named[name]
  end
  addMeta('lastHost', 1)
  id = num('lastHost')
  call('HSET', P .. 'hosts', name, id)
  local h = {
    id = id, name = name, site = siteName, stored = 0, failures = 0, trouble = '', ownDelay = 0,
    rests = 0, inFlight = 0, unstarted = 0, robotsOut = 0, awaited = 0, sitemapNext = false,
    revisitNext = true, maps = 0, pending = 0, lastVisit = 0, place = '', at = '', holder = '',
    holderUntil = 0, noMaps = false, wasTroubled = false, key = 0, isOn = false,
    pace = NEW, visitedAt = 0,
    downSince = 0, answered = 0, restMs = 0,
  }
  hosts[id], named[name] = h, h
  local s = site(siteName)
  s.size, s.dirty = s.size + 1, true
  if s.size == 1 then s.oldest = id end
  -- It has company: see places.lua.
  if s.size == 2 then moved(host(s.oldest)) end
  touch(h)
  return h
end

local function hostOfOrigin(origin) return host(math.floor(origin / 2)) end
-- An origin's own facts, made when there are none.
local function originOf(h, origin)
  local isHttps = origin % 2
  if not h[isHttps] then
    h[isHttps] = newOrigin()
    h.dirty = true
  end
  return h[isHttps]
end

-- Whether it ever gave an answer under this scheme: bit 0 http, bit 1 https. Frontiers of before this was
-- kept know only what is stored.
local function hasAnswered(h, origin)
  if h.answered == 0 then return h.stored > 0 end
  return h.answered == 3 or h.answered == 1 + origin % 2
end
-- One more URL of it was given up: in `lost` how many at hosts that answered before, in `silent` at others.
local function noteLost(h, origin)
  call('HINCRBY', P .. (hasAnswered(h, origin) and 'lost' or 'silent'), h.name, 1)
end
local function noteAnswer(h, origin)
  local bit = 1 + origin % 2
  if h.answered == 3 or h.answered == bit then return end
  h.answered = h.answered + bit
  touch(h)
end

local function delayOf(h) return math.max(delayMs, h.ownDelay) end
-- After a restart of the server every host waits its full delay from then.
local function restOf(h)
  if not M.restedAt then return h.rests end
  return math.max(h.rests, num('restedAt') + delayOf(h))
end
local function opensAt(o)
  return (not ignoresRobots and o.robots == OUT_OF_REACH) and o.untl or 0
end
local function queuedAt(origin) return call('ZCARD', queueKey(origin)) end
local function revisitsAt(origin)
  return hasRevisits and call('ZCARD', P .. 'v:' .. origin) or 0
end
-- Entries and bytes of its sitemaps, and how many in a row brought nothing.
local function mapUseOf(h)
  local packed = call('HGET', P .. 'mapUse', h.id)
  return packed and cmsgpack.unpack(packed) or { 0, 0, 0 }
end
local function areMapsSpent(h)
  local use = mapUseOf(h)
  return use[1] >= num('mapEntries') or use[2] >= num('mapBytes') or use[3] >= num('mapBarren')
end
local function mapsAt(h, origin)
  if M.sitemaps ~= '1' or h.maps == 0 or h.noMaps then return 0 end
  local waiting = call('LLEN', P .. 'm:' .. origin)
  return waiting > 0 and areMapsSpent(h) and 0 or waiting
end
-- Whether one may be asked for: the next when the last was read, which may have been enough.
local function hasMap(h, origin)
  if mapsAt(h, origin) == 0 then return false end
  return (tonumber(call('HGET', P .. 'mapsOut', h.id) or nil) or 0) == 0
end
-- Puts one where it waits, at the one end or the other.
local function putMap(push, h, origin, id)
  call(push, P .. 'm:' .. origin, id)
  if areMapsSpent(h) then addMeta('mapsWaiting', -1) end
end

-- Pages stored or being fetched, and those it could not have had.
local function shareOf(s) return s.stored + s.held + s.missed end

-- It has not failed of late, and answers soon.
local function isWell(h) return h.failures == 0 and h.pace ~= SLOW end
-- Its request takes longer than anybody waits for it.
local function isLate(h) return h.inFlight > 0 and now - h.visitedAt > SLOW_MS end

-- Seeds' domains that could be served are in `seeds`, by their share: `ready` of their hosts are ready and
-- well, or one was a moment ago, or will be at the usual pace (`soonUntil`, and then they are in `soon` by
-- that moment). `counted` is the share a domain is there with, -1 when it is not. In meta their number, the
-- sum of shares and of their squares. One that comes back stands little behind the least served.
local function setSeed(s)
  local isIn = s.fruitless < BARREN_AFTER and (s.ready > 0 or s.soonUntil > now)
  local was = s.counted
  if isIn and was < 0 then
    local least = tonumber(call('ZRANGE', P .. 'seeds', 0, 0, 'WITHSCORES')[2])
    if least then s.missed = s.missed + math.max(0, least - CREDIT - shareOf(s)) end
    if s.front ~= '' then staleFronts[s.name] = s end
  end
  local counted = isIn and shareOf(s) or -1
  if counted == was then return end
  addMeta('seedsIn', (isIn and 1 or 0) - (was >= 0 and 1 or 0))
  addMeta('seedsServed', math.max(0, counted) - math.max(0, was))
  addMeta('seedsSquares', math.max(0, counted) ^ 2 - math.max(0, was) ^ 2)
  if isIn then call('ZADD', P .. 'seeds', digits(counted), s.name) else call('ZREM', P .. 'seeds', s.name) end
  s.counted, s.dirty = counted, true
end
local function setSoon(s, untl)
  if not s.isSeed or M.policy ~= 'fair' or untl <= s.soonUntil then return end
  s.soonUntil, s.dirty = untl, true
  call('ZADD', P .. 'soon', textOf(untl), s.name)
end
local function setSeeds()
  for _, s in pairs(sites) do if s.isSeed and s.dirty then setSeed(s) end end
end

-- At once: whose turn it is depends on it.
local function saveServed(s)
  s.dirty = true
  if s.front ~= '' then staleFronts[s.name] = s end
  if s.isSeed then setSeed(s) end
end
local function addHeld(h, origin, by)
  local o, s = originOf(h, origin), site(h.site)
  o.held = o.held + by
  s.held = s.held + by
  h.dirty = true
  saveServed(s)
end
local function addStored(h, by)
  if by == 0 then return end
  local s = site(h.site)
  h.stored = h.stored + by
  s.stored = s.stored + by
  h.dirty = true
  saveServed(s)
end
local function servedAt(h)
  return h.stored + (h[0] and h[0].held or 0) + (h[1] and h[1].held or 0)
end

-- It could be visited before long, or is being visited, and is not in trouble.
local function isActive(h)
  local rests = restOf(h)
  if rests > now + LONG_REST or h.pace == SLOW or isLate(h) then return false end
  if h.failures > 0 and (rests > now or h.inFlight > 0) then return false end
  for isHttps = 0, 1 do
    local o = h[isHttps]
    if o and (o.held > 0 or (opensAt(o) <= now and queuedAt(2 * h.id + isHttps) > 0)) then
      return true
    end
  end
  return false
end

-- Whether a host of a seed's domain is ready and well, or will be at the usual pace; `at`: when it may be
-- visited.
local function noteReady(h, at)
  local s = M.policy == 'fair' and site(h.site)
  if not s or not s.isSeed then return end
  local isOn = at <= now and isWell(h)
  if not isOn and at <= now + delayMs and isWell(h) then setSoon(s, at) end
  if isOn == h.isOn then return end
  h.isOn, h.dirty = isOn, true
  s.ready, s.dirty = s.ready + (isOn and 1 or -1), true
end

-- A request goes to it, and is over after so many ms; `isProof`: it went out for a page. A quick robots.txt
-- promises nothing of pages, a request that never went out nothing at all.
local function noteVisit(h)
  local s = site(h.site)
  h.inFlight, h.visitedAt, h.dirty = h.inFlight + 1, now, true
  s.inFlight, s.visitedAt, s.visitedBy, s.dirty = s.inFlight + 1, now, h.id, true
  if isWell(h) then setSoon(s, now + SLOW_MS) end
end
local function noteEnd(h, tookMs, isProof)
  local s, isSlow = site(h.site), tookMs > SLOW_MS
  h.inFlight, h.dirty = h.inFlight - 1, true
  s.inFlight, s.dirty = math.max(0, s.inFlight - 1), true
  if isSlow or isProof then h.pace = isSlow and SLOW or QUICK end
end

-- The best that waits at a host: its score and its id; nil when nothing does.
local function bestOf(h)
  local bestScore, bestId, bestOrigin
  for isHttps = 0, 1 do
    if h[isHttps] then
      local origin = 2 * h.id + isHttps
      local head = call('ZRANGE', queueKey(origin), 0, 0, 'WITHSCORES')
      if head[1] then
        local score, id = -tonumber(head[2]), tonumber(head[1])
        if bestScore == nil or score > bestScore or (score == bestScore and id < bestId) then
          bestScore, bestId, bestOrigin = score, id, origin
        end
      end
    end
  end
  return bestScore, bestId, bestOrigin
end
