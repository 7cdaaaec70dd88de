// Looks plug-ins up and checks them before a crawl begins, so that everything wrong with them is said at once.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { isModulePath, type PluginRecord } from '../core/plugin.ts'
import { moduleBeside } from '../lib/module-beside.ts'
import type { CheckReply, CheckRequest } from './check-thread.ts'

/** Loading modules takes milliseconds; one that takes longer than this hangs. */
const LOAD_MS = 10_000
const HEAP_MB = 512
const PROGRAM = moduleBeside(import.meta, 'check-thread')

type Complain = (from: string, message: string) => void

/** The plug-ins that are in order; `complain` hears of the others. */
export async function checkPlugins(
  wanted: readonly string[],
  cwd: string,
  complain: Complain,
): Promise<readonly PluginRecord[]> {
  const records: PluginRecord[] = []
  for (const from of new Set(wanted)) {
    const found = findModule(from, cwd)
    if ('problem' in found) {
      complain(from, `${from} ${found.problem}`)
      continue
    }
    const reply = await check({ from, ...found })
    if ('record' in reply) records.push(reply.record)
    else for (const problem of reply.problems) complain(from, `${from} ${problem}`)
  }
  refuseClashes(records, complain)
  return records
}

function refuseClashes(records: readonly PluginRecord[], complain: Complain): void {
  for (const [at, { from, name, hooks }] of records.entries()) {
    const before = records.slice(0, at)
    const namesake = before.find((other) => other.name === name)
    if (namesake !== undefined)
      complain(from, `${from} and ${namesake.from} are both called ${name}`)
    const judge = before.find((other) => other.hooks.includes('judge'))
    if (judge !== undefined && hooks.includes('judge')) {
      complain(from, `${from} and ${judge.from} both judge pages: one of them can`)
    }
  }
}

type Module = { readonly file: string; readonly packaged: string }

/** A path is relative to `cwd`; a package is looked for from there upwards. */
function findModule(from: string, cwd: string): Module | { readonly problem: string } {
  if (isModulePath(from)) {
    const file = resolve(cwd, from)
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) return { problem: 'does not exist' }
    if (found.isDirectory()) return { problem: 'is a folder, not a file' }
    return found.isFile() ? { file, packaged: '' } : { problem: 'is no file' }
  }
  const file = entryOf(from, cwd)
  if (file !== null) return { file, packaged: versionAbove(file) }
  return { problem: `is not installed in ${cwd}; a file is written with ./ before it` }
}

/** The file that `import 'name'` would load there; null if the package is not installed. */
function entryOf(name: string, cwd: string): string | null {
  const { resolve } = createRequire(join(cwd, 'package.json'))
  try {
    return resolve(name)
  } catch {
    // A package for `import` alone has an entry that `resolve` does not see.
  }
  const folders = (resolve.paths(name) ?? []).map((above) => join(above, name))
  const folder = folders.find((path) => existsSync(join(path, 'package.json')))
  if (folder === undefined) return null
  const { exports } = packageIn(folder)
  const root = exports?.['.'] ?? exports
  const entry =
    typeof root === 'string' ? root : (root?.import?.default ?? root?.import ?? root?.default)
  return typeof entry === 'string' ? join(folder, entry) : null
}

/** Nothing of a package.json that is damaged. */
function packageIn(folder: string) {
  try {
    return { ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }
  } catch {
    return {}
  }
}

/** The version in the nearest package.json; '' if there is none. */
function versionAbove(file: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (!existsSync(join(folder, 'package.json'))) continue
    const { version } = packageIn(folder)
    if (typeof version === 'string') return version
  }
  return ''
}

/** In a thread: a plug-in that hangs, exits or takes all memory while it is loaded does it there. */
function check(request: CheckRequest): Promise<CheckReply> {
  return new Promise((resolve) => {
    const worker = new Worker(PROGRAM, {
      workerData: request,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      // Flags of the program that asks, such as --input-type, are not for this one.
      execArgv: [],
      // What it prints is not for the output of a command.
      ...{ stdout: true, stderr: true },
    })
    worker.stdout.resume()
    worker.stderr.resume()
    const end = (reply: CheckReply): void => {
      clearTimeout(timer)
      void worker.terminate()
      resolve(reply)
    }
    const fail = (why: string): void => end({ problems: [`cannot be loaded: ${why}`] })
    const timer = setTimeout(() => fail(`it takes longer than ${LOAD_MS / 1000} s`), LOAD_MS)
    worker.once('message', end)
    worker.once('error', (error) => fail(error.message))
    worker.once('exit', () => fail('it ends the process'))
  })
}
