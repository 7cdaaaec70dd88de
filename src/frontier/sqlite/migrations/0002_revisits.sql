-- Finished crawls that are gone over again. A URL that is to be visited again keeps its state until
-- that has come to something: at any moment `url` says what is so.

-- The round whose URLs stand in `revisit`, or stood there; 0: none was begun.
ALTER TABLE crawl ADD COLUMN round INTEGER NOT NULL DEFAULT 0;

-- URLs that this round has still to visit.
CREATE TABLE revisit (
  url_id INTEGER PRIMARY KEY,
  origin_id INTEGER NOT NULL,
  priority REAL NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  -- Not before this moment; NULL: whenever its host may be visited.
  next_at INTEGER,
  -- Of the page that is stored; '' where there is none.
  etag TEXT NOT NULL DEFAULT '',
  last_modified TEXT NOT NULL DEFAULT '',
  content_hash TEXT NOT NULL DEFAULT ''
) STRICT;

-- As in url_queue: ties are broken by discovery.
CREATE INDEX revisit_queue ON revisit (origin_id, next_at, priority DESC);
