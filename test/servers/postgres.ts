// PostgreSQL for tests. `POSTGRES_URL` is used where many tests share a server, each in a database of
// its own; a test that stops or kills its server starts its own.
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import postgres from 'postgres'
import { freePort, isAlive, onFreePort, ServerProcess } from './server-process.ts'

const PACKAGES = '/usr/lib/postgresql'
const USER = 'jelajah'
/** It refuses to run as root. */
const SYSTEM_USER = 'postgres'

export type PostgresServer = AsyncDisposable & {
  /** Of a database that everybody may use; see `testDatabase`. */
  readonly url: string
  readonly port: number
  readonly pid: () => number
  /** `SIGINT`: at once, in order (the default). `SIGQUIT`: as a crash would. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
  readonly start: () => Promise<void>
  /** Leaves no room on its disk until what it returns is called. Null if it has no disk of its own. */
  readonly fillDisk: () => (() => void) | null
}

export type PostgresOptions = {
  /** Commits are on disk when they are told. Most tests do not care. */
  readonly durable?: boolean
  /** Further settings, as `name=value`. */
  readonly settings?: readonly string[]
  /** On a disk of its own of so many MB, where this process may mount one. */
  readonly diskMb?: number
  /** Asked of who connects. By default anybody may. */
  readonly password?: string
}

/** Followed by the number of the process that made it. */
const FOLDER = join(tmpdir(), 'postgres-')

export function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  return onFreePort(() => start(options))
}

async function start(options: PostgresOptions): Promise<PostgresServer> {
  removeLeftovers()
  const folder = mkdtempSync(`${FOLDER}${process.pid}-`)
  const port = await freePort()
  const bin = newestBin()
  const disk = options.diskMb === undefined ? null : mountDisk(folder, options.diskMb)
  prepare(bin, folder, options.password)
  const quick = options.durable ? [] : ['fsync=off', 'full_page_writes=off']
  const settings = [
    ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'],
    ...['shared_buffers=64MB', ...quick, ...(options.settings ?? [])],
  ]
  const command: [string, ...string[]] = [
    ...([join(bin, 'postgres'), '-D', folder, '-p', String(port)] as const),
    ...settings.flatMap((setting) => ['-c', setting]),
  ]
  const user = options.password === undefined ? USER : `${USER}:${options.password}`
  const url = `postgres://${user}@127.0.0.1:${port}/postgres`
  let running = new ServerProcess(command, SYSTEM_USER)
  const startAgain = async (): Promise<void> => {
    if (running.hasEnded) running = new ServerProcess(command, SYSTEM_USER)
    await running.ready(() => answersQuery(url))
  }
  await startAgain()
  const stop = (signal: NodeJS.Signals = 'SIGINT'): Promise<void> => running.end(signal)
  return {
    ...{ url, port, stop, start: startAgain },
    pid: () => running.pid,
    fillDisk: () => disk?.fill() ?? null,
    [Symbol.asyncDispose]: async () => {
      await stop('SIGQUIT')
      disk?.unmount()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Disk = { readonly fill: () => () => void; readonly unmount: () => void }

/** Null if this process may not. */
function mountDisk(folder: string, sizeMb: number): Disk | null {
  try {
    const args = ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', folder]
    execFileSync('mount', args, { stdio: 'pipe' })
  } catch {
    return null
  }
  const filling = join(folder, 'filling')
  return {
    fill: () => {
      const file = openSync(filling, 'w')
      try {
        for (;;) writeSync(file, Buffer.alloc(64 * 1024))
      } catch {
        // Nothing more goes there.
      } finally {
        closeSync(file)
      }
      return () => rmSync(filling, { force: true })
    },
    unmount: () => unmount(folder),
  }
}

/** Without effect on a folder that is no disk of its own. */
function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder], { stdio: 'ignore' })
}

function newestBin(): string {
  const newest = readdirSync(PACKAGES)
    .map(Number)
    .sort((a, b) => b - a)[0]
  return join(PACKAGES, String(newest), 'bin')
}

/** Of tests that were killed before they could do that themselves. */
export function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const maker = /^postgres-(\d+)-/.exec(name)?.[1]
    if (maker === undefined || isAlive(Number(maker))) continue
    unmount(join(tmpdir(), name))
    rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 3 })
  }
}

function prepare(bin: string, folder: string, password?: string): void {
  const passwordFile = join(folder, '..', `${basename(folder)}.password`)
  const access = password === undefined ? ['trust'] : ['scram-sha-256', `--pwfile=${passwordFile}`]
  const initdb = [join(bin, 'initdb'), '-D', folder, '-U', USER, '-N', '-E', 'UTF8']
  // Read by another user, and gone a second later: it is a test's.
  if (password !== undefined) writeFileSync(passwordFile, password, { mode: 0o644 })
  try {
    makeCluster(folder, [...initdb, '--locale=C.UTF-8', '-A', ...access])
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

function makeCluster(folder: string, all: readonly string[]): void {
  const isRoot = process.getuid?.() === 0
  if (!isRoot) {
    execFileSync(all[0] ?? '', all.slice(1), { stdio: 'pipe' })
    return
  }
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, SYSTEM_USER], { encoding: 'utf8' })),
  )
  chownSync(folder, uid ?? 0, gid ?? 0)
  const asUser = [`--reuid=${SYSTEM_USER}`, `--regid=${SYSTEM_USER}`, '--clear-groups']
  execFileSync('setpriv', [...asUser, ...all], { stdio: 'pipe', cwd: '/' })
}

async function answersQuery(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    await sql`SELECT 1`
    return true
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}

let own: Promise<PostgresServer> | null = null

async function sharedPostgresUrl(): Promise<string> {
  const given = process.env.POSTGRES_URL
  if (given !== undefined) return given
  own ??= startPostgres()
  return (await own).url
}

export type TestDatabase = AsyncDisposable & { readonly url: string }

/** A new, empty database, by default on the server that all tests of a run share. */
export async function testDatabase(server?: string): Promise<TestDatabase> {
  const url = new URL(server ?? (await sharedPostgresUrl()))
  const name = `test_${randomBytes(8).toString('hex')}`
  const admin = async (statement: string): Promise<void> => {
    const sql = postgres(url.href, { max: 1, onnotice: () => {} })
    await sql.unsafe(statement).finally(() => sql.end())
  }
  await admin(`CREATE DATABASE ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return {
    url: own.href,
    [Symbol.asyncDispose]: () => admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}
