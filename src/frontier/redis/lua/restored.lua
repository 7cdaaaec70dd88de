-- restored: what else a frontier that is made anew needs. First hosts, a count and for each its name, its
-- site and the gap that it asked for; then redirects, a count and for each its id and the hash of the URL
-- it leads to.
for _ = 1, argNum() do
  local h = hostNamed(arg(), arg())
  h.ownDelay = argNum()
  touch(h)
end
for _ = 1, argNum() do
  local id, to = arg(), find(arg())
  if to then call('HSET', P .. 'leads', id, to) end
end
saveAll()
return 1
