-- The leases that are out, in the hash `holds`: under kind and id until they are settled, under their
-- token (`o…`) from then until they land. A lease ends twice, in whichever order; see leases.ts of the
-- SQLite frontier, whose rules these are.
local MAX_REST = 24 * 60 * 60 * 1000
local isReborn = false
-- By session: fields that came to be its own, or are no more.
local heldChanges = {}

-- Each is read once in a script, and written at its end: false is one that is gone.
local knownHolds, changedHolds = {}, {}

local function readHold(field)
  local known = knownHolds[field]
  if known ~= nil then return known or nil end
  local raw = call('HGET', P .. 'holds', field)
  knownHolds[field] = false
  if not raw then return nil end
  local v = cmsgpack.unpack(raw)
  known = {
    field = field, session = v[1], token = v[2], kind = v[3], id = v[4], origin = v[5], tries = v[6],
    revisit = v[7], rested = v[8], reserved = v[9], startedAt = v[10], landed = v[11],
    settled = v[12],
  }
  knownHolds[field] = known
  return known
end
local function writeHold(hold)
  knownHolds[hold.field], changedHolds[hold.field] = hold, hold
end
local function dropHold(field)
  knownHolds[field], changedHolds[field] = false, false
end
local function packHold(hold)
  return cmsgpack.pack({
    hold.session, hold.token, hold.kind, hold.id, hold.origin, hold.tries, hold.revisit,
    hold.rested, hold.reserved, hold.startedAt, hold.landed, hold.settled,
  })
end
local function saveHolds()
  local kept, gone = {}, {}
  for field, hold in pairs(changedHolds) do
    if hold then
      kept[#kept + 1] = field
      kept[#kept + 1] = packHold(hold)
    else
      gone[#gone + 1] = field
    end
  end
  for from = 1, #kept, 1000 do
    call('HSET', P .. 'holds', unpack(kept, from, math.min(from + 999, #kept)))
  end
  for from = 1, #gone, 1000 do
    call('HDEL', P .. 'holds', unpack(gone, from, math.min(from + 999, #gone)))
  end
  changedHolds = {}
end

local function noteHeld(hold, isHeld)
  local changes = heldChanges[hold.session] or {}
  heldChanges[hold.session] = changes
  changes[hold.field] = isHeld
end
local function changeHeld(command, name, fields)
  for from = 1, #fields, 1000 do
    call(command, P .. 'held:' .. name, unpack(fields, from, math.min(from + 999, #fields)))
  end
end
local function saveHeld()
  for name, changes in pairs(heldChanges) do
    local came, went = {}, {}
    for field, isHeld in pairs(changes) do
      local some = isHeld and came or went
      some[#some + 1] = field
    end
    changeHeld('SREM', name, went)
    changeHeld('SADD', name, came)
  end
  heldChanges = {}
end

-- The lease a settlement speaks of; nil when it is not held any more. Token '': whoever holds it.
local function claim(kind, id, token)
  local hold = readHold(kind .. id)
  if hold and (token == '' or tostring(hold.token) == token) then return hold end
  return nil
end
-- The lease whose request started or landed.
local function holdOf(kind, id, token)
  local hold = claim(kind, id, token) or readHold('o' .. token)
  return hold and hold.kind == kind and tostring(hold.id) == id and hold or nil
end

local function countHeld(hold, by)
  local h = hostOfOrigin(hold.origin)
  if hold.kind == 'r' then h.robotsOut = h.robotsOut + by end
  if hold.kind == 's' then call('HINCRBY', P .. 'mapsOut', h.id, by) end
  if hold.kind == 'p' and not hold.revisit then addHeld(h, hold.origin, by) end
  touch(h)
end

-- What a lease is to be given for: kind, id, origin, tries; `outside` the queue there is nothing to
-- settle. Returns the hold.
local function grant(wanted)
  local h = hostOfOrigin(wanted.origin)
  addMeta('lastToken', 1)
  local hold = {
    session = session, token = num('lastToken'), kind = wanted.kind, id = wanted.id,
    origin = wanted.origin, tries = wanted.tries, revisit = wanted.revisit or false,
    rested = h.rests, reserved = now + delayOf(h), startedAt = -1, landed = false,
    settled = wanted.outside or false,
  }
  hold.field = hold.settled and 'o' .. hold.token or hold.kind .. hold.id
  h.rests = hold.reserved
  h.unstarted = h.unstarted + 1
  noteVisit(h)
  writeHold(hold)
  noteHeld(hold, true)
  if hold.revisit then addMeta('revisiting', 1) end
  if not hold.settled then countHeld(hold, 1) end
  touch(h)
  return hold
end

-- Writes what has become of it; what has ended both ways is gone.
local function saveHold(hold)
  if hold.landed and hold.settled then
    dropHold(hold.field)
    noteHeld(hold, false)
    if hold.revisit then addMeta('revisiting', -1) end
    return
  end
  if hold.settled and hold.field ~= 'o' .. hold.token then
    dropHold(hold.field)
    noteHeld(hold, false)
    hold.field = 'o' .. hold.token
    noteHeld(hold, true)
  end
  writeHold(hold)
end

local function land(hold, at)
  local h = hostOfOrigin(hold.origin)
  hold.landed = true
  local isKnown = hold.startedAt >= 0
  noteEnd(h, (at or now) - (isKnown and hold.startedAt or h.visitedAt), isKnown and hold.kind == 'p')
  if hold.startedAt < 0 then
    h.unstarted = h.unstarted - 1
    if h.rests == hold.reserved then h.rests = hold.rested end
  end
  touch(h)
end

-- Ends the right to settle. A request that never went out is over with it.
local function settleHold(hold)
  hold.settled = true
  countHeld(hold, -1)
  if hold.startedAt < 0 and not hold.landed then land(hold) end
  saveHold(hold)
end

local function wholeMs(ms) return math.min(MAX_REST, math.ceil(ms)) end
-- From now on, this request included, a host keeps this gap.
local function slowDown(h, ms, from)
  h.ownDelay = wholeMs(ms)
  h.rests = math.max(h.rests, from + delayOf(h))
  touch(h)
end
