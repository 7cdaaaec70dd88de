-- refresh: brings some hosts in line with a run that begins: first and last of their ids, then hosts
-- whose sitemaps are wanted or not, each of two words, as names told by the last answer were judged.
-- Answers { id and name of those that have sitemaps, outlook }.
local first, last = argNum(), argNum()

local verdicts = {}
for _ = 1, argNum() do
  local h, isWanted = host(argNum()), arg() == '1' and M.sitemaps == '1'
  h.noMaps = not isWanted
  verdicts[h.id] = isWanted
  touch(h)
end

-- Waiting tries of sitemaps that are not wanted are kept apart, for a run that wants them.
local function park(from, to, isWanted)
  local all = call('ZRANGE', P .. from, 0, -1, 'WITHSCORES')
  for at = 1, #all, 2 do
    local origin = string.match(all[at], '^s%d+:(%d+)$')
    if origin and verdicts[math.floor(origin / 2)] == isWanted then
      call('ZADD', P .. to, all[at + 1], all[at])
      call('ZREM', P .. from, all[at])
    end
  end
end
if next(verdicts) then
  park('retry', 'parked', false)
  park('parked', 'retry', true)
end
local mapped = {}
for id = first, last do
  local h = host(id)
  -- A clock that ran ahead once must not put a host to sleep for years.
  h.rests = math.min(restOf(h), now + MAX_REST)
  h.awaited = 0
  if h.maps > 0 then mapped[#mapped + 1] = { id, h.name } end
  touch(h)
end
if first > last then
  -- All have been seen: those that wait are counted.
  local waiting = 0
  for _, id in ipairs(call('SMEMBERS', P .. 'mapHosts')) do
    local h = host(tonumber(id))
    waiting = waiting + mapsAt(h, 2 * h.id) + mapsAt(h, 2 * h.id + 1)
  end
  for _, each in ipairs(call('ZRANGE', P .. 'retry', 0, -1)) do
    if string.sub(each, 1, 1) == 's' then waiting = waiting + 1 end
  end
  setMeta('mapsWaiting', waiting)
end
saveAll()
return cjson.encode({ mapped, outlook(false) })
