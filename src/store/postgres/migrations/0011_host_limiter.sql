-- The turns of crawls at hosts: src/scouter/limiter/storage.ts. Times are epoch milliseconds by this server's
-- clock.
--
-- UNLOGGED: it describes requests that are under way. After a crash of the server or a failover the tables
-- may be empty; the processes notice, and leave every host alone for a full delay. In return a write here
-- costs no WAL and no fsync.

-- The processes that send requests.
CREATE UNLOGGED TABLE limiter_members (
  name text COLLATE "C" PRIMARY KEY,
  crawl text COLLATE "C" NOT NULL,
  -- When it reported, and when it counts as dead without another report. Kept for some minutes after that.
  at bigint NOT NULL,
  until bigint NOT NULL,
  -- It takes its turns by the rows of `limiter_hosts`; false: it knows of no other crawl, and writes none.
  shares boolean NOT NULL,
  -- It has closed, and its rows are written.
  is_gone boolean NOT NULL,
  -- Its last request to a host that has no row went out before this.
  silent_since bigint NOT NULL
) WITH (fillfactor = 50);

CREATE UNLOGGED TABLE limiter_hosts (
  host text COLLATE "C" PRIMARY KEY,
  -- Random, another one with every write; and the one that its writer had read. A write is refused unless
  -- the version that its writer has read is still there.
  version bigint NOT NULL,
  previous bigint NOT NULL,
  used_at bigint NOT NULL,
  rests_until bigint NOT NULL,
  -- JSON: a HostQueue.
  queue text NOT NULL
) WITH (fillfactor = 50);
