-- For every script but `begin`: the frontier must be there, in the layout this program knows.
if M.layout == nil then return redis.error_reply('LOST the frontier is not here') end
if M.layout ~= LAYOUT then return redis.error_reply('LAYOUT ' .. M.layout) end
