// Running the real program on the sample web, as a user would, and reading what it left behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export const ROOT = join(import.meta.dirname, '..', '..')

const { PATH, HOME, NODE_COMPILE_CACHE = '', TMPDIR = tmpdir() } = process.env

export type Run = {
  readonly process: ChildProcess
  /** What it has written to stderr so far. */
  readonly said: () => string
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>
}

export type RunOptions = {
  /** Another checkout to run it from. */
  readonly root?: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string | Uint8Array
  /** In a process group of its own, which can be stopped or killed as a whole. */
  readonly detached?: boolean
}

/** Starts `jelajah …`. */
export function jelajah(args: readonly string[], options: RunOptions = {}): Run {
  const { root = ROOT, env = {}, stdin, detached = false } = options
  const entry = join(root, 'src', 'main', 'jelajah.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry, ...args], {
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached,
    // As on a small machine, whatever this one is: most tests look at the files of one scouter.
    env: {
      ...{ PATH, HOME, TMPDIR, JELAJAH_CONTACT: 'test', JELAJAH_SCOUTERS: '1' },
      ...{ ...cacheFor(root), ...env },
    },
  })
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk) => (stdout += chunk))
  child.stderr?.setEncoding('utf8').on('data', (chunk) => (stderr += chunk))
  // It may have read enough before it has read all.
  child.stdin?.on('error', () => {}).end(stdin)
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
  return { process: child, said: () => stderr, ended }
}

/** Compiled code is kept as `bin/jelajah` keeps it, which halves what a start costs. */
function cacheFor(root: string): Readonly<Record<string, string>> {
  return root === ROOT ? { NODE_COMPILE_CACHE } : {}
}

/** A folder that is gone afterwards. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'jelajah-test-'))
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** For what waits more than it works: begins with the first test of the file, and goes on beside others. */
export function beside(work: () => Promise<void>): () => Promise<void> {
  const done = work()
  done.catch(() => {})
  return () => done
}

/** A server of a test's own on the loopback address. */
export async function serve(
  listener: RequestListener,
): Promise<AsyncDisposable & { readonly port: number; readonly connections: () => number }> {
  let connections = 0
  const server = createServer(listener).on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The pid of a running crawl's process of that role; null when it has none now. */
export function pidOf(supervisor: number, role: Role): number | null {
  return pidsOf(supervisor, role)[0] ?? null
}

type Role = 'scouter' | 'parser' | 'indexer'

export function pidsOf(supervisor: number, role: Role): number[] {
  return childrenOf(supervisor).filter((pid) =>
    readProc(pid, 'cmdline').includes(`main/${role}.ts`),
  )
}

export type UrlRow = { url: string; state: string; reason: string | null; host: string }
export type PageRow = { url: string; duplicate_of: number | null; content_text: string }

export function readUrls(dataDir: string): UrlRow[] {
  const files = globSync('{frontier-+([0-9]).db,frontier-*/partition-*.db}', { cwd: dataDir })
  return files.flatMap((file) =>
    query<UrlRow>(join(dataDir, file), 'SELECT url, state, reason, host FROM urls'),
  )
}

export function readPages(dataDir: string): PageRow[] {
  const sql = 'SELECT url, duplicate_of, content_text FROM pages'
  return query<PageRow>(join(dataDir, 'jelajah.db'), sql)
}

export function query<Row>(path: string, sql: string): Row[] {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    return db.prepare(sql).all() as Row[]
  } finally {
    db.close()
  }
}

function childrenOf(pid: number): number[] {
  return readProc(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
