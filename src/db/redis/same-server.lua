-- Whether this is another server than the one whose mark the caller knows, or the same one restarted: then
-- it may have lost what it had answered in its last second. '' of a caller whom that does not concern.
local function isAnotherServer(mark)
  return mark ~= '' and not string.find(call('INFO', 'server'), 'run_id:' .. mark, 1, true)
end
