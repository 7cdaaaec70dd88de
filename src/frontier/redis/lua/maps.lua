-- Sitemaps by id, each packed in the hash `map`.
local function readMap(id)
  local v = cmsgpack.unpack(call('HGET', P .. 'map', id))
  return { id = id, url = v[1], level = v[2], hops = v[3], tries = v[4], state = v[5], reason = v[6] }
end
local function saveMap(map)
  call('HSET', P .. 'map', map.id,
    cmsgpack.pack({ map.url, map.level, map.hops, map.tries, map.state, map.reason }))
end

local function endMap(map, state, reason)
  map.state, map.reason = state, reason
  saveMap(map)
  addMeta('mapsWaiting', -1)
end
