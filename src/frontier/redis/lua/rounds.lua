-- What settling a URL that is visited again comes to; the rules of settling.ts of the SQLite frontier.
-- Why a page that is stored stays as it was; nil when there is news of it.
local function staysFor(s)
  if s.outcome == 'unchanged' then return '' end
  if s.outcome == 'no-room' then return 'not-refreshed: over-limit' end
  if s.gone then return nil end
  if s.outcome == 'redirected' then return 'not-refreshed: redirect-loop: ' .. s.text end
  if s.outcome == 'failed' or s.outcome == 'refused' then return 'not-refreshed: ' .. s.text end
  return nil
end

-- What may not be asked for now was not visited: the next round tries again.
local function isForbidden(s)
  if s.outcome ~= 'refused' then return false end
  return string.sub(s.text, 1, 6) == 'robots' or string.sub(s.text, 1, 11) == 'crawl-delay'
end

-- False when it is to be settled as if it were new.
local function settleRevisit(leaving, s)
  local row = leaving.row
  local tries = leaving.hold and leaving.hold.tries - (s.uncounted and 1 or 0) or 0
  if s.outcome == 'released' then
    putBackRevisit(row.origin, row.id)
    return true
  end
  if s.outcome == 'failed' and s.number then
    local at = math.ceil(s.number)
    if at > now then delayRevisit(row.origin, row.id, tries, at)
    else putBackRevisit(row.origin, row.id, tries) end
    return true
  end
  doneRevisit(row.id)
  if not hasPage(leaving.from) then return isForbidden(s) end
  local reason = staysFor(s)
  if reason then noteReason(row, reason) end
  return reason ~= nil
end

-- A duplicate that found its place anew: of which page, '' of none.
local function restate(hash, of)
  local id = find(hash)
  if not id then return end
  local row = readRow(id)
  if not hasPage(row.state) or row.origin == 0 then return end
  local from, h = row.state, hostOfOrigin(row.origin)
  row.state = of == '' and STORED or DUPLICATE
  setWhy(row, of)
  saveRow(row)
  moveCount(from, row.state)
  addStored(h, (row.state == STORED and 1 or 0) - (from == STORED and 1 or 0))
  touch(h)
end
