// What can go wrong while several machines crawl together, each as one act that is undone after a while
// where it can be. Which comes when is drawn from a seed.
import { setTimeout as wait } from 'node:timers/promises'
import postgres from 'postgres'
import type { Stage } from './stage.ts'

/** Only of a Redis; where the frontier is in PostgreSQL they happen to nobody. */
export const OF_REDIS: readonly string[] = [
  ...['restart-redis', 'kill-redis', 'flush-redis', 'cut-redis', 'cut-both'],
  ...['fill-redis', 'roll-back-redis', 'lose-redis'],
]

export const FAULTS = [
  'kill-worker',
  'kill-scouter',
  'kill-parser',
  'kill-master',
  'kill-indexer',
  'stop-worker',
  'restart-redis',
  'kill-redis',
  'flush-redis',
  'restart-postgres',
  'kill-postgres',
  'cut-redis',
  'cut-postgres',
  'cut-both',
  'fill-redis',
  'roll-back-redis',
  'lose-redis',
  'starve-postgres',
  'fail-over-postgres',
  'fill-disk',
] as const
/** Too long to be drawn. */
const LONG = ['cut-for-a-minute'] as const
export type Fault = (typeof FAULTS)[number] | (typeof LONG)[number]

const MINUTE_MS = 60_000
/** Less than any server needs. */
const NO_MEMORY = 1

/** Does it, and undoes it, before long; what is done, in words. */
export function act(fault: Fault, stage: Stage): Promise<string> {
  const forMs = 200 + stage.random.below(2_000)
  switch (fault) {
    case 'kill-worker':
      return killWorker(stage)
    case 'kill-scouter':
      return killOne(stage, 'scouter')
    case 'kill-parser':
      return killOne(stage, 'parser')
    case 'kill-master':
      return killMaster(stage, forMs)
    case 'kill-indexer':
      return Promise.resolve(stage.killIndexer() ? 'killed the indexer' : 'no indexer to kill')
    case 'stop-worker':
      return stopWorker(stage)
    case 'restart-redis':
    case 'kill-redis':
      return restart(fault, stage.redis, fault === 'kill-redis' ? 'SIGKILL' : 'SIGTERM', forMs)
    case 'flush-redis':
      return flushRedis(stage)
    case 'restart-postgres':
    case 'kill-postgres':
      return restart(fault, stage.postgres, fault === 'kill-postgres' ? 'SIGQUIT' : 'SIGINT', forMs)
    case 'fill-redis':
      return fillRedis(stage, forMs)
    case 'roll-back-redis':
      return rollBackRedis(stage, forMs)
    case 'lose-redis':
      return loseRedis(stage, forMs)
    case 'starve-postgres':
      return starvePostgres(stage, forMs)
    case 'fail-over-postgres':
      return failOverPostgres(stage, forMs)
    case 'fill-disk':
      return fillDisk(stage, forMs)
    case 'cut-for-a-minute':
      return cut('cut-both', stage, MINUTE_MS)
    case 'cut-redis':
    case 'cut-postgres':
    case 'cut-both':
      return cut(fault, stage, stage.random.chance(0.5) ? forMs : stage.pastLeaseMs)
  }
}

async function killWorker({ workers, random }: Stage): Promise<string> {
  // The last one stays: somebody has to finish.
  if (workers.length === 1) return 'nobody to kill'
  const worker = random.pick(workers)
  workers.splice(workers.indexOf(worker), 1)
  worker.killAll()
  return `killed ${worker.name}`
}

async function killOne({ workers, random }: Stage, role: 'scouter' | 'parser'): Promise<string> {
  const first = random.below(workers.length)
  const inTurn = [...workers.slice(first), ...workers.slice(0, first)]
  const killed = inTurn.find((worker) => worker.kill(role))
  return killed === undefined ? `no ${role} to kill` : `killed a ${role} of ${killed.name}`
}

async function killMaster(stage: Stage, forMs: number): Promise<string> {
  await stage.killMaster()
  await wait(forMs)
  await stage.startMaster()
  return `killed the master, away for ${forMs} ms`
}

async function stopWorker(stage: Stage): Promise<string> {
  const { workers, random, pastLeaseMs } = stage
  const worker = random.pick(workers)
  worker.signalAll('SIGSTOP')
  stage.later(pastLeaseMs, () => worker.signalAll('SIGCONT'))
  return `stopped ${worker.name} for ${pastLeaseMs} ms`
}

async function restart(
  fault: string,
  server: Stage['redis'] | Stage['postgres'],
  signal: NodeJS.Signals,
  forMs: number,
): Promise<string> {
  await server.stop(signal)
  await wait(forMs)
  await server.start()
  return `${fault}, away for ${forMs} ms`
}

async function cut(
  fault: 'cut-redis' | 'cut-postgres' | 'cut-both',
  stage: Stage,
  forMs: number,
): Promise<string> {
  const { name, toRedis, toPostgres } = stage.random.pick(stage.workers)
  const lines = { 'cut-redis': [toRedis], 'cut-postgres': [toPostgres] }
  const cutLines = fault === 'cut-both' ? [toRedis, toPostgres] : lines[fault]
  for (const line of cutLines) line.cut()
  stage.later(forMs, () => {
    for (const line of cutLines) line.mend()
  })
  return `${fault} of ${name} for ${forMs} ms`
}

/** The job ends and says what to do; that is done, and the job goes on. */
async function flushRedis(stage: Stage): Promise<string> {
  if (await stage.isOver()) return 'nothing to flush: it is over'
  await stage.redis.flush()
  return `flush-redis, ${await repair(stage)}`
}

/** It had kept nothing on its disk. */
async function loseRedis(stage: Stage, forMs: number): Promise<string> {
  if (await stage.isOver()) return 'nothing to lose: it is over'
  await stage.redis.flush()
  await stage.redis.stop('SIGTERM')
  await wait(forMs)
  await stage.redis.start()
  return `lose-redis, away for ${forMs} ms, ${await repair(stage)}`
}

async function repair(stage: Stage): Promise<string> {
  await stage.untilOver('the job to find its frontier lost')
  const { status = '', note = '' } = (await stage.stand()) ?? {}
  // Its owners wrote it again.
  if (status === 'completed') return 'not noticed'
  if (!note.includes('--rebuild-frontier')) throw new Error(`after a loss: ${status}: ${note}`)
  await stage.rebuildFrontier()
  await stage.resume()
  return 'rebuilt, resumed'
}

async function fillRedis({ redis }: Stage, forMs: number): Promise<string> {
  await redis.limitMemory(NO_MEMORY)
  await wait(forMs)
  await redis.limitMemory(null)
  return `fill-redis, for ${forMs} ms`
}

/** A replica that was behind takes the place of a master that is gone. */
async function rollBackRedis({ redis }: Stage, forMs: number): Promise<string> {
  const lostMs = forMs / 2
  redis.copy()
  await wait(lostMs)
  await redis.stop('SIGKILL')
  await redis.startFromCopy()
  return `roll-back-redis, by ${lostMs} ms`
}

/** Somebody else has all connections, also those that the programs had. */
async function starvePostgres({ postgres: server }: Stage, forMs: number): Promise<string> {
  const first = postgres(server.url, { max: 1, onnotice: () => {} })
  const [limit] = await first`SHOW max_connections`
  const held = [first]
  const takeAll = async (): Promise<void> => {
    const all = Array.from({ length: Number(limit?.max_connections) }, () =>
      postgres(server.url, { max: 1, connect_timeout: 5, onnotice: () => {} }),
    )
    held.push(...all)
    await Promise.allSettled(all.map((sql) => sql`SELECT 1`))
  }
  await takeAll()
  await first`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND datname <> 'postgres'`
  await takeAll()
  await wait(forMs)
  await Promise.all(held.map((sql) => sql.end({ timeout: 1 })))
  return `starve-postgres, for ${forMs} ms`
}

/** As programs see it: first nothing can be written, then the server is gone, then another has its place. */
async function failOverPostgres({ postgres: server }: Stage, forMs: number): Promise<string> {
  const set = async (mode: string): Promise<void> => {
    const sql = postgres(server.url, { max: 1, onnotice: () => {} })
    await sql.unsafe(`SET default_transaction_read_only = off`)
    await sql.unsafe(`ALTER SYSTEM SET default_transaction_read_only = ${mode}`)
    await sql.unsafe('SELECT pg_reload_conf()')
    await sql.end()
  }
  await set('on')
  await wait(forMs / 2)
  await set('off')
  await server.stop('SIGQUIT')
  await wait(forMs / 2)
  await server.start()
  return `fail-over-postgres, for ${forMs} ms`
}

async function fillDisk({ postgres: server }: Stage, forMs: number): Promise<string> {
  const free = server.fillDisk()
  if (free === null) return 'no disk to fill'
  await wait(forMs)
  free()
  // It may have given up.
  await server.start()
  return `fill-disk, for ${forMs} ms`
}
