-- user_version 2
CREATE UNIQUE INDEX link_texts_by_target ON link_texts (target, from_host, text);
CREATE INDEX page_columns_by_change ON page_columns (changed);
CREATE INDEX searched_pages_by_cluster ON searched_pages (cluster) WHERE cluster IS NOT NULL;
CREATE INDEX searched_pages_by_crawl ON searched_pages (crawl_id);
CREATE INDEX searched_pages_by_link ON searched_pages (link_key);
CREATE UNIQUE INDEX term_blocks_by_term ON term_blocks (segment, first);
CREATE TABLE common_words (
  word TEXT NOT NULL,
  level INTEGER NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (word, level)
) STRICT, WITHOUT ROWID;
CREATE TABLE given_link_texts (
  page_id INTEGER PRIMARY KEY,
  texts BLOB NOT NULL
) STRICT;
CREATE TABLE known_words (
  initial TEXT NOT NULL,
  length INTEGER NOT NULL,
  word TEXT NOT NULL,
  pages INTEGER NOT NULL,
  PRIMARY KEY (initial, length, word)
) STRICT, WITHOUT ROWID;
CREATE TABLE link_texts (
  id INTEGER PRIMARY KEY,
  target INTEGER NOT NULL,
  from_host INTEGER NOT NULL,
  text TEXT NOT NULL,
  pages INTEGER NOT NULL
) STRICT;
CREATE TABLE page_clusters (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  leader INTEGER NOT NULL
) STRICT;
CREATE TABLE page_columns (
  key INTEGER PRIMARY KEY,
  changed INTEGER NOT NULL,
  bytes BLOB NOT NULL
) STRICT;
CREATE TABLE page_sketches (
  id INTEGER PRIMARY KEY,
  sketch BLOB NOT NULL
) STRICT;
CREATE TABLE search_position (
  mark TEXT NOT NULL,
  cursor INTEGER NOT NULL,
  pages INTEGER NOT NULL DEFAULT 0,
  length INTEGER NOT NULL DEFAULT 0,
  next_doc INTEGER NOT NULL DEFAULT 0,
  next_link INTEGER NOT NULL DEFAULT 1,
  gone INTEGER NOT NULL DEFAULT 0,
  batch INTEGER NOT NULL DEFAULT 0,
  beginning INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE search_version (
  version INTEGER NOT NULL
) STRICT;
CREATE TABLE searched_crawls (
  id INTEGER PRIMARY KEY,
  hot_mark TEXT NOT NULL DEFAULT '',
  rank_mark TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE searched_languages (
  language TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TABLE searched_pages (
  id INTEGER PRIMARY KEY,
  doc INTEGER NOT NULL,
  crawl_id INTEGER NOT NULL,
  length INTEGER NOT NULL,
  hot INTEGER NOT NULL,
  url_key INTEGER NOT NULL,
  link_key INTEGER NOT NULL,
  cluster INTEGER,
  standing REAL NOT NULL DEFAULT 1,
  title_words TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE segment_pieces (
  key INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;
CREATE TABLE segments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  base INTEGER NOT NULL,
  end_doc INTEGER NOT NULL,
  mean_length REAL NOT NULL,
  state TEXT NOT NULL,
  replaced_at INTEGER NOT NULL DEFAULT 0,
  sources TEXT NOT NULL,
  done TEXT NOT NULL DEFAULT '',
  written INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE shared_values (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  value TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE sketch_bands (
  band INTEGER NOT NULL,
  page_id INTEGER NOT NULL,
  PRIMARY KEY (band, page_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE sqlite_sequence (
  name,
  seq
);
CREATE TABLE term_blocks (
  id INTEGER PRIMARY KEY,
  segment INTEGER NOT NULL,
  first BLOB NOT NULL,
  at INTEGER NOT NULL,
  terms BLOB NOT NULL
) STRICT;
CREATE TABLE title_words (
  crawl_id INTEGER NOT NULL,
  prominence INTEGER NOT NULL,
  word TEXT NOT NULL,
  page_id INTEGER NOT NULL,
  PRIMARY KEY (crawl_id, prominence, word, page_id)
) STRICT, WITHOUT ROWID;
