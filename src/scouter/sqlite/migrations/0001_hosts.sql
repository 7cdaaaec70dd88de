-- Hosts that crawls of this folder have asked lately, written by all of them. Times are epoch
-- milliseconds. One row is everything about a host, so that a turn changes one page of the file.
CREATE TABLE host (
  name        TEXT PRIMARY KEY,
  last_start  INTEGER NOT NULL,
  started_by  TEXT NOT NULL,
  heard_at    INTEGER NOT NULL,
  rests_until INTEGER NOT NULL,
  trouble     TEXT NOT NULL,
  -- JSON, one array per crawl that is there or waits:
  -- [holder, asked, asked until, delay, per host, in flight, unstarted, busy until]
  shares      TEXT NOT NULL,
  used_at     INTEGER NOT NULL
) WITHOUT ROWID;
