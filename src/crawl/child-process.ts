// One child process under supervision.
import { spawn } from 'node:child_process'
import { type Connection, FRAME_TYPES } from '../wire/connection.ts'
import { encodeControl, type ToChild } from '../wire/control.ts'

export type Role = 'scouter' | 'parser'
export const ROLES = ['parser', 'scouter'] as const

/** libuv's threads look names up; with its default of 4, slow names hold up the rest. */
const DNS_THREADS = '16'

export type ChildExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/** A process as far as a supervisor needs it. */
export type ChildHandle = {
  readonly pid: number | null
  readonly exited: Promise<ChildExit>
  readonly kill: () => void
}

/** Starts a program of ours, which connects to the socket by itself. */
export function spawnChild(entry: string, controlSocket: string): ChildHandle {
  const args = ['--disable-warning=ExperimentalWarning', entry, controlSocket]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { UV_THREADPOOL_SIZE: DNS_THREADS, ...process.env },
  })
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('error', () => resolve({ code: 1, signal: null }))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  return { pid: child.pid ?? null, exited, kill: () => void child.kill('SIGKILL') }
}

export class Child {
  readonly role: Role
  /** Epoch ms of its last sign of life. */
  lastSeen: number
  /** Its stores are open. */
  up = false
  readonly #handle: ChildHandle
  #connection: Connection | null = null

  constructor(role: Role, handle: ChildHandle, now: number) {
    this.role = role
    this.#handle = handle
    this.lastSeen = now
  }

  get pid(): number | null {
    return this.#handle.pid
  }

  get exited(): Promise<ChildExit> {
    return this.#handle.exited
  }

  attach(connection: Connection): void {
    this.#connection = connection
  }

  send(message: ToChild): void {
    this.#connection?.send(FRAME_TYPES.control, encodeControl(message))
  }

  kill(): void {
    this.#handle.kill()
  }
}
