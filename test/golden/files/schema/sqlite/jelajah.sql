-- user_version 18
CREATE INDEX best_pages_worst ON best_pages (crawl_id, worth, page_id);
CREATE INDEX crawl_events_by_crawl ON crawl_events (crawl_id, id);
CREATE INDEX crawls_by_name ON crawls (name);
CREATE INDEX crawls_by_status ON crawls (status, id);
CREATE INDEX page_changes_gone ON page_changes (url) WHERE change = 'delete';
CREATE INDEX page_importance_best ON page_importance (crawl_id, importance DESC, page_id);
CREATE INDEX pages_by_content ON pages (crawl_id, content_hash) WHERE duplicate_of IS NULL;
CREATE INDEX pages_by_crawl ON pages (crawl_id);
CREATE INDEX pages_by_first ON pages (duplicate_of) WHERE duplicate_of IS NOT NULL;
CREATE INDEX pages_truncated ON pages (crawl_id) WHERE truncated = 1 AND duplicate_of IS NULL;
CREATE INDEX webhook_deliveries_by_crawl ON webhook_deliveries (crawl_id, seq);
CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (next_at, seq) WHERE next_at IS NOT NULL;
CREATE TABLE best_pages (
  page_id INTEGER PRIMARY KEY,
  crawl_id INTEGER NOT NULL,
  fixed REAL NOT NULL,
  worth REAL NOT NULL
) STRICT;
CREATE TABLE clusters (
  crawl_id INTEGER NOT NULL,
  id INTEGER NOT NULL,
  terms TEXT NOT NULL,
  size INTEGER NOT NULL,
  cohesion REAL NOT NULL,
  PRIMARY KEY (crawl_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE crawl_counts (
  crawl_id INTEGER PRIMARY KEY,
  stored INTEGER NOT NULL,
  hot INTEGER NOT NULL
) STRICT;
CREATE TABLE crawl_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  crawl_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE TABLE crawl_history (
  crawl_id INTEGER PRIMARY KEY,
  samples TEXT NOT NULL
) STRICT;
CREATE TABLE crawl_orders (
  crawl_id INTEGER PRIMARY KEY,
  key TEXT UNIQUE,
  fingerprint TEXT NOT NULL,
  topic_request TEXT NOT NULL
) STRICT;
CREATE TABLE crawl_rounds (
  crawl_id INTEGER NOT NULL,
  round INTEGER NOT NULL,
  due INTEGER NOT NULL,
  began_at INTEGER NOT NULL,
  ended_at INTEGER,
  after_page INTEGER NOT NULL,
  added INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL DEFAULT 0,
  gone INTEGER NOT NULL DEFAULT 0,
  unchanged INTEGER NOT NULL DEFAULT 0,
  not_due INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (crawl_id, round)
) STRICT, WITHOUT ROWID;
CREATE TABLE crawl_runs (
  crawl_id INTEGER NOT NULL,
  run INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  settings TEXT NOT NULL,
  topic_fingerprint TEXT,
  PRIMARY KEY (crawl_id, run)
) STRICT, WITHOUT ROWID;
CREATE TABLE crawl_topics (
  crawl_id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  topic TEXT NOT NULL
) STRICT;
CREATE TABLE crawls (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  seeds TEXT NOT NULL,
  settings TEXT NOT NULL,
  salt INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  origin TEXT NOT NULL DEFAULT 'cli',
  run_by TEXT NOT NULL DEFAULT 'cli',
  ran_ms INTEGER NOT NULL DEFAULT 0,
  round INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE dropped_pages (
  crawl_id INTEGER PRIMARY KEY,
  pages INTEGER NOT NULL
) STRICT;
CREATE TABLE host_totals (
  crawl_id INTEGER NOT NULL,
  host TEXT NOT NULL,
  stored INTEGER NOT NULL,
  duplicates INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  judged INTEGER NOT NULL,
  hot INTEGER NOT NULL,
  PRIMARY KEY (crawl_id, host)
) STRICT, WITHOUT ROWID;
CREATE TABLE linked_urls (
  crawl_id INTEGER NOT NULL,
  url TEXT NOT NULL,
  links INTEGER NOT NULL,
  PRIMARY KEY (crawl_id, url)
) STRICT, WITHOUT ROWID;
CREATE TABLE page_changes (
  cursor INTEGER PRIMARY KEY AUTOINCREMENT,
  crawl_id INTEGER NOT NULL,
  page_id INTEGER NOT NULL,
  change TEXT NOT NULL,
  at INTEGER NOT NULL,
  url TEXT,
  reason TEXT
) STRICT;
CREATE TABLE page_checks (
  page_id INTEGER PRIMARY KEY,
  crawl_id INTEGER NOT NULL,
  round INTEGER NOT NULL,
  checked_at INTEGER NOT NULL,
  checks INTEGER NOT NULL,
  changes INTEGER NOT NULL,
  interval_ms INTEGER NOT NULL,
  seen REAL NOT NULL DEFAULT 0,
  seen_changed REAL NOT NULL DEFAULT 0,
  seen_ms REAL NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE page_clusters (
  crawl_id INTEGER NOT NULL,
  page_id INTEGER NOT NULL,
  cluster INTEGER NOT NULL,
  score REAL NOT NULL,
  terms TEXT NOT NULL,
  PRIMARY KEY (crawl_id, page_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE page_html (
  page_id INTEGER PRIMARY KEY,
  html BLOB NOT NULL
) STRICT;
CREATE TABLE page_ids (
  last INTEGER NOT NULL,
  mark TEXT NOT NULL
) STRICT;
CREATE TABLE page_importance (
  page_id INTEGER PRIMARY KEY,
  crawl_id INTEGER NOT NULL,
  similarity REAL,
  backlinks INTEGER NOT NULL,
  pagerank REAL NOT NULL,
  location REAL NOT NULL,
  importance REAL NOT NULL
) STRICT;
CREATE TABLE page_parts (
  page_id INTEGER PRIMARY KEY,
  links TEXT,
  images TEXT,
  tables TEXT,
  forms TEXT,
  lists TEXT,
  scripts TEXT,
  styles TEXT,
  fields TEXT
) STRICT;
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
  duplicate_of INTEGER,
  fetched_at INTEGER NOT NULL,
  fetch_ms INTEGER NOT NULL,
  parse_ms REAL NOT NULL,
  etag TEXT NOT NULL,
  last_modified TEXT NOT NULL,
  about TEXT NOT NULL,
  host TEXT GENERATED ALWAYS AS (substr(url, instr(url, '//') + 2, instr(substr(url, instr(url, '//') + 2), '/') - 1) ) VIRTUAL,
  content_text TEXT NOT NULL,
  published_day TEXT GENERATED ALWAYS AS (CASE WHEN published_at IS NOT NULL THEN coalesce(CASE WHEN json_valid(about) THEN json_extract(about, '$.published_day') END, date(published_at / 1000.0, 'unixepoch') ) END) VIRTUAL,
  markdown TEXT NOT NULL DEFAULT '',
  UNIQUE (crawl_id, url)
) STRICT;
CREATE TABLE removed_crawls (
  crawl_id INTEGER PRIMARY KEY,
  swept_to INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE saved_searches (
  name TEXT PRIMARY KEY,
  request TEXT NOT NULL,
  saved_at INTEGER NOT NULL,
  seen INTEGER NOT NULL,
  seen_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE sqlite_sequence (
  name,
  seq
);
CREATE TABLE undelivered (
  page_id INTEGER PRIMARY KEY,
  url_id INTEGER NOT NULL,
  crawl_id INTEGER NOT NULL,
  receipt BLOB NOT NULL,
  round INTEGER NOT NULL DEFAULT 0,
  outcome TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '',
  moved TEXT,
  url TEXT NOT NULL DEFAULT '',
  holder INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE webhook_deliveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  crawl_id INTEGER NOT NULL,
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT,
  after_page INTEGER,
  up_to_page INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER,
  reason TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE webhook_events (
  told INTEGER NOT NULL
) STRICT;
CREATE TABLE webhook_pages (
  crawl_id INTEGER PRIMARY KEY,
  up_to INTEGER NOT NULL DEFAULT 0,
  open INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TRIGGER host_totals_added AFTER INSERT ON host_totals BEGIN INSERT INTO crawl_counts (crawl_id, stored, hot) VALUES (new.crawl_id, new.stored, new.hot) ON CONFLICT DO UPDATE SET stored = stored + excluded.stored, hot = hot + excluded.hot; END;
CREATE TRIGGER host_totals_changed AFTER UPDATE OF stored, hot ON host_totals BEGIN UPDATE crawl_counts SET stored = stored + new.stored - old.stored, hot = hot + new.hot - old.hot WHERE crawl_id = new.crawl_id; END;
CREATE TRIGGER host_totals_removed AFTER DELETE ON host_totals BEGIN UPDATE crawl_counts SET stored = stored - old.stored, hot = hot - old.hot WHERE crawl_id = old.crawl_id; DELETE FROM crawl_counts WHERE crawl_id = old.crawl_id AND stored = 0 AND NOT EXISTS (SELECT 1 FROM host_totals WHERE crawl_id = old.crawl_id); END;
CREATE VIEW page_fields (page_id, name, position, value, number) AS SELECT p.page_id, f.value ->> 0, v.key, CASE v.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE CAST(v.value AS TEXT) END, CASE WHEN v.type IN ('integer', 'real') THEN CAST(v.value AS REAL) END FROM page_parts p, json_each(p.fields) f, json_each(CASE WHEN f.value ->> 2 = 1 THEN f.value -> 1 ELSE json_array(f.value -> 1) END) v;
CREATE VIEW page_forms (page_id, position, action, method, fields) AS SELECT page_id, key, value ->> 'action', value ->> 'method', value ->> 'fields' FROM page_parts, json_each(forms);
CREATE VIEW page_images (page_id, src, alt, width, height, best, position) AS SELECT page_id, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, key FROM page_parts, json_each(images);
CREATE VIEW page_links (page_id, url, anchor, rel, context, position) AS SELECT page_id, value ->> 0, value ->> 1, value ->> 2, coalesce(value ->> 3, ''), key FROM page_parts, json_each(links);
CREATE VIEW page_lists (page_id, position, kind, depth, links, entries) AS SELECT page_id, key, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM page_parts, json_each(lists);
CREATE VIEW page_scripts (page_id, position, src, type, load, length, text) AS SELECT page_id, key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM page_parts, json_each(scripts);
CREATE VIEW page_styles (page_id, position, href, media, length, text) AS SELECT page_id, key, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM page_parts, json_each(styles);
CREATE VIEW page_tables (page_id, position, caption, headers, rows) AS SELECT page_id, key, value ->> 'caption', value ->> 'headers', value ->> 'rows' FROM page_parts, json_each(tables);
