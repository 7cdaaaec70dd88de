-- The frontier of one crawl: every URL it ever saw, its hosts, their robots.txt and sitemaps.
-- One process writes; any number may read. Public are the views `urls` and `hosts`; the tables
-- below them may change with any version.
--
-- url.state  0 queued    1 leased     2 stored   3 duplicate   4 redirected   5 refused   6 failed
--            7 queued, but not before next_at     8 refused as out of reach (its host or robots.txt)
-- url.origin_id  host id × 2, plus 1 for https; 0 for URLs that were never queued
-- url.found_on   id of the page; negative: of the sitemap; null: given from outside

CREATE TABLE crawl (
  crawl_id INTEGER PRIMARY KEY,
  -- The crawl's own salt: tells it from another crawl of the same number.
  salt INTEGER NOT NULL,
  -- The settings that URLs were scored and judged by, as a JSON array, the newest last; more than
  -- one while URLs are being judged again.
  judged_by TEXT NOT NULL DEFAULT '[]',
  -- The last url.id judged by the newest; 0: all are, or none yet.
  judged_up_to INTEGER NOT NULL DEFAULT 0,
  -- Pages that were fetched when the ordering last ranked the graph as a whole.
  ranked_at INTEGER NOT NULL DEFAULT 0,
  -- Times this file was opened: keeps lease tokens of different runs apart.
  runs INTEGER NOT NULL DEFAULT 0,
  -- 0 while a process has it open, and after that process was killed.
  clean INTEGER NOT NULL DEFAULT 1,
  queued INTEGER NOT NULL DEFAULT 0,
  leased INTEGER NOT NULL DEFAULT 0,
  stored INTEGER NOT NULL DEFAULT 0,
  duplicate INTEGER NOT NULL DEFAULT 0,
  redirected INTEGER NOT NULL DEFAULT 0,
  refused INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE host (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  site TEXT NOT NULL,
  -- Rows of url in state 0 or 1, by scheme.
  open_http INTEGER NOT NULL DEFAULT 0,
  open_https INTEGER NOT NULL DEFAULT 0,
  -- Rows of url in state 7.
  delayed INTEGER NOT NULL DEFAULT 0,
  stored INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  -- what the last of them was
  trouble TEXT NOT NULL DEFAULT '',
  -- The gap this host asked for or needs; 0: the job's own.
  own_delay_ms INTEGER NOT NULL DEFAULT 0,
  delay_ms INTEGER NOT NULL DEFAULT 0,
  rests_until INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE url (
  id INTEGER PRIMARY KEY,
  origin_id INTEGER NOT NULL,
  url TEXT NOT NULL,
  state INTEGER NOT NULL,
  reason TEXT NOT NULL,
  depth INTEGER NOT NULL,
  -- Redirects that led here.
  hops INTEGER NOT NULL,
  found_on INTEGER,
  -- Index into VIAS of core/link.ts.
  via INTEGER NOT NULL,
  -- Grows from page to page: the id of the first URL that was new on the page it was found on.
  found_at INTEGER NOT NULL,
  in_links INTEGER NOT NULL,
  -- What the ordering noted, as little-endian float64; null: nothing.
  signals BLOB,
  priority REAL NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER
) STRICT;

-- The queue of an origin, best first; the row id that ends every entry breaks ties by discovery.
CREATE INDEX url_queue ON url (origin_id, priority DESC) WHERE state = 0;
-- The few that opening the file must look at.
CREATE INDEX url_pending ON url (state) WHERE state IN (1, 7, 8);

-- The hash of every URL (8 bytes, little endian, low lane first) and what must be known of it at
-- once (2 bytes): the entry at position n belongs to url.id = first_id + n.
CREATE TABLE seen (
  first_id INTEGER PRIMARY KEY,
  hashes BLOB NOT NULL,
  facts BLOB NOT NULL
) STRICT;

-- Where pages lead (uint32 ids of url), kept only by crawls with a depth limit and under orderings
-- that rank the graph. `step` is 0 for a redirect, which does not count as a link.
CREATE TABLE edge (
  from_id INTEGER PRIMARY KEY,
  step INTEGER NOT NULL,
  to_ids BLOB NOT NULL
) STRICT;

-- What the crawl's ordering has learned, in its own words; at most one row.
CREATE TABLE ordering (
  name TEXT PRIMARY KEY,
  state BLOB NOT NULL,
  saved_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How many URLs of one shape a host was granted. `likes`: fingerprints (float64) of the last pages.
CREATE TABLE template (
  host_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  used INTEGER NOT NULL,
  likes BLOB,
  PRIMARY KEY (host_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE robots (
  origin TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  body TEXT NOT NULL,
  fetched_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  -- JSON array of URLs.
  sitemaps TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sitemap (
  id INTEGER PRIMARY KEY,
  origin_id INTEGER NOT NULL,
  url TEXT NOT NULL UNIQUE,
  -- 1 for those robots.txt names; one more for each index above it.
  level INTEGER NOT NULL,
  hops INTEGER NOT NULL,
  -- As in url: 0, 4, 5, 6, 7, 8; 2 means read.
  state INTEGER NOT NULL,
  reason TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER
) STRICT;

CREATE VIEW urls AS
SELECT
  crawl.crawl_id,
  u.url,
  substr(u.url, instr(u.url, '//') + 2,
    instr(substr(u.url, instr(u.url, '//') + 2), '/') - 1) AS host,
  CASE u.state
    WHEN 0 THEN 'queued' WHEN 1 THEN 'leased' WHEN 2 THEN 'stored' WHEN 3 THEN 'duplicate'
    WHEN 4 THEN 'redirected' WHEN 5 THEN 'refused' WHEN 6 THEN 'failed' WHEN 7 THEN 'queued'
    ELSE 'refused'
  END AS state,
  u.reason,
  u.depth,
  CASE
    WHEN u.found_on > 0 THEN (SELECT p.url FROM url p WHERE p.id = u.found_on)
    WHEN u.found_on < 0 THEN (SELECT s.url FROM sitemap s WHERE s.id = -u.found_on)
  END AS found_on,
  u.priority,
  u.tries,
  u.next_at
FROM url u, crawl;

CREATE VIEW hosts AS
SELECT
  crawl.crawl_id,
  h.name AS host,
  h.site,
  h.open_http + h.open_https + h.delayed - coalesce(l.leased, 0) AS queued,
  coalesce(l.leased, 0) AS in_flight,
  h.stored,
  h.failures,
  h.trouble,
  h.delay_ms,
  h.rests_until
FROM crawl, host h
LEFT JOIN (
  SELECT origin_id / 2 AS host_id, count(*) AS leased
  FROM url WHERE state IN (1, 7, 8) AND state = 1
  GROUP BY 1
) l ON l.host_id = h.id;
