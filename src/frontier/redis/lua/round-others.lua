-- round-others: of some URLs, first and last of their ids, those that led to no page are to be visited
-- again, after all pages: they may lead to one now. Answers { how many }.
local first, last, added = argNum(), argNum(), 0
for id = first, math.min(last, num('lastId')) do
  local row = readRow(id)
  if (row.state == REDIRECTED or row.state == FAILED) and row.origin > 0
    and call('HSETNX', P .. 'again', id, cmsgpack.pack({ -1, 0, '', '', '' })) == 1 then
    call('ZADD', P .. 'v:' .. row.origin, 1, member(id))
    hasRevisits = true
    touch(hostOfOrigin(row.origin))
    added = added + 1
  end
end
addMeta('revisits', added)
saveAll()
return cjson.encode({ added })
