// One child process under supervision: started, spoken to, watched, and seen off.
import { type ChildProcess, spawn } from 'node:child_process'
import { type Connection, FRAME_TYPES } from '../wire/connection.ts'
import { encodeControl, type ToChild } from '../wire/control.ts'

export type Role = 'scouter' | 'parser'
export const ROLES = ['parser', 'scouter'] as const

/** Names are looked up on libuv's threads; with its default of 4, slow names hold up the rest. */
const DNS_THREADS = '16'

export type ChildExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

export class Child {
  readonly role: Role
  readonly exited: Promise<ChildExit>
  /** Epoch ms of its last sign of life. */
  lastSeen: number
  /** Its stores are open. */
  up = false
  readonly #process: ChildProcess
  #connection: Connection | null = null

  constructor(role: Role, entry: string, controlSocket: string, now: number) {
    this.role = role
    this.lastSeen = now
    const args = ['--disable-warning=ExperimentalWarning', entry, controlSocket]
    this.#process = spawn(process.execPath, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { UV_THREADPOOL_SIZE: DNS_THREADS, ...process.env },
    })
    this.exited = new Promise((resolve) => {
      this.#process.once('error', () => resolve({ code: 1, signal: null }))
      this.#process.once('exit', (code, signal) => resolve({ code, signal }))
    })
  }

  get pid(): number | null {
    return this.#process.pid ?? null
  }

  attach(connection: Connection): void {
    this.#connection = connection
  }

  send(message: ToChild): void {
    this.#connection?.send(FRAME_TYPES.control, encodeControl(message))
  }

  kill(): void {
    this.#process.kill('SIGKILL')
  }
}
