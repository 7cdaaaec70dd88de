-- round-maps: of some sitemaps, first and last of their ids, those that were asked for are read again.
local first, last = argNum(), argNum()
-- What they came to is counted anew.
if first <= 1 then call('DEL', P .. 'mapUse') end
for id = first, math.min(last, num('lastMap')) do
  local map = readMap(id)
  if map.state == STORED or map.state == REDIRECTED or map.state == FAILED then
    local scheme, name = string.match(map.url, '^(https?)://([^/?#]+)')
    local hostId = call('HGET', P .. 'hosts', name)
    if hostId then
      map.state, map.reason, map.tries = QUEUED, '', 0
      saveMap(map)
      call('RPUSH', P .. 'm:' .. 2 * hostId + (scheme == 'https' and 1 or 0), id)
      addMeta('mapsWaiting', 1)
      touch(host(tonumber(hostId)))
    end
  end
end
saveAll()
return cjson.encode({})
