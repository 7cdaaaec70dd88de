-- rows-between: rows of URLs, first and last of their ids, in some states: a word with a 1 for each state
-- that is wanted, from 0 on. Answers { lastId, rows }, a row { id, state, reason, URL, depth, foundAt,
-- inLinks, signals or false, priority as text }. Changes nothing.
local first, last, wanted = argNum(), argNum(), arg()
local rows = {}
for id = first, math.min(last, num('lastId')) do
  local row = readRow(id)
  if string.sub(wanted, row.state + 1, row.state + 1) == '1' then
    rows[#rows + 1] = { id, row.state, reasonOf(row), urlOf(id), row.depth, row.foundAt, row.inLinks,
      signalsOf(id) or false, string.format('%.17g', row.priority) }
  end
end
return cjson.encode({ num('lastId'), rows })
