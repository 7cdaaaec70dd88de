-- Some of the keys that match ARGV[2], from the cursor ARGV[1] on, about ARGV[3] looked at. KEYS[1] only
-- says on which node of a Cluster to look. Result: the next cursor, and keys.
return redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', ARGV[3])
