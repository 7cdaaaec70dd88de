-- edges-after: where some pages lead: the first of their ids, and how many of them at most. Answers
-- { the first id that was not looked at or 0, lastId, flat: page, how many targets, their ids }. Changes nothing.
local from, last = argNum(), 0
last = math.min(num('lastId'), from + argNum() - 1)
local flat = {}
for bucket = math.floor(from / TEXTS), math.floor(last / TEXTS) do
  local some = call('HGETALL', P .. 'e:' .. bucket)
  for at = 1, #some, 2 do
    local id = tonumber(some[at])
    if id >= from and id <= last then
      local _, targets = unpackEdges(some[at + 1])
      flat[#flat + 1] = id
      flat[#flat + 1] = #targets
      for _, target in ipairs(targets) do flat[#flat + 1] = target end
    end
  end
end
return cjson.encode({ last < num('lastId') and last + 1 or 0, num('lastId'), flat })
