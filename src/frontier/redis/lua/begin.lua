-- begin: opens the frontier for a session.
-- how ('own': begins a run and brings what is there in line; 'join': comes to one that runs), whether all
-- other sessions are known to be dead, whether there must be a frontier already, then pairs of settings,
-- then seeds' domains. Answers { whether it is new, how many hosts there are, outlook }.
local how, isAlone, mustBe = arg(), arg() == '1', arg() == '1'
local isNew = M.layout == nil
if isNew and (mustBe or how ~= 'own') then return redis.error_reply('LOST the frontier is not here') end
if not isNew and M.layout ~= LAYOUT then return redis.error_reply('LAYOUT ' .. M.layout) end
local settings = {}
for at = 1, argNum() do settings[at] = { arg(), arg() } end
if not isNew then
  for _, pair in ipairs(settings) do
    if pair[1] == 'salt' and pair[2] ~= M.salt then return redis.error_reply('OTHER crawl') end
  end
end

if isNew then setMeta('server', serverId()) end
renew()
if how == 'join' then
  -- Whoever began the run may be gone already: from here on it is this one that has to leave.
  setMeta('clean', 0)
elseif how == 'own' then
  for _, pair in ipairs(settings) do setMeta(pair[1], pair[2]) end
  setMeta('layout', LAYOUT)
  addMeta('runs', 1)
  for _, name in ipairs({ 'picks', 'roundEnds', 'counted', 'toCount', 'onlyRevisits', 'toPlace', 'seedsIn',
    'seedsServed', 'seedsSquares' }) do
    setMeta(name, 0)
  end
  setMeta('settled', num('c2') + num('c3'))
  -- Nobody knows when the last requests of a run that was cut short went out.
  if not isNew and (M.clean ~= '1' or num('restedAt') > now) then setMeta('restedAt', now) end
  setMeta('clean', 0)
  -- The settings that scripts read when they begin are those of this run from here on.
  run, delayMs, perHost = num('runs'), num('delayMs'), num('perHost')
  ignoresRobots, wantsMaps, onlyRevisits = M.ignoreRobots == '1', M.sitemaps == '1', false
  setMeta('mapsWaiting', 0)
  for _, name in ipairs(call('SMEMBERS', P .. 'seedSites')) do
    local s = site(name)
    s.isSeed, s.dirty = false, true
  end
  call('DEL', P .. 'seedSites', P .. 'seeds', P .. 'soon')
  for _ = 1, argNum() do
    local name = arg()
    call('SADD', P .. 'seedSites', name)
    local s = site(name)
    s.isSeed, s.ready, s.counted, s.soonUntil, s.dirty = true, 0, -1, 0, true
  end
end
if isAlone then
  for _, name in ipairs(call('ZRANGE', P .. 'sessions', 0, -1)) do
    if name ~= session then freeSession(name, true) end
  end
end
saveAll()
return cjson.encode({ isNew and 1 or 0, num('lastHost'), outlook(false) })
