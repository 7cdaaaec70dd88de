-- Sessions: who has the frontier open, and until when it is believed to live. What one that is not
-- heard of any more holds goes back, by whoever calls next; its tries count, since its page may be what
-- killed it, and its hosts rest a full delay, since nobody knows when their last requests went out.
local MAX_DEATHS, DEADLY = 3, 'parser-crash: whoever fetched it died, again and again'
-- More tries than failures explain: it may well be what they died of.
local function isPoison(tries) return tries > num('maxRobotsFailures') + MAX_DEATHS end
local function failPoison(row, tries)
  row.state, row.tries = FAILED, tries
  setWhy(row, DEADLY)
  saveRow(row)
  moveCount(LEASED, FAILED)
end
local function putBackPage(row, tries)
  row.state, row.tries = QUEUED, tries
  setWhy(row, '')
  saveRow(row)
  moveCount(LEASED, QUEUED)
  enqueue(row.origin, row.id, row.priority)
end

-- The same of what has no row that is leased: a sitemap, a page that is visited again, robots.txt.
local function freeMap(hold, tries, isDeadly)
  local map = readMap(hold.id)
  map.tries = tries
  if isDeadly then return endMap(map, FAILED, DEADLY) end
  saveMap(map)
  putMap('LPUSH', hostOfOrigin(hold.origin), hold.origin, hold.id)
end
local function freeRevisit(hold, isCounted)
  if isCounted and isPoison(countDeath(hold.id)) then
    noteReason(readRow(hold.id), 'not-refreshed: ' .. DEADLY)
    return doneRevisit(hold.id)
  end
  putBackRevisit(hold.origin, hold.id)
end
local function freeRobots(hold, isCounted)
  local o = originOf(hostOfOrigin(hold.origin), hold.origin)
  if not isCounted then return end
  o.tried = o.tried + 1
  if isPoison(o.tried) then o.robots, o.untl = OUT_OF_REACH, now + MAX_REST end
end

local function freeUnsettled(hold, isCounted)
  local tries = isCounted and hold.tries or hold.tries - 1
  local isDeadly = isCounted and isPoison(tries)
  if hold.kind == 's' then freeMap(hold, tries, isDeadly)
  elseif hold.kind == 'r' then freeRobots(hold, isCounted)
  elseif hold.revisit then freeRevisit(hold, isCounted)
  elseif isDeadly then failPoison(readRow(hold.id), tries)
  else putBackPage(readRow(hold.id), tries) end
end

local function freeHold(hold, isCounted)
  if not hold.settled then freeUnsettled(hold, isCounted) end
  local h = hostOfOrigin(hold.origin)
  local wasOut = hold.startedAt >= 0 or isCounted
  if wasOut then h.rests = math.max(h.rests, (isCounted and now or hold.startedAt) + delayOf(h)) end
  if not hold.landed then land(hold) end
  if not hold.settled then settleHold(hold) else saveHold(hold) end
end

local function holdsOf(name)
  saveHeld()
  local holds = {}
  for _, field in ipairs(call('SMEMBERS', P .. 'held:' .. name)) do
    holds[#holds + 1] = readHold(field)
  end
  return holds
end

-- Gives back all that a session holds.
local function freeSession(name, isCounted)
  for _, hold in ipairs(holdsOf(name)) do freeHold(hold, isCounted) end
  saveHeld()
  saveHolds()
  call('ZREM', P .. 'sessions', name)
  call('DEL', P .. 'held:' .. name, P .. 'own:' .. name, P .. 'answer:' .. name)
end

-- All that it holds is this, by token; what it does not know of was given before the server changed.
local function keepOnly(tokens)
  for _, hold in ipairs(holdsOf(session)) do
    if hold.token <= num('oldToken') and not tokens[hold.token] then freeHold(hold, false) end
  end
end

local function renew()
  if session == '' then return end
  hear()
  noticeServer()
  -- One that was given up, and lives all the same, has lost what it held: it is told.
  isReborn = call('ZADD', P .. 'sessions', now + tonumber(ARGV[3]), session) == 1
end

local function reapOthers()
  for _ = 1, 8 do
    local first = call('ZRANGE', P .. 'sessions', 0, 0, 'WITHSCORES')
    if not first[1] or tonumber(first[2]) >= now or first[1] == session then return end
    freeSession(first[1], true)
  end
end
