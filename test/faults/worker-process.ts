// A machine of its own, as far as one machine can play it: `jelajah worker` in a process group of its
// own, with lines to Redis and PostgreSQL that can be cut.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { jelajah, type Run } from '../e2e/crawling.ts'
import { type Line, openLine } from '../servers/line.ts'
import type { Stage } from './stage.ts'

export type WorkerProcess = AsyncDisposable & {
  readonly name: string
  readonly run: Run
  readonly toRedis: Line
  readonly toPostgres: Line
  signalAll(signal: NodeJS.Signals): void
  /** All of its processes at once, as when a machine loses power. */
  killAll(): void
  /** False when it has none now. */
  kill(role: 'scouter' | 'parser'): boolean
}

const SKEWED_CLOCK = join(import.meta.dirname, 'skewed-clock.ts')

/** `skewMs`: what the clock of its machine is ahead. */
export async function startWorker(
  name: string,
  { redis, postgres, data: url, frontier }: Stage,
  skewMs: number,
): Promise<WorkerProcess> {
  const toRedis = await openLine(redis.port)
  const toPostgres = await openLine(postgres.port)
  const data = new URL(url)
  data.port = String(toPostgres.port)
  const env = {
    JELAJAH_DATA: data.href,
    NODE_OPTIONS: `--import=${SKEWED_CLOCK}`,
    TEST_SKEW_MS: String(skewMs),
    ...(frontier === null
      ? {}
      : { JELAJAH_FRONTIER: frontier.replace(`:${redis.port}`, `:${toRedis.port}`) }),
  }
  const run = jelajah(['worker', '--name', name, '--allow-private'], { env, detached: true })
  const group = run.process.pid ?? 0
  const signalAll = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-group, signal)
    } catch {
      // All of it has ended.
    }
  }
  return {
    ...{ name, run, toRedis, toPostgres, signalAll },
    killAll: () => signalAll('SIGKILL'),
    kill: (role) => {
      const pid = membersOf(group).find((each) => isOfRole(each, role))
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
      return pid !== undefined
    },
    [Symbol.asyncDispose]: async () => {
      signalAll('SIGKILL')
      await run.ended
      await toRedis[Symbol.asyncDispose]()
      await toPostgres[Symbol.asyncDispose]()
    },
  }
}

function membersOf(group: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  // After the name in brackets: state, parent, group.
  return pids.map(Number).filter((pid) => {
    const [, , inGroup] = afterName(readProc(pid, 'stat')).split(' ')
    return Number(inGroup) === group
  })
}

function afterName(stat: string): string {
  return stat.slice(stat.lastIndexOf(')') + 2)
}

function isOfRole(pid: number, role: string): boolean {
  return readProc(pid, 'cmdline').includes(`main/${role}.ts`)
}

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
