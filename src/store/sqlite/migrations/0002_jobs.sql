-- Jobs that were asked for over HTTP, beside those of the command line: what was ordered, what
-- happened to them, their curves over time.

-- Who asked for it: cli or api.
ALTER TABLE crawls ADD COLUMN origin TEXT NOT NULL DEFAULT 'cli';
-- Who goes on with it while it is unfinished: cli or api, which is the server.
ALTER TABLE crawls ADD COLUMN run_by TEXT NOT NULL DEFAULT 'cli';
-- Time it has been running, over all its runs.
ALTER TABLE crawls ADD COLUMN ran_ms INTEGER NOT NULL DEFAULT 0;

CREATE INDEX crawls_by_status ON crawls (status, id);

-- What a crawl is about, as it was built: a JSON object that may be large, so it has a table of its
-- own and a list of crawls walks past none of it.
CREATE TABLE crawl_topics (
  crawl_id INTEGER PRIMARY KEY,
  -- Differs when anything differs that changes a judgement.
  fingerprint TEXT NOT NULL,
  topic TEXT NOT NULL
) STRICT;

INSERT INTO crawl_topics (crawl_id, fingerprint, topic)
SELECT id, coalesce(topic ->> 'fingerprint', ''), topic FROM crawls WHERE topic IS NOT NULL;

ALTER TABLE crawls DROP COLUMN topic;

-- What a job was made from, as far as its row in `crawls` does not say.
CREATE TABLE crawl_orders (
  crawl_id INTEGER PRIMARY KEY,
  -- Given by who asked, so that asking again makes no second job.
  key TEXT UNIQUE,
  -- Equal for requests that ask for the same.
  fingerprint TEXT NOT NULL,
  -- JSON: where to tell what becomes of it; NULL: nowhere.
  webhook TEXT,
  -- JSON: what it is about as it was asked.
  topic_request TEXT NOT NULL
) STRICT;

-- Crawls whose rows are gone from `crawls`, while some of their pages are still there.
CREATE TABLE removed_crawls (
  crawl_id INTEGER PRIMARY KEY
) STRICT;

-- What happened to jobs, in order; ids are never given twice.
CREATE TABLE crawl_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  crawl_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  -- status, notice or removed.
  type TEXT NOT NULL,
  -- Of a status: which; '' otherwise.
  status TEXT NOT NULL,
  -- Of a status: the note. Of a notice: its text.
  text TEXT NOT NULL
) STRICT;

CREATE INDEX crawl_events_by_crawl ON crawl_events (crawl_id, id);

-- The curves of a job: a JSON array of samples, each an array of numbers.
CREATE TABLE crawl_history (
  crawl_id INTEGER PRIMARY KEY,
  samples TEXT NOT NULL
) STRICT;
