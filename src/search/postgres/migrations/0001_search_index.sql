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

-- Languages that pages here had, without script and region: by their rules words of queries are looked up.
CREATE TABLE search.searched_languages (
  language text COLLATE "C" PRIMARY KEY
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
  -- The cursor of the change by which it came.
  changed bigint NOT NULL,
  -- As the page says; NULL: it does not.
  published_at bigint,
  -- The same for the same URL in several crawls.
  url_key bigint NOT NULL,
  -- The same for all URLs to which links usually mean this page (src/search/link-texts.ts).
  link_key bigint NOT NULL,
  -- Of near-duplicates, by number; NULL: like no other.
  cluster bigint,
  -- Its place in the link graph as scores take it (src/search/blend.ts); 1: as good as the mean.
  standing double precision NOT NULL DEFAULT 1,
  -- Words and stems, of all columns.
  length integer NOT NULL,
  -- The words of its title that stand in `title_words`, with spaces between them.
  title_words text COLLATE "C" NOT NULL
);

CREATE INDEX searched_pages_by_crawl ON search.searched_pages (crawl_id);
CREATE INDEX searched_pages_by_link ON search.searched_pages (link_key);
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

-- Words of titles, for titles that are offered while somebody types: the most linked pages of a crawl first
-- (src/search/title-words.ts).
CREATE TABLE search.title_words (
  crawl_id bigint NOT NULL,
  prominence integer NOT NULL,
  word text COLLATE "C" NOT NULL,
  page_id bigint NOT NULL
);

CREATE INDEX title_words_by_word ON search.title_words (crawl_id, prominence, word, page_id);
CREATE INDEX title_words_by_page ON search.title_words (page_id);

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

-- What links say about pages, stored or not: the same text on many pages of a host is one row
-- (src/search/link-texts.ts). `target` and `from_host` are hashes.
CREATE TABLE search.link_texts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  target bigint NOT NULL,
  from_host bigint NOT NULL,
  text text COLLATE "C" NOT NULL,
  -- How many pages say so.
  pages integer NOT NULL
);

CREATE UNIQUE INDEX link_texts_by_target ON search.link_texts (target, from_host, text);

-- The rows of `link_texts` that a page has a part in.
CREATE TABLE search.given_link_texts (
  page_id bigint PRIMARY KEY,
  texts bigint[] NOT NULL
);

-- The words of the texts of links about a page, and how much these texts weigh together.
CREATE TABLE search.link_words (
  page_id bigint NOT NULL,
  weight integer NOT NULL,
  words tsvector NOT NULL,
  stems tsvector NOT NULL
);

CREATE INDEX link_words_by_page ON search.link_words USING hash (page_id);
CREATE INDEX link_words_by_word ON search.link_words USING gin (words);
CREATE INDEX link_words_by_stem ON search.link_words USING gin (stems);
