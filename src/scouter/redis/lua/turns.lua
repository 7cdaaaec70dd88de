-- Turns at one host between crawls: the rules of src/scouter/host-limiter-rules.ts, in one step per call.
--
-- KEYS[1]  the line of the host, packed: gone a day after it was last used
-- ARGV[1]  now in epoch ms; '' for this server's clock
-- ARGV[2]  who calls
-- ARGV[3…] steps, each four words: verb, turn, number, text
--            start TURN AGO ''        its request went out AGO ms before now
--            hold  TURN FOR ''        it is still under way, and will not be lost sooner than in FOR ms
--            end   TURN 0 ''          it is over, or will not go out
--            rest  0 FOR TROUBLE      all leave the host alone for FOR ms
--            leave 0 0 ''             the caller is gone, perhaps without a word
--            ask   TURN DELAY 'PERHOST FOR'
-- Result   { now, how many others are there, for each ask: { at, trouble } }, `at` -1 where the turn
--          is given.
--
-- All steps are seen by others at once. Each may be repeated: turns are counted by their names.
local GRACE, OVERDUE, MAX_REST = 2000, 5000, 24 * 60 * 60 * 1000
local RECHECK_LEAST, RECHECK_MOST, RECHECK_SHARE = 5, 500, 0.25

local now = tonumber(ARGV[1])
if now == nil then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local me = ARGV[2]

-- Who works on the same crawl has the same first two words. Between those its frontier keeps turns; here
-- they are one.
local function crawl_of(holder) return holder:match('^%S+ %S+') or holder end
local mine_too = {}
local function is_ours(holder)
  local known = mine_too[holder]
  if known == nil then
    known = crawl_of(holder) == crawl_of(me)
    mine_too[holder] = known
  end
  return known
end

-- shares: holder → { asked, askedUntil, delay, perHost, busyUntil, turns: name → has started }
local packed = redis.call('GET', KEYS[1])
local line = packed and cmsgpack.unpack(packed)
  or { lastStart = 0, startedBy = '', heardAt = 0, restsUntil = 0, trouble = '', shares = {} }
local shares = line.shares

local function share_of(holder)
  local share = shares[holder]
  if share == nil then
    share = { asked = 0, askedUntil = 0, delay = 0, perHost = 1, busyUntil = 0, turns = {} }
    shares[holder] = share
  end
  return share
end

local function counted(share)
  local inFlight, unstarted = 0, 0
  for _, started in pairs(share.turns) do
    inFlight = inFlight + 1
    if not started then unstarted = unstarted + 1 end
  end
  return inFlight, unstarted
end

local function started_in(holder, at, heard)
  if at >= line.lastStart then
    line.lastStart = at
    line.startedBy = holder
  end
  line.heardAt = math.max(line.heardAt, heard)
end

-- A line that was written by a clock far ahead: whatever lasts, lasts as long from now.
local SKEW = 1000
local function set_back()
  local by = (line.usedAt or 0) - now
  if by <= SKEW then return end
  line.lastStart, line.heardAt, line.restsUntil = line.lastStart - by, line.heardAt - by, line.restsUntil - by
  for _, share in pairs(shares) do
    if share.asked > 0 then share.asked = math.max(1, share.asked - by) end
    share.askedUntil, share.busyUntil = share.askedUntil - by, share.busyUntil - by
  end
end

-- Takes out whatever is over: crawls that died, places not used, a clock that was set back.
local function tidy()
  local holders = {}
  for holder in pairs(shares) do holders[#holders + 1] = holder end
  table.sort(holders)
  for _, holder in ipairs(holders) do
    local share = shares[holder]
    if share.askedUntil < now then share.asked = 0 end
    if share.busyUntil < now then
      local _, unstarted = counted(share)
      if unstarted > 0 then started_in(holder, share.busyUntil, share.busyUntil) end
      share.turns = {}
    end
    if share.asked == 0 and next(share.turns) == nil then shares[holder] = nil end
  end
  line.lastStart = math.min(line.lastStart, now)
  line.heardAt = math.min(line.heardAt, now)
  line.restsUntil = math.min(line.restsUntil, now + MAX_REST)
end

-- When it could be the caller's turn, as far as can be known.
local function free_at(mine, delay, perHost)
  local ahead, lineMs, isAwaited = 0, 0, false
  local present, room = 0, perHost
  for holder, share in pairs(shares) do
    local inFlight, unstarted = counted(share)
    local isOther = holder ~= me and not is_ours(holder)
    if isOther and share.asked > 0 and (mine.asked == 0 or share.asked < mine.asked) then
      ahead = ahead + 1
      lineMs = lineMs + share.delay
    end
    if holder == me or isOther then
      if unstarted > 0 and math.max(share.delay, delay) > 0 then isAwaited = true end
      if inFlight > 0 then
        present = present + inFlight
        room = math.min(room, share.perHost)
      end
    end
  end
  local isByUs = line.startedBy == me or is_ours(line.startedBy)
  local restedAt = delay + (isByUs and line.lastStart or line.heardAt)
  if ahead == 0 and not isAwaited and present < room then return restedAt end
  local startsAt = (ahead > 0 or isAwaited) and now + delay or now
  local waited = mine.asked == 0 and 0 or now - mine.asked
  local recheck = math.min(RECHECK_MOST, math.max(RECHECK_LEAST, waited * RECHECK_SHARE))
  return math.max(restedAt + lineMs, startsAt, now + math.ceil(recheck))
end

local function ask(turn, delay, perHost, forMs)
  local mine = share_of(me)
  -- Its answer got lost: the turn is still the caller's.
  if mine.turns[turn] ~= nil then return { -1, '' } end
  mine.delay = delay
  mine.perHost = perHost
  if line.restsUntil > now then
    mine.asked = 0
    return { line.restsUntil, line.trouble }
  end
  local at = free_at(mine, delay, perHost)
  if at <= now then
    mine.asked = 0
    mine.turns[turn] = false
    mine.busyUntil = math.max(mine.busyUntil, now + forMs + OVERDUE)
    return { -1, '' }
  end
  if mine.asked == 0 then
    local place = now
    for _, share in pairs(shares) do place = math.max(place, share.asked + 1) end
    mine.asked = place
  end
  mine.askedUntil = at + GRACE
  return { at, '' }
end

local verbs = {
  start = function(turn, ago)
    local mine = share_of(me)
    -- A turn that timed out meanwhile did start, all the same.
    if mine.turns[turn] == false then mine.turns[turn] = true end
    started_in(me, now - ago, now)
  end,
  hold = function(turn, forMs)
    local mine = share_of(me)
    if mine.turns[turn] == nil then return end
    mine.busyUntil = math.max(mine.busyUntil, now + forMs + OVERDUE)
  end,
  ['end'] = function(turn) share_of(me).turns[turn] = nil end,
  rest = function(_, forMs, trouble)
    if now + forMs <= line.restsUntil then return end
    line.restsUntil = math.min(now + forMs, now + MAX_REST)
    line.trouble = trouble
  end,
  leave = function()
    local _, unstarted = counted(share_of(me))
    if unstarted > 0 then started_in(me, now, now) end
    shares[me] = nil
  end,
}

set_back()
tidy()
-- Numbers leave Redis as integers, and a fraction of a millisecond too early is too early.
local others = 0
for holder in pairs(shares) do
  if not is_ours(holder) then others = others + 1 end
end
local answers = { math.floor(now), others }
for step = 3, #ARGV, 4 do
  local verb, turn, number, text = ARGV[step], ARGV[step + 1], tonumber(ARGV[step + 2]), ARGV[step + 3]
  if verb == 'ask' then
    local perHost, forMs = text:match('^(%d+) (%d+)$')
    local answer = ask(turn, number, tonumber(perHost), tonumber(forMs))
    answers[#answers + 1] = { math.ceil(answer[1]), answer[2] }
  else
    verbs[verb](turn, number, text)
  end
end
line.usedAt = now
redis.call('SET', KEYS[1], cmsgpack.pack(line), 'PX', MAX_REST)
return answers
