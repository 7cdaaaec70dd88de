// One child process under supervision, and the private folder of its run.
import { spawn } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isOwnFolder, makeTemporaryFolder, temporaryFolder } from '../lib/own-files.ts'
import { type Connection, FRAME_TYPES } from '../wire/connection.ts'
import { encodeControl, type ToChild } from '../wire/control.ts'

export type Role = 'scouter' | 'parser'
export const ROLES = ['parser', 'scouter'] as const

/** Names are looked up by libuv's threads. With the default of 4, slow names delay the others. */
const DNS_THREADS = '16'
/**
 * Of the young generation of V8's heap, in MB. With the default of 16 every second collection of the
 * scouter is a full one, since its heap is small and bodies are outside of it.
 */
const SEMI_SPACE_MB = 8
const NODE_OPTIONS = [
  '--disable-warning=ExperimentalWarning',
  `--max-semi-space-size=${SEMI_SPACE_MB}`,
]
/**
 * glibc gives each of the dozen helper threads memory of its own, and what their compilers needed once stays
 * there: a tenth of all memory of a crawl. They hardly ever want some at the same moment, but several threads
 * that parse and store pages might.
 */
const MAX_ARENAS = 2
/**
 * From this size on, memory of its own that goes back to the system at once. If glibc may choose, it raises the
 * bound to the largest body it has seen; the bodies of pages then lie among what stays, and the memory between
 * is never whole again: a quarter of all memory of a crawl of 100,000 pages.
 */
const MMAP_FROM_BYTES = String(64 * 1024)

export type ChildExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/** The part of a process that a supervisor uses. */
export type ChildHandle = {
  readonly pid: number | null
  readonly exited: Promise<ChildExit>
  readonly kill: () => void
}

/** Starts one of our programs, which will have so many busy threads. It connects to the socket by itself. */
export function spawnChild(entry: string, controlSocket: string, busyThreads: number): ChildHandle {
  const args = [...NODE_OPTIONS, entry, controlSocket]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      UV_THREADPOOL_SIZE: DNS_THREADS,
      MALLOC_ARENA_MAX: String(Math.min(MAX_ARENAS, busyThreads)),
      MALLOC_MMAP_THRESHOLD_: MMAP_FROM_BYTES,
      ...process.env,
    },
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

const PREFIX = 'jelajah-run-'
export const CONTROL_SOCKET = 'control.sock'
const OPENING_MS = 100

/**
 * Creates the private folder of one run, for its sockets, which only this user can enter. It is removed
 * with the run; folders of runs that were killed together with their children are removed by the next run.
 */
export function createRunFolder(): string {
  return makeTemporaryFolder(PREFIX)
}

export function removeRunFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Removes folders of runs whose supervisor is gone, that is, whose socket nobody answers. */
export async function sweepRunFolders(own: string): Promise<void> {
  const above = temporaryFolder()
  for (const name of readdirSync(above)) {
    const folder = join(above, name)
    // Other users may have put any number of such folders there, and trying each would take too long.
    if (!name.startsWith(PREFIX) || folder === own || !isOwnFolder(folder)) continue
    const socket = join(folder, CONTROL_SOCKET)
    if (!(await isDead(socket))) continue
    // A run that is just starting creates its folder a moment before it listens.
    await pause(OPENING_MS)
    if (await isDead(socket)) removeRunFolder(folder)
  }
}

/** A refused connection means that the socket exists and its owner does not; anything else may be a run. */
function isDead(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'))
  })
}
