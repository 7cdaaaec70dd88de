-- The rows of frontiers whose partitions belong to programs: src/frontier/storage.ts. Public are the views
-- `urls` and `hosts`; the tables below them may change with any version. Columns have the names and meaning
-- of the frontier in SQLite (src/frontier/sqlite/migrations). Crawls of before get their partitions of these
-- tables when their frontier is divided.
--
-- Who writes rows of a partition first locks its row of `frontier_partitions`, and so does who claims it: the
-- epoch it finds there is the fence. Rows are written whole, so most updates change nothing that an index
-- has: `fillfactor` leaves them room on their page.

CREATE TABLE frontier_crawls (
  crawl_id bigint PRIMARY KEY,
  -- Tells the crawl from another one of the same number.
  salt bigint NOT NULL,
  partitions integer NOT NULL
);

CREATE TABLE frontier_partitions (
  crawl_id bigint NOT NULL,
  partition smallint NOT NULL,
  -- '': nobody since it was released. One that is not alive by `frontier_owners` has lost it.
  owner text COLLATE "C" NOT NULL DEFAULT '',
  -- Grows with every claim.
  epoch bigint NOT NULL DEFAULT 0,
  -- The last epoch whose owner released it.
  released_epoch bigint NOT NULL DEFAULT 0,
  -- The number of the owner's last batch: one that arrives again, or late, changes nothing.
  written bigint NOT NULL DEFAULT 0,
  -- What all programs see of it, in their own words.
  summary text NOT NULL DEFAULT '',
  PRIMARY KEY (crawl_id, partition)
) WITH (fillfactor = 50);

-- Programs that work on a crawl, and until when they count as alive, by this server's clock.
CREATE TABLE frontier_owners (
  crawl_id bigint NOT NULL,
  owner text COLLATE "C" NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (crawl_id, owner)
) WITH (fillfactor = 50);

-- The widest columns first: no space is lost between them.
CREATE TABLE frontier_urls (
  crawl_id bigint NOT NULL,
  id bigint NOT NULL,
  -- The number of the page over all partitions; negative: of the sitemap; NULL: given from outside.
  found_on bigint,
  found_at bigint NOT NULL,
  in_links bigint NOT NULL,
  priority double precision NOT NULL,
  next_at bigint,
  origin_id integer NOT NULL,
  depth integer NOT NULL,
  tries integer NOT NULL,
  partition smallint NOT NULL,
  state smallint NOT NULL,
  hops smallint NOT NULL,
  via smallint NOT NULL,
  url text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  signals bytea,
  PRIMARY KEY (partition, id, crawl_id)
) PARTITION BY LIST (crawl_id);

-- By a hash, as in `pages`.
CREATE INDEX frontier_urls_by_url ON frontier_urls (hashtextextended(url, 0));

CREATE TABLE frontier_hosts (
  crawl_id bigint NOT NULL,
  id bigint NOT NULL,
  open_http bigint NOT NULL,
  open_https bigint NOT NULL,
  delayed bigint NOT NULL,
  stored bigint NOT NULL,
  failures bigint NOT NULL,
  own_delay_ms bigint NOT NULL,
  delay_ms bigint NOT NULL,
  rests_until bigint NOT NULL,
  requests bigint NOT NULL,
  bytes bigint NOT NULL,
  cpu_ms bigint NOT NULL,
  rest_ms bigint NOT NULL,
  partition smallint NOT NULL,
  answered smallint NOT NULL,
  name text COLLATE "C" NOT NULL,
  site text COLLATE "C" NOT NULL,
  trouble text NOT NULL,
  PRIMARY KEY (partition, id, crawl_id)
) PARTITION BY LIST (crawl_id);

-- Rows of the other tables. A key is a number, a text, or both; what is missing is 0 or ''. A long text is
-- cut, and has its hash at the end.
CREATE TABLE frontier_rows (
  crawl_id bigint NOT NULL,
  key_number bigint NOT NULL,
  partition smallint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  key_text text COLLATE "C" NOT NULL,
  -- JSON array of all columns, the key included; bytes are an array of one text in base64.
  "values" text NOT NULL,
  PRIMARY KEY (partition, kind, key_number, key_text, crawl_id)
) PARTITION BY LIST (crawl_id);

-- What partitions tell each other, until it is taken.
CREATE TABLE frontier_messages (
  crawl_id bigint NOT NULL,
  number bigint NOT NULL,
  to_partition smallint NOT NULL,
  from_partition smallint NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (to_partition, from_partition, number, crawl_id)
) PARTITION BY LIST (crawl_id);

DO $$
BEGIN
  ALTER TABLE frontier_rows ALTER COLUMN "values" SET COMPRESSION lz4;
  ALTER TABLE frontier_messages ALTER COLUMN body SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END
$$;

-- As before; partitions of tables whose rows are updated in place get room for that.
CREATE OR REPLACE FUNCTION make_partitions(crawl bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent name;
  part name;
  room text;
BEGIN
  FOR parent IN
    SELECT relname FROM pg_partitioned_table JOIN pg_class ON pg_class.oid = partrelid
    WHERE relnamespace = current_schema()::regnamespace ORDER BY relname
  LOOP
    part := parent || '_' || crawl;
    CONTINUE WHEN to_regclass(quote_ident(part)) IS NOT NULL;
    room := CASE WHEN parent IN ('frontier_urls', 'frontier_hosts', 'frontier_rows')
      THEN ' WITH (fillfactor = 90)' ELSE '' END;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)%s', part, parent, room);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES IN (%s)', parent, part, crawl);
  END LOOP;
END
$$;

-- Empties all partitions of a frontier, and forgets it.
CREATE FUNCTION discard_frontier(crawl bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  part name;
BEGIN
  DELETE FROM frontier_partitions WHERE crawl_id = crawl;
  DELETE FROM frontier_owners WHERE crawl_id = crawl;
  DELETE FROM frontier_crawls WHERE crawl_id = crawl;
  FOR part IN
    SELECT parent || '_' || crawl
    FROM unnest(ARRAY['frontier_urls', 'frontier_hosts', 'frontier_rows', 'frontier_messages']) parent
    WHERE to_regclass(quote_ident(parent || '_' || crawl)) IS NOT NULL
  LOOP
    EXECUTE format('TRUNCATE %I', part);
  END LOOP;
END
$$;

CREATE OR REPLACE VIEW urls AS
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
FROM url_states u
UNION ALL
SELECT
  u.crawl_id,
  u.url,
  split_part(u.url, '/', 3),
  (ARRAY['queued', 'leased', 'stored', 'duplicate', 'redirected', 'refused', 'failed', 'queued',
    'refused'])[u.state + 1],
  u.reason,
  u.depth,
  CASE
    WHEN u.found_on > 0 THEN (
      SELECT p.url FROM frontier_urls p
      WHERE p.crawl_id = u.crawl_id AND p.partition = u.found_on % c.partitions
        AND p.id = u.found_on / c.partitions)
    WHEN u.found_on < 0 THEN (
      SELECT s."values"::json ->> 2 FROM frontier_rows s
      WHERE s.crawl_id = u.crawl_id AND s.partition = -u.found_on % c.partitions
        AND s.kind = 'sitemap' AND s.key_number = -u.found_on / c.partitions AND s.key_text = '')
  END,
  u.priority,
  u.tries,
  u.next_at
FROM frontier_urls u JOIN frontier_crawls c USING (crawl_id);

CREATE OR REPLACE VIEW hosts AS
SELECT crawl_id, host, site, queued, in_flight, stored, failures, trouble, delay_ms, rests_until
FROM host_states
UNION ALL
SELECT
  h.crawl_id,
  h.name,
  h.site,
  h.open_http + h.open_https + h.delayed - coalesce(l.leased, 0),
  coalesce(l.leased, 0),
  h.stored,
  h.failures,
  h.trouble,
  h.delay_ms,
  h.rests_until
FROM frontier_hosts h
LEFT JOIN (
  SELECT crawl_id, partition, origin_id / 2 AS host_id, count(*) AS leased
  FROM frontier_urls WHERE state = 1 GROUP BY 1, 2, 3
) l ON l.crawl_id = h.crawl_id AND l.partition = h.partition AND l.host_id = h.id;
