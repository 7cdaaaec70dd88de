-- Hosts as people see them, by number: those after ARGV[4], at most ARGV[5] of them; or the one whose
-- name is ARGV[6]. Result: the last number that was looked at, and for each host its name, site, URLs
-- that wait, pages that are out, pages stored, failures, trouble, gap, end of its rest, own gap.
local after, limit, name = argNum(), argNum(), arg()
local first, last = after + 1, math.min(num('lastHost'), after + limit)
if name ~= '' then
  first = tonumber(call('HGET', P .. 'hosts', name) or 0)
  last = first > 0 and first or -1
end
local found = {}
for id = first, last do
  if call('EXISTS', P .. 'h:' .. id) == 1 then found[#found + 1] = shownHost(host(id)) end
end
return { last, found }
