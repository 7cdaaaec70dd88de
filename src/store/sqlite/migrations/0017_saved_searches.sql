-- Searches that somebody saved under a name. `request`: their parameters, as JSON. `seen`: the change up to which
-- somebody asked what is new, `seen_at` when that was.
CREATE TABLE saved_searches (
  name TEXT PRIMARY KEY,
  request TEXT NOT NULL,
  saved_at INTEGER NOT NULL,
  seen INTEGER NOT NULL,
  seen_at INTEGER
) STRICT, WITHOUT ROWID;
