-- look: what an ordering must know before a batch is settled. A count and that many pages by id, token
-- and hash ('' where the id says it), a count and that many hashes of URLs.
-- Answers { lastId, URLs that wait, pages fetched, pages, URLs }, where a page is { whether its
-- settlement will be taken, id, URL, host, depth, foundAt, inLinks, signals or false, whether it had a
-- page, standing, the one that led to it or false }, that one { id, URL, host, depth, foundAt, inLinks,
-- signals or false }; a URL is { id, standing, depth, foundAt, inLinks, signals or false } or 0 when it
-- is unknown. Changes nothing.
local MAX_HOPS = 10
local WAITS, TOO_DEEP, UNFOLLOWED, CLOSED = 0, 1, 2, 3

local function standingOf(row)
  if isOpen(row.state) then return WAITS end
  if isUnfollowed(row) then return UNFOLLOWED end
  return isPathRefused(row) and TOO_DEEP or CLOSED
end

local function factsOf(row)
  return { row.id, urlOf(row.id), math.floor(row.origin / 2), row.depth, row.foundAt, row.inLinks,
    signalsOf(row.id) or false }
end

-- The page that linked to it first, or to what was redirected to it.
local function finderOf(row)
  for _ = 0, MAX_HOPS do
    if row.foundOn < 1 then return false end
    local source = readRow(row.foundOn)
    if row.hops == 0 then return factsOf(source) end
    row = source
  end
  return false
end

local function isTaken(row, token)
  if claim('p', row.id, token) then return true end
  if token ~= '' or row.origin == 0 then return false end
  return isToRevisit(row.id) or not hasPage(row.state)
end

local pages, links = {}, {}
for at = 1, argNum() do
  local id, token, hash = argNum(), arg(), arg()
  if hash ~= '' then id = find(hash) or 0 end
  if id < 1 or id > num('lastId') then
    pages[at] = { 0 }
  else
    local row = readRow(id)
    local facts = factsOf(row)
    pages[at] = { isTaken(row, token) and 1 or 0, facts[1], facts[2], facts[3], facts[4], facts[5],
      facts[6], facts[7], hasPage(row.state) and 1 or 0, standingOf(row), finderOf(row) }
  end
end
for at = 1, argNum() do
  local id = find(arg())
  if id then
    local row = readRow(id)
    local standing = standingOf(row)
    if standing == CLOSED then
      links[at] = { id, standing, row.depth }
    else
      links[at] = { id, standing, row.depth, row.foundAt, row.inLinks, signalsOf(id) or false }
    end
  else
    links[at] = 0
  end
end
return cjson.encode({ num('lastId'), num('c0') + num('c7'), num('c2') + num('c3'), pages, links })
