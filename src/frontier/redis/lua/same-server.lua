-- Whether the epoch is another than the one whose mark the caller knows: then the server may have lost what
-- it had answered in its last second. '' of a caller whom that does not concern. To be asked after `renew`.
local function isAnotherServer(mark)
  if mark == '' or mark == tostring(num('epoch')) then return false end
  saveMeta()
  return true
end
