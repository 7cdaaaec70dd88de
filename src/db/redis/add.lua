-- add: via, hosts and their sites, links. Answers { how many were new, stale rows, outlook }.
renew()
local via = argNum()
local before = num('lastId')
readHostNames()
intake(readLinks(argNum()), { foundOn = 0, via = via, depth = 0, assumedDepth = 0, hops = 0 })
saveAll()
return cjson.encode({ num('lastId') - before, staleRows(), outlook(false) })
