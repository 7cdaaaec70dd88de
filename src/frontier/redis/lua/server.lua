-- Which server this is, and what the time is. One that was restarted, or that took another's place, may
-- have lost what was answered in the last moment: then `epoch` is another, numbers that were given are not
-- given again, every host first waits its full delay, and sessions find out what they still hold.
-- In meta, `server` is the run_id of the one that was last seen, `heardAt` when anybody was last heard of,
-- `ahead` how far the frontier's time is before this server's, `oldToken` the last token of other epochs.
local SKEW = 1000
-- More than a server gives in a millisecond. Lua writes tokens with fourteen digits.
local TOKENS, CHANGES = 16, 4096

local function serverId()
  return string.match(call('INFO', 'server'), 'run_id:(%x+)') or ''
end

local function goOnHere(id)
  local time = call('TIME')
  local at = time[1] * 1000 + math.floor(time[2] / 1000)
  setMeta('server', id)
  setMeta('epoch', math.max(num('epoch') + 1, at))
  setMeta('restedAt', now)
  setMeta('lastToken', math.max(num('lastToken') + 1, at * TOKENS))
  setMeta('oldToken', num('lastToken'))
  setMeta('changes', math.max(num('changes'), at * CHANGES))
  -- An answer that was kept may speak of leases that will have been given back.
  for _, name in ipairs(call('ZRANGE', P .. 'sessions', 0, -1)) do call('DEL', P .. 'answer:' .. name) end
end
local function noticeServer()
  local id = serverId()
  if M.server ~= id then goOnHere(id) end
end

-- Nobody could be heard of while the server stood still: nobody is taken for dead because of that.
local function forgiveSilence(ms)
  local lifetime = tonumber(ARGV[3])
  if ms <= lifetime / 2 then return end
  local flat = call('ZRANGE', P .. 'sessions', 0, -1, 'WITHSCORES')
  for at = 1, #flat, 2 do
    local ends = tonumber(flat[at + 1])
    call('ZADD', P .. 'sessions', math.max(ends, math.min(ends + ms, now + lifetime)), flat[at])
  end
end

local function hear()
  local heardAt = num('heardAt')
  -- This server's clock is behind the last one's: what rests until a moment would rest for longer.
  if ARGV[1] == '' and now < heardAt - SKEW then
    addMeta('ahead', heardAt - now)
    now = heardAt
  end
  if heardAt > 0 then forgiveSilence(now - heardAt) end
  if now > heardAt + 100 then setMeta('heardAt', now) end
end
