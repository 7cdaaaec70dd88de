-- What becomes of leases: each settlement moves one URL into its next state and takes in what it
-- brought; the rules of settling.ts of the SQLite frontier.
local MAX_HOPS = 10

local function setState(leaving, to, reason, tries)
  local row, h = leaving.row, hostOfOrigin(leaving.row.origin)
  local stored = (to == STORED and 1 or 0) - (leaving.from == STORED and 1 or 0)
  if leaving.from == REFUSED then countRefused(reasonOf(row), -1) end
  if to == REFUSED then countRefused(reason, 1) end
  row.state = to
  if tries then row.tries = tries end
  setWhy(row, reason)
  saveRow(row)
  moveCount(leaving.from, to)
  addStored(h, stored)
end

local function putBack(leaving)
  local row = leaving.row
  setState(leaving, QUEUED, '', leaving.hold and not leaving.revisit and row.tries - 1 or nil)
  enqueue(row.origin, row.id, row.priority)
end

local function delayPage(row, at)
  call('ZADD', P .. 'retry', at, 'p' .. row.id .. ':' .. row.origin)
  local o = originOf(hostOfOrigin(row.origin), row.origin)
  o.delayed = o.delayed + 1
end
local function dropRetry(kind, id, origin)
  if call('ZREM', P .. 'retry', kind .. id .. ':' .. origin) == 0 then return end
  local o = originOf(hostOfOrigin(origin), origin)
  if kind == 'p' then o.delayed = o.delayed - 1 end
  if kind == 'r' then o.again = o.again - 1 end
  touch(hostOfOrigin(origin))
end

local function fail(leaving, reason, at, uncounted)
  local row = leaving.row
  if uncounted and leaving.hold then row.tries = math.max(0, row.tries - 1) end
  if at == nil then
    setState(leaving, FAILED, reason)
  elseif math.ceil(at) <= now then
    setState(leaving, QUEUED, reason)
    enqueue(row.origin, row.id, row.priority)
  else
    setState(leaving, DELAYED, reason)
    delayPage(row, math.ceil(at))
  end
end

-- Whether the redirects already known lead from there to here.
local function leadsBack(to, here)
  local at = find(to.hash)
  for _ = 0, MAX_HOPS do
    if not at then return false end
    if at == here then return true end
    local row = readRow(at)
    if row.state ~= REDIRECTED or isToRevisit(at) then return false end
    at = tonumber(call('HGET', P .. 'leads', at) or nil)
  end
  return false
end

-- `to` is nil when it leads to another shard, which has it already.
local function redirect(leaving, to, url)
  local row = leaving.row
  local hops = row.hops + 1
  if not to then
    local isTooFar = hops > MAX_HOPS
    setState(leaving, isTooFar and FAILED or REDIRECTED, (isTooFar and 'redirect-limit: ' or '') .. url)
  elseif leadsBack(to, row.id) then
    setState(leaving, FAILED, 'redirect-loop: ' .. to.url)
  elseif hops > MAX_HOPS then
    setState(leaving, FAILED, 'redirect-limit: ' .. to.url)
  else
    setState(leaving, REDIRECTED, to.url)
    noteSight(hostOfOrigin(row.origin), leaving.shape, 'redirect', leaving.likeness)
    -- Whatever was said of a URL is said of where it leads; an ordering that looks has seen to that.
    if M.steered ~= '1' then to.signals = signalsOf(row.id) or nil end
    intake({ to }, { foundOn = row.id, via = VIA_REDIRECT, depth = row.depth, hops = hops,
      assumedDepth = leaving.assumedDepth })
    local target = find(to.hash)
    if target then call('HSET', P .. 'leads', row.id, target) end
    if target and to.signals and M.steered ~= '1' then markStale(target) end
  end
end

local function keep(leaving, s)
  local row = leaving.row
  local again = hasPage(leaving.from)
  if s.outcome == 'refused' then
    -- A trap that was seen when its turn came: it was not tried.
    local isUntried = leaving.hold and string.find(s.text, 'trap: ', 1, true) == 1
    setState(leaving, REFUSED, s.text, isUntried and row.tries - 1 or nil)
  elseif s.outcome == 'duplicate' then setState(leaving, DUPLICATE, s.text)
  else setState(leaving, STORED, '') end
  if not again and (s.number or s.outcome == 'duplicate') then
    noteSight(hostOfOrigin(row.origin), s.shape, s.outcome == 'duplicate' and 'copy' or 'page', s.number or 0)
  end
  intake(s.links, { foundOn = row.id, via = VIA_LINK, depth = row.depth + 1, hops = 0, pageHops = row.hops,
    again = again, assumedDepth = leaving.assumedDepth, goesOn = s.goesOn })
end

-- Takes the page out of wherever it is; nil when its page was kept before.
local function leave(s, hold)
  local row
  if hold then
    settleHold(hold)
    row = readRow(s.id)
    return { row = row, from = row.state, hold = hold, revisit = hold.revisit,
      assumedDepth = s.depth }
  end
  -- A page that is durable already: its URL may have gone any other way meanwhile.
  if s.id < 1 or s.id > num('lastId') then return nil end
  row = readRow(s.id)
  local revisit = isToRevisit(s.id)
  if not revisit and hasPage(row.state) then return nil end
  if row.origin == 0 then
    -- One that was refused before it had a place in a queue gets it now.
    if not s.self then return nil end
    local h = hostNamed(s.self.host, s.self.site)
    originOf(h, s.self.isHttps)
    row.origin = 2 * h.id + s.self.isHttps
  end
  if revisit then
    if s.round ~= M.round then return nil end
    dropRevisit(row.origin, s.id)
  end
  if row.state == QUEUED then dequeue(row.origin, s.id) end
  if row.state == DELAYED then dropRetry('p', s.id, row.origin) end
  return { row = row, from = row.state, revisit = revisit, assumedDepth = s.depth }
end

local function settlePage(s, hold)
  local leaving = leave(s, hold)
  if not leaving then return false end
  leaving.shape, leaving.likeness = s.shape, s.number or 0
  local h = hostOfOrigin(leaving.row.origin)
  spend(h, 0, 0, s.cpu)
  -- What was refused before it was asked for says nothing of its host.
  if not hold or hold.startedAt >= 0 then spendOutcome(h, leaving.row.id, s.outcome, s.text) end
  local owner = site(h.site)
  if s.outcome == 'stored' or s.outcome == 'unchanged' then owner.fruitless = 0
  elseif s.outcome ~= 'released' and s.outcome ~= 'no-room' then
    owner.fruitless = owner.fruitless + 1
  end
  owner.dirty = true
  if not leaving.revisit or not settleRevisit(leaving, s) then
    if s.outcome == 'released' or s.outcome == 'no-room' then putBack(leaving)
    elseif s.outcome == 'failed' then fail(leaving, s.text, s.number, s.uncounted)
    elseif s.outcome == 'redirected' then redirect(leaving, s.links[1], s.text)
    elseif s.outcome == 'unchanged' then setState(leaving, FAILED, 'http-304')
    else keep(leaving, s) end
  end
  touch(h)
  return true
end
