-- URLs in order of discovery. ARGV[4]: after this id; [5]: how many; [6]: of these states only, '' for
-- all, otherwise a 1 or 0 for each; [7]: 1 when [8], the code of their reason, counts.
-- Result: the last id that was looked at, 1 when there are no more, and the records. Never looks at
-- more than SCANNED rows, so that nobody waits for long.
local SCANNED = 1000
local after, limit, states, hasCode, code = argNum(), argNum(), arg(), arg() == '1', arg()
local last = num('lastId')
local found, id = {}, after
while id < last and id < after + SCANNED and #found < limit do
  id = id + 1
  local row = readRow(id)
  if row.foundAt > 0 and (states == '' or string.sub(states, row.state + 1, row.state + 1) == '1') then
    if not hasCode or codeOf(row, reasonOf(row)) == code then found[#found + 1] = record(row) end
  end
end
return { id, id >= last and 1 or 0, found }
