-- What running programs tell each other: which workers there are, which crawls run, and which crawl sends
-- requests to which host. Times are epoch milliseconds by this server's clock.
--
-- All of it is UNLOGGED. It describes programs that are alive, and each of them writes its rows again within
-- a second or so: a crash of the server or a failover may empty these tables and nothing is lost. In return
-- a write here costs no WAL and no fsync.

-- src/fleet/worker-registry.ts. A row counts until `until`.
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

-- src/scouter/limiter-storage.ts: the processes that send requests.
CREATE UNLOGGED TABLE limiter_members (
  name text COLLATE "C" PRIMARY KEY,
  crawl text COLLATE "C" NOT NULL,
  -- Without a report it counts as dead from then on. Kept for a day after that.
  until bigint NOT NULL,
  -- It takes its turns by the rows of `limiter_hosts`; false: it knows of no other crawl, and writes none.
  shares boolean NOT NULL,
  -- It has closed, and all of its rows are written.
  is_gone boolean NOT NULL,
  -- Its last request to a host that has no row went out before this.
  silent_since bigint NOT NULL
) WITH (fillfactor = 50);

CREATE UNLOGGED TABLE limiter_hosts (
  host text COLLATE "C" PRIMARY KEY,
  -- Random, another one with every write; and the one that the last writer had read. A write is refused
  -- unless it names the version that is there.
  version bigint NOT NULL,
  previous bigint NOT NULL,
  used_at bigint NOT NULL,
  rests_until bigint NOT NULL,
  -- JSON: a HostQueue.
  queue text NOT NULL
) WITH (fillfactor = 50);
