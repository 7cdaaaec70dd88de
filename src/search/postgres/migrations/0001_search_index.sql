-- Words of pages, for full-text search, in a schema of their own: made from the store, and made anew
-- whenever it does not fit. Names and columns are those of the index in SQLite (migrations/search), but for
-- the words themselves. One writer at a time, which holds the row of `search_position`.

CREATE SCHEMA IF NOT EXISTS search;

-- One row: in which form the tables are (src/db/postgres-search.ts), and by which rules words were cut
-- (WORDS_VERSION in src/search/words.ts).
CREATE TABLE search.search_version (
  layout integer NOT NULL,
  version integer NOT NULL
);

-- One row: up to where the changes of which store were read; how many pages are here, how many words and
-- stems these have together, for BM25; and the number that a cluster was given last.
CREATE TABLE search.search_position (
  mark text NOT NULL,
  cursor bigint NOT NULL,
  pages bigint NOT NULL,
  length bigint NOT NULL,
  last_cluster bigint NOT NULL
);

INSERT INTO search.search_position VALUES ('', 0, 0, 0, 0);

-- Crawls that have pages here.
CREATE TABLE search.searched_crawls (
  id bigint PRIMARY KEY,
  hot_mark text NOT NULL DEFAULT '',
  rank_mark text NOT NULL DEFAULT ''
);

-- What matches are filtered by and counted by; ids are those of pages.
CREATE TABLE search.searched_pages (
  id bigint PRIMARY KEY,
  crawl_id bigint NOT NULL,
  host text COLLATE "C" NOT NULL,
  -- Without script and region.
  language text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  hot smallint NOT NULL,
  fetched_at bigint NOT NULL,
  -- The same for the same URL in several crawls.
  url_key bigint NOT NULL,
  -- Of near-duplicates, by number; NULL: like no other.
  cluster bigint,
  -- Its place in the link graph as scores take it (src/search/blend.ts); 1: as good as the mean.
  standing double precision NOT NULL DEFAULT 1,
  -- Words and stems, of all columns.
  length integer NOT NULL
);

CREATE INDEX searched_pages_by_crawl ON search.searched_pages (crawl_id);
CREATE INDEX searched_pages_by_cluster ON search.searched_pages (cluster, id)
  WHERE cluster IS NOT NULL;

-- Near-duplicates: two pages at least. `leader`: the page that the others are like.
CREATE TABLE search.page_clusters (
  id bigint PRIMARY KEY,
  leader bigint NOT NULL
);

-- By which the likeness of two pages is told (src/search/sketch.ts); pages without text have none.
CREATE TABLE search.page_sketches (
  id bigint PRIMARY KEY,
  sketch bytea NOT NULL
);

-- Numbers by which a page is found that a new one may be like; only those that lead a cluster, or are
-- like no other.
CREATE TABLE search.sketch_bands (
  band bigint NOT NULL,
  page_id bigint NOT NULL,
  PRIMARY KEY (band, page_id)
);

-- Words that stand at the head of pages, for those that are misspelt. `pages`: about how many have it
-- there; pages that went still count.
CREATE TABLE search.known_words (
  initial text COLLATE "C" NOT NULL,
  length integer NOT NULL,
  word text COLLATE "C" NOT NULL,
  pages integer NOT NULL,
  PRIMARY KEY (initial, length, word)
);

-- The words of a page, and beside them the stems, as we cut them. No text is kept. A sign before a word
-- says in which column it stands, a label what it weighs there: src/search/postgres/page-vectors.ts.
-- Not compressed: it would save a tenth, and scores would take half as long again.
-- Pages are found by hash: an index in order would offer a way through all vectors, which looks cheap
-- to the server and is not.
CREATE TABLE search.page_words (
  page_id bigint NOT NULL,
  words tsvector NOT NULL,
  stems tsvector NOT NULL
);

-- The same for pages with more words than one vector can count: in parts.
CREATE TABLE search.long_page_words (
  page_id bigint NOT NULL,
  part integer NOT NULL,
  words tsvector NOT NULL,
  stems tsvector NOT NULL
);

ALTER TABLE search.page_words ALTER words SET STORAGE EXTERNAL, ALTER stems SET STORAGE EXTERNAL;
ALTER TABLE search.long_page_words ALTER words SET STORAGE EXTERNAL, ALTER stems SET STORAGE EXTERNAL;

CREATE INDEX page_words_by_page ON search.page_words USING hash (page_id);
CREATE INDEX long_page_words_by_page ON search.long_page_words USING hash (page_id);
CREATE INDEX page_words_by_word ON search.page_words USING gin (words);
CREATE INDEX page_words_by_stem ON search.page_words USING gin (stems);
CREATE INDEX long_page_words_by_word ON search.long_page_words USING gin (words);
CREATE INDEX long_page_words_by_stem ON search.long_page_words USING gin (stems);
