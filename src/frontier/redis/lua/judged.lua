-- judged: what other settings make of some URLs: hosts and their sites, first and last of their ids,
-- whether signals of all of them are forgotten, and a count of verdicts, each an id and what it is:
-- `s` another score, or a place in a buffer that was not limited before: score; `x` not to be fetched
-- after all: why; `a` to be looked at again: the URL as a link. Answers { outlook }.
renew()
readHostNames()
local first, last = argNum(), argNum()
if arg() == '1' then
  for id = first, math.min(last, num('lastId')) do call('HDEL', signalsKey(id), id) end
end
-- Scores come with the verdicts.
scoresByDepth = true

local function score(row, value)
  setScore(row, value)
  saveRow(row)
  if isLimited and row.state == QUEUED then enqueue(row.origin, row.id, value) end
end

local function refuse(row, reason)
  if not isOpen(row.state) or row.state == LEASED then return end
  local from, h = row.state, hostOfOrigin(row.origin)
  if from == QUEUED then dequeue(row.origin, row.id) else dropRetry('p', row.id, row.origin) end
  row.state = REFUSED
  setWhy(row, reason)
  saveRow(row)
  moveCount(from, REFUSED)
  countRefused(reason, 1)
  touch(h)
end

local function lookAgain(row, link)
  if row.state == REFUSED then reconsider(row, link, row.depth) end
end

for _ = 1, argNum() do
  local row, verdict = readRow(argNum()), arg()
  if verdict == 's' then score(row, argNum())
  elseif verdict == 'x' then refuse(row, arg())
  else lookAgain(row, readLink()) end
end
call('HSET', P .. 'judged', 'upTo', last)
saveAll()
return cjson.encode({ outlook(false) })
