// A database server of the system's packages, started for tests: on a free port of loopback, with its
// files in a folder of its own, gone when the test is, also when that was killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Past this nothing starts or ends any more. */
const PATIENCE_MS = 60_000
const LOOK_EVERY_MS = 20
const STARTS = 3

const given = new Set<number>()

/** A port that was free a moment ago, and that nobody here was given before. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  if (given.has(address.port)) return freePort()
  given.add(address.port)
  return address.port
}

/** Somebody else may take a port between the look and the start: then it is started on another. */
export async function onFreePort<T>(start: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start()
    } catch (error) {
      if (tries === STARTS) throw error
    }
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

export class ServerProcess {
  readonly #command: readonly [string, ...string[]]
  readonly #said: string[] = []
  #child: ChildProcess

  /** `user`: whose rights it runs with when this process is root's. */
  constructor(command: readonly [string, ...string[]], user: string | null = null) {
    const asUser =
      user !== null && process.getuid?.() === 0
        ? [`--reuid=${user}`, `--regid=${user}`, '--clear-groups']
        : []
    this.#command = command
    // Whoever started it may be killed: then the kernel ends it.
    this.#child = spawn('setpriv', ['--pdeathsig', 'KILL', ...asUser, ...command], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#said.push(text)
        if (this.#said.length > 200) this.#said.shift()
      })
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Until it answers. */
  async ready(answers: () => Promise<boolean>): Promise<void> {
    const until = Date.now() + PATIENCE_MS
    while (!(await answers())) {
      if (this.hasEnded || Date.now() > until) {
        await this.end('SIGKILL')
        throw new Error(`${this.#command.join(' ')} did not start:\n${this.#said.join('')}`)
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.hasEnded) return
    const gone = once(this.#child, 'exit')
    this.#child.kill(signal)
    await gone
  }
}
