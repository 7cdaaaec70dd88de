-- The record of the URL with the hash ARGV[4]; or of the one with the id ARGV[5]. Nothing when there is
-- none.
local hash, id = arg(), argNum()
if hash ~= '' then
  id = tonumber(call('HGET', P .. 's:' .. string.sub(hash, 1, 4), string.sub(hash, 5)) or 0)
end
if id < 1 or id > num('lastId') then return {} end
return record(readRow(id))
