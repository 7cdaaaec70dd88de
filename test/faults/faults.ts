// What can go wrong while several machines crawl together, each as one act that is undone after a while
// where it can be. Which comes when is drawn from a seed.
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../e2e/serving.ts'
import type { Stage } from './stage.ts'

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
] as const
export type Fault = (typeof FAULTS)[number]

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
  fault: Fault,
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
  await until(() => stage.isOver(), 'the job to find its frontier lost', stage.options.patienceMs)
  const { status = '', note = '' } = (await stage.stand()) ?? {}
  if (status === 'completed') return 'flush-redis, at its very end'
  if (!note.includes('--rebuild-frontier')) throw new Error(`after a flush: ${status}: ${note}`)
  await stage.rebuildFrontier()
  await stage.resume()
  return 'flush-redis, rebuilt, resumed'
}
