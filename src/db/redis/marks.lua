-- marks: how requests go, each of eight words: what (`s` it goes out, `l` it is over), kind, id, token,
-- the moment, and of what is over whether it went well ('1', '0'), what was wrong, how long to rest
-- and what gap to keep from now on ('' where nothing is said). Answers { outlook }.
local function started(hold, at)
  if not hold or hold.landed or hold.startedAt >= 0 then return end
  local h = hostOfOrigin(hold.origin)
  hold.startedAt = at
  h.unstarted = h.unstarted - 1
  h.rests = math.max(h.rests, at + delayOf(h))
  touch(h)
  writeHold(hold)
end

local function landed(hold, at, isOk, trouble, restMs, gapMs)
  if not hold or hold.landed then return end
  local h = hostOfOrigin(hold.origin)
  land(hold)
  if not isOk or hold.startedAt >= 0 then
    h.failures = isOk and 0 or h.failures + 1
    h.trouble = isOk and '' or trouble
  end
  if gapMs then slowDown(h, gapMs, math.max(0, hold.startedAt)) end
  if restMs then h.rests = math.max(h.rests, at + wholeMs(restMs)) end
  saveHold(hold)
end

renew()
for _ = 1, argNum() do
  local what, kind, id, token, at = arg(), arg(), arg(), arg(), tonumber(arg()) or now
  local isOk, trouble, restMs, gapMs = arg() == '1', arg(), tonumber(arg()), tonumber(arg())
  local hold = holdOf(kind, id, token)
  if what == 's' then started(hold, at) else landed(hold, at, isOk, trouble, restMs, gapMs) end
end
saveAll()
return cjson.encode({ outlook(false) })
