-- What requests, bytes and pages of each host and registrable domain have cost, in the hash `spent` under
-- `h` and the host's id or `s` and the domain; the rules of core/budget.ts. What is counted in a row is of
-- one run. `traps`: how many templates of the host may be closed (traps.lua).
-- Read once in a script, written at its end.
local COSTS = { 'requests', 'bytes', 'cpu', 'barren', 'forbidden' }
local FORBIDS = { ['http-401'] = true, ['http-403'] = true, ['http-451'] = true }
local spent, spentChanged = {}, {}
-- Requests of this crawl that other shards count.
local requestsElsewhere = 0

local function spentBy(kind, name)
  local field = kind .. name
  if spent[field] then return spent[field] end
  local raw = call('HGET', P .. 'spent', field)
  local v = raw and cmsgpack.unpack(raw) or {}
  local isThisRun = v[6] == run
  spent[field] = {
    requests = v[1] or 0, bytes = v[2] or 0, cpu = v[3] or 0,
    barren = isThisRun and v[4] or 0, forbidden = isThisRun and v[5] or 0, traps = v[7] or 0,
  }
  return spent[field]
end
local function noteSpent(kind, name) spentChanged[kind .. name] = true end
local function saveSpent()
  for field in pairs(spentChanged) do
    local s = spent[field]
    call('HSET', P .. 'spent', field, cmsgpack.pack({
      s.requests, s.bytes, s.cpu, s.barren, s.forbidden, run, s.traps,
    }))
  end
  spentChanged = {}
end

local function spend(h, requests, bytes, cpu)
  addMeta('requests', requests)
  for kind, name in pairs({ h = h.id, s = h.site }) do
    local s = spentBy(kind, name)
    s.requests, s.bytes, s.cpu = s.requests + requests, s.bytes + bytes, s.cpu + cpu
    noteSpent(kind, name)
  end
end

-- A lease of a page came to something.
local function spendOutcome(h, outcome, reason)
  if outcome == 'released' or outcome == 'no-room' then return end
  local isNew = outcome == 'stored' or outcome == 'unchanged'
  local isForbidden = outcome == 'failed' and FORBIDS[string.match(reason, '^[^:]*')]
  for kind, name in pairs({ h = h.id, s = h.site }) do
    local s = spentBy(kind, name)
    s.barren = isNew and 0 or s.barren + 1
    s.forbidden = isForbidden and s.forbidden + 1 or 0
    noteSpent(kind, name)
  end
end

-- Limits in the order of COSTS, with commas between; 0: none.
local limitsOf = {}
local function budgetOf(whose)
  if limitsOf[whose] then return limitsOf[whose] end
  local limits = {}
  for limit in string.gmatch((whose == 'host' and M.hostBudget or M.domainBudget) or '', '%d+') do
    limits[#limits + 1] = tonumber(limit)
  end
  limitsOf[whose] = limits
  return limits
end

local function overOf(whose, s)
  for at, cost in ipairs(COSTS) do
    local limit = budgetOf(whose)[at] or 0
    if limit > 0 and s[cost] >= (cost == 'cpu' and 1000 * limit or limit) then
      if cost == 'forbidden' then
        return 'forbidden-host: ' .. digits(limit) .. ' answers in a row', UNREACHABLE
      end
      return 'budget-' .. whose .. '-' .. cost .. ': ' .. digits(limit), REFUSED
    end
  end
  return nil
end

-- Why a host gets no more requests, and the state of what still waits there; nil while it may.
local function overBudget(h)
  local most = tonumber(M.maxRequests)
  if most and num('requests') + requestsElsewhere >= most then
    return 'budget-requests: ' .. digits(most), UNREACHABLE
  end
  local reason, state = overOf('host', spentBy('h', h.id))
  if reason then return reason, state end
  return overOf('domain', spentBy('s', h.site))
end
