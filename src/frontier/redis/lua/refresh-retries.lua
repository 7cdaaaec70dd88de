-- refresh-retries: after all hosts were brought in line, what waits for its next try is: sitemaps that are not
-- wanted are kept apart in `parked`, for a run that wants them. Which key is gone through, `retry` before
-- `parked`, how many of it were seen, how many are to be seen now. Answers { how many were seen that stay
-- there, or -1 when these were the last, outlook }.
local key, seen, limit = arg(), argNum(), argNum()
local other = key == 'retry' and 'parked' or 'retry'
-- From the end: whatever comes due meanwhile is taken from the beginning.
local some = call('ZREVRANGE', P .. key, seen, seen + limit - 1)
for _, each in ipairs(some) do
  local origin = string.match(each, '^s%d+:(%d+)$')
  local isWanted = origin and M.sitemaps == '1' and not hostOfOrigin(tonumber(origin)).noMaps
  if isWanted then addMeta('mapsWaiting', 1) end
  if origin and isWanted == (key == 'parked') then
    call('ZADD', P .. other, call('ZSCORE', P .. key, each), each)
    call('ZREM', P .. key, each)
  else
    seen = seen + 1
  end
end
saveAll()
return cjson.encode({ #some < limit and -1 or seen, outlook(false) })
