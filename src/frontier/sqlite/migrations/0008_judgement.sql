-- The settings that rows were checked under, apart from the counts: the row of `crawl` is written with every
-- page, and these may be long, as they name all seeds.
CREATE TABLE judgement (
  crawl_id INTEGER PRIMARY KEY,
  -- JSON array, the newest last.
  judged_by TEXT NOT NULL
) STRICT;

INSERT INTO judgement SELECT crawl_id, judged_by FROM crawl;

ALTER TABLE crawl DROP COLUMN judged_by;
