-- Whose turn it is: one round of picks over the hosts that are ready.
local MAX_ASIDE, MIN_ROUND, HOSTS_AT_ONCE = 256, 32, 2000
local MIN_JAIN, FREE_LEAD, SEEDS_AT_ONCE = 0.975, 2, 500
local OWN_FOR = 1000
local skipped, asideSites, foundNone = 0, {}, false

-- Seeds' domains in other shards, as far as they are known.
local away = { 0, 0, 0, 0 }
local function seedsElsewhere(number, least, sum, squares)
  away = { number or 0, least or 0, sum or 0, squares or 0 }
end

-- Whoever is far behind the least served of other shards has been away; here nobody knew by how much.
local function catchUp()
  while away[1] > 0 do
    local first = call('ZRANGE', P .. 'seeds', 0, 0, 'WITHSCORES')
    local behind = first[1] and away[2] - CREDIT - tonumber(first[2]) or 0
    if behind <= 0 then return end
    local s = site(first[1])
    s.missed = s.missed + behind
    saveServed(s)
  end
end

-- Seeds' domains that could be served until a moment ago.
local function lookAtSeeds()
  if M.policy ~= 'fair' then return end
  local due = call('ZRANGEBYSCORE', P .. 'soon', '-inf', now, 'LIMIT', 0, SEEDS_AT_ONCE)
  if #due > 0 then call('ZREM', P .. 'soon', unpack(due)) end
  for _, name in ipairs(due) do site(name).dirty = true end
  setSeeds()
  catchUp()
end

-- The rule of src/frontier/policy/fair.ts: a seed's domain ahead of the others goes on as if it had one host.
local function leavesOthersBehind(h)
  local s = site(h.site)
  if not s.isSeed then return false end
  local own = shareOf(s) + 1
  local first = call('ZRANGE', P .. 'seeds', 0, 1, 'WITHSCORES')
  local least = first[1] == s.name and first[4] or first[2]
  least = tonumber(least)
  if away[1] > 0 then least = math.min(least or away[2], away[2]) end
  if not least or own <= least + FREE_LEAD then return false end
  local number, sum, squares = num('seedsIn') + away[1], num('seedsServed') + away[3], num('seedsSquares') + away[4]
  if s.counted >= 0 then number, sum, squares = number - 1, sum - s.counted, squares - s.counted ^ 2 end
  number, sum, squares = number + 1, sum + own, squares + own * own
  return sum * sum / (number * squares) < MIN_JAIN
end

-- Beside what else of its domain is under way it would be more than one host could be.
local function isOneOfMany(h)
  local s = site(h.site)
  if s.inFlight > h.inFlight and s.inFlight >= perHost then return true end
  return s.visitedBy ~= h.id and now - s.visitedAt < delayMs
end

local function isHeldBack(h)
  if M.policy ~= 'fair' or not isOneOfMany(h) then return false end
  return asideSites[h.site] or leavesOthersBehind(h)
end

-- Sizes as of the beginning of a round of the policy; with many hosts some at a time.
local function countPending()
  if num('counted') >= num('toCount') then
    if num('picks') < num('roundEnds') then return end
    local last = num('lastHost')
    setMeta('roundEnds', num('picks') + math.max(MIN_ROUND, last))
    setMeta('toCount', last)
    setMeta('counted', 0)
  end
  local upTo = math.min(num('toCount'), num('counted') + HOSTS_AT_ONCE)
  for id = num('counted') + 1, upTo do
    local h = host(id)
    h.pending = (h[0] and queuedAt(2 * id) or 0) + (h[1] and queuedAt(2 * id + 1) or 0)
    h.dirty = true
    if h.place == 'r' or h.place == 'l' then place(h) end
  end
  setMeta('counted', upTo)
end

-- Hosts are kept for whoever visited them last: it has connections there. A session keeps no more than
-- its share of them; others are left to it for a moment after they are ready, and so are those that
-- nobody keeps to sessions that have less than their share.
local share, owned
local function lookAtShare()
  local live = call('ZCARD', P .. 'sessions')
  if live <= 1 then
    share, owned = math.huge, 0
    return
  end
  local working = readyHosts() + call('ZCARD', P .. 'resting')
  share = math.ceil((working + call('HLEN', P .. 'holds')) / live)
  call('ZREMRANGEBYSCORE', P .. 'own:' .. session, '-inf', now)
  owned = call('ZCARD', P .. 'own:' .. session)
end
local alive = {}
local function isAlive(name)
  if alive[name] == nil then alive[name] = call('ZSCORE', P .. 'sessions', name) end
  return alive[name]
end
local function isLeftToOthers(h)
  if share == nil then lookAtShare() end
  if share == math.huge or h.holder == session then return false end
  if h.holder ~= '' and h.holderUntil > now and isAlive(h.holder) then return true end
  return owned >= share and now - restOf(h) < OWN_FOR
end
local function takeHost(h)
  if share == math.huge then return end
  local key, isKept = P .. 'own:' .. session, h.holder == session and h.holderUntil > now
  if not isKept then owned = owned + 1 end
  if owned > share then
    call('ZREM', key, h.id)
    h.holder, h.holderUntil, owned = '', 0, owned - 1
  else
    h.holder, h.holderUntil = session, now + delayOf(h) + OWN_FOR
    call('ZADD', key, h.holderUntil, h.id)
    call('PEXPIRE', key, delayOf(h) + OWN_FOR + 60000)
  end
end

-- How many more hosts that are slow may be visited.
local roomForSlow = math.huge
local function visit(h)
  addMeta('picks', 1)
  setMeta('pickedAt', now)
  h.lastVisit = num('picks')
  if h.pace == SLOW then roomForSlow = roomForSlow - 1 end
  takeHost(h)
  h.dirty = true
  return h
end

-- Hosts that were asked in vain: the first in `ready`, so many of them, and others of their sites. Of a
-- site with several hosts whose front was asked, `askedOf` has how many more were, and `lines` those that
-- are left, with their scores.
local askedOf, askedBehind, lines, skippedSlow = {}, 0, {}, 0
local function settleFronts()
  for name, s in pairs(staleFronts) do
    if setFront(s) and askedOf[name] then
      skipped, askedBehind = skipped - 1, askedBehind - askedOf[name]
      askedOf[name], lines[name] = nil, nil
    end
  end
end

-- The next to be asked, its rank, and the line it stands in.
local function nextInLine()
  settleFronts()
  local first = call('ZRANGE', P .. 'ready', skipped, skipped, 'WITHSCORES')
  local member, rank, line = first[1], tonumber(first[2]), nil
  if roomForSlow > 0 then
    local slow = call('ZRANGE', P .. 'slow', skippedSlow, skippedSlow, 'WITHSCORES')
    local key = tonumber(slow[2])
    if key and (not member or key < rank or (key == rank and slow[1] < member)) then
      member, rank = slow[1], key
    end
  end
  for _, each in pairs(lines) do
    local other, key = each.members[each.at], each.rank + each.members[each.at + 1]
    if not member or key < rank or (key == rank and other < member) then
      member, rank, line = other, key, each
    end
  end
  return member, rank, line
end

local function moveUp(line)
  line.at = line.at + 2
  if not line.members[line.at] then lines[line.site] = nil end
end

local function skipFront(s, isAlone)
  askedOf[s.name] = 0
  if not isAlone then return end
  local members = call('ZRANGE', P .. 'w:' .. s.name, 1, MAX_ASIDE, 'WITHSCORES')
  if not members[1] then return end
  lines[s.name] = {
    site = s.name, members = members, at = 1, rank = shareOf(s) * HOST_SHARE,
  }
end

-- `isAlone`: others of its site may be visited all the same.
local function skip(h, line, isAlone)
  if line then
    askedOf[h.site], askedBehind = askedOf[h.site] + 1, askedBehind + 1
    moveUp(line)
    if not isAlone then lines[h.site] = nil end
  elseif h.place == 'l' then
    skippedSlow = skippedSlow + 1
  else
    skipped = skipped + 1
    if h.place == 'w' then skipFront(site(h.site), isAlone) end
  end
end

-- The host to visit next; nil when none may be. The caller places it again.
local function pick()
  if M.policy == 'largest' then countPending() end
  while skipped + skippedSlow + askedBehind < MAX_ASIDE do
    local member, rank, line = nextInLine()
    if not member then break end
    local h = hostIn(member)
    if isBusy(h) or restOf(h) > now then
      if line then moveUp(line) end
      place(h)
    elseif (h.place == 'r' or h.place == 'l') and rankOf(h) > rank then place(h)
    elseif isLeftToOthers(h) then skip(h, line, true)
    elseif rank == ABOVE_ALL then return visit(h)
    elseif waitsForBetter(h) then break
    elseif isHeldBack(h) then
      asideSites[h.site] = true
      skip(h, line, false)
    else
      return visit(h)
    end
  end
  foundNone = true
  return nil
end
