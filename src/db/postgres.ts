// Opens PostgreSQL: a pool of connections, migrations, patience, and our errors instead of the driver's.
//
// A process opens a store once and hands it to all adapters (`src/store/postgres`); the opener closes it. A
// server that is away is waited for, up to a deadline. Work given to `run` and `inTransaction` may therefore
// run twice, the second time after the first succeeded without an answer. It must be safe to repeat.
import { CrawlerError } from '../core/errors.ts'
import { withoutPassword, wrongParameter } from '../core/workspace-url.ts'
import { askAgain } from './postgres-connect.ts'
import { Postgres, type PostgresOptions } from './postgres-pool.ts'
import { checkSchema, migrate } from './postgres-schema.ts'

export type { PostgresOptions, Queries, Row, Sql, Transaction } from './postgres-pool.ts'
export { Postgres } from './postgres-pool.ts'

const OPEN_MS = 5000

/** Opens a store for writing, making or migrating its tables as needed. */
export async function openPostgres(options: PostgresOptions): Promise<Postgres> {
  return opened(options, async (db) => {
    await refuseSharedConnections(db, options)
    await refuseReadOnly(db)
    await migrate(db)
    return db
  })
}

/** Opens a store for reading, touching nothing; null when there is none in that database yet. */
export async function openPostgresReader(options: PostgresOptions): Promise<Postgres | null> {
  return opened(options, async (db) => {
    if (await checkSchema(db)) return db
    await db[Symbol.asyncDispose]()
    return null
  })
}

async function opened<T>(options: PostgresOptions, work: (db: Postgres) => Promise<T>): Promise<T> {
  refuseNonsense(options.url)
  const db = new Postgres(options)
  try {
    await db.run((sql) => sql`SELECT 1`, options.openMs ?? OPEN_MS)
    return await work(db)
  } catch (error) {
    await db[Symbol.asyncDispose]()
    throw error
  }
}

/**
 * Our locks belong to a connection. A pooler that shares connections between clients gives the locks away
 * with them.
 */
async function refuseSharedConnections(db: Postgres, options: PostgresOptions): Promise<void> {
  if (await db.hasSettings()) return
  const [row] = await db.run((sql) => sql`SELECT pg_backend_pid() AS pid`)
  if ((await askAgain(options)) !== Number(row?.pid)) return
  throw new CrawlerError(
    'store-unreachable',
    `${db.shown} is a pooler that shares connections between clients, and with them their locks. ` +
      "Give the address of PostgreSQL itself, or set the pooler's mode to 'session'.",
  )
}

async function refuseReadOnly(db: Postgres): Promise<void> {
  const [row] = await db.run((sql) => sql`SELECT current_setting('transaction_read_only') AS is`)
  if (row?.is !== 'on') return
  throw new CrawlerError(
    'store-unreachable',
    `${db.shown} may only be read: it is a standby, or its settings say so ` +
      '(default_transaction_read_only). Give the address of one that may be written.',
  )
}

function refuseNonsense(url: string): void {
  const wrong = wrongParameter(url)
  if (wrong !== null) {
    throw new CrawlerError('store-unreachable', `${withoutPassword(url)}: ${wrong}`)
  }
  const parsed = /^postgres(?:ql)?:\/\//.test(url) ? URL.parse(url) : null
  // An @ behind the host: what was taken for the host begins a password that nobody escaped.
  const behind = parsed === null ? '' : `${parsed.pathname}${parsed.search}${parsed.hash}`
  if (parsed !== null && !behind.includes('@')) return
  throw new CrawlerError(
    'store-unreachable',
    `${withoutPassword(url)} is not the URL of a PostgreSQL: postgres://user:password@host:5432/name, ` +
      'with any of /, ?, # and @ in the password as %2F, %3F, %23, %40',
  )
}
