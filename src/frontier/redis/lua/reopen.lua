-- reopen: takes back so many URLs and sitemaps that an earlier run refused as out of reach; their
-- origins' robots.txt is asked for again. Answers { whether there may be more, outlook }.
local limit, reopened, isMore = argNum(), {}, 0
call('DEL', P .. 'lost', P .. 'silent')
for at = 1, limit do
  local id = call('LPOP', P .. 'gone')
  if not id then break end
  if at == limit then isMore = 1 end
  local row = readRow(tonumber(id))
  if row.state == UNREACHABLE then
    row.state = QUEUED
    setWhy(row, '')
    saveRow(row)
    moveCount(UNREACHABLE, QUEUED)
    enqueue(row.origin, row.id, row.priority)
    reopened[row.origin] = true
  end
end
for origin in pairs(reopened) do
  local h = hostOfOrigin(origin)
  local o = originOf(h, origin)
  o.robots, o.untl, o.tried = UNKNOWN, 0, 0
  call('HDEL', P .. 'robots', (origin % 2 == 1 and 'https://' or 'http://') .. h.name)
  touch(h)
end
for at = 1, limit do
  local id = call('LPOP', P .. 'goneMaps')
  if not id then break end
  if at == limit then isMore = 1 end
  local map = readMap(tonumber(id))
  if map.state == UNREACHABLE then
    local scheme, name = string.match(map.url, '^(https?)://([^/?#]+)')
    local h = host(tonumber(call('HGET', P .. 'hosts', name)))
    map.state, map.reason = QUEUED, ''
    saveMap(map)
    call('RPUSH', P .. 'm:' .. (2 * h.id + (scheme == 'https' and 1 or 0)), id)
    touch(h)
  end
end
saveAll()
return cjson.encode({ isMore, outlook(false) })
