-- round-add: pages to be visited again, each by the hash of its URL, priority, etag, last modified and
-- content hash. Answers { how many of them are pages of this crawl }.
local added = 0
while argAt <= #ARGV do
  local hash, priority, etag, lastModified, contentHash = arg(), argNum(), arg(), arg(), arg()
  local id = find(hash)
  local row = id and readRow(id)
  if row and hasPage(row.state) and row.origin > 0 then
    if call('HSET', P .. 'again', id, cmsgpack.pack({ priority, 0, etag, lastModified, contentHash })) == 1 then
      addMeta('revisits', 1)
      addMeta('pagesToRevisit', 1)
    end
    call('ZADD', P .. 'v:' .. row.origin, -priority, member(id))
    hasRevisits = true
    touch(hostOfOrigin(row.origin))
    added = added + 1
  end
end
saveAll()
return cjson.encode({ added })
