-- rescore: rows that were told to be stale, each by id, score, signals ('' where they stay), what
-- those were made from, and the hash of the link they are of. Answers { rows whose signals are others again, outlook }.
renew()
for _ = 1, argNum() do
  local id = argNum()
  local link = { score = argNum(), signals = arg(), before = arg(), hash = arg() }
  if link.signals == '' then link.signals = nil end
  local row = readRow(id)
  if takeSignals(id, link) then
    setScore(row, link.score)
    saveRow(row)
  else
    markStale(id, link.hash)
  end
end
trimBuffer()
saveAll()
return cjson.encode({ staleRows(), outlook(false) })
