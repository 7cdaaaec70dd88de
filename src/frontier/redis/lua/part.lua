-- part: some of what a page or sitemap names that names more than one script should take in. The rest
-- follows, and its settlement comes last. The server's mark as `settle` has it, a mark of these links,
-- hosts and their sites, and one settlement as `settle` has it, with these links only.
-- What was cut short is begun anew: links that were taken in are not taken in again, so that they count
-- once. The marks of those are in the hash `parts`, by kind and id, until the settlement comes.
-- Answers { 'again' } on another server, with nothing done, else { stale rows, outlook }.
local function sourceOf(s, hold)
  if s.kind == 's' then
    if not hold then return nil end
    return { foundOn = -s.id, via = VIA_SITEMAP, depth = 1, assumedDepth = 1, hops = 0 }
  end
  if not hold and (s.token ~= '' or s.id < 1 or s.id > num('lastId')) then return nil end
  local row = readRow(s.id)
  local again = hasPage(row.state)
  local isDue = hold or not again or isToRevisit(s.id)
  if row.origin == 0 or not isDue or (again and staysFor(s)) then return nil end
  return { foundOn = row.id, via = VIA_LINK, depth = row.depth + 1, hops = 0, again = again,
    assumedDepth = s.depth }
end

local function takePart(s, mark)
  if s.kind == 'p' and s.token == '' then s.id = idByUrl(s) end
  local source = sourceOf(s, claim(s.kind, s.id, s.token))
  if not source then return end
  local field = s.kind .. digits(s.id)
  local before = call('HGET', P .. 'parts', field) or ''
  if string.find(before, mark, 1, true) then return end
  source.goesOn = before ~= ''
  intake(s.links, source)
  call('HSET', P .. 'parts', field, before .. mark)
  if before == '' then addMeta('parts', 1) end
end

renew()
if isAnotherServer(arg()) then return '["again"]' end
local mark = arg()
readHostNames()
takePart(readSettlement(), mark)
trimBuffer()
saveAll()
return cjson.encode({ staleRows(), outlook(false) })
