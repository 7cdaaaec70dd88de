-- What the pages of each template of a host have shown, and which templates are closed; the rules of
-- core/trap-evidence.ts. A hash per host (`i:HOST`): template → { debt, streak, likes, pairs }; in `ic:HOST`
-- those that may be closed: template → debt, streak and pairs, as text.
local REMEMBERED_LIKES, REMEMBERED_PAIRS = 50, 256
local trapBudget = num('trapBudget')

local function remember(list, value, room)
  list[#list + 1] = value
  if #list > room then table.remove(list, 1) end
end

-- `shape` is the template, copies in a row that close it, whether its query has the number of a page and
-- its pairs, one below the other. `of`: `page`, `copy` or `redirect`. `likeness` 0: not known.
local function noteSight(h, shape, of, likeness)
  if trapBudget == 0 or shape == '' then return end
  local key, limit, turnsPage, pairsText = string.match(shape, '^([^\n]*)\n(%d+)\n(%d)\n(.*)$')
  local raw = call('HGET', P .. 'i:' .. h.id, key)
  local e = raw and cmsgpack.unpack(raw) or { 0, 0, {}, {} }
  local isAlike = of == 'copy' or (likeness ~= 0 and contains(e[3], likeness))
  local unseen, pairCount = {}, 0
  for pair in string.gmatch(pairsText, '%d+') do
    pairCount = pairCount + 1
    if not contains(e[4], tonumber(pair)) then unseen[#unseen + 1] = tonumber(pair) end
  end
  local isOld = pairCount > 0 and #unseen == 0
  if isAlike then e[2] = e[2] + (of == 'page' and 0 or 1)
  elseif of == 'page' then e[2] = 0 end
  if isAlike or (isOld and turnsPage ~= '1') then e[1] = e[1] + 1
  elseif of == 'page' and not isOld then e[1] = math.max(0, e[1] - 1) end
  if likeness ~= 0 then remember(e[3], likeness, REMEMBERED_LIKES) end
  for _, pair in ipairs(unseen) do remember(e[4], pair, REMEMBERED_PAIRS) end
  call('HSET', P .. 'i:' .. h.id, key, cmsgpack.pack(e))
  local own, closedKey = spentBy('h', h.id), P .. 'ic:' .. h.id
  local isSuspect = own.traps > 0 and call('HEXISTS', closedKey, key) == 1
  if isSuspect or e[1] >= trapBudget or e[2] >= tonumber(limit) then
    call('HSET', closedKey, key, table.concat({ digits(e[1]), digits(e[2]), unpack(e[4]) }, ' '))
    own.traps = call('HLEN', closedKey)
    noteSpent('h', h.id)
  end
end
