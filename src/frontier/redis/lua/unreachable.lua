-- unreachable: refuses what is out of reach, about so many URLs at most: how many, then cursors in hosts in
-- trouble and in what waits for its next try, '0' at the beginning. Answers { how many URLs were refused, the
-- two cursors to go on with, '' where nothing is left, outlook }.
local limit, hostsFrom, retriesFrom = argNum(), arg(), arg()
local HOSTS_AT_ONCE, RETRIES_AT_ONCE = 100, 500
renew()
local refused, done = 0, 0

local function refuse(row, from, reason)
  row.state = UNREACHABLE
  setWhy(row, reason)
  saveRow(row)
  moveCount(from, UNREACHABLE)
  call('RPUSH', P .. 'gone', row.id)
  refused = refused + 1
  noteLost(hostOfOrigin(row.origin), row.origin)
end

local function giveUpMap(id, reason)
  local map = readMap(tonumber(id))
  map.tries = 0
  endMap(map, UNREACHABLE, reason)
  call('RPUSH', P .. 'goneMaps', id)
end

-- The first of what waits in a list, as many as there is room for.
local function some() return math.max(0, math.min(500, limit - done)) - 1 end

local function refuseQueued(origin, reason)
  while done < limit do
    local ids = call('ZRANGE', queueKey(origin), 0, some())
    if #ids == 0 then return end
    call('ZREM', queueKey(origin), unpack(ids))
    if isLimited then call('ZREM', P .. 'waiting', unpack(ids)) end
    for _, id in ipairs(ids) do refuse(readRow(tonumber(id)), QUEUED, reason) end
    done = done + #ids
  end
end

local function refuseRevisits(origin, reason)
  while hasRevisits and done < limit do
    local ids = call('ZRANGE', P .. 'v:' .. origin, 0, some())
    if #ids == 0 then return end
    call('ZREM', P .. 'v:' .. origin, unpack(ids))
    for _, id in ipairs(ids) do giveUpRevisit(tonumber(id), reason) end
    done = done + #ids
  end
end

local function refuseMaps(h, origin, reason)
  -- A host has as many of them as --max-sitemaps allows.
  if mapsAt(h, origin) == 0 then return end
  for _, id in ipairs(call('LRANGE', P .. 'm:' .. origin, 0, -1)) do giveUpMap(id, reason) end
  call('DEL', P .. 'm:' .. origin)
end

local function refuseAt(h)
  for origin = 2 * h.id, 2 * h.id + 1 do
    local reason = h[origin % 2] and whyOutOfReach(h, origin)
    if reason then
      refuseQueued(origin, reason)
      refuseMaps(h, origin, reason)
      refuseRevisits(origin, reason)
      touch(h)
    end
  end
end

local function refuseRetry(each)
  local kind, id, origin = string.match(each, '^(%a)(%d+):(%d+)$')
  id, origin = tonumber(id), tonumber(origin)
  local h = hostOfOrigin(origin)
  local o = originOf(h, origin)
  local reason = whyOutOfReach(h, origin)
  if not reason then return end
  call('ZREM', P .. 'retry', each)
  if kind == 'p' then
    o.delayed = o.delayed - 1
    refuse(readRow(id), DELAYED, reason)
  elseif kind == 'r' then
    o.again = o.again - 1
    giveUpRevisit(id, reason)
  else
    giveUpMap(id, reason)
  end
  touch(h)
end

if hostsFrom ~= '' then
  local found = call('SSCAN', P .. 'troubled', hostsFrom, 'COUNT', HOSTS_AT_ONCE)
  for _, id in ipairs(found[2]) do refuseAt(host(tonumber(id))) end
  -- With no room left there may be more at the same hosts.
  if done < limit then hostsFrom = found[1] == '0' and '' or found[1] end
elseif retriesFrom ~= '' then
  local found = call('ZSCAN', P .. 'retry', retriesFrom, 'COUNT', RETRIES_AT_ONCE)
  for at = 1, #found[2], 2 do refuseRetry(found[2][at]) end
  retriesFrom = found[1] == '0' and '' or found[1]
end
saveAll()
looksBehind = hostsFrom == '' and retriesFrom == ''
return cjson.encode({ refused, hostsFrom, retriesFrom, outlook(false) })
