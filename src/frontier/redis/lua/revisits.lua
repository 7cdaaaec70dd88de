-- URLs of a finished crawl that are to be visited again: a queue `v:ORIGIN` beside that of candidates;
-- the rules of revisits.ts of the SQLite frontier. Of each the hash `again` has { priority, tries, etag,
-- last modified, content hash, sessions that died of it }; those that led to no page have priority -1. In meta, `revisits` counts
-- those that nobody holds, `pagesToRevisit` those that led to a page.
local PLACED_AT_ONCE = 500

local function readRevisit(id)
  local raw = call('HGET', P .. 'again', id)
  return raw and cmsgpack.unpack(raw)
end

local function putBackRevisit(origin, id, tries)
  local v = readRevisit(id)
  if not v then return end
  if tries then
    v[2] = tries
    call('HSET', P .. 'again', id, cmsgpack.pack(v))
  end
  call('ZADD', P .. 'v:' .. origin, -v[1], member(id))
  addMeta('revisits', 1)
  hasRevisits = true
end

-- Whoever visited it died; how often that was.
local function countDeath(id)
  local v = readRevisit(id)
  if not v then return 0 end
  v[6] = (v[6] or 0) + 1
  call('HSET', P .. 'again', id, cmsgpack.pack(v))
  return v[6]
end

-- Whether this round has still to visit a URL, or does just now.
local function isToRevisit(id)
  return num('revisits') + num('revisiting') > 0 and call('HEXISTS', P .. 'again', id) == 1
end

-- Takes the best of an origin out; nil when it has none.
local function takeRevisit(origin)
  local best = call('ZPOPMIN', P .. 'v:' .. origin)
  if not best[1] then return nil end
  addMeta('revisits', -1)
  return tonumber(best[1])
end

-- Not before that moment.
local function delayRevisit(origin, id, tries, at)
  local v = readRevisit(id)
  if not v then return end
  v[2] = tries
  call('HSET', P .. 'again', id, cmsgpack.pack(v))
  call('ZADD', P .. 'retry', at, 'r' .. id .. ':' .. origin)
  local o = originOf(hostOfOrigin(origin), origin)
  o.again = o.again + 1
  addMeta('revisits', 1)
  hasRevisits = true
  touch(hostOfOrigin(origin))
end

-- The moment of its next try has come; it is not in `retry` any more.
local function wakeRevisit(origin, id)
  local v = readRevisit(id)
  if v then call('ZADD', P .. 'v:' .. origin, -v[1], member(id)) end
end

-- While nothing new may be fetched, what else waits is no work: all hosts are placed by that, some with
-- every call. Until it is their turn those that have nothing to give are asked in vain.
local function beginRevisits(newPages)
  local only = num('revisits') > 0 and (newPages <= 0 or onlyRevisits)
  if only ~= onlyRevisits then
    onlyRevisits = only
    setMeta('onlyRevisits', only and 1 or 0)
    setMeta('toPlace', 1)
  end
  local from = num('toPlace')
  if from == 0 then return end
  local last = math.min(num('lastHost'), from + PLACED_AT_ONCE - 1)
  for id = from, last do place(host(id)) end
  setMeta('toPlace', last < num('lastHost') and last + 1 or 0)
end

-- What nobody holds was visited all the same: it waits no more.
local function dropRevisit(origin, id)
  local isQueued = call('ZREM', P .. 'v:' .. origin, member(id)) == 1
  if not isQueued and call('ZREM', P .. 'retry', 'r' .. id .. ':' .. origin) == 1 then
    local o = originOf(hostOfOrigin(origin), origin)
    o.again = o.again - 1
  end
  addMeta('revisits', -1)
  touch(hostOfOrigin(origin))
end

-- Its visit has come to something.
local function doneRevisit(id)
  local v = readRevisit(id)
  if not v then return end
  call('HDEL', P .. 'again', id)
  if v[1] > -1 then addMeta('pagesToRevisit', -1) end
end

local function noteReason(row, reason)
  if row.state ~= STORED or reasonOf(row) == reason then return end
  setWhy(row, reason)
  saveRow(row)
end

-- It cannot be visited in this round: all stays as it is, and says so.
local function giveUpRevisit(id, reason)
  noteReason(readRow(id), 'not-refreshed: ' .. reason)
  doneRevisit(id)
  addMeta('revisits', -1)
end
