-- user_version 1
CREATE INDEX searched_pages_by_cluster ON searched_pages (cluster) WHERE cluster IS NOT NULL;
CREATE INDEX searched_pages_by_crawl ON searched_pages (crawl_id);
CREATE TABLE known_words (
  initial TEXT NOT NULL,
  length INTEGER NOT NULL,
  word TEXT NOT NULL,
  pages INTEGER NOT NULL,
  PRIMARY KEY (initial, length, word)
) STRICT, WITHOUT ROWID;
CREATE TABLE page_clusters (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  leader INTEGER NOT NULL
) STRICT;
CREATE TABLE page_sketches (
  id INTEGER PRIMARY KEY,
  sketch BLOB NOT NULL
) STRICT;
CREATE VIRTUAL TABLE page_words USING fts5 (
  title,
  title_stems,
  keywords,
  keywords_stems,
  description,
  description_stems,
  text,
  stems,
  url,
  url_stems,
  host,
  content = '',
  contentless_delete = 1,
  tokenize = "ascii tokenchars '''_'"
);
CREATE TABLE 'page_words_config' (
  k PRIMARY KEY,
  v
) WITHOUT ROWID;
CREATE TABLE 'page_words_data' (
  id INTEGER PRIMARY KEY,
  block BLOB
);
CREATE TABLE 'page_words_docsize' (
  id INTEGER PRIMARY KEY,
  sz BLOB,
  origin INTEGER
);
CREATE TABLE 'page_words_idx' (
  segid,
  term,
  pgno,
  PRIMARY KEY(segid, term)
) WITHOUT ROWID;
CREATE TABLE search_position (
  mark TEXT NOT NULL,
  cursor INTEGER NOT NULL
) STRICT;
CREATE TABLE search_version (
  version INTEGER NOT NULL
) STRICT;
CREATE TABLE searched_crawls (
  id INTEGER PRIMARY KEY,
  hot_mark TEXT NOT NULL DEFAULT '',
  rank_mark TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE searched_pages (
  id INTEGER PRIMARY KEY,
  crawl_id INTEGER NOT NULL,
  host TEXT NOT NULL,
  language TEXT NOT NULL,
  kind TEXT NOT NULL,
  hot INTEGER NOT NULL,
  fetched_at INTEGER NOT NULL,
  url_key INTEGER NOT NULL,
  cluster INTEGER,
  standing REAL NOT NULL DEFAULT 1
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
