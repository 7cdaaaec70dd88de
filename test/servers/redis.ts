// Redis for tests. `REDIS_URL` is used where many tests share one; a test that stops, kills or flushes
// its server starts its own.
import { once } from 'node:events'
import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, onFreePort, ServerProcess } from './server-process.ts'

export type RedisServer = AsyncDisposable & {
  readonly url: string
  readonly port: number
  readonly pid: () => number
  /** Ends it; `SIGKILL` as a crash would. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
  /** Starts it again on the same port with the same files. */
  readonly start: () => Promise<void>
  readonly signal: (signal: NodeJS.Signals) => void
  /** All it knows is gone. */
  readonly flush: () => Promise<void>
  /** With so little memory that it takes no write; null: as much as it wants. */
  readonly limitMemory: (bytes: number | null) => Promise<void>
  /** What it has on disk now, for `startFromCopy`. */
  readonly copy: () => void
  /** Starts it as it was when it was copied, as when a replica that was behind takes its place. */
  readonly startFromCopy: () => Promise<void>
}

export type RedisOptions = {
  /** Keeps what it is told in a log that is fsynced every second. */
  readonly appendOnly?: boolean
  readonly port?: number
  /** Further settings, as `--name value`. */
  readonly settings?: readonly string[]
}

export function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  return options.port === undefined ? onFreePort(() => start(options)) : start(options)
}

async function start(options: RedisOptions): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'))
  const port = options.port ?? (await freePort())
  const command: [string, ...string[]] = [
    ...(['redis-server', '--port', String(port), '--bind', '127.0.0.1', '--dir', folder] as const),
    ...['--save', '', '--appendonly', options.appendOnly ? 'yes' : 'no'],
    ...(options.settings ?? []),
  ]
  const copied = `${folder}.copy`
  let running = new ServerProcess(command)
  const startAgain = async (): Promise<void> => {
    if (running.hasEnded) running = new ServerProcess(command)
    await running.ready(() => answersPing(port))
  }
  await startAgain()
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => running.end(signal)
  return {
    ...{ url: `redis://127.0.0.1:${port}`, port, stop, start: startAgain },
    pid: () => running.pid,
    signal: (signal) => running.signal(signal),
    flush: () => tell(port, 'FLUSHALL'),
    limitMemory: (bytes) => tell(port, `CONFIG SET maxmemory ${bytes ?? 0}`),
    copy: () => {
      rmSync(copied, { recursive: true, force: true })
      cpSync(folder, copied, { recursive: true })
    },
    startFromCopy: async () => {
      rmSync(folder, { recursive: true, force: true })
      renameSync(copied, folder)
      await startAgain()
    },
    [Symbol.asyncDispose]: async () => {
      await stop('SIGKILL')
      for (const each of [folder, copied]) rmSync(each, { recursive: true, force: true })
    },
  }
}

async function tell(port: number, command: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`${command}\r\n`)
  await once(socket, 'data')
  socket.destroy()
}

/** False while it loads its files, too. */
export async function answersPing(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    socket.write('PING\r\n')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    return answer.toString().startsWith('+PONG')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

let own: Promise<RedisServer> | null = null

/** The server that all tests of a run share; who uses it chooses keys that nobody else has. */
export async function sharedRedisUrl(): Promise<string> {
  const given = process.env.REDIS_URL
  if (given !== undefined) return given
  own ??= startRedis()
  return (await own).url
}
