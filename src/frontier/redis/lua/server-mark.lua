-- The mark of the server's epoch, for the crawl whose `meta` is KEYS[1]; another one after every restart.
return redis.call('HGET', KEYS[1], 'epoch') or '0'
