-- Turns ready hosts into leases: robots.txt before anything else of an origin, then pages and sitemaps
-- in turns.
local RETRIES_AT_ONCE = 2000
-- So many URLs are refused in one call at most: others must have their turn.
local MAX_SWEPT, swept = 2000, 0

local function originName(origin, h)
  return (origin % 2 == 1 and 'https://' or 'http://') .. h.name
end

-- A lease as the caller gets it; see src/frontier/redis/reply.ts.
local function leaseOf(hold, h, url, depth, hops)
  return {
    hold.kind, hold.id, hold.token, url, h.name, depth, hops, hold.tries, h.failures, delayOf(h),
    hold.settled and 1 or 0, false, h.pace,
    h.downSince > 0 and math.max(0, now - h.downSince) or 0, hasAnswered(h, hold.origin) and 1 or 0,
  }
end

local function leaseRobots(h, origin)
  local hold = grant({ kind = 'r', id = origin, origin = origin, tries = 1 })
  return leaseOf(hold, h, originName(origin, h) .. '/robots.txt', 0, 0)
end

local function leaseMap(h, origin)
  local map = readMap(tonumber(call('LPOP', P .. 'm:' .. origin)))
  local hold = grant({ kind = 's', id = map.id, origin = origin, tries = map.tries + 1 })
  return leaseOf(hold, h, map.url, 0, map.hops)
end

-- A row has two bytes for them.
local MAX_TRIES = 65535
local function leasePage(h, origin, id)
  dequeue(origin, id)
  local row = readRow(id)
  row.state, row.tries = LEASED, math.min(row.tries + 1, MAX_TRIES)
  saveRow(row)
  moveCount(QUEUED, LEASED)
  local hold = grant({ kind = 'p', id = id, origin = origin, tries = row.tries })
  local lease = leaseOf(hold, h, urlOf(id), row.depth, row.hops)
  -- The caller knows the templates of URLs: it is told which of them may be closed.
  if num('trapBudget') > 0 and spentBy('h', h.id).traps > 0 then
    lease[16] = call('HGETALL', P .. 'ic:' .. h.id)
  end
  return lease
end

-- Its state stays as it is; what is known of its page goes with the lease.
local function leaseRevisit(h, origin)
  local id = takeRevisit(origin)
  local row, v = readRow(id), readRevisit(id)
  local hold = grant({ kind = 'p', id = id, origin = origin, tries = v[2] + 1, revisit = true })
  local lease = leaseOf(hold, h, urlOf(id), row.depth, row.hops)
  lease[12] = { hasPage(row.state) and 1 or 0, v[3], v[4], v[5] }
  return lease
end

local function needsRobots(o)
  return not ignoresRobots and o.untl <= now
end

-- Of the origins that are open: the first that has a sitemap, and the one with the best page.
local function openWork(h)
  local withMap, withPage, bestId, bestScore
  for isHttps = 0, 1 do
    local o, origin = h[isHttps], 2 * h.id + isHttps
    if o and opensAt(o) <= now then
      if not withMap and hasMap(h, origin) then withMap = origin end
      local head = call('ZRANGE', queueKey(origin), 0, 0, 'WITHSCORES')
      if head[1] then
        local score, id = -tonumber(head[2]), tonumber(head[1])
        if not withPage or score > bestScore or (score == bestScore and id < bestId) then
          withPage, bestId, bestScore = origin, id, score
        end
      end
    end
  end
  return withMap, withPage, bestId
end

-- It is not asked for; what is out of reach a later run tries again.
local function giveUp(row, reason, state)
  row.state = state
  setWhy(row, reason)
  saveRow(row)
  moveCount(QUEUED, state)
  if state == UNREACHABLE then call('RPUSH', P .. 'gone', row.id) end
  -- Requests that are used up are nobody's fault.
  if string.find(reason, 'forbidden-host', 1, true) == 1 then
    noteLost(hostOfOrigin(row.origin), row.origin)
  end
  swept = swept + 1
end

-- Refuses what waits at a host that has used up a budget: some of it, when it is much.
local function sweep(h, reason, state)
  for origin = 2 * h.id, 2 * h.id + 1 do
    while h[origin % 2] and swept < MAX_SWEPT do
      local ids = call('ZRANGE', queueKey(origin), 0, 499)
      if #ids == 0 then break end
      call('ZREM', queueKey(origin), unpack(ids))
      if isLimited then call('ZREM', P .. 'waiting', unpack(ids)) end
      for _, id in ipairs(ids) do giveUp(readRow(tonumber(id)), reason, state) end
    end
    if h[origin % 2] and mapsAt(h, origin) > 0 then
      for _, id in ipairs(call('LRANGE', P .. 'm:' .. origin, 0, -1)) do
        local map = readMap(tonumber(id))
        map.tries = 0
        endMap(map, UNREACHABLE, reason)
        call('RPUSH', P .. 'goneMaps', id)
      end
      call('DEL', P .. 'm:' .. origin)
    end
  end
  touch(h)
end

local function leaseFrom(h)
  local over, state = overBudget(h)
  if over then sweep(h, over, state) end
  if swept >= MAX_SWEPT then return nil end
  local again = revisitedAt(h)
  local withMap, withPage, bestId
  if not onlyRevisits and (not again or not isHeldBack(h)) then
    withMap, withPage, bestId = openWork(h)
  end
  if again and (h.revisitNext or not (withMap or withPage)) then
    if needsRobots(h[again % 2]) then return leaseRobots(h, again) end
    h.revisitNext = false
    return leaseRevisit(h, again)
  end
  h.revisitNext = true
  local isMap = withMap and (h.sitemapNext or not withPage)
  local origin = isMap and withMap or withPage
  if not origin then return nil end
  if needsRobots(h[origin % 2]) then return leaseRobots(h, origin) end
  h.sitemapNext = not isMap
  if isMap then return leaseMap(h, origin) end
  local row = readRow(bestId)
  local shut = row.depth > 0 and shutReason(h, bestId)
  if not shut then return leasePage(h, origin, bestId) end
  dequeue(origin, bestId)
  giveUp(row, shut, UNREACHABLE)
  touch(h)
  return nil
end

-- What waits for its next try, and whose moment has come; the rest when somebody asks again.
local function wakeRetries()
  for woken = 0, RETRIES_AT_ONCE, 500 do
    local due = call('ZRANGEBYSCORE', P .. 'retry', '-inf', now, 'LIMIT', 0, 500)
    if #due == 0 then return end
    if woken == RETRIES_AT_ONCE then
      isMoreDue = true
      return
    end
    call('ZREM', P .. 'retry', unpack(due))
    for _, each in ipairs(due) do
      local kind, id, origin = string.match(each, '^(%a)(%d+):(%d+)$')
      id, origin = tonumber(id), tonumber(origin)
      local h = hostOfOrigin(origin)
      local o = originOf(h, origin)
      if kind == 's' then
        putMap('RPUSH', h, origin, id)
      elseif kind == 'r' then
        o.again = o.again - 1
        wakeRevisit(origin, id)
      else
        o.delayed = o.delayed - 1
        local row = readRow(id)
        row.state = QUEUED
        saveRow(row)
        moveCount(DELAYED, QUEUED)
        enqueue(origin, id, row.priority)
      end
      touch(h)
      place(h)
    end
  end
end
