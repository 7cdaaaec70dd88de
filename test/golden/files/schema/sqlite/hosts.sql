-- user_version 1
CREATE TABLE host (
  name TEXT PRIMARY KEY,
  last_start INTEGER NOT NULL,
  started_by TEXT NOT NULL,
  heard_at INTEGER NOT NULL,
  rests_until INTEGER NOT NULL,
  trouble TEXT NOT NULL,
  shares TEXT NOT NULL,
  used_at INTEGER NOT NULL
) WITHOUT ROWID;
