-- settle: mark of the server that the caller left links out for, since it knows them, or '';
-- what an ordering has learned (its name, '' for nothing; its state; from how many pages), hosts
-- and their sites, then settlements, each of fourteen words, its links, and what else it
-- has: of a sitemap that was read further ones, else duplicates that found their place anew. The last of
-- the words is '' or the depth of the page, and then its own URL follows, as a link, before the others:
-- it is taken by that, since the id may have been given to another.
-- After the settlements a count, and for each what was given to another shard: its number, and that as
-- text, kept for a while in case that shard loses it.
-- Answers { 'again' } on another server, with nothing done, else { how many were taken, stale rows, facts of
-- their hosts, which of them were not taken, outlook }.
local settledAt = {}
local function settleOne(s)
  if s.kind == 'p' and s.token == '' then s.id = idByUrl(s) end
  s.goesOn = hadParts(s)
  local hold = claim(s.kind, s.id, s.token)
  if hold then settledAt[math.floor(hold.origin / 2)] = true end
  if s.kind == 'p' then
    if not hold and s.token ~= '' then return false end
    if not settlePage(s, hold) then return false end
    if s.outcome ~= 'read' then
      for _, moved in ipairs(s.more) do restate(moved[1], moved[2]) end
    end
    return true
  end
  if not hold then return false end
  if s.outcome == 'part' then
    takeMapPart(s)
    return true
  end
  settleHold(hold)
  spend(hostOfOrigin(hold.origin), 0, 0, s.cpu)
  if s.kind == 's' then settleMap(s, hold) end
  return true
end

-- Of the states of several sessions the one that stems from most pages is kept.
local function keepLearned(name, state, learned)
  if name == '' then return end
  local kept = call('HMGET', P .. 'ordering', 'name', 'learned')
  if kept[1] == name and tonumber(kept[2]) > learned then return end
  call('HSET', P .. 'ordering', 'name', name, 'state', state, 'learned', learned)
  setMeta('learned', learned)
end

renew()
if isAnotherServer(arg()) then return '["again"]' end
keepLearned(arg(), arg(), argNum())
readHostNames()
local taken, lost = 0, {}
for at = 1, argNum() do
  if settleOne(readSettlement()) then taken = taken + 1 else lost[#lost + 1] = at - 1 end
end
addMeta('settled', taken)
for _ = 1, argNum() or 0 do call('XADD', P .. 'handed:' .. arg(), '*', 'words', arg()) end
trimBuffer()
saveAll()
local facts = {}
for id in pairs(settledAt) do facts[#facts + 1] = factsOf(host(id)) end
return cjson.encode({ taken, staleRows(), facts, lost, outlook(false) })
