-- KEYS[1]: a partition. ARGV: owner, epoch, made, the batch before this one, this batch, then commands, each
-- with its key and the number of its arguments. All or none are done; 1, or what differs.
local call = redis.call
local p = call('HMGET', KEYS[1], 'owner', 'epoch', 'made', 'batch')
local isOwn = p[1] == ARGV[1] and p[2] == ARGV[2] and p[3] == ARGV[3]
if isOwn and p[4] == ARGV[5] then return 1 end
if not isOwn or p[4] ~= ARGV[4] then return p end
-- The first write is one that a full server refuses; none after it is refused.
call('HSET', KEYS[1], 'batch', ARGV[5])
local tag = string.sub(KEYS[1], 1, -2)

-- Rows in order, from a position of a list on.
local function put(key, first, last)
  local size, at = call('LLEN', key), tonumber(ARGV[first])
  for arg = first + 1, last do
    if at >= size then
      for _ = size + 1, at do call('RPUSH', key, '') end
      return call('RPUSH', key, unpack(ARGV, arg, last))
    end
    call('LSET', key, at, ARGV[arg])
    at = at + 1
  end
end

local arg = 6
while arg <= #ARGV do
  local command, key, last = ARGV[arg], tag .. ARGV[arg + 1], arg + 2 + ARGV[arg + 2]
  if command == 'PUT' then
    put(key, arg + 3, last)
  elseif command == 'SEND' then
    call('HSET', tag .. 'o', string.match(key, '%d+$'), call('RPUSH', key, unpack(ARGV, arg + 3, last)))
  else
    call(command, key, unpack(ARGV, arg + 3, last))
  end
  arg = last + 1
end
return 1
