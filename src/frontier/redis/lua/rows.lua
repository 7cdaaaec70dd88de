-- Rows of URLs. What is fixed in size lies in strings of 256 records (`u:`), the text of URLs in lists
-- of 64 (`t:`), reasons that are more than a word in hashes (`y:`), signals in hashes (`g:`).
-- New rows are collected, since their ids follow each other: one call writes many of them. A row is read
-- and written once in a script, however many links speak of it.
local ROW, ROW_BYTES, ROWS, TEXTS = '<BBBBHHI4i6I6I4d', 36, 256, 64
local LONG_REASON = 255
local WHY = {}
for number, reason in ipairs(REASONS) do WHY[reason] = number end
local newFirst, newRows, newUrls = 0, {}, {}
local function rowsKey(id) return P .. 'u:' .. digits(math.floor(id / ROWS)) end
local function bucketKey(letter, id) return P .. letter .. digits(math.floor(id / TEXTS)) end
local readRows, changedRows, readSignals, changedSignals = {}, {}, {}, {}
local changed = {}

local function packRow(row)
  return struct.pack(ROW, row.state, row.why, row.via, row.hops, row.depth, row.tries,
    row.origin, row.foundOn, row.foundAt, row.inLinks, row.priority)
end

local function writeNewRows()
  if #newRows == 0 then return end
  local at = 1
  while at <= #newRows do
    local id = newFirst + at - 1
    local count = math.min(ROWS - id % ROWS, #newRows - at + 1)
    local key = rowsKey(id)
    -- The whole of it at once: a string that grows takes twice the room.
    if id % ROWS == 0 or id == 1 then call('SETRANGE', key, ROWS * ROW_BYTES - 1, '\0') end
    call('SETRANGE', key, id % ROWS * ROW_BYTES, table.concat(newRows, '', at, at + count - 1))
    at = at + count
  end
  at = 1
  while at <= #newUrls do
    local id = newFirst + at - 1
    local count = math.min(TEXTS - id % TEXTS, #newUrls - at + 1)
    call('RPUSH', bucketKey('t:', id), unpack(newUrls, at, at + count - 1))
    at = at + count
  end
  newRows, newUrls = {}, {}
end

local function reasonKey(id) return bucketKey('y:', id) end

-- The number of a reason; its text is kept where no number says it.
local function keepReason(id, reason)
  local why = reason == '' and 0 or WHY[reason] or LONG_REASON
  if why == LONG_REASON then call('HSET', reasonKey(id), digits(id), reason) end
  return why
end
local function setWhy(row, reason)
  local why = keepReason(row.id, reason)
  if why ~= LONG_REASON and row.why == LONG_REASON then
    call('HDEL', reasonKey(row.id), digits(row.id))
  end
  row.why = why
end

local function reasonOf(row)
  if row.why == 0 then return '' end
  if row.why == LONG_REASON then return call('HGET', reasonKey(row.id), row.id) or '' end
  return REASONS[row.why]
end

local function noteChanged(id)
  if M.copy == '1' then changed[#changed + 1] = id end
end

-- A row whose id is the next one. No table is made of what most pages bring by the dozen.
local function insertNew(id, url, reason, state, via, hops, depth, origin, foundOn, foundAt, inLinks, priority)
  if #newRows == 0 then newFirst = id end
  newRows[#newRows + 1] = struct.pack(ROW, state, keepReason(id, reason), via, hops, depth, 0,
    origin, foundOn, foundAt, inLinks, priority)
  newUrls[#newUrls + 1] = url
  noteChanged(id)
end
local function insertRow(row, url, reason)
  if #newRows == 0 then newFirst = row.id end
  row.why = keepReason(row.id, reason)
  newRows[#newRows + 1] = packRow(row)
  newUrls[#newUrls + 1] = url
  noteChanged(row.id)
end

-- State, reason and depth of a row that will hardly be changed: good until the next is asked for.
local glance = {}
local function glanceAt(id)
  if readRows[id] then return readRows[id] end
  if #newRows > 0 and id >= newFirst then writeNewRows() end
  local from = id % ROWS * ROW_BYTES
  local raw = call('GETRANGE', rowsKey(id), digits(from), digits(from + 5))
  glance.state, glance.why, glance.via, glance.hops, glance.depth = struct.unpack('<BBBBH', raw)
  return glance
end

local function readRow(id)
  if readRows[id] then return readRows[id] end
  if #newRows > 0 and id >= newFirst then writeNewRows() end
  local from = id % ROWS * ROW_BYTES
  local raw = call('GETRANGE', rowsKey(id), digits(from), digits(from + ROW_BYTES - 1))
  local row = { id = id }
  row.state, row.why, row.via, row.hops, row.depth, row.tries, row.origin, row.foundOn,
    row.foundAt, row.inLinks, row.priority = struct.unpack(ROW, raw)
  readRows[id] = row
  return row
end

local function saveRow(row)
  changedRows[row.id] = row
  noteChanged(row.id)
end

local function urlOf(id)
  if #newUrls > 0 and id >= newFirst then writeNewRows() end
  return call('LINDEX', bucketKey('t:', id), digits(id < TEXTS and id - 1 or id % TEXTS))
end

local function signalsKey(id) return bucketKey('g:', id) end
-- As text; false where there are none.
local function signalsOf(id)
  if M.signals ~= '1' then return false end
  local known = readSignals[id]
  if known == nil then
    known = call('HGET', signalsKey(id), id)
    readSignals[id] = known
  end
  return known
end
local function setSignals(id, signals)
  if not signals then return end
  -- Most orderings never say anything of a URL, and then nobody need ask.
  if M.signals ~= '1' then setMeta('signals', '1') end
  readSignals[id] = signals
  changedSignals[id] = signals
end

local function writeRows()
  writeNewRows()
  for id, row in pairs(changedRows) do
    call('SETRANGE', rowsKey(id), digits(id % ROWS * ROW_BYTES), packRow(row))
  end
  for id, signals in pairs(changedSignals) do call('HSET', signalsKey(id), id, signals) end
  changedRows, changedSignals = {}, {}
end

-- Adds to the log of rows whose copy elsewhere is out of date: links before the pages they are on.
local function saveChanged()
  if #changed == 0 then return end
  local sequence, flat = num('changes'), {}
  for at = #changed, 1, -1 do
    sequence = sequence + 1
    flat[#flat + 1] = digits(sequence)
    flat[#flat + 1] = digits(changed[at])
    if #flat == 2000 or at == 1 then
      call('ZADD', P .. 'changed', unpack(flat))
      flat = {}
    end
  end
  setMeta('changes', sequence)
  changed = {}
end

local COUNTERS = { [0] = 'c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8' }
local function count(state, by) addMeta(COUNTERS[state], by) end
-- Links that scope, globs or depth leave out are refused, and counted apart: core/visit.ts.
local OUTSIDE = { scope = true, filter = true, depth = true }
local function countRefused(reason, by)
  if OUTSIDE[string.match(reason, '^[^:]*')] then addMeta('outside', by) end
end
local function moveCount(from, to)
  count(from, -1)
  count(to, 1)
end

-- Order within a queue: the higher priority first, of equals the one found first.
local function member(id) return string.format('%010d', id) end
local isLimited = tonumber(M.buffer) ~= nil
-- What is put into queues is collected: one call for all of an origin. Who asks for a queue's key sees it.
local queueAdds, hasQueueAdds = {}, false
local function writeQueues()
  hasQueueAdds = false
  for origin, flat in pairs(queueAdds) do
    for from = 1, #flat, 1000 do
      call('ZADD', P .. 'q:' .. digits(origin), unpack(flat, from, math.min(from + 999, #flat)))
    end
  end
  queueAdds = {}
end
local function queueKey(origin)
  if hasQueueAdds then writeQueues() end
  return P .. 'q:' .. digits(origin)
end
local function enqueue(origin, id, priority)
  local flat = queueAdds[origin]
  if not flat then
    flat = {}
    queueAdds[origin] = flat
    hasQueueAdds = true
  end
  flat[#flat + 1] = textOf(-priority)
  flat[#flat + 1] = member(id)
  if isLimited then call('ZADD', P .. 'waiting', -priority, member(id)) end
end
local function dequeue(origin, id)
  call('ZREM', queueKey(origin), member(id))
  if isLimited then call('ZREM', P .. 'waiting', member(id)) end
end
