-- round-clear: what an earlier round left at some hosts, first and last of their ids, is forgotten, and
-- so is what is known of their robots.txt but its text. With the first of them, all else that it left.
local first, last = argNum(), argNum()
if first == 1 then
  call('UNLINK', P .. 'again')
  setMeta('revisits', 0)
  setMeta('pagesToRevisit', 0)
  hasRevisits = false
end
for id = first, math.min(last, num('lastHost')) do
  local h = host(id)
  for isHttps = 0, 1 do
    local o = h[isHttps]
    if o then
      call('UNLINK', P .. 'v:' .. 2 * id + isHttps)
      o.again, o.untl = 0, 0
      if o.robots == OUT_OF_REACH then o.robots, o.tried = UNKNOWN, 0 end
    end
  end
  touch(h)
end
saveAll()
return cjson.encode({ num('lastHost'), num('lastId'), num('lastMap') })
