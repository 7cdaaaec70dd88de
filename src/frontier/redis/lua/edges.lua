-- Where pages lead, by ids (`e:`, hashes of 64 pages each). Kept by crawls with a depth limit, where a
-- shorter path to a page is one to all behind it, and under orderings that rank the whole graph.
-- A value is the step (links that an edge counts for: 0 of a redirect), then for each target how far
-- its id is from the one before: most links of a page are new when it is read, so that is one byte.
local keepsEdges = M.edges == '1'

local function edgesKey(id) return P .. 'e:' .. math.floor(id / TEXTS) end

local function packEdges(step, ids)
  local bytes, last = { string.char(step) }, 0
  for at = 1, #ids do
    local far = (ids[at] - last) * 2
    if far < 0 then far = -far - 1 end
    last = ids[at]
    while far >= 128 do
      bytes[#bytes + 1] = string.char(far % 128 + 128)
      far = math.floor(far / 128)
    end
    bytes[#bytes + 1] = string.char(far)
  end
  return table.concat(bytes)
end

-- The step and the ids.
local function unpackEdges(packed)
  local ids, last, far, scale = {}, 0, 0, 1
  for at = 2, #packed do
    local byte = string.byte(packed, at)
    far = far + byte % 128 * scale
    scale = scale * 128
    if byte < 128 then
      last = last + (far % 2 == 0 and far / 2 or -(far + 1) / 2)
      ids[#ids + 1] = last
      far, scale = 0, 1
    end
  end
  return string.byte(packed, 1), ids
end

local function saveEdges(from, step, ids)
  if keepsEdges and #ids > 0 then call('HSET', edgesKey(from), from, packEdges(step, ids)) end
end

local function edgesOf(from)
  local packed = call('HGET', edgesKey(from), from)
  if not packed then return 1, {} end
  return unpackEdges(packed)
end
