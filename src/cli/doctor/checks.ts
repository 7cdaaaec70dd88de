// What `jelajah doctor` checks. A check never throws: it reports what it could not do.
import { existsSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { createServer, connect as dial } from 'node:net'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CrawlerError } from '../../core/errors.ts'
import type { JobRecord } from '../../core/job.ts'
import { withoutPassword } from '../../core/workspace-url.ts'
import { refuseDamaged } from '../../db/quick-check.ts'
import { asCrawlerError, damaged } from '../../db/sqlite-errors.ts'
import { clockWarnings } from '../../fleet/clock-check.ts'
import { openNames } from '../../http/names.ts'
import { Resolver } from '../../http/resolver.ts'
import { openJobReader } from '../../jobs/job-reader.ts'
import { systemClock } from '../../lib/clock.ts'
import { showBytes } from '../../lib/format.ts'
import { IS_BUILT } from '../../lib/module-beside.ts'
import { openFileLimit } from '../../lib/open-files.ts'
import { makeTemporaryFolder, temporaryFolder } from '../../lib/own-files.ts'
import { refuseLostStore } from '../../workspace/folder/lost-store.ts'
import { storePath } from '../../workspace/folder/paths.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export type Finding = {
  readonly check: string
  /** `warn`: a crawl works, but not as well as it could. `skip`: another check says why. */
  readonly result: 'ok' | 'warn' | 'fail' | 'skip'
  readonly detail: string
  /** What to do; '' when there is nothing to do. */
  readonly advice: string
}

type Verdict = Omit<Finding, 'check'>
export type Check = {
  readonly name: string
  /** Checks without which this one would only say the same again. */
  readonly needs?: readonly string[]
  readonly run: () => Verdict | Promise<Verdict>
}

function ok(detail: string): Verdict {
  return { result: 'ok', detail, advice: '' }
}

function fail(detail: string, advice: string): Verdict {
  return { result: 'fail', detail, advice }
}

/** A checkout runs TypeScript, which takes a newer Node. */
const NODE_NEEDED = IS_BUILT ? ([22, 20] as const) : ([24, 21] as const)
/** 32 requests in flight, databases, sockets and some air. */
const MIN_OPEN_FILES = 256
const DIAL_MS = 2000

export function checksFor(workspace: Workspace, contact: string | null): readonly Check[] {
  const { folder } = workspace
  return [
    { name: 'node', run: () => checkNode(process.versions.node) },
    ...(folder === null ? serverChecks(workspace) : folderChecks(folder)),
    { name: 'lock', needs: ['database'], run: () => checkLock(workspace) },
    { name: 'server', needs: ['database'], run: () => checkServer(workspace) },
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

async function checkLock(workspace: Workspace): Promise<Verdict> {
  await using jobs = await openJobReader(workspace).catch(() => null)
  const running = (await jobs?.list({ status: 'running' })) ?? []
  const ids = running.filter(({ status }) => status === 'running').map(({ id }) => id)
  const where = whereIn(workspace)
  if (ids.length === 0) return ok(`no crawl is running ${where}`)
  const which =
    ids.length === 1 ? `crawl ${ids[0]} is` : `crawls ${ids.toReversed().join(', ')} are`
  return ok(`${which} running ${where}`)
}

async function checkServer(workspace: Workspace): Promise<Verdict> {
  const held = await workspace.isLocked('server')
  const holder = held ? await workspace.holderOf('server') : null
  const who = holder === null ? '' : ` (${holder})`
  return ok(`${held ? 'a' : 'no'} server runs ${whereIn(workspace)}${who}`)
}

function whereIn({ folder }: Workspace): string {
  return folder === null ? 'on this database' : 'in this folder'
}

export function checkOpenFiles(limit: number): Verdict {
  const detail = Number.isFinite(limit) ? `at most ${limit}` : 'no limit'
  if (limit >= MIN_OPEN_FILES) return ok(detail)
  return fail(detail, `Raise it before crawling: ulimit -n 4096.`)
}

async function checkLoopback(): Promise<Verdict> {
  const names = openNames({ servers: [] })
  const lookup = (name: string) => names.lookup(name)
  const { addresses } = await new Resolver({ lookup }).resolve('doctor.localhost')
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
  const folder = makeTemporaryFolder('jelajah-doctor-')
  const path = join(folder, 'control')
  const server = createServer((socket) => socket.end())
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(path, resolve)
    })
    await reach({ path })
    return ok(`Unix sockets work in ${temporaryFolder()}`)
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

const MIN_FREE_BYTES = 256 * 1024 * 1024

function folderChecks(folder: string): readonly Check[] {
  return [
    { name: 'sqlite', run: checkSqlite },
    { name: 'data folder', run: () => checkFolder(folder) },
    { name: 'free space', run: () => checkSpace(folder) },
    { name: 'stores', run: () => checkStores(folder) },
  ]
}

function checkSqlite(): Verdict {
  const db = new DatabaseSync(':memory:')
  try {
    return ok(String(db.prepare('SELECT sqlite_version() AS v').get()?.v))
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

/** One file per crawl, or one per partition. */
const FRONTIERS = '{frontier-*.db,frontier-*([0-9])/partition-*.db}'

function checkStores(dataDir: string): Verdict {
  refuseLostStore(dataDir)
  const frontiers = globSync(FRONTIERS, { cwd: dataDir }).map((path) => join(dataDir, path))
  const files = [storePath(dataDir), ...frontiers].filter(existsSync)
  for (const path of files) {
    const verdict = quickCheck(path)
    if (verdict !== null) return verdict
  }
  return ok(files.length === 0 ? 'none yet' : `${files.length} sound and of this version`)
}

/** What is wrong with one file; null when nothing is. */
function quickCheck(path: string): Verdict | null {
  try {
    refuseDamaged(path, path === storePath(dirname(path)) ? 'store' : 'frontier', { atMost: null })
    return null
  } catch (thrown) {
    const error = asCrawlerError(thrown, path)
    // Such a message says what to do itself.
    if (error instanceof CrawlerError) return fail(error.message, '')
    const why = error instanceof Error ? error.message : String(error)
    return fail(damaged(path, why).message, '')
  }
}

function nearestThere(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestThere(dirname(path))
}

/** Crawls that are named. */
const SHOWN = 20

function serverChecks(workspace: Workspace): readonly Check[] {
  const needs = ['database', 'frontier']
  const redis = [
    { name: 'frontier', run: () => checkFrontier(workspace) },
    { name: 'frontiers', needs, run: () => checkFrontiers(workspace) },
  ]
  return [
    { name: 'database', run: () => checkDatabase(workspace) },
    ...(workspace.text.frontier === null ? [] : redis),
    { name: 'clocks', needs, run: () => checkClocks(workspace) },
    { name: 'feed', run: () => ok(workspace.feedSocket) },
  ]
}

/** The error names a database that cannot be reached, is too old or of another version. */
async function checkDatabase(workspace: Workspace): Promise<Verdict> {
  await using jobs = await workspace.jobReader()
  if (jobs === null) return ok(`${workspace.shown} (tables will be made)`)
  const crawls = (await jobs.list()).length
  return ok(`${workspace.shown}, ${crawls === 1 ? '1 crawl' : `${crawls} crawls`}`)
}

async function checkFrontier(workspace: Workspace): Promise<Verdict> {
  const [warning] = await workspace.warnings()
  if (warning !== undefined) return { result: 'warn', detail: warning, advice: '' }
  return ok(withoutPassword(workspace.text.frontier ?? ''))
}

/** A crawl that has pages had a frontier once; a Redis that was emptied says nothing of it. */
async function checkFrontiers(workspace: Workspace): Promise<Verdict> {
  await using jobs = await workspace.jobReader()
  const lost: JobRecord[] = []
  for (const job of (await jobs?.list()) ?? []) if (await hasLost(workspace, job)) lost.push(job)
  if (lost.length === 0) return ok('no crawl has lost its own')
  const ids = lost.map(({ id }) => id).toReversed()
  const shown = ids.slice(0, SHOWN).join(', ')
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : ''
  const who = ids.length === 1 ? `crawl ${shown} has` : `crawls ${shown}${more} have`
  // One that is complete needs it only to look at its pages again.
  const result = lost.every(({ status }) => status === 'completed') ? 'warn' : 'fail'
  const advice = "'jelajah doctor --rebuild-frontier' makes it again from what the database knows."
  return { result, detail: `${who} pages, but no frontier`, advice }
}

async function hasLost(workspace: Workspace, { id }: JobRecord): Promise<boolean> {
  if (await workspace.hasFrontier(id)) return false
  await using pages = await workspace.pageReader()
  return (await pages.totals(id)).stored > 0
}

async function checkClocks(workspace: Workspace): Promise<Verdict> {
  const [warning] = await clockWarnings(workspace, systemClock)
  if (warning === undefined) return ok('this machine and its servers agree')
  return { result: 'warn', detail: warning, advice: '' }
}
