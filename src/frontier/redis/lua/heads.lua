-- The best candidates of hosts that may have their turn next, for orderings whose scores change with
-- what is learned: they are scored again before one is picked.
--
-- heads: how many of the hosts that are ready; how many of each queue's best, how many behind them and
-- from where; how many of all hosts in turn, after which one; a count and that many hosts by id, whatever
-- they do; then pairs of id and new score, which are written first. Answers a flat list: origin, how many follow, and for each of these its id and the
-- score as the queue has it, negated.
local most, best, others, from = argNum(), argNum(), argNum(), argNum()
local some, after = argNum(), argNum()
local wanted, order = {}, {}
local function want(h)
  if not wanted[h.id] then
    wanted[h.id] = true
    order[#order + 1] = h
  end
end
for _ = 1, argNum() do
  local id = argNum()
  if id <= num('lastHost') then want(host(id)) end
end
while argAt <= #ARGV do
  local id, score = argNum(), argNum()
  local row = readRow(id)
  if row.state == QUEUED and call('ZSCORE', queueKey(row.origin), member(id)) then
    enqueue(row.origin, id, score)
    moved(hostOfOrigin(row.origin))
  end
end
wakeRested()
for _, h in pairs(touched) do place(h) end
setFronts()
local ready = call('ZRANGE', P .. 'ready', 0, most - 1)
for _, at in ipairs(ready) do want(hostIn(at)) end
for _, at in ipairs(call('ZRANGE', P .. 'slow', 0, most - #order - 1)) do
  if #order < most then want(hostIn(at)) end
end
-- A site's next hosts come after the first of every site.
for _, at in ipairs(ready) do
  if #order >= most then break end
  local h = hostIn(at)
  if h.place == 'w' then
    local others = call('ZRANGE', P .. 'w:' .. h.site, 1, most - #order)
    for _, other in ipairs(others) do want(hostIn(other)) end
  end
end
local lastHost = num('lastHost')
for step = 1, math.min(some, lastHost) do want(host((after + step - 1) % lastHost + 1)) end

local found = {}
local function add(head)
  for at = 1, #head, 2 do
    found[#found + 1] = tonumber(head[at])
    -- As it stands there: Lua's own text of a number has fewer digits.
    found[#found + 1] = head[at + 1]
  end
end
for _, h in ipairs(order) do
  for isHttps = 0, 1 do
    local key = queueKey(2 * h.id + isHttps)
    local size = h[isHttps] and call('ZCARD', key) or 0
    if size > 0 then
      local head = call('ZRANGE', key, 0, best - 1, 'WITHSCORES')
      local behind = {}
      if size > best then
        local first = best + from % (size - best)
        behind = call('ZRANGE', key, first, first + others - 1, 'WITHSCORES')
      end
      found[#found + 1] = 2 * h.id + isHttps
      found[#found + 1] = (#head + #behind) / 2
      add(head)
      add(behind)
    end
  end
end
saveAll()
return cjson.encode(found)
