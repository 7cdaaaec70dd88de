-- marks: how requests go, each of eleven words: what (`s` it goes out, `l` it is over), kind, id, token,
-- the moment, and of what is over whether it went well ('1', '0'), what was wrong, how long to rest
-- and what gap to keep from now on ('' where nothing is said), bytes that came, its host. Answers { outlook }.
-- Of a lease that is not known any more: it goes out all the same, and the host has had its visit.
local function startedUnknown(name, at)
  local id = call('HGET', P .. 'hosts', name)
  if not id then return end
  local h = host(tonumber(id))
  h.rests = math.max(h.rests, at + delayOf(h))
  touch(h)
end

local function started(hold, at)
  if hold.landed or hold.startedAt >= 0 then return end
  local h = hostOfOrigin(hold.origin)
  hold.startedAt = at
  h.unstarted = h.unstarted - 1
  h.rests = math.max(h.rests, at + delayOf(h))
  touch(h)
  writeHold(hold)
end

local function landed(hold, at, isOk, trouble, restMs, gapMs, bytes)
  if not hold or hold.landed then return end
  local h = hostOfOrigin(hold.origin)
  land(hold, at)
  if hold.startedAt >= 0 then spend(h, hold.revisit and 0 or 1, bytes, 0) end
  if not isOk or hold.startedAt >= 0 then
    h.failures = isOk and 0 or h.failures + 1
    h.downSince = isOk and 0 or (h.downSince > 0 and h.downSince or at)
    h.trouble = isOk and '' or trouble
  end
  if isOk and hold.startedAt >= 0 and hold.kind ~= 'r' then noteAnswer(h, hold.origin) end
  if gapMs then slowDown(h, gapMs, math.max(0, hold.startedAt)) end
  if isOk then h.restMs = 0 end
  if restMs then
    h.restMs = wholeMs(restMs)
    h.rests = math.max(h.rests, at + h.restMs)
  end
  saveHold(hold)
end

renew()
for _ = 1, argNum() do
  local what, kind, id, token, at = arg(), arg(), arg(), arg(), tonumber(arg()) or now
  local isOk, trouble, restMs, gapMs = arg() == '1', arg(), tonumber(arg()), tonumber(arg())
  local bytes = tonumber(arg()) or 0
  local hold, name = holdOf(kind, id, token), arg()
  if what == 's' and not hold then startedUnknown(name, at)
  elseif what == 's' then started(hold, at)
  else landed(hold, at, isOk, trouble, restMs, gapMs, bytes) end
end
saveAll()
return cjson.encode({ outlook(false) })
