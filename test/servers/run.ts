// Runs a command with a Redis and a PostgreSQL beside it that all its tests share: `REDIS_URL` and
// `POSTGRES_URL` tell where. A server that these already name is used as it is. Both end with it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'

const [command, ...args] = process.argv.slice(2)
if (command === undefined) throw new Error('usage: run.ts COMMAND [ARGUMENT…]')

await using servers = new AsyncDisposableStack()
const redisUrl = process.env.REDIS_URL ?? servers.use(await startRedis()).url
const postgresUrl = process.env.POSTGRES_URL ?? servers.use(await startPostgres()).url
const env = { ...process.env, REDIS_URL: redisUrl, POSTGRES_URL: postgresUrl }
const child = spawn(command, args, { stdio: 'inherit', env })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
const [code] = (await once(child, 'exit')) as [number | null]
process.exitCode = code ?? 1
