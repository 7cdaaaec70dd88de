-- How many URLs came to what end, of those after ARGV[4], at most ARGV[5] of them. Result: the last id
-- that was looked at, 1 when there are no more, and for each end: state, code, count, first id, its URL
-- and its reason.
local after, limit = argNum(), argNum()
local last = math.min(num('lastId'), after + limit)
local ends, byName = {}, {}
for id = after + 1, last do
  local row = readRow(id)
  if row.foundAt > 0 then
    local reason = reasonOf(row)
    local state, code = SHOWN[row.state] or row.state, codeOf(row, reason)
    local name = state .. ' ' .. code
    local known = byName[name]
    if known then
      known[3] = known[3] + 1
    else
      known = { tostring(state), code, 1, tostring(id), urlOf(id), reason }
      byName[name] = known
      ends[#ends + 1] = known
    end
  end
end
return { last, last >= num('lastId') and 1 or 0, ends }
