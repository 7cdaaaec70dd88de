-- The mark of the server that has KEYS[1]; another one after every restart.
return string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') or ''
