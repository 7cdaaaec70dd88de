-- What one more link changes about a URL that is known: how many link to it, what was said of it, and
-- the score that follows. All of that was computed by the caller from facts it had read a moment ago.
-- Where the signals are others by now, or the URL was not known then, it is told to do so again: in
-- `stale`, with the hash of the link, under which it remembers what the link said.
local stale, staleOrder = {}, {}

local function markStale(id, hash)
  if not stale[id] then
    stale[id] = ''
    staleOrder[#staleOrder + 1] = id
  end
  if hash then stale[id] = hash end
end

local function setScore(row, score)
  if row.priority == score then return end
  row.priority = score
  if row.state == QUEUED then
    enqueue(row.origin, row.id, score)
    -- Other policies do not ask what the best of a host is worth.
    if M.policy == 'best' then moved(hostOfOrigin(row.origin)) end
  end
end

-- False when it must be computed anew.
local function takeSignals(id, link)
  if not link.signals then return true end
  local known = signalsOf(id) or ''
  if known ~= (link.before or '') then return false end
  if known ~= link.signals then setSignals(id, link.signals) end
  return true
end

local function meetKnown(id, link, addsLink, isFirst)
  local speaks = link.signals and (M.weighsSignals == '1' or isFirst)
  if not addsLink and not speaks and not link.isMeasured then return end
  local row = readRow(id)
  if not isOpen(row.state) then return end
  if addsLink then row.inLinks = row.inLinks + 1 end
  if not takeSignals(id, link) then
    markStale(id, link.hash)
  elseif link.isMeasured then
    setScore(row, link.score)
    -- It was marked for want of a score.
    if stale[id] == '' then stale[id] = false end
  else
    markStale(id)
  end
  saveRow(row)
end
