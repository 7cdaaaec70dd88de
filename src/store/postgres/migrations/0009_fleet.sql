-- Which workers there are and which crawls run: src/fleet/worker-registry.ts. Times are epoch milliseconds by
-- this server's clock; a row counts until `until`.
--
-- UNLOGGED: it describes programs that are alive, and each of them writes its row again within a second or
-- so. A crash of the server or a failover may empty these tables and nothing is lost. In return a write
-- here costs no WAL and no fsync.

CREATE UNLOGGED TABLE fleet_workers (
  id text COLLATE "C" PRIMARY KEY,
  protocol integer NOT NULL,
  until bigint NOT NULL,
  -- JSON: a WorkerRecord.
  record text NOT NULL
) WITH (fillfactor = 50);

CREATE UNLOGGED TABLE fleet_runs (
  crawl_id bigint PRIMARY KEY,
  protocol integer NOT NULL,
  until bigint NOT NULL,
  -- The program that runs the crawl, in words.
  owner text NOT NULL,
  -- JSON: an Announcement.
  record text NOT NULL
) WITH (fillfactor = 50);

-- Apart from the runs, because every worker writes one every second.
CREATE UNLOGGED TABLE fleet_glances (
  crawl_id bigint PRIMARY KEY,
  at bigint NOT NULL,
  -- JSON: a ProgressSnapshot.
  glance text NOT NULL
) WITH (fillfactor = 50);
