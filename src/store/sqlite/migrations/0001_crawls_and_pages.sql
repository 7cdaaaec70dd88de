-- What a crawl brought home. Times are epoch milliseconds, truth values 0 or 1, hashes hex.

CREATE TABLE crawls (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  -- Why it ended, in words, where the status alone does not say.
  note TEXT NOT NULL DEFAULT '',
  -- JSON array of URLs.
  seeds TEXT NOT NULL,
  -- JSON object of all crawl options.
  settings TEXT NOT NULL,
  -- JSON object: what the crawl is about, as it was built; NULL when it has no topic.
  topic TEXT,
  -- Keys this crawl's URL hashes.
  salt INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;

CREATE INDEX crawls_by_name ON crawls (name);

-- The text stands last: a reader of the other columns never has to walk past it.
CREATE TABLE pages (
  id INTEGER PRIMARY KEY,
  crawl_id INTEGER NOT NULL,
  url TEXT NOT NULL,
  canonical_url TEXT,
  status_code INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  charset TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  keywords TEXT NOT NULL,
  language TEXT NOT NULL,
  author TEXT NOT NULL,
  published_at INTEGER,
  kind TEXT NOT NULL,
  html5 INTEGER NOT NULL,
  hot INTEGER NOT NULL,
  relevance REAL,
  depth INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  truncated INTEGER NOT NULL,
  noindex INTEGER NOT NULL,
  content_hash TEXT NOT NULL,
  -- Id of the first page with the same content.
  duplicate_of INTEGER,
  fetched_at INTEGER NOT NULL,
  fetch_ms INTEGER NOT NULL,
  parse_ms REAL NOT NULL,
  etag TEXT NOT NULL,
  last_modified TEXT NOT NULL,
  -- JSON object: what the page says of itself beyond these columns, and how sure its kind is.
  about TEXT NOT NULL,
  -- Name and port, computed when asked for: costs nothing to store.
  host TEXT GENERATED ALWAYS AS (
    substr(url, instr(url, '//') + 2, instr(substr(url, instr(url, '//') + 2), '/') - 1)
  ) VIRTUAL,
  content_text TEXT NOT NULL,
  UNIQUE (crawl_id, url)
) STRICT;

CREATE INDEX pages_by_content ON pages (crawl_id, content_hash) WHERE duplicate_of IS NULL;
-- Holds the row ids too, so that one crawl's pages are read in order without a look at another's.
CREATE INDEX pages_by_crawl ON pages (crawl_id);

-- Totals, kept in the same transaction as the pages they count.
CREATE TABLE host_totals (
  crawl_id INTEGER NOT NULL,
  host TEXT NOT NULL,
  stored INTEGER NOT NULL,
  duplicates INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  -- Pages and duplicates that a topic judged, and hot pages, duplicates not counted.
  judged INTEGER NOT NULL,
  hot INTEGER NOT NULL,
  PRIMARY KEY (crawl_id, host)
) STRICT, WITHOUT ROWID;

-- Receipts the frontier has not acknowledged: see src/store/page-store.ts.
CREATE TABLE undelivered (
  page_id INTEGER PRIMARY KEY,
  url_id INTEGER NOT NULL,
  crawl_id INTEGER NOT NULL,
  receipt BLOB NOT NULL
) STRICT;

-- The parts of a page, each a JSON array as the parser wrote it; NULL when the crawl leaves it out.
-- Read them through the views below.
CREATE TABLE page_parts (
  page_id INTEGER PRIMARY KEY,
  links TEXT,
  images TEXT,
  tables TEXT,
  forms TEXT,
  lists TEXT,
  scripts TEXT,
  styles TEXT
) STRICT;

-- The decoded body, compressed with zstd, of crawls that keep HTML.
CREATE TABLE page_html (
  page_id INTEGER PRIMARY KEY,
  html BLOB NOT NULL
) STRICT;

-- How important the pages of a crawl are, as of its end; duplicates have none of their own.
CREATE TABLE page_importance (
  page_id INTEGER PRIMARY KEY,
  crawl_id INTEGER NOT NULL,
  -- 0 to 1: the page's relevance; NULL where no topic judged it.
  similarity REAL,
  -- Other stored pages of the crawl that link here.
  backlinks INTEGER NOT NULL,
  -- Sums to 1 over the crawl.
  pagerank REAL NOT NULL,
  -- 0 to 1, by the URL alone.
  location REAL NOT NULL,
  -- 0 to 1: the four of them on one scale and weighed as the crawl says (src/graph/importance.ts).
  importance REAL NOT NULL
) STRICT;

CREATE INDEX page_importance_best ON page_importance (crawl_id, importance DESC, page_id);

-- Positions count from 0, in the order of the page. What stands where in a row of a part is said in
-- src/core/part-columns.ts.

-- `context`: the words around the link, an ellipsis in the place of its anchor text.
CREATE VIEW page_links (page_id, url, anchor, rel, context, position) AS
SELECT page_id, value ->> 0, value ->> 1, value ->> 2, coalesce(value ->> 3, ''), key
FROM page_parts, json_each(links);

-- `best`: the largest version on offer, where that is not `src`.
CREATE VIEW page_images (page_id, src, alt, width, height, best, position) AS
SELECT page_id, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, key
FROM page_parts, json_each(images);

-- `headers`: JSON array of texts. `rows`: JSON array of such arrays.
CREATE VIEW page_tables (page_id, position, caption, headers, rows) AS
SELECT page_id, key, value ->> 'caption', value ->> 'headers', value ->> 'rows'
FROM page_parts, json_each(tables);

-- `fields`: JSON array of objects with name, type, and where they have them label, required, options.
CREATE VIEW page_forms (page_id, position, action, method, fields) AS
SELECT page_id, key, value ->> 'action', value ->> 'method', value ->> 'fields'
FROM page_parts, json_each(forms);

-- `kind`: ul, ol or dl. `links`: 1 for a list of links. `entries`: JSON array of texts; for dl of
-- arrays, each a term and what is said about it.
CREATE VIEW page_lists (page_id, position, kind, depth, links, entries) AS
SELECT page_id, key, value ->> 0, value ->> 1, value ->> 2, value ->> 3
FROM page_parts, json_each(lists);

-- `load`: async or defer. `length`: of a script in the page, in bytes. `text`: of JSON-LD only.
CREATE VIEW page_scripts (page_id, position, src, type, load, length, text) AS
SELECT page_id, key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
FROM page_parts, json_each(scripts);

CREATE VIEW page_styles (page_id, position, href, media, length) AS
SELECT page_id, key, value ->> 0, value ->> 1, value ->> 2
FROM page_parts, json_each(styles);
