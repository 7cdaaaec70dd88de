-- What each run of a crawl was asked to do, whatever the next one was.
CREATE TABLE crawl_runs (
  crawl_id bigint NOT NULL,
  -- From 1.
  run integer NOT NULL,
  started_at bigint NOT NULL,
  -- JSON, as in `crawls`; of proxies all but the passwords.
  settings text NOT NULL,
  -- Of its topic; NULL: it was about nothing in particular.
  topic_fingerprint text,
  PRIMARY KEY (crawl_id, run)
);
