// Workers, leases and the store of a workspace on PostgreSQL alone.
import { type WorkspaceUrl, withoutPassword } from '../../core/workspace-url.ts'
import { Postgres } from '../../db/postgres.ts'
import type { CrawlLeases, FleetGlance, FleetSource } from '../../fleet/fleet.ts'
import { createPostgresWorkerRegistry } from '../../fleet/postgres/postgres-worker-registry.ts'
import { createPostgresStorage } from '../../frontier/postgres/postgres-storage.ts'
import { FleetReader, type FleetServer } from './fleet-reader.ts'

type PostgresServer = FleetServer & { readonly db: Postgres }

export class PostgresFleet implements FleetSource {
  readonly stores = ['postgres'] as const
  readonly registryIn = 'postgres'
  readonly #reader: FleetReader<PostgresServer>

  constructor({ data }: Pick<WorkspaceUrl, 'data'>) {
    this.#reader = new FleetReader({
      shown: withoutPassword(data),
      open: async () => serverAt(data),
      close: ({ db }) => db.close(0),
    })
  }

  ask(): Promise<void> {
    return this.#reader.ask()
  }

  look(): Promise<FleetGlance> {
    return this.#reader.look()
  }

  leases(crawlId: number): Promise<CrawlLeases | null> {
    return this.#reader.leases(crawlId)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#reader[Symbol.asyncDispose]()
  }
}

function serverAt(url: string): PostgresServer {
  const db = new Postgres({ url, max: 1, lasts: true, name: 'jelajah watch' })
  const tables = async (): Promise<Postgres> => db
  return {
    db,
    storage: createPostgresStorage(db),
    registry: createPostgresWorkerRegistry({ writing: tables, reading: tables }),
    ask: () => db.run((sql) => sql`SELECT 1`, 0),
    keysOf: () => '',
  }
}
