-- Several parsers may store pages of one crawl.

-- The parser that has to deliver a receipt: its number among those of the crawl.
ALTER TABLE undelivered ADD COLUMN holder INTEGER NOT NULL DEFAULT 0;

-- The sums of `host_totals` over all hosts: a limit on pages is checked with every batch.
CREATE TABLE crawl_counts (
  crawl_id INTEGER PRIMARY KEY,
  stored INTEGER NOT NULL,
  hot INTEGER NOT NULL
) STRICT;

INSERT INTO crawl_counts (crawl_id, stored, hot)
SELECT crawl_id, sum(stored), sum(hot) FROM host_totals GROUP BY crawl_id;

CREATE TRIGGER host_totals_added AFTER INSERT ON host_totals BEGIN
  INSERT INTO crawl_counts (crawl_id, stored, hot) VALUES (new.crawl_id, new.stored, new.hot)
  ON CONFLICT DO UPDATE SET stored = stored + excluded.stored, hot = hot + excluded.hot;
END;

CREATE TRIGGER host_totals_changed AFTER UPDATE OF stored, hot ON host_totals BEGIN
  UPDATE crawl_counts SET stored = stored + new.stored - old.stored, hot = hot + new.hot - old.hot
  WHERE crawl_id = new.crawl_id;
END;

CREATE TRIGGER host_totals_removed AFTER DELETE ON host_totals BEGIN
  UPDATE crawl_counts SET stored = stored - old.stored, hot = hot - old.hot
  WHERE crawl_id = old.crawl_id;
  DELETE FROM crawl_counts WHERE crawl_id = old.crawl_id AND stored = 0
    AND NOT EXISTS (SELECT 1 FROM host_totals WHERE crawl_id = old.crawl_id);
END;
