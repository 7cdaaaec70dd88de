-- Rows that the copy elsewhere has not as they are now, the oldest changes first. ARGV[4]: who makes the
-- copy; [5]: for how many ms nobody else does; [6]: how many; [7], [8]:
-- those after this sequence and up to that one. Result: nothing when another makes the
-- copy; otherwise sequences, records and hosts.
local who, forMs, limit, after, upTo = arg(), argNum(), argNum(), arg(), arg()
if M.copier and M.copier ~= who and num('copierUntil') > now then return {} end
setMeta('copier', who)
setMeta('copierUntil', now + forMs)
saveMeta()
local marks, rows, touchedHosts, wanted = {}, {}, {}, {}
local oldest = call('ZRANGEBYSCORE', P .. 'changed', '(' .. after, upTo, 'WITHSCORES', 'LIMIT', 0, limit)
for at = 1, #oldest, 2 do
  local row = readRow(tonumber(oldest[at]))
  marks[#marks + 1] = oldest[at + 1]
  rows[#rows + 1] = record(row)
  local id = math.floor(row.origin / 2)
  if id > 0 and not wanted[id] then
    wanted[id] = true
    touchedHosts[#touchedHosts + 1] = shownHost(host(id))
  end
end
return { marks, rows, touchedHosts }
