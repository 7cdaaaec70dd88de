-- How URLs come in: new ones are written and queued as the caller judged and scored them; known ones
-- may have become nearer, better linked, or allowed after all. Whatever must be scored anew by facts
-- that only this server has is told in `stale`.
-- A row has two bytes for a depth: what is deeper than all of them counts as that deep.
local NO_DEPTH, MAX_DEPTH = 65535, 65534
local VIA_SEED, VIA_LINK, VIA_REDIRECT, VIA_SITEMAP = 0, 1, 2, 3
local EXEMPT = { depth = true, nofollow = true, trap = true, filter = true, scope = true, focus = true }
local maxDepth = tonumber(M.maxDepth) or math.huge
local weighsDepth = M.weighsDepth == '1'
local weighsLinks, weighsSignals = M.weighsLinks == '1', M.weighsSignals == '1'
local scoresByDepth = M.scoresByDepth == '1'
local hostNames, siteNames = {}, {}
local LOWERED_AT_ONCE, lowered = 1000, 0
local MAX_REFRESHES = 10

local function readHostNames()
  for at = 1, argNum() do
    hostNames[at] = arg()
    siteNames[at] = arg()
  end
end

-- As src/frontier/redis/link-arguments.ts writes it.
local function readLink(into)
  local link = into or {}
  local hash, url, score, bits = arg(), arg(), argNum(), argNum()
  local at, flags = math.floor(bits / 512), bits % 512
  link.hash, link.url, link.score, link.host, link.site = hash, url, score, hostNames[at], siteNames[at]
  link.isHttps, link.nofollow = flags % 4 >= 2 and 1 or 0, flags % 2 == 1
  link.refusal = bit.band(flags, 4) ~= 0 and arg() or nil
  link.refresh = bit.band(flags, 8) ~= 0
  link.signals = bit.band(flags, 32) ~= 0 and arg() or nil
  link.offFocus = bit.band(flags, 64) ~= 0
  link.inScope = bit.band(flags, 128) ~= 0
  link.isMeasured = bit.band(flags, 256) ~= 0
  link.before = link.isMeasured and arg() or nil
  return link
end
-- Links are those of one page at a time: the next one's are read into the same tables.
local used = {}
local function readLinks(number)
  local links = {}
  for at = 1, number do
    used[at] = used[at] or {}
    links[at] = readLink(used[at])
  end
  return links
end

-- Why a URL may not be queued, and the host it would be queued at.
local function judge(link, depth, nofollow)
  if link.refusal then return link.refusal end
  if nofollow then return 'nofollow' end
  if depth > maxDepth then return 'depth' end
  local h = hostNamed(link.host, link.site)
  originOf(h, link.isHttps)
  return nil, h
end

-- What is needed to judge it again, should a better path lead there.
local function keepForLater(link)
  if not hosts[link.host] and call('HEXISTS', P .. 'hosts', link.host) == 0 then
    call('HSETNX', P .. 'sitesOf', link.host, link.site)
  end
end

-- A link as it would be given now to a URL that is known.
local function linkTo(id)
  local url = urlOf(id)
  local scheme, name = string.match(url, '^(https?)://([^/?#]+)')
  local known = call('HGET', P .. 'hosts', name)
  return {
    url = url, host = name, isHttps = scheme == 'https' and 1 or 0,
    site = known and host(tonumber(known)).site or call('HGET', P .. 'sitesOf', name) or name,
  }
end

local function queueAt(h, link, id, priority)
  enqueue(2 * h.id + link.isHttps, id, priority)
  -- A score that is to be computed anew says nothing.
  if not stale[id] then noteScore(priority) end
  moved(h)
end

-- A refused URL that a better path now leads to: queued when nothing else speaks against it.
local function reconsider(row, link, depth)
  local reason, h = judge(link, depth, false)
  if reason and reason == reasonOf(row) and depth == row.depth then return end
  local from = row.state
  row.depth = depth
  if h then row.origin = 2 * h.id + link.isHttps end
  row.state = h and QUEUED or REFUSED
  if h and link.score and scoresByDepth then row.priority = link.score
  elseif h then markStale(row.id) end
  countRefused(reasonOf(row), -1)
  if reason then countRefused(reason, 1) end
  setWhy(row, reason or '')
  saveRow(row)
  moveCount(from, row.state)
  if h then queueAt(h, link, row.id, row.priority) end
end

-- Depths only ever fall: a shorter path makes a URL nearer and, with a depth limit, all behind it.
local function lowerOne(id, depth, link)
  local row = readRow(id)
  local wasFollowed = not isUnfollowed(row)
  if wasFollowed and row.depth <= depth then return false end
  if isPathRefused(row) then
    reconsider(row, link or linkTo(id), depth)
    return true
  end
  row.depth = depth
  if M.depthMatters == '1' and isOpen(row.state) then
    if link and scoresByDepth then
      row.priority = link.score
      if row.state == QUEUED then
        enqueue(row.origin, id, row.priority)
        touch(hostOfOrigin(row.origin))
      end
    else
      markStale(id)
    end
  end
  saveRow(row)
  return true
end
local function addPathsFrom(id, depth, paths)
  local step, targets = edgesOf(id)
  local depthBehind = math.min(depth + step, MAX_DEPTH)
  for _, to in ipairs(targets) do paths[#paths + 1] = { to, depthBehind } end
end
-- Paths to be followed by another script, in the list `lowering`; meta.lowering counts them.
local function keepPaths(paths, from)
  addMeta('lowering', #paths - from + 1)
  for first = from, #paths, 1000 do
    local flat = {}
    for at = first, math.min(first + 999, #paths) do
      flat[#flat + 1] = digits(paths[at][1]) .. ':' .. digits(paths[at][2])
    end
    call('RPUSH', P .. 'lowering', unpack(flat))
  end
end
-- Until then depths behind them are too large: whatever is found there meanwhile is put right with them.
local function follow(paths)
  local at = 1
  while paths[at] and lowered < LOWERED_AT_ONCE do
    lowered = lowered + 1
    local id, depth = paths[at][1], paths[at][2]
    if lowerOne(id, depth) then addPathsFrom(id, depth, paths) end
    at = at + 1
  end
  keepPaths(paths, at)
end
local function lower(id, depth, link)
  if not lowerOne(id, depth, link) or maxDepth == math.huge then return end
  local paths = {}
  addPathsFrom(id, depth, paths)
  follow(paths)
end

local function addNew(link, source)
  addMeta('lastId', 1)
  local id = num('lastId')
  local reason, h = judge(link, source.depth, link.nofollow)
  local hops = link.refresh and (source.pageHops or 0) + 1 or source.hops
  if link.refresh and hops > MAX_REFRESHES then
    reason, h = 'trap: more than ' .. MAX_REFRESHES .. ' redirects and refreshes in a row', nil
  end
  if h and link.offFocus then reason, h = 'focus', nil end
  local state, inLinks = h and QUEUED or REFUSED, 0
  if source.via == VIA_LINK and not link.nofollow then inLinks = 1 end
  insertNew(id, link.url, reason or '', state, source.via, hops, source.depth,
    h and 2 * h.id + link.isHttps or 0, source.foundOn, source.foundAt, inLinks, h and link.score or 0)
  setSignals(id, link.signals)
  count(state, 1)
  if not h then countRefused(reason, 1) end
  if h then
    queueAt(h, link, id, link.score)
    if source.depth ~= source.assumedDepth then markStale(id) end
  elseif reason == 'nofollow' or reason == 'depth' or reason == 'focus' then
    keepForLater(link)
  end
  return id, reason ~= 'nofollow' and reason ~= 'focus'
end

-- The user asks for what links had led to before: whatever came of it stays, rules do not.
local function nameAsSeed(id, link)
  lower(id, 0, link)
  local row = readRow(id)
  if row.state ~= REFUSED then return end
  local code = string.match(reasonOf(row), '^[^:]*')
  if EXEMPT[code] or (code == 'type' and row.tries == 0) then reconsider(row, link, 0) end
end

local function addKnown(id, link, source)
  local row = glanceAt(id)
  local depth = isUnfollowed(row) and NO_DEPTH or row.depth
  local isClosed = not isOpen(row.state) and not isPathRefused(row)
  local mayWait = not isClosed and math.min(depth, source.depth) <= maxDepth
  if mayWait and link.offFocus then return false end
  local isFirst = depth == NO_DEPTH
  if depth > source.depth and (weighsDepth or isFirst) then lower(id, source.depth, link) end
  if not mayWait or (source.again and not isFirst) then return true end
  meetKnown(id, link, weighsLinks and source.via == VIA_LINK, isFirst)
  return true
end

-- Takes in what one page, sitemap or user named.
local function intake(links, source)
  local followed = {}
  source.depth = math.min(source.depth, MAX_DEPTH)
  source.foundAt = num('lastId') + 1
  for _, link in ipairs(links) do
    local known, isFollowed = claimSeen(link.hash, num('lastId') + 1), false
    if not known then
      known, isFollowed = addNew(link, source)
    elseif source.via == VIA_SEED then
      nameAsSeed(known, link)
    elseif not link.nofollow then
      isFollowed = addKnown(known, link, source)
    end
    if isFollowed then followed[#followed + 1] = known end
  end
  if source.foundOn > 0 then
    if source.goesOn and keepsEdges then
      -- Those of its links that were taken in before it: see part.lua.
      local _, all = edgesOf(source.foundOn)
      for _, id in ipairs(followed) do all[#all + 1] = id end
      followed = all
    end
    saveEdges(source.foundOn, source.via == VIA_REDIRECT and 0 or 1, followed)
  end
end

-- What the caller must score anew: { id, url, depth, foundAt, inLinks, signals or false, and the hash of
-- a link whose signals are to be merged, or '' }.
local function staleRows()
  local rows = {}
  for _, id in ipairs(staleOrder) do
    if stale[id] then
      local row = readRow(id)
      rows[#rows + 1] = { id, urlOf(id), row.depth, row.foundAt, row.inLinks,
        signalsOf(id) or false, stale[id] }
    end
  end
  return rows
end
