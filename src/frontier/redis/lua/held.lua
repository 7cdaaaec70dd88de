-- What is out, for people to see: at most ARGV[4] leases, hosts and sessions each. Result: the moment; URLs,
-- hosts, queued, leased, stored, hosts ready and resting, leases out; sessions (name, end of its life,
-- leases, hosts); leases (session, kind, URL or '', host, when its request went out or -1, tries);
-- hosts (name, session, until when they are kept for it).
local limit = argNum()

local names = {}
local flat = call('ZRANGE', P .. 'sessions', 0, limit - 1, 'WITHSCORES')
for at = 1, #flat, 2 do names[#names + 1] = { flat[at], flat[at + 1] } end


local sessions, kept = {}, {}
for _, each in ipairs(names) do
  local own = P .. 'own:' .. each[1]
  sessions[#sessions + 1] = {
    each[1], each[2], call('SCARD', P .. 'held:' .. each[1]), call('ZCOUNT', own, now, '+inf'),
  }
  local some = call('ZRANGEBYSCORE', own, now, '+inf', 'WITHSCORES', 'LIMIT', 0, math.max(0, limit - #kept))
  for at = 1, #some, 2 do
    kept[#kept + 1] = { host(tonumber(some[at])).name, each[1], some[at + 1] }
  end
end

local leases = {}
local fields = call('HSCAN', P .. 'holds', '0', 'COUNT', limit)[2]
for at = 1, math.min(#fields, 2 * limit), 2 do
  local hold = readHold(fields[at])
  local url = hold.kind == 'p' and hold.id > 0 and urlOf(hold.id) or ''
  leases[#leases + 1] = {
    hold.session, hold.kind, url, hostOfOrigin(hold.origin).name, tostring(hold.startedAt),
    tostring(hold.tries),
  }
end

return {
  tostring(now),
  { num('lastId'), num('lastHost'), num('c0') + num('c7'), num('c1'), num('c2'),
    call('ZCARD', P .. 'ready') + call('ZCARD', P .. 'slow') + num('inside'), call('ZCARD', P .. 'resting'), call('HLEN', P .. 'holds') },
  sessions, leases, kept,
}
