-- What became of pages, in order, for whoever keeps something in step with them; and when a crawl that
-- is done was gone over again.

-- One row. `last`: the largest id a page was given, which no other page ever gets. `mark`: tells this
-- store from another one in its place.
CREATE TABLE page_ids (
  last INTEGER NOT NULL,
  mark TEXT NOT NULL
) STRICT;

INSERT INTO page_ids (last, mark)
SELECT coalesce(max(id), 0), lower(hex(randomblob(8))) FROM pages;

-- Written in the transaction of what it tells. Cursors are never given twice.
CREATE TABLE page_changes (
  cursor INTEGER PRIMARY KEY AUTOINCREMENT,
  crawl_id INTEGER NOT NULL,
  -- Of crawl-removed: 0.
  page_id INTEGER NOT NULL,
  -- add, change, delete or crawl-removed.
  change TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Of delete, where the page cannot be asked any more: its URL and why it is gone. NULL otherwise.
  url TEXT,
  reason TEXT
) STRICT;

INSERT INTO page_changes (crawl_id, page_id, change, at)
SELECT crawl_id, id, 'add', fetched_at FROM pages
WHERE crawl_id IN (SELECT id FROM crawls) ORDER BY id;

-- Up to which cursor what a removed crawl left in `page_changes` is gone.
ALTER TABLE removed_crawls ADD COLUMN swept_to INTEGER NOT NULL DEFAULT 0;

-- Times a finished crawl was begun to be gone over again.
ALTER TABLE crawls ADD COLUMN round INTEGER NOT NULL DEFAULT 0;

-- Pages that were looked at again; those that are not here were fetched once.
CREATE TABLE page_checks (
  page_id INTEGER PRIMARY KEY,
  crawl_id INTEGER NOT NULL,
  -- The last one that looked at it.
  round INTEGER NOT NULL,
  checked_at INTEGER NOT NULL,
  checks INTEGER NOT NULL,
  changes INTEGER NOT NULL,
  -- How long it is taken to stay as it is.
  interval_ms INTEGER NOT NULL
) STRICT;
