-- What each run of a crawl was asked to do, whatever the next one was.
CREATE TABLE crawl_runs (
  crawl_id INTEGER NOT NULL,
  -- From 1.
  run INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  -- JSON, as in `crawls`; of proxies all but the passwords.
  settings TEXT NOT NULL,
  -- Of its topic; NULL: it was about nothing in particular.
  topic_fingerprint TEXT,
  PRIMARY KEY (crawl_id, run)
) STRICT, WITHOUT ROWID;
