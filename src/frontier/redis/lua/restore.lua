-- restore: writes URLs of a copy into a frontier that is being made anew, under the ids they had. Ids
-- that the copy skips become rows without a URL, which nothing leads to.
-- Arguments: a count, then for each URL id, hash, URL, state, reason, depth, hops, finder, via, order of
-- discovery, links to it, signals, score, tries, moment of its next try, host, site, 1 for https, 1 when
-- the copy has it so. Answers how many URLs there are now.
local function readCopy()
  local copy = { id = argNum(), hash = arg(), url = arg() }
  copy.row = { id = copy.id, state = argNum() }
  copy.reason = arg()
  local row = copy.row
  row.depth, row.hops, row.foundOn, row.via = argNum(), argNum(), argNum(), argNum()
  row.foundAt, row.inLinks = argNum(), argNum()
  copy.signals = arg()
  row.priority, row.tries = argNum(), argNum()
  copy.nextAt = argNum()
  copy.host, copy.site, copy.isHttps = arg(), arg(), argNum()
  copy.isCopied = arg() == '1'
  return copy
end

local function skipTo(id)
  while num('lastId') + 1 < id do
    addMeta('lastId', 1)
    insertRow({
      id = num('lastId'), state = REFUSED, via = 0, hops = 0, depth = NO_DEPTH, tries = 0, origin = 0,
      foundOn = 0, foundAt = 0, inLinks = 0, priority = 0,
    }, '', '')
  end
end

-- What was refused at sight has no place at a host.
local function wasQueued(row) return row.state ~= REFUSED or row.tries > 0 end

local function restoreOne(copy)
  local row, h = copy.row, nil
  skipTo(copy.id)
  if num('lastId') >= copy.id then return end
  -- A server that lost its last moment may have given a URL another id since: the copy has both.
  if claimSeen(copy.hash, copy.id) then return end
  addMeta('lastId', 1)
  row.origin = 0
  if wasQueued(row) then
    h = hostNamed(copy.host, copy.site)
    row.origin = 2 * h.id + copy.isHttps
    originOf(h, row.origin)
    touch(h)
  end
  -- Nobody holds it any more; that it was tried counts.
  if row.state == LEASED then
    row.state = QUEUED
    copy.isCopied = false
  end
  if not copy.isCopied then changed[#changed + 1] = copy.id end
  if row.state == QUEUED and copy.nextAt then row.state = DELAYED end
  insertRow(row, copy.url, copy.reason)
  if copy.signals ~= '' then setSignals(copy.id, copy.signals) end
  count(row.state, 1)
  if row.state == REFUSED then countRefused(copy.reason, 1) end
  if row.state == QUEUED then enqueue(row.origin, copy.id, row.priority)
  elseif row.state == DELAYED then delayPage(row, copy.nextAt)
  elseif row.state == STORED then addStored(h, 1)
  elseif row.state == UNREACHABLE then call('RPUSH', P .. 'gone', copy.id) end
end

for _ = 1, argNum() do restoreOne(readCopy()) end
saveAll()
return num('lastId')
