-- The copy has these changes: pairs of an id and its sequence, from ARGV[4] on. Those that changed since
-- stay.
local done = {}
while argAt <= #ARGV do
  local id, mark = arg(), argNum()
  if tonumber(call('ZSCORE', P .. 'changed', id) or -1) == mark then done[#done + 1] = id end
end
if #done > 0 then call('ZREM', P .. 'changed', unpack(done)) end
return #done
