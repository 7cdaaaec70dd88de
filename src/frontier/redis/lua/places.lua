-- Which host may be visited now. A host with work is in `ready`, ranked by the policy, or in `resting`,
-- by the moment it may be visited again; who is busy or has nothing to do is in neither.
-- The member says whose turn it is of equals, then which host it is.
-- Under the fair policy one page more at a site changes the rank of all its hosts. So those of a site
-- that has several are in `w:SITE`, by pages served, and only the first of them, its front, in `ready`.
-- meta.inside counts those that are ready but no front. Hosts that are slow are in `slow`, each by itself:
-- how many of them are visited at once is limited, and they must not hide the others.
local HOST_SHARE, VISITS = 2 ^ 24, 2 ^ 29
local ABOVE_ALL = -math.huge

-- An origin of which something can be visited again.
local function revisitedAt(h)
  if not hasRevisits then return nil end
  for isHttps = 0, 1 do
    local o = h[isHttps]
    if o and opensAt(o) <= now and revisitsAt(2 * h.id + isHttps) > 0 then
      return 2 * h.id + isHttps
    end
  end
  return nil
end

-- The rules of src/frontier/policy/: rank, and which goes first of equals.
local function rankOf(h)
  if revisitedAt(h) then return ABOVE_ALL, h.lastVisit end
  if M.policy == 'best' then
    local score, id = bestOf(h)
    return -(score or -math.huge), id or 0
  end
  if M.policy == 'largest' then
    return math.min(h.lastVisit, VISITS - 1) - h.pending * VISITS, h.id
  end
  return shareOf(site(h.site)) * HOST_SHARE + math.min(servedAt(h), HOST_SHARE - 1), h.id
end

local function awaitsStart(h) return h.unstarted > 0 and delayOf(h) > 0 end
local function isBusy(h) return h.inFlight >= perHost or h.robotsOut > 0 or awaitsStart(h) end

-- When any of its origins has something to fetch.
local function workAt(h)
  local at = math.huge
  for isHttps = 0, 1 do
    local o, origin = h[isHttps], 2 * h.id + isHttps
    if o then
      local has = revisitsAt(origin) > 0
        or (not onlyRevisits and (queuedAt(origin) > 0 or hasMap(h, origin)))
      if has then at = math.min(at, opensAt(o)) end
    end
  end
  return at
end

local function keyOfPlace(h, place)
  if place == 'w' then return P .. 'w:' .. h.site end
  return P .. (place == 'r' and 'ready' or place == 'l' and 'slow' or 'resting')
end
-- The front of a site is in `ready`, too, perhaps under the name it is to have there by itself.
local function leaveFront(h)
  local s = site(h.site)
  if s.front ~= h.at then return end
  call('ZREM', P .. 'ready', h.at)
  addMeta('inside', 1)
  s.front, s.frontKey, s.dirty = '', 0, true
end
local function setPlace(h, place, key, tie)
  local at = place == '' and '' or string.format('%013d:%d', tie, h.id)
  local was = h.place
  if was ~= '' and (was ~= place or h.at ~= at) then call('ZREM', keyOfPlace(h, was), h.at) end
  if was == place and h.at == at and h.key == key then return end
  if was == 'w' and (place == 'r' or place == 'l') then leaveFront(h) end
  if place ~= '' then call('ZADD', keyOfPlace(h, place), textOf(key), at) end
  if was == 'w' or place == 'w' then
    staleFronts[h.site] = site(h.site)
    addMeta('inside', (place == 'w' and 1 or 0) - (was == 'w' and 1 or 0))
  end
  h.place, h.at, h.key, h.dirty = place, at, key, true
end

-- Whether another is the first of a site now, or in another place.
local function setFront(s)
  staleFronts[s.name] = nil
  local first = call('ZRANGE', P .. 'w:' .. s.name, 0, 0, 'WITHSCORES')
  local front, key = first[1] or '', 0
  if first[1] then key = shareOf(s) * HOST_SHARE + tonumber(first[2]) end
  if s.front == front and s.frontKey == key then return false end
  if s.front ~= '' and s.front ~= front then call('ZREM', P .. 'ready', s.front) end
  if front ~= '' then call('ZADD', P .. 'ready', textOf(key), front) end
  addMeta('inside', (s.front ~= '' and 1 or 0) - (front ~= '' and 1 or 0))
  s.front, s.frontKey, s.dirty = front, key, true
  return true
end
local function setFronts()
  for _, s in pairs(staleFronts) do setFront(s) end
end
local function readyHosts()
  return call('ZCARD', P .. 'ready') + call('ZCARD', P .. 'slow') + num('inside')
end

-- Puts a host where it belongs.
local function place(h)
  h.isPlaced = true
  local at = isBusy(h) and math.huge or math.max(restOf(h), h.awaited, workAt(h))
  noteReady(h, at)
  if at <= now and h.pace == SLOW then
    setPlace(h, 'l', rankOf(h))
  elseif at <= now then
    local rank, tie = rankOf(h)
    local isInside = M.policy == 'fair' and rank ~= ABOVE_ALL and site(h.site).size > 1
    if isInside then setPlace(h, 'w', rank % HOST_SHARE, tie) else setPlace(h, 'r', rank, tie) end
  elseif at < math.huge then
    setPlace(h, 's', at, h.id)
  else
    setPlace(h, '', 0, 0)
  end
  placeHead(h, at <= now)
end

local function hostIn(member) return host(tonumber(string.match(member, ':(%d+)$'))) end

-- Those who have rested.
local function wakeRested()
  for _ = 1, 1000 do
    local first = call('ZRANGE', P .. 'resting', 0, 0, 'WITHSCORES')
    if not first[1] or tonumber(first[2]) > now then return end
    place(hostIn(first[1]))
  end
end

-- The last thing in every script that changes something.
local function saveAll()
  writeRows()
  if hasQueueAdds then writeQueues() end
  for _, h in pairs(touched) do if not h.isPlaced then place(h) end end
  setFronts()
  setSeeds()
  for _, h in pairs(hosts) do if h.dirty then saveHost(h) end end
  for _, s in pairs(sites) do if s.dirty then saveSite(s) end end
  saveSpent()
  saveChanged()
  saveMeta()
end
