-- For crawls that keep only their best pages (--keep-best); no other crawl has rows here.

-- What a stored page is worth now: `fixed` does not change, `links` are from pages fetched so far.
CREATE TABLE best_pages (
  page_id INTEGER PRIMARY KEY,
  crawl_id INTEGER NOT NULL,
  fixed REAL NOT NULL,
  worth REAL NOT NULL
) STRICT;
CREATE INDEX best_pages_worst ON best_pages (crawl_id, worth, page_id);

-- How many pages that were fetched link to a URL, whether or not they are still stored.
CREATE TABLE linked_urls (
  crawl_id INTEGER NOT NULL,
  url TEXT NOT NULL,
  links INTEGER NOT NULL,
  PRIMARY KEY (crawl_id, url)
) STRICT, WITHOUT ROWID;

-- How many pages were dropped for better ones.
CREATE TABLE dropped_pages (
  crawl_id INTEGER PRIMARY KEY,
  pages INTEGER NOT NULL
) STRICT;
