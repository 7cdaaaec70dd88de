// A Redis and a PostgreSQL as one would run them, and their account: processor time, commands, bytes.
import { Redis } from 'ioredis'
import postgres from 'postgres'
import { type PostgresServer, startPostgres, testDatabase } from '../../test/servers/postgres.ts'
import { type RedisServer, startRedis } from '../../test/servers/redis.ts'
import { cpuSecondsBelow } from './cpu.ts'

/** So far. */
export type Account = {
  readonly redisCpu: number
  readonly postgresCpu: number
  /** Scripts that clients ran, and commands that came from clients. */
  readonly redisScripts: number
  readonly redisBytes: number
  readonly redisMemory: number
  readonly walBytes: number
}

export type Servers = AsyncDisposable & {
  readonly redis: RedisServer
  readonly postgres: PostgresServer
  readonly database: string
  account(): Promise<Account>
  databaseBytes(): Promise<number>
}

/** `settings`: further ones of PostgreSQL. */
export async function startServers(settings: readonly string[] = []): Promise<Servers> {
  const stack = new AsyncDisposableStack()
  const redis = stack.use(await startRedis({ appendOnly: true }))
  const server = stack.use(
    await startPostgres({
      durable: true,
      settings: ['shared_buffers=512MB', 'max_wal_size=4GB', 'wal_compression=on', ...settings],
    }),
  )
  const { url: database } = stack.use(await testDatabase(server.url))
  const client = stack.adopt(new Redis(redis.url), (each) => each.disconnect())
  const sql = stack.adopt(postgres(database, { max: 1, onnotice: () => {} }), (each) => each.end())
  return {
    ...{ redis, postgres: server, database },
    account: async () => {
      const info = fieldsOf(await client.info())
      const stats = await client.info('commandstats')
      const [wal] = await sql`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes`
      return {
        redisCpu: (info.used_cpu_sys ?? 0) + (info.used_cpu_user ?? 0),
        postgresCpu: cpuSecondsBelow(server.pid()),
        redisScripts: callsOf(stats, 'evalsha') + callsOf(stats, 'eval'),
        redisBytes: (info.total_net_input_bytes ?? 0) + (info.total_net_output_bytes ?? 0),
        redisMemory: info.used_memory ?? 0,
        walBytes: Number(wal?.bytes),
      }
    },
    databaseBytes: async () => {
      const [row] = await sql`SELECT pg_database_size(current_database())::float8 AS bytes`
      return Number(row?.bytes)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function fieldsOf(info: string): Readonly<Record<string, number>> {
  const lines = info.split('\r\n').flatMap((line) => {
    const [name, value] = line.split(':')
    return name && value !== undefined ? [[name, Number(value)] as const] : []
  })
  return Object.fromEntries(lines)
}

function callsOf(stats: string, command: string): number {
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0)
}
