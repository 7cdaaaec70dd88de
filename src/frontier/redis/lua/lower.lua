-- lower: goes on with shorter paths that were found, as far as one script should. Answers { stale rows,
-- outlook }.
renew()
while lowered < LOWERED_AT_ONCE do
  local some = call('LPOP', P .. 'lowering', LOWERED_AT_ONCE - lowered)
  if not some or #some == 0 then
    setMeta('lowering', 0)
    break
  end
  addMeta('lowering', -#some)
  local paths = {}
  for at, path in ipairs(some) do
    local id, depth = string.match(path, '^(%d+):(%d+)$')
    paths[at] = { tonumber(id), tonumber(depth) }
  end
  follow(paths)
end
trimBuffer()
saveAll()
return cjson.encode({ staleRows(), outlook(false) })
