-- add: via, hosts and their sites, links. Answers { how many were new, stale rows, facts of some hosts, outlook }.
renew()
local via = argNum()
local before = num('lastId')
readHostNames()
intake(readLinks(argNum()), { foundOn = 0, via = via, depth = 0, assumedDepth = 0, hops = 0 })
saveAll()
local facts = {}
for _, h in pairs(touched) do
  if #facts == 100 then break end
  facts[#facts + 1] = factsOf(h)
end
return cjson.encode({ num('lastId') - before, staleRows(), facts, outlook(false) })
