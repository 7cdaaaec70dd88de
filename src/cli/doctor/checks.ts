// What `jelajah doctor` looks at, one function each, wherever crawls live.
import { rmSync } from 'node:fs'
import { createServer, connect as dial } from 'node:net'
import { join } from 'node:path'
import { openNames } from '../../http/names.ts'
import { Resolver } from '../../http/resolver.ts'
import { openJobReader } from '../../jobs/job-reader.ts'
import { IS_BUILT } from '../../lib/module-beside.ts'
import { openFileLimit } from '../../lib/open-files.ts'
import { makeTemporaryFolder, temporaryFolder } from '../../lib/own-files.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { folderChecks } from './folder-checks.ts'
import { serverChecks } from './server-checks.ts'
import { type Check, fail, ok, type Verdict } from './verdict.ts'

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
