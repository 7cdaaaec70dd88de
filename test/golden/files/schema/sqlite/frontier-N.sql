-- user_version 9
CREATE UNIQUE INDEX outbox_number ON outbox (to_partition, number);
CREATE INDEX revisit_queue ON revisit (origin_id, next_at, priority DESC);
CREATE INDEX url_pending ON url (state) WHERE state IN (1, 7, 8);
CREATE INDEX url_queue ON url (origin_id, priority DESC) WHERE state = 0;
CREATE TABLE crawl (
  crawl_id INTEGER PRIMARY KEY,
  salt INTEGER NOT NULL,
  judged_up_to INTEGER NOT NULL DEFAULT 0,
  ranked_at INTEGER NOT NULL DEFAULT 0,
  runs INTEGER NOT NULL DEFAULT 0,
  clean INTEGER NOT NULL DEFAULT 1,
  queued INTEGER NOT NULL DEFAULT 0,
  leased INTEGER NOT NULL DEFAULT 0,
  stored INTEGER NOT NULL DEFAULT 0,
  duplicate INTEGER NOT NULL DEFAULT 0,
  redirected INTEGER NOT NULL DEFAULT 0,
  refused INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  round INTEGER NOT NULL DEFAULT 0,
  outside INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE edge (
  from_id INTEGER PRIMARY KEY,
  step INTEGER NOT NULL,
  to_ids BLOB NOT NULL
) STRICT;
CREATE TABLE host (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  site TEXT NOT NULL,
  open_http INTEGER NOT NULL DEFAULT 0,
  open_https INTEGER NOT NULL DEFAULT 0,
  delayed INTEGER NOT NULL DEFAULT 0,
  stored INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  trouble TEXT NOT NULL DEFAULT '',
  own_delay_ms INTEGER NOT NULL DEFAULT 0,
  delay_ms INTEGER NOT NULL DEFAULT 0,
  rests_until INTEGER NOT NULL DEFAULT 0,
  requests INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  cpu_ms INTEGER NOT NULL DEFAULT 0,
  answered INTEGER NOT NULL DEFAULT 0,
  rest_ms INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE judgement (
  crawl_id INTEGER PRIMARY KEY,
  judged_by TEXT NOT NULL
) STRICT;
CREATE TABLE ordering (
  name TEXT PRIMARY KEY,
  state BLOB NOT NULL,
  saved_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  to_partition INTEGER NOT NULL,
  number INTEGER NOT NULL,
  body BLOB NOT NULL
) STRICT;
CREATE TABLE ownership (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  owner TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  released INTEGER NOT NULL,
  summary TEXT NOT NULL
) STRICT;
CREATE TABLE parked (
  name TEXT PRIMARY KEY,
  id INTEGER NOT NULL,
  facts TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE received (
  from_partition INTEGER PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE revisit (
  url_id INTEGER PRIMARY KEY,
  origin_id INTEGER NOT NULL,
  priority REAL NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER,
  etag TEXT NOT NULL DEFAULT '',
  last_modified TEXT NOT NULL DEFAULT '',
  content_hash TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE robots (
  origin TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  body TEXT NOT NULL,
  fetched_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  sitemaps TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE seen (
  first_id INTEGER PRIMARY KEY,
  hashes BLOB NOT NULL,
  facts BLOB NOT NULL
) STRICT;
CREATE TABLE sent (
  to_partition INTEGER PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE sitemap (
  id INTEGER PRIMARY KEY,
  origin_id INTEGER NOT NULL,
  url TEXT NOT NULL UNIQUE,
  level INTEGER NOT NULL,
  hops INTEGER NOT NULL,
  state INTEGER NOT NULL,
  reason TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER,
  entries INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  brought INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE taken (
  from_partition INTEGER PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE template (
  host_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  debt INTEGER NOT NULL,
  streak INTEGER NOT NULL,
  likes BLOB,
  pairs BLOB,
  PRIMARY KEY (host_id, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE url (
  id INTEGER PRIMARY KEY,
  origin_id INTEGER NOT NULL,
  url TEXT NOT NULL,
  state INTEGER NOT NULL,
  reason TEXT NOT NULL,
  depth INTEGER NOT NULL,
  hops INTEGER NOT NULL,
  found_on INTEGER,
  via INTEGER NOT NULL,
  found_at INTEGER NOT NULL,
  in_links INTEGER NOT NULL,
  signals BLOB,
  priority REAL NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER
) STRICT;
CREATE VIEW hosts AS SELECT crawl.crawl_id, h.name AS host, h.site, h.open_http + h.open_https + h.delayed - coalesce(l.leased, 0) AS queued, coalesce(l.leased, 0) AS in_flight, h.stored, h.failures, h.trouble, h.delay_ms, h.rests_until FROM crawl, host h LEFT JOIN ( SELECT origin_id / 2 AS host_id, count(*) AS leased FROM url WHERE state IN (1, 7, 8) AND state = 1 GROUP BY 1 ) l ON l.host_id = h.id;
CREATE VIEW urls AS SELECT crawl.crawl_id, u.url, substr(u.url, instr(u.url, '//') + 2, instr(substr(u.url, instr(u.url, '//') + 2), '/') - 1) AS host, CASE u.state WHEN 0 THEN 'queued' WHEN 1 THEN 'leased' WHEN 2 THEN 'stored' WHEN 3 THEN 'duplicate' WHEN 4 THEN 'redirected' WHEN 5 THEN 'refused' WHEN 6 THEN 'failed' WHEN 7 THEN 'queued' ELSE 'refused' END AS state, u.reason, u.depth, CASE WHEN u.found_on > 0 THEN (SELECT p.url FROM url p WHERE p.id = u.found_on) WHEN u.found_on < 0 THEN (SELECT s.url FROM sitemap s WHERE s.id = -u.found_on) END AS found_on, u.priority, u.tries, u.next_at FROM url u, crawl;
