-- Sitemaps, each read once: `maps` knows them by URL, `map:ID` what there is to one, a list `m:ORIGIN`
-- those that wait, oldest first. `mapsWaiting` counts them, with those that wait for their next try.
local MAX_LEVEL, MAX_PER_HOST = 3, 1000
local wantsMaps = M.sitemaps == '1'

-- Each: URL, host and site, of hosts that are in scope.
local function addMaps(list, level, hops)
  if not wantsMaps or level > MAX_LEVEL then return end
  for _, each in ipairs(list) do
    local h = hostNamed(each[2], each[3])
    local origin = 2 * h.id + (string.sub(each[1], 1, 6) == 'https:' and 1 or 0)
    if h.maps < MAX_PER_HOST and call('HEXISTS', P .. 'maps', each[1]) == 0 then
      addMeta('lastMap', 1)
      local id = num('lastMap')
      originOf(h, origin)
      h.maps = h.maps + 1
      call('HSET', P .. 'maps', each[1], id)
      saveMap({ id = id, url = each[1], level = level, hops = hops, tries = 0, state = QUEUED, reason = '' })
      call('RPUSH', P .. 'm:' .. origin, id)
      addMeta('mapsWaiting', 1)
      touch(h)
    end
  end
end

local function settleMap(s, hold)
  local map = readMap(s.id)
  map.tries = hold.tries
  if s.outcome == 'released' then
    map.tries = hold.tries - 1
    saveMap(map)
    call('LPUSH', P .. 'm:' .. hold.origin, s.id)
  elseif s.outcome == 'failed' and s.number then
    saveMap(map)
    call('ZADD', P .. 'retry', math.ceil(s.number), 's' .. s.id .. ':' .. hold.origin)
  elseif s.outcome == 'failed' then endMap(map, FAILED, s.text)
  elseif s.outcome == 'refused' then endMap(map, REFUSED, s.text)
  elseif s.outcome == 'redirected' then
    endMap(map, REDIRECTED, s.text)
    local to = s.links[1]
    -- None where it leads to another shard, which has it already.
    if to and map.hops < 10 and to.inScope then addMaps({ { to.url, to.host, to.site } }, map.level, map.hops + 1) end
  elseif s.outcome == 'read' then
    endMap(map, STORED, '')
    intake(s.links, { foundOn = -s.id, via = VIA_SITEMAP, depth = 1, assumedDepth = 1, hops = 0 })
    addMaps(s.more, map.level + 1, 0)
  end
end
