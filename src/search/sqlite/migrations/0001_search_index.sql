-- Words of pages, for full-text search. Made from jelajah.db, and made anew whenever it does not fit.

-- One row: by which rules words were cut (WORDS_VERSION in src/search/words.ts).
CREATE TABLE search_version (
  version INTEGER NOT NULL
) STRICT;

-- One row: up to where the changes of which store were read.
CREATE TABLE search_position (
  mark TEXT NOT NULL,
  cursor INTEGER NOT NULL
) STRICT;

INSERT INTO search_position (mark, cursor) VALUES ('', 0);

-- Crawls that have pages here.
CREATE TABLE searched_crawls (
  id INTEGER PRIMARY KEY,
  hot_mark TEXT NOT NULL DEFAULT '',
  rank_mark TEXT NOT NULL DEFAULT ''
) STRICT;

-- What matches are filtered by and counted by; ids are those of pages.
CREATE TABLE searched_pages (
  id INTEGER PRIMARY KEY,
  crawl_id INTEGER NOT NULL,
  host TEXT NOT NULL,
  -- Without script and region.
  language TEXT NOT NULL,
  kind TEXT NOT NULL,
  hot INTEGER NOT NULL,
  fetched_at INTEGER NOT NULL,
  -- The same for the same URL in several crawls.
  url_key INTEGER NOT NULL,
  -- Of near-duplicates, by number; NULL: like no other.
  cluster INTEGER,
  -- Its place in the link graph as scores take it (src/search/blend.ts); 1: as good as the mean.
  standing REAL NOT NULL DEFAULT 1
) STRICT;

CREATE INDEX searched_pages_by_crawl ON searched_pages (crawl_id);
CREATE INDEX searched_pages_by_cluster ON searched_pages (cluster) WHERE cluster IS NOT NULL;

-- Near-duplicates: two pages at least. `leader`: the page that the others are like.
CREATE TABLE page_clusters (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  leader INTEGER NOT NULL
) STRICT;

-- By which the likeness of two pages is told (src/search/sketch.ts); pages without text have none.
CREATE TABLE page_sketches (
  id INTEGER PRIMARY KEY,
  sketch BLOB NOT NULL
) STRICT;

-- Numbers by which a page is found that a new one may be like; only those that lead a cluster, or are
-- like no other.
CREATE TABLE sketch_bands (
  band INTEGER NOT NULL,
  page_id INTEGER NOT NULL,
  PRIMARY KEY (band, page_id)
) STRICT, WITHOUT ROWID;

-- Words that stand at the head of pages, for those that are misspelt. `pages`: about how many have it
-- there; pages that went still count.
CREATE TABLE known_words (
  initial TEXT NOT NULL,
  length INTEGER NOT NULL,
  word TEXT NOT NULL,
  pages INTEGER NOT NULL,
  PRIMARY KEY (initial, length, word)
) STRICT, WITHOUT ROWID;

-- Row ids are those of pages. No text is kept: less than half the size. Words
-- come cut and folded, so all that is not ASCII is part of one, and an apostrophe may be, too; the
-- low line sets a stem apart from its language. Order of columns: src/search/page-columns.ts.
CREATE VIRTUAL TABLE page_words USING fts5 (
  title, title_stems, keywords, keywords_stems, description, description_stems, text, stems,
  url, url_stems, host,
  content = '', contentless_delete = 1,
  tokenize = "ascii tokenchars '''_'"
);
