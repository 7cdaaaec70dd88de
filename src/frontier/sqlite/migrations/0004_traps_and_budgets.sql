-- Traps are judged by what pages have shown, when the turn of a URL comes; before, the number of URLs of
-- a template that were queued was kept, which says nothing of that.

DROP TABLE template;

-- What the pages of one template of a host have shown: see core/trap-evidence.ts. `likes` and `pairs` are
-- uint32, the oldest first.
CREATE TABLE template (
  host_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  debt INTEGER NOT NULL,
  streak INTEGER NOT NULL,
  likes BLOB,
  pairs BLOB,
  PRIMARY KEY (host_id, key)
) STRICT, WITHOUT ROWID;

-- What hosts have cost, for their budgets.
ALTER TABLE host ADD COLUMN requests INTEGER NOT NULL DEFAULT 0;
ALTER TABLE host ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE host ADD COLUMN cpu_ms INTEGER NOT NULL DEFAULT 0;
