-- Words of pages, for full-text search. Made from jelajah.db, and made anew whenever it does not fit.

-- One row: by which rules words were cut (WORDS_VERSION in src/search/words.ts).
CREATE TABLE search_version (
  version INTEGER NOT NULL
) STRICT;

-- One row: up to where the changes of which store were read, and what the index has.
CREATE TABLE search_position (
  mark TEXT NOT NULL,
  cursor INTEGER NOT NULL,
  -- Pages, and the sum of their words and stems.
  pages INTEGER NOT NULL DEFAULT 0,
  length INTEGER NOT NULL DEFAULT 0,
  -- The number of the next page, and how many below it went.
  next_doc INTEGER NOT NULL DEFAULT 0,
  -- The number of the next page whose texts of links are written.
  next_link INTEGER NOT NULL DEFAULT 1,
  gone INTEGER NOT NULL DEFAULT 0,
  -- How often something was written, and how often everything was removed.
  batch INTEGER NOT NULL DEFAULT 0,
  beginning INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO search_position (mark, cursor) VALUES ('', 0);

-- Crawls that have pages here.
CREATE TABLE searched_crawls (
  id INTEGER PRIMARY KEY,
  hot_mark TEXT NOT NULL DEFAULT '',
  rank_mark TEXT NOT NULL DEFAULT ''
) STRICT;

-- Languages that pages here had, without script and region: by their rules words of queries are looked up.
CREATE TABLE searched_languages (
  language TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- The pages of the index; ids are those of pages.
CREATE TABLE searched_pages (
  id INTEGER PRIMARY KEY,
  -- Its number in columns and postings. A page that comes again gets another.
  doc INTEGER NOT NULL,
  crawl_id INTEGER NOT NULL,
  -- Words and stems.
  length INTEGER NOT NULL,
  hot INTEGER NOT NULL,
  -- The same for the same URL in several crawls.
  url_key INTEGER NOT NULL,
  -- The same for all URLs to which links usually mean this page (src/search/link-texts.ts).
  link_key INTEGER NOT NULL,
  -- Of near-duplicates, by number; NULL: like no other.
  cluster INTEGER,
  -- Its place in the link graph as scores take it (src/search/blend.ts); 1: as good as the mean.
  standing REAL NOT NULL DEFAULT 1,
  -- The words of its title that stand in `title_words`, with spaces between them.
  title_words TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX searched_pages_by_crawl ON searched_pages (crawl_id);
CREATE INDEX searched_pages_by_link ON searched_pages (link_key);
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

-- Words of titles, for titles that are offered while somebody types: the most linked pages of a crawl first
-- (src/search/title-words.ts).
CREATE TABLE title_words (
  crawl_id INTEGER NOT NULL,
  prominence INTEGER NOT NULL,
  word TEXT NOT NULL,
  page_id INTEGER NOT NULL,
  PRIMARY KEY (crawl_id, prominence, word, page_id)
) STRICT, WITHOUT ROWID;

-- What pages are filtered, counted, folded and ranked by: arrays by the number of the page, in pieces of 4,096
-- (src/search/segments/doc-columns.ts). `changed`: the batch that wrote it last.
CREATE TABLE page_columns (
  key INTEGER PRIMARY KEY,
  changed INTEGER NOT NULL,
  bytes BLOB NOT NULL
) STRICT;

CREATE INDEX page_columns_by_change ON page_columns (changed);

-- Hosts, languages and kinds, which columns have by number.
CREATE TABLE shared_values (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  value TEXT NOT NULL UNIQUE
) STRICT;

-- Words and stems of pages are kept in segments that never change: a batch makes one, and neighbours are
-- merged. A segment has the pages numbered from `base` up to `end_doc`. No text of a page is kept.
CREATE TABLE segments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- pages; links: words of the texts of links, numbered in the order in which they were written.
  kind TEXT NOT NULL,
  base INTEGER NOT NULL,
  end_doc INTEGER NOT NULL,
  -- Of all pages when it was begun.
  mean_length REAL NOT NULL,
  -- live; building: a merge that is not done; replaced: by a merge.
  state TEXT NOT NULL,
  replaced_at INTEGER NOT NULL DEFAULT 0,
  -- Of a merge: its segments, the last term written, and the bytes written.
  sources TEXT NOT NULL,
  done TEXT NOT NULL DEFAULT '',
  written INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The terms of a segment, in blocks; `first` in UTF-16, highest byte first.
CREATE TABLE term_blocks (
  id INTEGER PRIMARY KEY,
  segment INTEGER NOT NULL,
  first BLOB NOT NULL,
  at INTEGER NOT NULL,
  terms BLOB NOT NULL
) STRICT;

CREATE UNIQUE INDEX term_blocks_by_term ON term_blocks (segment, first);

-- The postings of a segment, in pieces of 16 KiB; the key is made of its number and theirs.
CREATE TABLE segment_pieces (
  key INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;

-- What links say about pages, stored or not: the same text on many pages of a host is one row
-- (src/search/link-texts.ts). `target` and `from_host` are hashes.
CREATE TABLE link_texts (
  id INTEGER PRIMARY KEY,
  target INTEGER NOT NULL,
  from_host INTEGER NOT NULL,
  text TEXT NOT NULL,
  -- How many pages say so.
  pages INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX link_texts_by_target ON link_texts (target, from_host, text);

-- The rows of `link_texts` that a page has a part in.
CREATE TABLE given_link_texts (
  page_id INTEGER PRIMARY KEY,
  texts BLOB NOT NULL
) STRICT;
