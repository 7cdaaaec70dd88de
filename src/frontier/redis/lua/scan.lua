-- Some keys of the server that has a key: KEYS[1] that key, ARGV cursor and pattern. Returns the next cursor and
-- the keys.
return redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', 1000)
