-- How many URLs of its host come before the queued one with the id ARGV[4].
local id = argNum()
if id < 1 or id > num('lastId') then return 0 end
local row = readRow(id)
if row.state ~= QUEUED then return 0 end
local mine = call('ZSCORE', queueKey(row.origin), member(id))
if not mine then return 0 end

-- Of another queue: who has a better score, and of equals those found before. Equals are in order of
-- their ids, so that halving finds where this one would be.
local function before(key)
  local from = call('ZCOUNT', key, '-inf', '(' .. mine)
  local to = from + call('ZCOUNT', key, mine, mine)
  while from < to do
    local middle = math.floor((from + to) / 2)
    if call('ZRANGE', key, middle, middle)[1] < member(id) then from = middle + 1 else to = middle end
  end
  return from
end
local other = row.origin + 1 - 2 * (row.origin % 2)
return call('ZRANK', queueKey(row.origin), member(id)) + before(queueKey(other))
