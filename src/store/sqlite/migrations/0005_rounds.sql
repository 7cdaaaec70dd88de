-- A finished crawl that is gone over again: its rounds, what they found, and how often pages change.

CREATE TABLE crawl_rounds (
  crawl_id INTEGER NOT NULL,
  -- From 1; the first crawl is none.
  round INTEGER NOT NULL,
  -- 1: only pages that were due are looked at.
  due INTEGER NOT NULL,
  began_at INTEGER NOT NULL,
  -- NULL while it is not at its end, whether or not somebody works on it.
  ended_at INTEGER,
  -- The largest id a page had when it began: those above are new.
  after_page INTEGER NOT NULL,
  -- Pages it found, duplicates among them. What is not counted here was kept without an answer.
  added INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL DEFAULT 0,
  gone INTEGER NOT NULL DEFAULT 0,
  unchanged INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (crawl_id, round)
) STRICT, WITHOUT ROWID;

-- What the interval is estimated from; older looks count less: src/core/change-rate.ts.
ALTER TABLE page_checks ADD COLUMN seen REAL NOT NULL DEFAULT 0;
ALTER TABLE page_checks ADD COLUMN seen_changed REAL NOT NULL DEFAULT 0;
ALTER TABLE page_checks ADD COLUMN seen_ms REAL NOT NULL DEFAULT 0;

-- The round a receipt is of.
ALTER TABLE undelivered ADD COLUMN round INTEGER NOT NULL DEFAULT 0;
-- unchanged; or what became of the URL of a page that is gone: failed, refused or redirected. '':
-- stored or a duplicate, as its page says.
ALTER TABLE undelivered ADD COLUMN outcome TEXT NOT NULL DEFAULT '';
-- Of failed and refused.
ALTER TABLE undelivered ADD COLUMN reason TEXT NOT NULL DEFAULT '';
-- JSON array: URLs of duplicates that had to find another page to repeat, or are pages of their own.
ALTER TABLE undelivered ADD COLUMN moved TEXT;

CREATE INDEX pages_by_first ON pages (duplicate_of) WHERE duplicate_of IS NOT NULL;
