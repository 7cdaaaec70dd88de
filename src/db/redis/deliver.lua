-- deliver: what pages of other shards name here. Hosts and their sites, then a count and for each page its
-- number over all shards ('' of a sitemap), via, depth, hops, whether it was visited before, how many
-- links, those, how many duplicates found their place anew, those; then a count and numbers of pages that
-- are settled by now. Answers { stale rows, outlook }. A page that is delivered again, because it was not
-- settled after the first time, counts once.
renew()
readHostNames()
for _ = 1, argNum() do
  local page, via, depth, hops, again = arg(), argNum(), argNum(), argNum(), arg() == '1'
  local links = readLinks(argNum())
  local isNew = page == '' or call('SADD', P .. 'delivered', page) == 1
  intake(links, {
    foundOn = page == '' and 0 or 2 ^ 40 + tonumber(page), via = via, depth = depth, hops = hops,
    again = again or not isNew, assumedDepth = depth,
  })
  for _ = 1, argNum() do restate(arg(), arg()) end
end
for _ = 1, argNum() do call('SREM', P .. 'delivered', arg()) end
trimBuffer()
saveAll()
return cjson.encode({ staleRows(), outlook(false) })
