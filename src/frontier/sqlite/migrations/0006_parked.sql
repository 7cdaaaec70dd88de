-- Hosts with nothing to do that left the memory of this run, with what only memory knew of them. The row
-- of a host is in `host` all the same; the next run begins without these.

CREATE TABLE parked (
  name TEXT PRIMARY KEY,
  id INTEGER NOT NULL,
  facts TEXT NOT NULL
) STRICT, WITHOUT ROWID;
