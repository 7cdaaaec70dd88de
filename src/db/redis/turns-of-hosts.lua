-- Whose turn it is: one round of picks over the hosts that are ready.
local MAX_ASIDE, MIN_ROUND, HOSTS_AT_ONCE = 256, 32, 2000
local MIN_JAIN, FREE_LEAD, FEW_SEEDS, LOOK_EVERY = 0.975, 2, 16, 100
local OWN_FOR = 1000
local skipped, asideSites, foundNone = 0, {}, false

-- Seeds' domains that could be visited before long are in `seeds`, by pages served.
local function lookAtSeeds()
  if M.policy ~= 'fair' then return end
  if num('seedSites') > FEW_SEEDS and now - num('lookedAt') < LOOK_EVERY then return end
  setMeta('lookedAt', now)
  for _, name in ipairs(call('SMEMBERS', P .. 'seedSites')) do
    local s, active = site(name), false
    if s.fruitless < BARREN_AFTER then
      for _, id in ipairs(s.hosts) do
        if isActive(host(id)) then
          active = true
          break
        end
      end
    end
    if active then call('ZADD', P .. 'seeds', s.stored + s.held, name)
    else call('ZREM', P .. 'seeds', name) end
  end
end

-- Seeds' domains in other shards, as far as they are known.
local away = { 0, 0, 0, 0 }
local function seedsElsewhere(number, least, sum, squares)
  away = { number or 0, least or 0, sum or 0, squares or 0 }
end

-- The rule of src/frontier/policy/fair.ts: a seed's domain ahead of the others waits for them.
local function leavesOthersBehind(h)
  local s = site(h.site)
  if not s.isSeed then return false end
  local own = s.stored + s.held + 1
  local first = call('ZRANGE', P .. 'seeds', 0, 1, 'WITHSCORES')
  local least = first[1] == s.name and first[4] or first[2]
  least = tonumber(least)
  if away[1] > 0 then least = math.min(least or away[2], away[2]) end
  if not least or own <= least + FREE_LEAD then return false end
  local number, sum, squares = 1 + away[1], own + away[3], own * own + away[4]
  local all = call('ZRANGE', P .. 'seeds', 0, -1, 'WITHSCORES')
  for at = 1, #all, 2 do
    if all[at] ~= s.name then
      local served = tonumber(all[at + 1])
      number, sum, squares = number + 1, sum + served, squares + served * served
    end
  end
  return sum * sum / (number * squares) < MIN_JAIN
end

local function isHeldBack(h)
  if M.policy ~= 'fair' then return false end
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
    if h.place == 'r' then place(h) end
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
  local working = call('ZCARD', P .. 'ready') + call('ZCARD', P .. 'resting')
  share = math.ceil((working + call('HLEN', P .. 'holds')) / live)
  call('ZREMRANGEBYSCORE', P .. 'own:' .. session, '-inf', now)
  owned = call('ZCARD', P .. 'own:' .. session)
end
local function isLeftToOthers(h)
  if share == nil then lookAtShare() end
  if share == math.huge or h.holder == session then return false end
  local isKept = h.holder ~= '' and h.holderUntil > now
  if isKept and call('ZSCORE', P .. 'sessions', h.holder) then return true end
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

local function visit(h)
  addMeta('picks', 1)
  setMeta('pickedAt', now)
  h.lastVisit = num('picks')
  takeHost(h)
  h.dirty = true
  return h
end

-- The host to visit next; nil when none may be. The caller places it again.
local function pick()
  if M.policy == 'largest' then countPending() end
  while skipped < MAX_ASIDE do
    local first = call('ZRANGE', P .. 'ready', skipped, skipped, 'WITHSCORES')
    if not first[1] then break end
    local h = hostIn(first[1])
    local rank, tie = rankOf(h)
    if isBusy(h) or restOf(h) > now then place(h)
    elseif rank > tonumber(first[2]) then setPlace(h, 'r', rank, tie)
    elseif isLeftToOthers(h) then skipped = skipped + 1
    elseif rank == ABOVE_ALL then return visit(h)
    elseif waitsForBetter(h) then break
    elseif isHeldBack(h) then
      asideSites[h.site] = true
      skipped = skipped + 1
    else
      return visit(h)
    end
  end
  foundNone = true
  return nil
end
