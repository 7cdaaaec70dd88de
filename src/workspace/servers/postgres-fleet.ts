// Workers and the store of a workspace on PostgreSQL alone, checked over a separate connection: other
// connections wait for a server that is away, this one detects that it is, and when it is back. A connection
// without an answer is replaced by a new one, since it may be dead.
import { CrawlerError } from '../../core/errors.ts'
import { type WorkspaceUrl, withoutPassword } from '../../core/workspace-url.ts'
import { Postgres } from '../../db/postgres.ts'
import type { FleetGlance, FleetSource } from '../../fleet/fleet.ts'
import { createPostgresWorkerRegistry } from '../../fleet/postgres/postgres-worker-registry.ts'

/** Longer than a healthy server under load takes for a trivial request. */
export const ANSWER_MS = 3000

export class PostgresFleet implements FleetSource {
  readonly stores = ['postgres'] as const
  readonly registryIn = 'postgres'
  readonly #url: string
  #db: Postgres | null = null

  constructor({ data }: Pick<WorkspaceUrl, 'data'>) {
    this.#url = data
  }

  async ask(): Promise<void> {
    await this.#over((db) => db.run((sql) => sql`SELECT 1`, 0))
  }

  look(): Promise<FleetGlance> {
    return this.#over(async (db) => {
      const tables = async (): Promise<Postgres> => db
      const registry = createPostgresWorkerRegistry({ writing: tables, reading: tables })
      return { workers: await registry.workers(), leases: new Map<string, number>() }
    })
  }

  async leases(): Promise<null> {
    return null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const db = this.#db
    this.#db = null
    await db?.[Symbol.asyncDispose]()
  }

  async #over<T>(work: (db: Postgres) => Promise<T>): Promise<T> {
    this.#db ??= new Postgres({ url: this.#url, max: 1, lasts: true, name: 'jelajah watch' })
    const db = this.#db
    try {
      return await inTime(work(db), withoutPassword(this.#url))
    } catch (error) {
      if (this.#db === db) this.#db = null
      void db[Symbol.asyncDispose]().catch(() => {})
      throw error
    }
  }
}

/** `shown`: the name of the server in the error. */
export async function inTime<T>(work: Promise<T>, shown: string): Promise<T> {
  const late = Promise.withResolvers<never>()
  const message = `${shown} did not answer within ${ANSWER_MS / 1000} s`
  const timer = setTimeout(
    () => late.reject(new CrawlerError('store-unreachable', message)),
    ANSWER_MS,
  )
  // The result that comes second is ignored.
  work.catch(() => {})
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}
