// What `jelajah doctor` looks at, one function each. A check never throws: what it cannot do is
// what it reports.
import { existsSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { createServer, connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { showBytes } from '../cli/format.ts'
import { CrawlerError } from '../core/errors.ts'
import { asCrawlerError, openSqliteReader } from '../db/sqlite.ts'
import { Resolver } from '../scouter/resolver.ts'
import { openJobReader } from './job-reader.ts'
import { placeOf } from './place/open-place.ts'
import type { Place } from './place/place.ts'
import { storePath } from './places.ts'

export type Finding = {
  readonly check: string
  /** `warn`: a crawl works, but not as well as it could. */
  readonly result: 'ok' | 'warn' | 'fail'
  readonly detail: string
  /** What to do; '' when there is nothing to do. */
  readonly advice: string
}

type Verdict = Omit<Finding, 'check'>
export type Check = { readonly name: string; readonly run: () => Verdict | Promise<Verdict> }

const NODE_NEEDED = [24, 21] as const
const MIN_FREE_BYTES = 256 * 1024 * 1024
/** 32 requests in flight, databases, sockets and some air. */
const MIN_OPEN_FILES = 256
const DIAL_MS = 2000
const IF_DAMAGED = 'Move its folder away, or choose another --data folder.'

export function checksFor(dataDir: string, contact: string | null): readonly Check[] {
  return [
    { name: 'node', run: () => checkNode(process.versions.node) },
    { name: 'sqlite', run: checkSqlite },
    { name: 'data folder', run: () => checkFolder(dataDir) },
    { name: 'free space', run: () => checkSpace(dataDir) },
    { name: 'stores', run: () => checkStores(dataDir) },
    { name: 'lock', run: () => checkLock(placeOf({ dataDir })) },
    { name: 'server', run: () => checkServer(placeOf({ dataDir })) },
    { name: 'open files', run: () => checkOpenFiles(openFileLimit()) },
    { name: 'loopback', run: checkLoopback },
    { name: 'sockets', run: checkSockets },
    { name: 'contact', run: () => checkContact(contact) },
  ]
}

export function checkNode(version: string): Verdict {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const enough = major > NODE_NEEDED[0] || (major === NODE_NEEDED[0] && minor >= NODE_NEEDED[1])
  if (enough) return ok(version)
  return fail(version, `Jelajah needs Node ${NODE_NEEDED.join('.')} or newer: run 'npm install'.`)
}

function checkSqlite(): Verdict {
  const db = new DatabaseSync(':memory:')
  try {
    const version = String(db.prepare('SELECT sqlite_version() AS v').get()?.v)
    db.exec('CREATE VIRTUAL TABLE t USING fts5 (x)')
    return ok(`${version} with FTS5`)
  } catch {
    return fail('FTS5 is missing', 'Use the Node that npm install brings: bin/jelajah does.')
  } finally {
    db.close()
  }
}

function checkFolder(dataDir: string): Verdict {
  const there = nearestThere(dataDir)
  try {
    // Permissions do not tell all (read-only mounts, root): only trying does.
    rmSync(mkdtempSync(join(there, '.jelajah-doctor-')), { recursive: true })
    return ok(there === dataDir ? dataDir : `${dataDir} (will be made)`)
  } catch {
    return fail(
      `${there} cannot be written`,
      'Give it to this user, or choose another with --data.',
    )
  }
}

function checkSpace(dataDir: string): Verdict {
  const { bavail, bsize } = statfsSync(nearestThere(dataDir))
  const free = bavail * bsize
  const detail = `${showBytes(free)} free`
  if (free >= MIN_FREE_BYTES) return ok(detail)
  return fail(detail, 'Make room, or choose a folder on another disk with --data.')
}

function checkStores(dataDir: string): Verdict {
  const files = [storePath(dataDir), ...globSync(join(dataDir, 'frontier-*.db'))].filter(existsSync)
  for (const path of files) {
    const verdict = quickCheck(path)
    if (verdict !== null) return verdict
  }
  return ok(files.length === 0 ? 'none yet' : `${files.length} sound and of this version`)
}

/** What is wrong with one file; null when nothing is. */
function quickCheck(path: string): Verdict | null {
  try {
    const schema = path.endsWith('jelajah.db') ? 'store' : 'frontier'
    const db = openSqliteReader(path, schema)
    if (db === null) return null
    try {
      const [said] = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {})
      return said === 'ok' ? null : fail(`${path}: ${said}`, IF_DAMAGED)
    } finally {
      db.close()
    }
  } catch (thrown) {
    const error = asCrawlerError(thrown, path)
    // Such a message says what to do itself.
    if (error instanceof CrawlerError) return fail(error.message, '')
    return fail(`${path}: ${error instanceof Error ? error.message : error}`, IF_DAMAGED)
  }
}

async function checkLock(place: Place): Promise<Verdict> {
  await using jobs = await openJobReader(place).catch(() => null)
  const running = (await jobs?.list({ status: 'running' })) ?? []
  const ids = running.filter(({ status }) => status === 'running').map(({ id }) => id)
  if (ids.length === 0) return ok('no crawl is running in this folder')
  const which =
    ids.length === 1 ? `crawl ${ids[0]} is` : `crawls ${ids.toReversed().join(', ')} are`
  return ok(`${which} running in this folder`)
}

async function checkServer(place: Place): Promise<Verdict> {
  const held = await place.isLocked('server')
  return ok(held ? 'a server runs in this folder' : 'no server runs in this folder')
}

export function checkOpenFiles(limit: number): Verdict {
  const detail = Number.isFinite(limit) ? `at most ${limit}` : 'no limit'
  if (limit >= MIN_OPEN_FILES) return ok(detail)
  return fail(detail, `Raise it before crawling: ulimit -n 4096.`)
}

async function checkLoopback(): Promise<Verdict> {
  const { addresses } = await new Resolver().resolve('doctor.localhost')
  const server = createServer((socket) => socket.end())
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', resolve)
    })
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await reach({ host: addresses?.find((known) => known === '127.0.0.1') ?? 'none', port })
    return ok('*.localhost reaches this machine')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return fail(why, 'Let programs connect to 127.0.0.1: the demo and local crawls need it.')
  } finally {
    server.close()
  }
}

async function checkSockets(): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-doctor-'))
  const path = join(folder, 'control')
  const server = createServer((socket) => socket.end())
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(path, resolve)
    })
    await reach({ path })
    return ok(`Unix sockets work in ${tmpdir()}`)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return fail(why, 'Set TMPDIR to a folder with a short name that this user can write.')
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function checkContact(contact: string | null): Verdict {
  if (contact !== null) return ok(contact)
  return {
    result: 'warn',
    detail: 'none',
    advice: 'Set JELAJAH_CONTACT to an address or a URL: sites can then ask before they block.',
  }
}

function reach(target: { host: string; port: number } | { path: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = dial({ ...target, timeout: DIAL_MS }, () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
    socket.once('timeout', () => socket.destroy(new Error('no connection in time')))
  })
}

function nearestThere(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestThere(dirname(path))
}

/** The limit of open files of this process; infinite where the system does not say. */
function openFileLimit(): number {
  const report: unknown = process.report.getReport()
  const limits = field(field(report, 'userLimits'), 'open_files')
  const soft = Number(field(limits, 'soft'))
  return Number.isFinite(soft) ? soft : Number.POSITIVE_INFINITY
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function ok(detail: string): Verdict {
  return { result: 'ok', detail, advice: '' }
}

function fail(detail: string, advice: string): Verdict {
  return { result: 'fail', detail, advice }
}
