-- Rows as readers get them: texts, since numbers lose their fraction on the way.
local FOREIGN = 2 ^ 40
local SHOWN = { [DELAYED] = QUEUED, [UNREACHABLE] = REFUSED }

local function nextAtOf(row)
  if row.state ~= DELAYED then return '' end
  return call('ZSCORE', P .. 'retry', 'p' .. row.id .. ':' .. row.origin) or ''
end

-- Where it was found: the URL of the page or sitemap, '' when from outside. Of a page in another shard
-- its number, which has no colon.
local function finderOf(row)
  if row.foundOn == 0 then return '' end
  if row.foundOn < 0 then return cmsgpack.unpack(call('HGET', P .. 'map', -row.foundOn))[1] end
  if row.foundOn >= FOREIGN then return tostring(row.foundOn - FOREIGN) end
  return urlOf(row.foundOn)
end

-- Of these states the reason is a URL.
local function codeOf(row, reason)
  if row.state == DUPLICATE or row.state == REDIRECTED then return '' end
  return string.match(reason, '^[^:]*')
end

-- The order is known to src/frontier/redis/url-record.ts.
local function record(row)
  return {
    digits(row.id), urlOf(row.id), digits(row.state), reasonOf(row), digits(row.depth),
    finderOf(row), string.format('%.17g', row.priority), digits(row.tries), nextAtOf(row),
    digits(row.hops), digits(row.foundOn), digits(row.via), digits(row.foundAt),
    digits(row.inLinks), signalsOf(row.id) or '',
  }
end
