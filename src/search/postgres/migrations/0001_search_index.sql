-- Words of pages, for full-text search, in a schema of their own: made from the store, and made anew whenever it does
-- not fit. Names and columns are mostly those of the index in SQLite. One writer at a time, which holds the row of
-- `search_position`.

CREATE SCHEMA IF NOT EXISTS search;

-- One row: in which form the tables are (src/search/postgres/open-search-index.ts), and by which rules words were cut
-- (WORDS_VERSION in src/search/words.ts).
CREATE TABLE search.search_version (
  layout integer NOT NULL,
  version integer NOT NULL
);

-- One row: up to where the changes of which store were read, and what the index has.
CREATE TABLE search.search_position (
  mark text NOT NULL,
  cursor bigint NOT NULL,
  -- Pages, and the sum of their words and stems.
  pages bigint NOT NULL DEFAULT 0,
  length bigint NOT NULL DEFAULT 0,
  -- The number of the next page, and how many below it went.
  next_doc bigint NOT NULL DEFAULT 0,
  gone bigint NOT NULL DEFAULT 0,
  -- The number of the next page whose texts of links are written.
  next_link bigint NOT NULL DEFAULT 1,
  last_cluster bigint NOT NULL DEFAULT 0,
  last_segment bigint NOT NULL DEFAULT 0,
  -- How often something was written.
  batch bigint NOT NULL DEFAULT 0,
  -- Another one whenever everything was removed: what a process has read before is then worth nothing.
  beginning uuid NOT NULL DEFAULT gen_random_uuid()
);

INSERT INTO search.search_position (mark, cursor) VALUES ('', 0);

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

-- The pages of the index; ids are those of pages.
CREATE TABLE search.searched_pages (
  id bigint PRIMARY KEY,
  -- Its number in columns and postings. A page that comes again gets another.
  doc bigint NOT NULL,
  crawl_id bigint NOT NULL,
  host text COLLATE "C" NOT NULL,
  -- Without script and region.
  language text COLLATE "C" NOT NULL,
  -- Words and stems.
  length integer NOT NULL,
  hot smallint NOT NULL,
  -- The same for the same URL in several crawls.
  url_key bigint NOT NULL,
  -- The same for all URLs to which links usually mean this page (src/search/link-texts.ts).
  link_key bigint NOT NULL,
  -- Of near-duplicates, by number; NULL: like no other.
  cluster bigint,
  -- Its place in the link graph as scores take it (src/search/blend.ts); 1: as good as the mean.
  standing double precision NOT NULL DEFAULT 1,
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

-- What pages are filtered, counted, folded and ranked by: arrays by the number of the page, in pieces of 4,096
-- (src/search/segments/doc-columns.ts). `changed`: the batch that wrote it last. Bytes are never compressed: it would
-- save little, and take longer than all the rest.
CREATE TABLE search.page_columns (
  key bigint PRIMARY KEY,
  changed bigint NOT NULL,
  bytes bytea NOT NULL
);

ALTER TABLE search.page_columns ALTER bytes SET STORAGE EXTERNAL;

-- Hosts, languages and kinds, which columns have by number.
CREATE TABLE search.shared_values (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  value text COLLATE "C" NOT NULL UNIQUE
);

-- Words and stems of pages are kept in segments that never change: a batch makes one, and neighbours are merged. A
-- segment has the pages numbered from `base` up to `end_doc`. No text of a page is kept.
CREATE TABLE search.segments (
  id bigint PRIMARY KEY,
  -- pages; links: words of the texts of links, numbered in the order in which they were written.
  kind text NOT NULL,
  base bigint NOT NULL,
  end_doc bigint NOT NULL,
  -- Of all pages when it was begun.
  mean_length double precision NOT NULL,
  -- live; building: a merge that is not done; replaced: by a merge, and to be removed.
  state text NOT NULL,
  -- Of a merge: its segments as JSON, the last term written in UTF-16, highest byte first, and the bytes written.
  sources text NOT NULL,
  done bytea NOT NULL,
  written bigint NOT NULL
);

-- The terms of a segment, in blocks; `first` in UTF-16, highest byte first.
CREATE TABLE search.term_blocks (
  segment bigint NOT NULL,
  first bytea NOT NULL,
  at bigint NOT NULL,
  terms bytea NOT NULL,
  PRIMARY KEY (segment, first)
);

-- The postings of a segment, in pieces of 16 KiB; the key is made of its number and theirs.
CREATE TABLE search.segment_pieces (
  key bigint PRIMARY KEY,
  bytes bytea NOT NULL
);

ALTER TABLE search.segment_pieces ALTER bytes SET STORAGE EXTERNAL;

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
