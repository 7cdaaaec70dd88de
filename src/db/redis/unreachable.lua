-- unreachable: refuses what is out of reach, so many URLs at most. Answers { how many URLs were refused,
-- whether there are more, outlook }.
local limit = argNum()
renew()
local refused = 0

local function refuse(row, from, reason)
  row.state = UNREACHABLE
  setWhy(row, reason)
  saveRow(row)
  moveCount(from, UNREACHABLE)
  call('RPUSH', P .. 'gone', row.id)
  refused = refused + 1
end

local function refuseQueued(origin, reason)
  while refused < limit do
    local ids = call('ZRANGE', queueKey(origin), 0, math.min(500, limit - refused) - 1)
    if #ids == 0 then return end
    call('ZREM', queueKey(origin), unpack(ids))
    if isLimited then call('ZREM', P .. 'waiting', unpack(ids)) end
    for _, id in ipairs(ids) do refuse(readRow(tonumber(id)), QUEUED, reason) end
  end
end

local function giveUpMap(id, reason)
  local map = readMap(tonumber(id))
  map.tries = 0
  endMap(map, UNREACHABLE, reason)
  call('RPUSH', P .. 'goneMaps', id)
end

-- What waits there for its next try.
local function refuseDelayed(reasons)
  for _, each in ipairs(call('ZRANGE', P .. 'retry', 0, -1)) do
    local kind, id, origin = string.match(each, '^(%a)(%d+):(%d+)$')
    local reason = reasons[tonumber(origin)]
    if reason and kind ~= 'r' then
      call('ZREM', P .. 'retry', each)
      if kind == 'p' then
        local o = originOf(hostOfOrigin(tonumber(origin)), tonumber(origin))
        o.delayed = o.delayed - 1
        refuse(readRow(tonumber(id)), DELAYED, reason)
      else
        giveUpMap(id, reason)
      end
    end
  end
end

local reasons, behind = {}, outOfReach()
for _, pair in ipairs(behind) do
  local origin, reason = pair[1], pair[2]
  reasons[origin] = reason
  refuseQueued(origin, reason)
  local h = hostOfOrigin(origin)
  if mapsAt(h, origin) > 0 then
    for _, id in ipairs(call('LRANGE', P .. 'm:' .. origin, 0, -1)) do giveUpMap(id, reason) end
    call('DEL', P .. 'm:' .. origin)
  end
  giveUpRevisits(origin, reason)
  touch(h)
end
if next(reasons) then refuseDelayed(reasons) end
saveAll()
return cjson.encode({ refused, refused >= limit and 1 or 0, outlook(false) })
