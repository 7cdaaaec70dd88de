-- What requests, bytes and pages of each host and registrable domain have cost, in the hash `spent` under
-- `h` and the host's id or `s` and the domain; the rules of core/budget.ts. What is counted in a row is of
-- one run, and so is what a host forbids: `row` and `shut` of core/forbidden.ts. `traps`: how many templates
-- of the host may be closed (traps.lua).
-- Read once in a script, written at its end.
local COSTS = { 'requests', 'bytes', 'cpu', 'barren', 'forbidden' }
local FORBIDS = { ['http-401'] = true, ['http-403'] = true, ['http-451'] = true }
-- LEAVES_OUT of core/visit.ts.
local LEAVES_OUT = { ['off-topic'] = true, ['language'] = true, ['too-short'] = true }
local FEW_FOLDERS = 3
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
    row = isThisRun and v[8] or {}, shut = isThisRun and v[9] or {},
  }
  return spent[field]
end
local function noteSpent(kind, name) spentChanged[kind .. name] = true end
local function saveSpent()
  for field in pairs(spentChanged) do
    local s = spent[field]
    call('HSET', P .. 'spent', field, cmsgpack.pack({
      s.requests, s.bytes, s.cpu, s.barren, s.forbidden, run, s.traps, s.row, s.shut,
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

local function contains(list, value)
  for _, each in ipairs(list) do if each == value then return true end end
  return false
end
local function folderOf(url) return string.match(url, '^https?://[^/]*(/[^/?]*)') or '/' end

local function shutFolders(s)
  local shut = { unpack(s.shut) }
  for _, folder in ipairs(s.row) do
    if not contains(shut, folder) then shut[#shut + 1] = folder end
  end
  if #shut > FEW_FOLDERS then return false end
  s.shut, s.row = shut, {}
  return true
end

-- The row of a host that has shown pages ends some of its folders first.
local function noteForbidden(h, s, folder, limit)
  if #s.row <= FEW_FOLDERS and not contains(s.row, folder) then s.row[#s.row + 1] = folder end
  if limit == 0 or s.forbidden < limit or h.stored == 0 then return end
  if shutFolders(s) then s.forbidden = 0 end
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

-- A lease of a page came to something.
local function spendOutcome(h, id, outcome, reason)
  if outcome == 'released' or outcome == 'no-room' then return end
  local isNew = outcome == 'stored' or outcome == 'unchanged'
  local code = string.match(reason or '', '^[^:]*')
  local isForbidden = outcome == 'failed' and FORBIDS[code]
  -- A redirect is counted where it leads; what the crawl's own filters leave out is a page all the same.
  local isNoSign = outcome == 'redirected' or (outcome == 'refused' and LEAVES_OUT[code])
  for kind, name in pairs({ h = h.id, s = h.site }) do
    local s = spentBy(kind, name)
    if isNew then s.barren = 0
    elseif not isNoSign then s.barren = s.barren + 1 end
    s.forbidden = isForbidden and s.forbidden + 1 or 0
    noteSpent(kind, name)
  end
  local own = spentBy('h', h.id)
  if isForbidden then noteForbidden(h, own, folderOf(urlOf(id)), budgetOf('host')[5] or 0) else own.row = {} end
end

-- Why a page of a host that is not over is not asked for; nil when it may be.
local function shutReason(h, id)
  local shut = spentBy('h', h.id).shut
  local folder = #shut > 0 and folderOf(urlOf(id))
  if not folder or not contains(shut, folder) then return nil end
  return 'forbidden-host: ' .. digits(budgetOf('host')[5]) .. ' answers in a row below ' .. folder
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
