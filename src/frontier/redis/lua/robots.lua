-- robots: id and token of the lease that brought it, the gap the file asks for or '', status, when it
-- expires, how often it could not be had, the record as text, and the sitemaps it leads to, each of
-- three words. Answers { facts of the host, outlook }; nothing is kept when the lease is lost.
renew()
local id, token, gap = argNum(), arg(), argNum()
local status, expiresAt, attempts, record = arg(), argNum(), argNum(), arg()
local hold = claim('r', id, token)
local facts = {}
if hold then
  local h = hostOfOrigin(hold.origin)
  local o = originOf(h, hold.origin)
  o.robots = status == 'unreachable' and OUT_OF_REACH or KNOWN
  o.untl, o.tried = expiresAt, attempts
  call('HSET', P .. 'robots', (hold.origin % 2 == 1 and 'https://' or 'http://') .. h.name, record)
  local maps = {}
  for at = 1, argNum() do maps[at] = { arg(), arg(), arg() } end
  if status ~= 'unreachable' then addMaps(maps, 1, 0) end
  if status ~= 'unreachable' and hold.startedAt >= 0 then noteAnswer(h, hold.origin) end
  settleHold(hold)
  if gap then slowDown(h, gap, now) end
  touch(h)
  saveAll()
  facts[1] = factsOf(h)
end
return cjson.encode({ facts, outlook(false) })
