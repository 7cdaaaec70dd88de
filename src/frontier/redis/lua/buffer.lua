-- A limited-buffer crawl keeps only the best of what waits: `waiting` has all of it in one order, the
-- worst last. What is too much is refused.
local bufferSize = tonumber(M.buffer)
-- A buffer that was not limited before may have far too many: others must have a turn.
local MOST_AT_ONCE = 2000

local function refuseForRoom(id)
  local row = readRow(id)
  dequeue(row.origin, id)
  row.state = REFUSED
  setWhy(row, 'buffer')
  saveRow(row)
  moveCount(QUEUED, REFUSED)
  touch(hostOfOrigin(row.origin))
end

-- Refuses what is too much; after everything else that a script does to queues.
local function trimBuffer()
  if not bufferSize then return end
  local excess = math.min(num('c0') + num('c7') - bufferSize, MOST_AT_ONCE)
  while excess > 0 do
    local worst = call('ZREVRANGE', P .. 'waiting', 0, math.min(excess, 500) - 1)
    if #worst == 0 then return end
    for _, id in ipairs(worst) do refuseForRoom(tonumber(id)) end
    excess = excess - #worst
  end
end
