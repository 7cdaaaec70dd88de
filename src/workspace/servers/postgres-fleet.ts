// Workers, leases and the store of a workspace on PostgreSQL alone.
import { type WorkspaceUrl, withoutPassword } from '../../core/workspace-url.ts'
import { Postgres } from '../../db/postgres.ts'
import type { CrawlLeases, FleetSnapshot, FleetSource } from '../../fleet/fleet.ts'
import { createPostgresWorkerRegistry } from '../../fleet/postgres/postgres-worker-registry.ts'
import { createPostgresStorage } from '../../frontier/postgres/postgres-storage.ts'
import { CheckedConnection } from './checked-connection.ts'
import { type FleetServer, lookAtWorkers, readCrawlLeases } from './fleet-reader.ts'

export class PostgresFleet implements FleetSource {
  readonly stores = ['postgres'] as const
  readonly registryIn = 'postgres'
  readonly #connection: CheckedConnection<Postgres>

  constructor({ data: url }: Pick<WorkspaceUrl, 'data'>) {
    this.#connection = new CheckedConnection({
      shown: withoutPassword(url),
      open: async () => new Postgres({ url, max: 1, lasts: true, name: 'jelajah watch' }),
      close: (db) => db.close(0),
    })
  }

  async ask(): Promise<void> {
    await this.#connection.over((db) => db.run((sql) => sql`SELECT 1`, 0))
  }

  look(): Promise<FleetSnapshot> {
    return this.#connection.over((db) => lookAtWorkers(serverOver(db)))
  }

  leases(crawlId: number): Promise<CrawlLeases | null> {
    return this.#connection.over((db) => readCrawlLeases(serverOver(db), crawlId))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#connection[Symbol.asyncDispose]()
  }
}

function serverOver(db: Postgres): FleetServer {
  const tables = async (): Promise<Postgres> => db
  return {
    storage: createPostgresStorage(db),
    registry: createPostgresWorkerRegistry({ writing: tables, reading: tables }),
    keysOf: () => '',
  }
}
