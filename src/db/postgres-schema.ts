// The tables of a store in PostgreSQL: made, brought up to date, or refused. `jelajah_schema` says which
// migrations a database has. Missing ones run in one transaction, so that readers see the tables before or after
// all of them, never in between. A newer schema is refused, never touched.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CrawlerError } from '../core/errors.ts'
import { textArray } from './postgres-array.ts'
import type { Postgres, Queries } from './postgres-pool.ts'

const FOLDER = join(import.meta.dirname, '..', 'store', 'postgres', 'migrations')
const OLDEST_SERVER = 15
/** The lock that makes processes migrate one after the other. */
const LOCK = 0x4a4c4a48
/** The server was there a moment ago, and tables of millions of rows take their time. */
const MIGRATION_MS = 60_000
/** Tables we would make: where they are without `jelajah_schema`, they are somebody else's. */
const OURS = ['crawls', 'pages', 'page_parts'] as const

type Migration = { readonly version: number; readonly path: string }

/** Makes the tables, or brings them up to date. */
export async function migrate(db: Postgres): Promise<void> {
  await db.run(async (sql) => refuseOldServer(sql, db.shown))
  const migrations = migrationsOf()
  if ((await versionOf(db)) === migrations.length) return
  await db.inTransaction((sql) => apply(sql, migrations, db.shown), MIGRATION_MS)
}

/** True when the tables are there as this version knows them; false when there are none. */
export async function checkSchema(db: Postgres): Promise<boolean> {
  await db.run(async (sql) => refuseOldServer(sql, db.shown))
  const newest = migrationsOf().length
  const seen = await versionOf(db)
  const version = seen === newest ? seen : await settledVersion(db)
  refuseNewer(version, newest, db.shown)
  if (version === 0 || version === newest) return version > 0
  throw new CrawlerError(
    'store-older',
    `${db.shown} was written by an earlier version of Jelajah (schema ${version}, this one has ` +
      `${newest}). Run 'jelajah serve' or a crawl on it once: they bring it up to date.`,
  )
}

/** The version of the tables that this program makes. */
export function newestSchema(): number {
  return migrationsOf().length
}

async function apply(sql: Queries, migrations: readonly Migration[], shown: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK})`
  // Read inside: another process may have migrated while we waited for the lock.
  const known = await versionIn(sql)
  refuseNewer(known, migrations.length, shown)
  if (known === 0) await begin(sql, shown)
  for (const { version, path } of migrations.slice(known)) {
    await sql.unsafe(readFileSync(path, 'utf8')).simple()
    await sql`INSERT INTO jelajah_schema (version) VALUES (${version})`
  }
}

async function begin(sql: Queries, shown: string): Promise<void> {
  const [foreign] = await sql`
    SELECT name FROM unnest(${textArray(OURS)}::text[]) name WHERE to_regclass(name) IS NOT NULL`
  if (foreign !== undefined) {
    throw new CrawlerError(
      'store-damaged',
      `${shown} has a table ${foreign.name} that is not Jelajah's. Give Jelajah a database of its own.`,
    )
  }
  await sql`
    CREATE TABLE jelajah_schema (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())`
}

async function refuseOldServer(sql: Queries, shown: string): Promise<void> {
  const [row] = await sql`SELECT current_setting('server_version_num')::integer AS version`
  refuseOlderServer(Number(row?.version), shown)
}

/** `version`: as `server_version_num`. */
export function refuseOlderServer(version: number, shown: string): void {
  const major = Math.floor(version / 10_000)
  if (major >= OLDEST_SERVER) return
  throw new CrawlerError(
    'store-older',
    `${shown} is PostgreSQL ${major}; Jelajah needs ${OLDEST_SERVER} or newer`,
  )
}

function refuseNewer(version: number, newest: number, shown: string): void {
  if (version <= newest) return
  throw new CrawlerError(
    'store-newer',
    `${shown} was written by a newer Jelajah (schema ${version}, this one knows ${newest}). ` +
      'Use that version, or another database.',
  )
}

function versionOf(db: Postgres): Promise<number> {
  return db.run((sql) => versionIn(sql))
}

/** The same, after a migration that is under way. */
function settledVersion(db: Postgres): Promise<number> {
  return db.inTransaction(async (sql) => {
    await sql`SELECT pg_advisory_xact_lock_shared(${LOCK})`
    return versionIn(sql)
  })
}

/** Number of the last migration; 0 when there was none. */
async function versionIn(sql: Queries): Promise<number> {
  // Not `to_regclass`: that may remember from before the lock that there is none.
  const there = await sql`
    SELECT FROM pg_class
    WHERE relname = 'jelajah_schema' AND relnamespace = current_schema()::regnamespace`
  if (there.length === 0) return 0
  const [row] = await sql`SELECT max(version) AS version FROM jelajah_schema`
  return Number(row?.version ?? 0)
}

function migrationsOf(): Migration[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name, at) => ({ version: at + 1, path: join(FOLDER, name) }))
}
