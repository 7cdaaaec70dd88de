-- deliver: what pages and sitemaps of other shards name here. Hosts and their sites, then a count and for
-- each page its number over all shards ('' of a sitemap), via, depth, hops, whether it was visited before,
-- how many links, those, how many duplicates found their place anew, those, how many sitemaps, and of each
-- how many led to it, how often it moved, URL, host and site. Answers { stale rows, outlook }. Only for
-- crawls in which what is delivered twice counts once (src/frontier/redis/shard-count.ts).
renew()
readHostNames()
for _ = 1, argNum() do
  local page, via, depth, hops, again = arg(), argNum(), argNum(), argNum(), arg() == '1'
  intake(readLinks(argNum()), {
    foundOn = page == '' and 0 or 2 ^ 40 + tonumber(page), via = via, depth = depth, hops = hops,
    again = again, assumedDepth = depth,
  })
  for _ = 1, argNum() do restate(arg(), arg()) end
  for _ = 1, argNum() do
    local level, moves = argNum(), argNum()
    addMaps({ { arg(), arg(), arg() } }, level, moves)
  end
end
saveAll()
return cjson.encode({ staleRows(), outlook(false) })
