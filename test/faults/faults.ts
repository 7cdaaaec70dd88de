// What can go wrong while several machines crawl together, each as one act that is undone after a while
// where it can be. Which comes when is drawn from a seed.
import { setTimeout as wait } from 'node:timers/promises'
import type { PostgresServer } from '../servers/postgres.ts'
import type { RedisServer } from '../servers/redis.ts'
import type { Stream } from '../site/random.ts'
import type { WorkerProcess } from './worker-process.ts'

export const FAULTS = [
  'kill-worker',
  'kill-scouter',
  'kill-parser',
  'stop-worker',
  'restart-redis',
  'kill-redis',
  'restart-postgres',
  'kill-postgres',
  'cut-redis',
  'cut-postgres',
] as const
export type Fault = (typeof FAULTS)[number]

export type Stage = {
  readonly redis: RedisServer
  readonly postgres: PostgresServer
  /** Those that run; who is killed leaves. */
  readonly workers: WorkerProcess[]
  readonly random: Stream
  /** Longer than a worker's lease. */
  readonly pastLeaseMs: number
}

/** Does it, and undoes it; what was done, in words. */
export async function act(fault: Fault, stage: Stage): Promise<string> {
  const { redis, postgres, workers, random, pastLeaseMs } = stage
  const worker = workers[random.below(workers.length)]
  const shortMs = 200 + random.below(2_000)
  switch (fault) {
    case 'kill-worker':
      // The last one stays: somebody has to finish.
      if (worker === undefined || workers.length === 1) return 'nobody to kill'
      workers.splice(workers.indexOf(worker), 1)
      worker.killAll()
      return `killed ${worker.name}`
    case 'kill-scouter':
    case 'kill-parser': {
      const role = fault === 'kill-scouter' ? 'scouter' : 'parser'
      return worker?.kill(role) ? `killed a ${role} of ${worker.name}` : `no ${role} to kill`
    }
    case 'stop-worker':
      worker?.signalAll('SIGSTOP')
      await wait(pastLeaseMs)
      worker?.signalAll('SIGCONT')
      return `stopped ${worker?.name} for ${pastLeaseMs} ms`
    case 'restart-redis':
    case 'kill-redis':
      await redis.stop(fault === 'kill-redis' ? 'SIGKILL' : 'SIGTERM')
      await wait(shortMs)
      await redis.start()
      return `${fault}, away for ${shortMs} ms`
    case 'restart-postgres':
    case 'kill-postgres':
      await postgres.stop(fault === 'kill-postgres' ? 'SIGQUIT' : 'SIGINT')
      await wait(shortMs)
      await postgres.start()
      return `${fault}, away for ${shortMs} ms`
    case 'cut-redis':
    case 'cut-postgres': {
      const line = fault === 'cut-redis' ? worker?.toRedis : worker?.toPostgres
      const forMs = random.chance(0.5) ? shortMs : pastLeaseMs
      line?.cut()
      await wait(forMs)
      line?.mend()
      return `${fault} of ${worker?.name} for ${forMs} ms`
    }
  }
}
