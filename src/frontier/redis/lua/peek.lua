-- peek: ids. Answers, for each, { id, URL, depth, foundAt, inLinks, signals or false, state, tries,
-- hops }, or false where there is no such URL.
local rows = {}
for at = 1, argNum() do
  local id = argNum()
  if id >= 1 and id <= num('lastId') then
    local row = readRow(id)
    rows[at] = {
      id, urlOf(id), row.depth, row.foundAt, row.inLinks, signalsOf(id) or false, row.state,
      row.tries, row.hops,
    }
  else
    rows[at] = false
  end
end
return cjson.encode(rows)
