-- Settlements as scripts are given them (src/frontier/redis/settlement-words.ts).
local function readSettlement()
  local s = {
    kind = arg(), id = argNum(), token = arg(), outcome = arg(), text = arg(), number = argNum(),
    shape = arg(), cpu = argNum(), depth = argNum(), mark = arg(), round = arg(),
  }
  s.gone, s.uncounted = s.mark == '1', s.mark == '2'
  local links, more = argNum(), argNum()
  s.ownDepth = argNum()
  if s.ownDepth then s.self = readLink() end
  s.links, s.more = readLinks(links), {}
  for at = 1, more do
    s.more[at] = s.outcome == 'read' and { arg(), arg(), arg() } or { arg(), arg() }
  end
  return s
end

-- The id of a page by its URL. One that is durable and unknown comes in as it was let in before.
local function idByUrl(s)
  if not s.self then return s.id end
  local id = find(s.self.hash)
  if id then return id end
  intake({ s.self }, { foundOn = 0, via = VIA_LINK, depth = s.ownDepth, assumedDepth = s.ownDepth,
    hops = 0, again = true })
  return find(s.self.hash)
end

-- Whether some of its links were taken in before (part.lua): these are the last.
local function hadParts(s)
  if num('parts') == 0 or s.outcome == 'released' or s.outcome == 'failed' then return false end
  if call('HDEL', P .. 'parts', s.kind .. digits(s.id)) == 0 then return false end
  addMeta('parts', -1)
  return true
end
