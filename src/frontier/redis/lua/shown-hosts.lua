-- A host as readers get it: texts, in the order that src/frontier/redis/host-record.ts knows.
local function shownHost(h)
  local queued, held = 0, 0
  for isHttps = 0, 1 do
    local o = h[isHttps]
    if o then
      queued = queued + queuedAt(2 * h.id + isHttps) + o.delayed
      held = held + o.held
    end
  end
  return {
    h.name, h.site, tostring(queued), tostring(held), tostring(h.stored), tostring(h.failures),
    h.trouble, tostring(delayOf(h)), string.format('%.17g', restOf(h)), tostring(h.ownDelay),
  }
end
