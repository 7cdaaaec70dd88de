-- refresh: brings some hosts in line with a run that begins: first and last of their ids, then hosts
-- whose sitemaps are wanted or not, each of two words, as names told by the last answer were judged.
-- Answers { id and name of those that have sitemaps, outlook }.
local first, last = argNum(), argNum()

-- Waiting tries of sitemaps that are not wanted are kept apart, for a run that wants them.
local function park(h, isWanted)
  local from, to = 'retry', 'parked'
  if isWanted then from, to = to, from end
  for isHttps = 0, 1 do
    local match = ':' .. (2 * h.id + isHttps) .. '$'
    for _, each in ipairs(call('ZRANGE', P .. from, 0, -1)) do
      if string.sub(each, 1, 1) == 's' and string.find(each, match) then
        call('ZADD', P .. to, call('ZSCORE', P .. from, each), each)
        call('ZREM', P .. from, each)
      end
    end
    if isWanted then
      addMeta('mapsWaiting', call('LLEN', P .. 'm:' .. (2 * h.id + isHttps)))
    end
  end
end

for _ = 1, argNum() do
  local h, isWanted = host(argNum()), arg() == '1' and M.sitemaps == '1'
  h.noMaps = not isWanted
  park(h, isWanted)
  touch(h)
end
local mapped = {}
for id = first, last do
  local h = host(id)
  -- A clock that ran ahead once must not put a host to sleep for years.
  h.rests = math.max(math.min(h.rests, now + MAX_REST), M.restedAt and restOf(h) or 0)
  h.awaited = 0
  local s = site(h.site)
  if s.isSeed then
    s.hosts[#s.hosts + 1] = id
    s.dirty = true
  end
  if h.maps > 0 then mapped[#mapped + 1] = { id, h.name } end
  touch(h)
end
if first > last then
  -- All have been seen: tries that wait are counted once.
  for _, each in ipairs(call('ZRANGE', P .. 'retry', 0, -1)) do
    if string.sub(each, 1, 1) == 's' then addMeta('mapsWaiting', 1) end
  end
end
saveAll()
return cjson.encode({ mapped, outlook(false) })
