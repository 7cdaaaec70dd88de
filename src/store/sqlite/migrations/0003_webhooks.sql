-- What receivers of webhooks still have to be told.

-- Waiting, or given up (then `reason` says why; only the last ones are kept). What arrived is deleted.
CREATE TABLE webhook_deliveries (
  -- In the order they were made.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  crawl_id INTEGER NOT NULL,
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- What is sent, as JSON; of pages NULL: it is made from them.
  body TEXT,
  -- Of pages: those after one id, up to another; NULL otherwise.
  after_page INTEGER,
  up_to_page INTEGER,
  -- Tries that failed.
  tries INTEGER NOT NULL DEFAULT 0,
  -- NULL: given up.
  next_at INTEGER,
  reason TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (next_at, seq)
  WHERE next_at IS NOT NULL;
CREATE INDEX webhook_deliveries_by_crawl ON webhook_deliveries (crawl_id, seq);

-- How far the pages of a job have been told; `open`: more may come.
CREATE TABLE webhook_pages (
  crawl_id INTEGER PRIMARY KEY,
  up_to INTEGER NOT NULL DEFAULT 0,
  open INTEGER NOT NULL DEFAULT 1
) STRICT;

-- One row: the last event of the journal that has become deliveries.
CREATE TABLE webhook_events (
  told INTEGER NOT NULL
) STRICT;

INSERT INTO webhook_events (told) VALUES (0);
