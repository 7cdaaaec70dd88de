// One child process under supervision.
import { spawn } from 'node:child_process'
import { type Connection, FRAME_TYPES } from '../wire/connection.ts'
import { encodeControl, type ToChild } from '../wire/control.ts'

export type Role = 'scouter' | 'parser'
export const ROLES = ['parser', 'scouter'] as const

/** Names are looked up by libuv's threads. With the default of 4, slow names delay the others. */
const DNS_THREADS = '16'

export type ChildExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/** The part of a process that a supervisor uses. */
export type ChildHandle = {
  readonly pid: number | null
  readonly exited: Promise<ChildExit>
  readonly kill: () => void
}

/** Starts one of our programs. It connects to the socket by itself. */
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
  /** Epoch ms of its last message. */
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
