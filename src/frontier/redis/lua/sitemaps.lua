-- Sitemaps, each read once: `maps` knows them by URL, `map:ID` what there is to one, a list `m:ORIGIN`
-- those that wait, oldest first. `mapsWaiting` counts them, with those that wait for their next try; but
-- not those of a host that has used its budget (`mapUse`, src/frontier/sitemap-budget.ts), which stay.
local MAX_LEVEL = 3
local wantsMaps = M.sitemaps == '1'

-- Each: URL, host and site, of hosts that are in scope.
-- Returns how many are new.
local function addMaps(list, level, hops)
  if not wantsMaps or level > MAX_LEVEL then return 0 end
  local added = 0
  for _, each in ipairs(list) do
    local h = hostNamed(each[2], each[3])
    local origin = 2 * h.id + (string.sub(each[1], 1, 6) == 'https:' and 1 or 0)
    if h.maps < num('maxMaps') and not areMapsSpent(h) and call('HEXISTS', P .. 'maps', each[1]) == 0 then
      addMeta('lastMap', 1)
      local id = num('lastMap')
      originOf(h, origin)
      h.maps = h.maps + 1
      call('HSET', P .. 'maps', each[1], id)
      saveMap({ id = id, url = each[1], level = level, hops = hops, tries = 0, state = QUEUED, reason = '' })
      call('RPUSH', P .. 'm:' .. origin, id)
      addMeta('mapsWaiting', 1)
      touch(h)
      added = added + 1
    end
  end
  return added
end

-- Takes in what one lists; how many of it are to be visited.
local function takeListed(id, links)
  local before = num('c0')
  intake(links, { foundOn = -id, via = VIA_SITEMAP, depth = 1, assumedDepth = 1, hops = 0 })
  return num('c0') - before
end

local function takeMapPart(s)
  local brought = takeListed(s.id, s.links)
  if brought > 0 then call('HINCRBY', P .. 'mapNew', s.id, brought) end
end

-- One came to its end: what its host has used, and with it whether the others are read at all.
local function chargeMap(id, h, size, brought)
  local before, use = areMapsSpent(h), mapUseOf(h)
  local ofParts = tonumber(call('HGET', P .. 'mapNew', id) or nil)
  if ofParts then call('HDEL', P .. 'mapNew', id) end
  local entries, bytes = string.match(size or '', '^(%d+) (%d+)$')
  use[1], use[2] = use[1] + (tonumber(entries) or 0), use[2] + (tonumber(bytes) or 0)
  use[3] = brought + (ofParts or 0) > 0 and 0 or use[3] + 1
  call('HSET', P .. 'mapUse', h.id, cmsgpack.pack(use))
  if not before and areMapsSpent(h) and not h.noMaps then
    local left = call('LLEN', P .. 'm:' .. 2 * h.id) + call('LLEN', P .. 'm:' .. 2 * h.id + 1)
    addMeta('mapsWaiting', -left)
    touch(h)
  end
end

local function settleMap(s, hold)
  local map, h = readMap(s.id), hostOfOrigin(hold.origin)
  map.tries = hold.tries
  if s.outcome == 'released' then
    map.tries = hold.tries - 1
    saveMap(map)
    putMap('LPUSH', h, hold.origin, s.id)
  elseif s.outcome == 'failed' and s.number then
    if s.uncounted then map.tries = hold.tries - 1 end
    saveMap(map)
    call('ZADD', P .. 'retry', math.ceil(s.number), 's' .. s.id .. ':' .. hold.origin)
  elseif s.outcome == 'failed' or s.outcome == 'refused' then
    endMap(map, s.outcome == 'failed' and FAILED or REFUSED, s.text)
    chargeMap(s.id, h, nil, 0)
  elseif s.outcome == 'redirected' then
    endMap(map, REDIRECTED, s.text)
    local to = s.links[1]
    -- None where it leads to another shard, which has it already.
    if to and map.hops < 10 and to.inScope then addMaps({ { to.url, to.host, to.site } }, map.level, map.hops + 1) end
  elseif s.outcome == 'read' then
    endMap(map, STORED, '')
    local brought = takeListed(s.id, s.links)
    chargeMap(s.id, h, s.text, brought + addMaps(s.more, map.level + 1, 0))
  end
end
