-- How many sitemaps led to those with the ids from ARGV[4] on.
local levels = {}
while argAt <= #ARGV do
  local known = call('HGET', P .. 'map', arg())
  levels[#levels + 1] = known and cmsgpack.unpack(known)[2] or 0
end
return levels
