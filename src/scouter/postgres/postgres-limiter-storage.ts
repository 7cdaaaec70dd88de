// The rows of the host limiter in PostgreSQL. A row of a host is written in one statement that compares its
// version; several rows go in one order, so that two writers never wait for each other in a circle.
import type { Postgres, Row } from '../../db/postgres.ts'
import { textArray } from '../../db/postgres-array.ts'
import { decodeQueue, encodeQueue, sharePattern } from '../host-limiter-rules.ts'
import type {
  HostRow,
  HostWrite,
  KnownMember,
  LimiterStorage,
  Member,
  Reported,
} from '../limiter/storage.ts'

/** $1 is the time that a test has set; NULL: the server's. */
const NOW = `coalesce($1::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)`
/** `xmax` is 0 in a row that was inserted, not updated. */
const REPORT = `
  INSERT INTO limiter_members AS m (name, crawl, at, until, shares, is_gone, silent_since)
  SELECT $2, $3, now, now + $4::bigint, $5, $6, $7::bigint FROM (SELECT ${NOW} AS now) clock
  ON CONFLICT (name) DO UPDATE SET crawl = EXCLUDED.crawl, at = EXCLUDED.at, until = EXCLUDED.until,
    shares = EXCLUDED.shares, is_gone = EXCLUDED.is_gone,
    silent_since = greatest(m.silent_since, EXCLUDED.silent_since)
  RETURNING xmax <> 0 AS was_known`
const OTHERS = `
  SELECT ${NOW} AS now, m.* FROM (SELECT) one LEFT JOIN limiter_members m ON m.crawl <> $2`
const MEMBERS_OF = `SELECT name FROM limiter_members WHERE crawl = $1 AND NOT is_gone`
/** What one that shared nothing did until now, no row says. */
const END = `
  WITH clock AS (SELECT ${NOW} AS now),
    ended AS (
      UPDATE limiter_members m SET is_gone = true, until = least(m.until, now),
        silent_since = CASE WHEN m.shares THEN m.silent_since ELSE now END
      FROM clock WHERE name = ANY($2::text[]) AND NOT is_gone
      RETURNING name
    )
  SELECT now, (SELECT count(*) FROM ended) AS ended FROM clock`
const READ = `SELECT host, version, used_at, queue FROM limiter_hosts WHERE host = ANY($1::text[])`
const READ_RECENT = `
  SELECT host, version, used_at, queue FROM limiter_hosts WHERE used_at > $1 OR rests_until > $2`
const WRITE = `
  INSERT INTO limiter_hosts AS h (host, version, previous, used_at, rests_until, queue)
  SELECT * FROM unnest(
    $1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[]
  ) AS given (host, version, previous, used_at, rests_until, queue)
  ORDER BY host COLLATE "C"
  ON CONFLICT (host) DO UPDATE SET version = EXCLUDED.version, previous = EXCLUDED.previous,
    used_at = EXCLUDED.used_at, rests_until = EXCLUDED.rests_until, queue = EXCLUDED.queue
  WHERE h.version = EXCLUDED.previous
  RETURNING host`
const HELD_BY = `
  SELECT host FROM limiter_hosts
  WHERE EXISTS (SELECT FROM unnest($1::text[]) name WHERE position(name IN queue) > 0)`
const PURGE_MEMBERS = `DELETE FROM limiter_members WHERE until < $1`
const PURGE_HOSTS = `DELETE FROM limiter_hosts WHERE used_at < $1 AND rests_until < $1`

export type PostgresLimiterStorageOptions = {
  readonly db: Postgres
  /** Epoch ms; default: the server's time. */
  readonly now?: () => number
}

type Value = string | number | boolean | null

export function createPostgresLimiterStorage(
  options: PostgresLimiterStorageOptions,
): LimiterStorage {
  return new PostgresLimiterStorage(options)
}

class PostgresLimiterStorage implements LimiterStorage {
  readonly #db: Postgres
  readonly #now: () => number | null

  constructor({ db, now }: PostgresLimiterStorageOptions) {
    this.#db = db
    this.#now = now ?? (() => null)
  }

  async report(member: Member, forMs: number): Promise<Reported> {
    const { name, crawl, shares, isGone, silentSince } = member
    const told = [this.#now(), name, crawl, forMs, shares, isGone, silentSince]
    const [own] = await this.#run(REPORT, told)
    // A statement of its own, which sees every member that was written before this one.
    const rows = await this.#run(OTHERS, [this.#now(), crawl])
    const others = rows.filter((row) => row.name !== null).map(memberOf)
    return { now: Number(rows[0]?.now), wasKnown: own?.was_known === true, others }
  }

  async membersOf(crawl: string): Promise<readonly string[]> {
    return (await this.#run(MEMBERS_OF, [crawl])).map(({ name }) => String(name))
  }

  async end(names: readonly string[]): Promise<{ readonly now: number; readonly ended: number }> {
    const [row] = await this.#run(END, [this.#now(), textArray(names)])
    return { now: Number(row?.now), ended: Number(row?.ended) }
  }

  async read(hosts: readonly string[]): Promise<readonly HostRow[]> {
    return (await this.#run(READ, [textArray(hosts)])).map(hostRowOf)
  }

  async readRecent(since: number, now: number): Promise<readonly HostRow[]> {
    return (await this.#run(READ_RECENT, [since, now])).map(hostRowOf)
  }

  async write(rows: readonly HostWrite[]): Promise<ReadonlySet<string>> {
    const column = (of: (row: HostWrite) => string | number): string => {
      return textArray(rows.map((row) => String(of(row))))
    }
    const written = await this.#run(WRITE, [
      ...[column(({ host }) => host), column(({ version }) => version)],
      ...[column(({ previous }) => previous), column(({ usedAt }) => Math.floor(usedAt))],
      column(({ queue }) => Math.ceil(queue.restsUntil)),
      column(({ queue }) => encodeQueue(queue)),
    ])
    return new Set(written.map(({ host }) => String(host)))
  }

  async heldBy(names: readonly string[]): Promise<readonly string[]> {
    const patterns = textArray(names.map(sharePattern))
    return (await this.#run(HELD_BY, [patterns])).map(({ host }) => String(host))
  }

  async purge(before: { readonly hosts: number; readonly members: number }): Promise<void> {
    await this.#run(PURGE_MEMBERS, [before.members])
    await this.#run(PURGE_HOSTS, [before.hosts])
  }

  #run(statement: string, values: readonly Value[]): Promise<readonly Row[]> {
    return this.#db.run((sql) => sql.unsafe(statement, [...values], { prepare: true }))
  }
}

function memberOf(row: Row): KnownMember {
  return {
    ...{ name: String(row.name), crawl: String(row.crawl) },
    ...{ shares: row.shares === true, isGone: row.is_gone === true },
    ...{ at: Number(row.at), until: Number(row.until), silentSince: Number(row.silent_since) },
  }
}

function hostRowOf(row: Row): HostRow {
  return {
    ...{ host: String(row.host), version: Number(row.version), usedAt: Number(row.used_at) },
    queue: decodeQueue(String(row.queue)),
  }
}
