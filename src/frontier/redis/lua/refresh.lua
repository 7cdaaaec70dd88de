-- refresh: brings some hosts in line with a run that begins: first and last of their ids, then hosts
-- whose sitemaps are wanted or not, each of two words, as names told by the last answer were judged.
-- Answers { id and name of those that have sitemaps, outlook }.
local first, last = argNum(), argNum()

for _ = 1, argNum() do
  local h, isWanted = host(argNum()), arg() == '1' and M.sitemaps == '1'
  h.noMaps = not isWanted
  addMeta('mapsWaiting', mapsAt(h, 2 * h.id) + mapsAt(h, 2 * h.id + 1))
  touch(h)
end

local mapped = {}
for id = first, last do
  local h = host(id)
  -- A clock that was set back, or ran ahead once, makes no rest longer than it was.
  h.rests = math.min(restOf(h), now + math.max(delayOf(h), h.restMs))
  h.awaited = 0
  if h.maps > 0 then mapped[#mapped + 1] = { id, h.name } end
  touch(h)
end
saveAll()
return cjson.encode({ mapped, outlook(false) })
