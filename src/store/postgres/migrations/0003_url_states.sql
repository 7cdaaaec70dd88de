-- What crawls of earlier versions, whose frontiers were in Redis, copied here for readers. Public are the views
-- `urls` and `hosts`; the tables below them may change with any version.
--
-- url_states.state  0 queued   1 leased   2 stored   3 duplicate   4 redirected   5 refused   6 failed
--                   8 refused as out of reach (its host or robots.txt)

CREATE TABLE url_states (
  crawl_id bigint NOT NULL,
  -- The URL's id in the frontier; they grow in order of discovery.
  position bigint NOT NULL,
  url text COLLATE "C" NOT NULL,
  state smallint NOT NULL,
  -- Index into VIAS of core/link.ts.
  via smallint NOT NULL,
  -- Redirects that led here.
  hops smallint NOT NULL,
  depth integer NOT NULL,
  tries integer NOT NULL,
  in_links bigint NOT NULL,
  -- The page that named it first, by its position; NULL: none did.
  found_on bigint,
  found_at bigint NOT NULL,
  priority double precision NOT NULL,
  next_at bigint,
  reason text NOT NULL,
  -- The sitemap that named it first.
  found_in text COLLATE "C",
  -- What the ordering noted, as little-endian float64; NULL: nothing.
  signals bytea,
  PRIMARY KEY (crawl_id, position)
) PARTITION BY LIST (crawl_id);

CREATE TABLE host_states (
  crawl_id bigint NOT NULL,
  host text COLLATE "C" NOT NULL,
  site text COLLATE "C" NOT NULL,
  queued bigint NOT NULL,
  in_flight bigint NOT NULL,
  stored bigint NOT NULL,
  failures bigint NOT NULL,
  trouble text NOT NULL,
  -- The gap this host asked for or needs; 0: the job's own.
  own_delay_ms bigint NOT NULL,
  delay_ms bigint NOT NULL,
  rests_until bigint NOT NULL,
  PRIMARY KEY (crawl_id, host)
) PARTITION BY LIST (crawl_id);

-- Things of a frontier as a whole, in its own words.
CREATE TABLE frontier_notes (
  crawl_id bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (crawl_id, name)
) PARTITION BY LIST (crawl_id);

CREATE VIEW urls AS
SELECT
  u.crawl_id,
  u.url,
  split_part(u.url, '/', 3) AS host,
  (ARRAY['queued', 'leased', 'stored', 'duplicate', 'redirected', 'refused', 'failed', 'queued',
    'refused'])[u.state + 1] AS state,
  u.reason,
  u.depth,
  coalesce(u.found_in, (
    SELECT p.url FROM url_states p WHERE p.crawl_id = u.crawl_id AND p.position = u.found_on
  )) AS found_on,
  u.priority,
  u.tries,
  u.next_at
FROM url_states u;

CREATE VIEW hosts AS
SELECT crawl_id, host, site, queued, in_flight, stored, failures, trouble, delay_ms, rests_until
FROM host_states;

-- Crawls that were made before these tables were.
DO $$
DECLARE
  crawl bigint;
BEGIN
  FOR crawl IN SELECT id FROM crawls LOOP PERFORM make_partitions(crawl); END LOOP;
END
$$;
