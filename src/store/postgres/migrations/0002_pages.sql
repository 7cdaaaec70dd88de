-- What crawls brought home, for many writers at once. Names and columns are those of the store in SQLite
-- (migrations/store). Times are epoch milliseconds, truth values 0 or 1, hashes hex. Text that is
-- compared or sorted is so by its bytes (collation C), as there.
--
-- Who locks what, always in this order, so that nobody waits in a circle:
--   1. its own row of `writers`: by `last_save` it knows whether a commit held whose answer was lost;
--   2. the crawl's row of `crawl_counts`: who writes pages of a crawl, or their totals, holds it to the
--      end. So limits are exact, duplicates are decided once, and ids of a crawl's pages become visible
--      in their order. Pages of different crawls are written at the same time;
--   3. the row of `page_log`, last and just before the commit, by who tells of changes: so cursors become
--      visible in their order over all crawls, and who reads on after one misses none.
-- Tables that are partitioned have one partition for each crawl, made by `make_partitions` and dropped
-- when the crawl is swept. No index of theirs begins with `crawl_id`: within a partition it tells nothing.

-- Pages of a crawl that are stored, duplicates not counted, and the hot ones among them: the sums of
-- `host_totals`, changed together with it. Its row is the lock of a crawl, see above.
CREATE TABLE crawl_counts (
  crawl_id bigint PRIMARY KEY,
  stored bigint NOT NULL DEFAULT 0,
  hot bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- The text stands last: a reader of the other columns never has to walk past it.
CREATE TABLE pages (
  id bigint NOT NULL,
  crawl_id bigint NOT NULL,
  url text COLLATE "C" NOT NULL,
  canonical_url text COLLATE "C",
  status_code integer NOT NULL,
  content_type text COLLATE "C" NOT NULL,
  charset text COLLATE "C" NOT NULL,
  title text COLLATE "C" NOT NULL,
  description text NOT NULL,
  keywords text NOT NULL,
  language text COLLATE "C" NOT NULL,
  author text NOT NULL,
  published_at bigint,
  kind text COLLATE "C" NOT NULL,
  html5 smallint NOT NULL,
  hot smallint NOT NULL,
  relevance double precision,
  depth integer NOT NULL,
  size_bytes bigint NOT NULL,
  truncated smallint NOT NULL,
  noindex smallint NOT NULL,
  content_hash text COLLATE "C" NOT NULL,
  -- Id of the first page with the same content.
  duplicate_of bigint,
  fetched_at bigint NOT NULL,
  fetch_ms bigint NOT NULL,
  parse_ms double precision NOT NULL,
  etag text NOT NULL,
  last_modified text NOT NULL,
  -- JSON object: what the page says of itself beyond these columns, and how sure its kind is.
  about text NOT NULL,
  -- Name and port.
  host text COLLATE "C" GENERATED ALWAYS AS (split_part(url, '/', 3)) STORED,
  content_text text NOT NULL,
  PRIMARY KEY (id, crawl_id)
) PARTITION BY LIST (crawl_id);

-- By a hash: URLs may be longer than an entry of a tree may be, and these entries take 16 bytes. Who
-- writes holds the crawl's lock and has looked before, so no two rows have one URL.
CREATE INDEX pages_by_url ON pages (hashtextextended(url, 0));
CREATE INDEX pages_by_content ON pages (content_hash) WHERE duplicate_of IS NULL;
CREATE INDEX pages_by_first ON pages (duplicate_of) WHERE duplicate_of IS NOT NULL;

-- Ids are never given twice. Those of one batch follow each other.
CREATE SEQUENCE page_id MAXVALUE 9007199254740991;

-- To which crawl an id belongs: the row with the largest `first_id` that is not above it.
CREATE TABLE page_batches (
  first_id bigint PRIMARY KEY,
  crawl_id bigint NOT NULL
);

-- The first of `pages` ids in a row. Only to be called by who holds the lock of the crawl.
CREATE FUNCTION take_page_ids(crawl bigint, pages bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  first bigint;
BEGIN
  -- Given back at once, unlike a row's lock: other crawls wait for nobody's commit.
  PERFORM pg_advisory_lock(hashtextextended('jelajah page ids', 0));
  BEGIN
    first := nextval('page_id');
    IF pages > 1 THEN PERFORM setval('page_id', first + pages - 1); END IF;
  EXCEPTION WHEN OTHERS THEN
    -- A rollback does not give it back.
    PERFORM pg_advisory_unlock(hashtextextended('jelajah page ids', 0));
    RAISE;
  END;
  PERFORM pg_advisory_unlock(hashtextextended('jelajah page ids', 0));
  INSERT INTO page_batches (first_id, crawl_id) VALUES (first, crawl);
  RETURN first;
END
$$;

-- The crawl of a page; NULL when there never was one of that id. A condition
-- `crawl_id = crawl_of_page(…)` spares looking through the partitions of all crawls.
CREATE FUNCTION crawl_of_page(page bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT crawl_id FROM page_batches WHERE first_id <= page ORDER BY first_id DESC LIMIT 1
$$;

-- Totals, kept in the same transaction as the pages they count.
CREATE TABLE host_totals (
  crawl_id bigint NOT NULL,
  host text COLLATE "C" NOT NULL,
  stored bigint NOT NULL,
  duplicates bigint NOT NULL,
  bytes bigint NOT NULL,
  -- Pages and duplicates that a topic judged, and hot pages, duplicates not counted.
  judged bigint NOT NULL,
  hot bigint NOT NULL,
  PRIMARY KEY (crawl_id, host)
) WITH (fillfactor = 80);

-- Who writes pages, and when it last gave a sign of life. `last_save`: number of its last batch.
CREATE TABLE writers (
  id text COLLATE "C" PRIMARY KEY,
  seen_at bigint NOT NULL,
  last_save bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Receipts the frontier has not acknowledged: see src/store/page-store.ts.
CREATE TABLE undelivered (
  page_id bigint PRIMARY KEY,
  url_id bigint NOT NULL,
  crawl_id bigint NOT NULL,
  receipt bytea NOT NULL,
  -- The round a receipt is of.
  round integer NOT NULL DEFAULT 0,
  -- unchanged; or what became of the URL of a page that is gone: failed, refused or redirected. '':
  -- stored or a duplicate, as its page says.
  outcome text NOT NULL DEFAULT '',
  -- Of failed and refused.
  reason text NOT NULL DEFAULT '',
  -- JSON array: URLs of duplicates that had to find another page to repeat, or are pages of their own.
  moved text,
  -- The writer that delivers it. Others do when it is not seen any more.
  holder text COLLATE "C" NOT NULL
);

CREATE INDEX undelivered_by_crawl ON undelivered (crawl_id);

-- The parts of a page, each a JSON array as the parser wrote it; NULL when the crawl leaves it out.
-- Read them through the views below.
CREATE TABLE page_parts (
  page_id bigint NOT NULL,
  crawl_id bigint NOT NULL,
  links text,
  images text,
  tables text,
  forms text,
  lists text,
  scripts text,
  styles text,
  PRIMARY KEY (page_id, crawl_id)
) PARTITION BY LIST (crawl_id);

-- The decoded body, compressed with zstd, of crawls that keep HTML.
CREATE TABLE page_html (
  page_id bigint NOT NULL,
  crawl_id bigint NOT NULL,
  html bytea NOT NULL,
  PRIMARY KEY (page_id, crawl_id)
) PARTITION BY LIST (crawl_id);

-- Compressed already.
ALTER TABLE page_html ALTER COLUMN html SET STORAGE EXTERNAL;

-- How important the pages of a crawl are, as of its end; duplicates have none of their own.
CREATE TABLE page_importance (
  page_id bigint NOT NULL,
  crawl_id bigint NOT NULL,
  -- 0 to 1: the page's relevance; NULL where no topic judged it.
  similarity double precision,
  -- Other stored pages of the crawl that link here.
  backlinks bigint NOT NULL,
  -- Sums to 1 over the crawl.
  pagerank double precision NOT NULL,
  -- 0 to 1, by the URL alone.
  location double precision NOT NULL,
  -- 0 to 1: the four of them on one scale and weighed as the crawl says (src/graph/importance.ts).
  importance double precision NOT NULL,
  PRIMARY KEY (page_id, crawl_id)
) PARTITION BY LIST (crawl_id);

CREATE INDEX page_importance_best ON page_importance (importance DESC, page_id);

-- Pages that were looked at again; those that are not here were fetched once.
CREATE TABLE page_checks (
  page_id bigint NOT NULL,
  crawl_id bigint NOT NULL,
  -- The last one that looked at it.
  round integer NOT NULL,
  checked_at bigint NOT NULL,
  checks bigint NOT NULL,
  changes bigint NOT NULL,
  -- How long it is taken to stay as it is.
  interval_ms double precision NOT NULL,
  -- What the interval is estimated from; older looks count less: src/core/change-rate.ts.
  seen double precision NOT NULL DEFAULT 0,
  seen_changed double precision NOT NULL DEFAULT 0,
  seen_ms double precision NOT NULL DEFAULT 0,
  PRIMARY KEY (page_id, crawl_id)
) PARTITION BY LIST (crawl_id);

-- What became of pages, in order, for whoever keeps something in step with them. Written in the
-- transaction of what it tells.
CREATE TABLE page_changes (
  cursor bigint PRIMARY KEY,
  crawl_id bigint NOT NULL,
  -- Of crawl-removed: 0.
  page_id bigint NOT NULL,
  -- add, change, delete or crawl-removed.
  change text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  -- Of delete, where the page cannot be asked any more: its URL and why it is gone. NULL otherwise.
  url text COLLATE "C",
  reason text
);

-- Which page a URL once had.
CREATE INDEX page_changes_gone ON page_changes (hashtextextended(url, 0)) WHERE change = 'delete';

-- One row. `last_cursor`: the largest that was given, none is given twice. `mark`: tells this store from
-- another one in its place.
CREATE TABLE page_log (
  last_cursor bigint NOT NULL,
  mark text NOT NULL
) WITH (fillfactor = 10);

INSERT INTO page_log (last_cursor, mark)
VALUES (0, substr(replace(gen_random_uuid()::text, '-', ''), 1, 16));

-- Text compresses as well with lz4 and much faster, where the server was built with it.
DO $$
BEGIN
  ALTER TABLE pages ALTER COLUMN content_text SET COMPRESSION lz4;
  ALTER TABLE undelivered ALTER COLUMN receipt SET COMPRESSION lz4;
  ALTER TABLE page_parts
    ALTER COLUMN links SET COMPRESSION lz4, ALTER COLUMN images SET COMPRESSION lz4,
    ALTER COLUMN tables SET COMPRESSION lz4, ALTER COLUMN forms SET COMPRESSION lz4,
    ALTER COLUMN lists SET COMPRESSION lz4, ALTER COLUMN scripts SET COMPRESSION lz4,
    ALTER COLUMN styles SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END
$$;

-- Makes the partition of a crawl in every partitioned table that has none for it yet. Attached, not
-- created in place: readers and writers of other crawls go on meanwhile.
CREATE FUNCTION make_partitions(crawl bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent name;
  part name;
BEGIN
  FOR parent IN
    SELECT relname FROM pg_partitioned_table JOIN pg_class ON pg_class.oid = partrelid
    WHERE relnamespace = current_schema()::regnamespace ORDER BY relname
  LOOP
    part := parent || '_' || crawl;
    CONTINUE WHEN to_regclass(quote_ident(part)) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', part, parent);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES IN (%s)', parent, part, crawl);
  END LOOP;
END
$$;

-- Positions count from 0, in the order of the page. What stands where in a row of a part is said in
-- src/core/part-columns.ts.

-- `context`: the words around the link, an ellipsis in the place of its anchor text.
CREATE VIEW page_links (page_id, url, anchor, rel, context, position) AS
SELECT page_id, value ->> 0, value ->> 1, value ->> 2, coalesce(value ->> 3, ''), nth - 1
FROM page_parts, json_array_elements(links::json) WITH ORDINALITY AS part (value, nth);

-- `best`: the largest version on offer, where that is not `src`.
CREATE VIEW page_images (page_id, src, alt, width, height, best, position) AS
SELECT page_id, value ->> 0, value ->> 1, (value ->> 2)::double precision,
  (value ->> 3)::double precision, value ->> 4, nth - 1
FROM page_parts, json_array_elements(images::json) WITH ORDINALITY AS part (value, nth);

-- `headers`: JSON array of texts. `rows`: JSON array of such arrays.
CREATE VIEW page_tables (page_id, position, caption, headers, rows) AS
SELECT page_id, nth - 1, value ->> 'caption', value ->> 'headers', value ->> 'rows'
FROM page_parts, json_array_elements(tables::json) WITH ORDINALITY AS part (value, nth);

-- `fields`: JSON array of objects with name, type, and where they have them label, required, options.
CREATE VIEW page_forms (page_id, position, action, method, fields) AS
SELECT page_id, nth - 1, value ->> 'action', value ->> 'method', value ->> 'fields'
FROM page_parts, json_array_elements(forms::json) WITH ORDINALITY AS part (value, nth);

-- `kind`: ul, ol or dl. `links`: 1 for a list of links. `entries`: JSON array of texts; for dl of
-- arrays, each a term and what is said about it.
CREATE VIEW page_lists (page_id, position, kind, depth, links, entries) AS
SELECT page_id, nth - 1, value ->> 0, (value ->> 1)::integer,
  CASE value ->> 2 WHEN 'true' THEN 1 WHEN 'false' THEN 0 END, value ->> 3
FROM page_parts, json_array_elements(lists::json) WITH ORDINALITY AS part (value, nth);

-- `load`: async or defer. `length`: of a script in the page, in bytes. `text`: of JSON-LD only.
CREATE VIEW page_scripts (page_id, position, src, type, load, length, text) AS
SELECT page_id, nth - 1, value ->> 0, value ->> 1, value ->> 2, (value ->> 3)::bigint, value ->> 4
FROM page_parts, json_array_elements(scripts::json) WITH ORDINALITY AS part (value, nth);

CREATE VIEW page_styles (page_id, position, href, media, length) AS
SELECT page_id, nth - 1, value ->> 0, value ->> 1, (value ->> 2)::bigint
FROM page_parts, json_array_elements(styles::json) WITH ORDINALITY AS part (value, nth);
