-- round-retries: takes what an earlier round was to visit again out of what waits for its next try: how many
-- were seen that stay, how many are to be seen now. Answers { how many were seen that stay, -1 when these
-- were the last }.
local seen, limit = argNum(), argNum()
local some = call('ZRANGE', P .. 'retry', seen, seen + limit - 1)
for _, name in ipairs(some) do
  if string.sub(name, 1, 1) == 'r' then call('ZREM', P .. 'retry', name) else seen = seen + 1 end
end
return cjson.encode({ #some < limit and -1 or seen })
