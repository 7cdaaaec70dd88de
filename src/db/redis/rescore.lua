-- rescore: pairs of id and score, for rows that were told to be stale. Answers { outlook }.
renew()
for _ = 1, argNum() do
  local row, score = readRow(argNum()), argNum()
  row.priority = score
  saveRow(row)
  if row.state == QUEUED then
    enqueue(row.origin, row.id, score)
    touch(hostOfOrigin(row.origin))
  end
end
trimBuffer()
saveAll()
return cjson.encode({ outlook(false) })
