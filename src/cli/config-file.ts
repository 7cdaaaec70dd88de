// The config file of a folder: `jelajah.config.json`, in which comments and commas at the end of a list are
// allowed, or a module whose default export is the same object: `jelajah.config.ts`, `.js` or `.mjs`.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { types } from 'node:util'
import { moduleProblem } from '../core/errors.ts'
import { parseWithComments } from '../lib/json-comments.ts'
import { errorCode, isObject } from '../lib/present.ts'
import type { Problems } from '../options/bad-options.ts'

export const CONFIG_FILE = 'jelajah.config.json'
const MODULES: readonly string[] = ['ts', 'mts', 'js', 'mjs'].map((end) => `jelajah.config.${end}`)

const ROOT = 0
const ALL_WRITE = 0o002

export type ConfigFile = {
  readonly name: string
  readonly entries: readonly (readonly [key: string, value: unknown])[]
  /** It is a program, and was run. */
  readonly isModule: boolean
}

/** Null where there is none; what is wrong with it goes to `problems`. */
export function readConfigFile(folder: string, problems: Problems): ConfigFile | null {
  const found = configFilesIn(folder)
  const [name] = found
  if (name === undefined) return null
  if (found.length > 1) {
    problems.add('file', name, `stands beside ${found.slice(1).join(' and ')}; keep one of them`)
    return null
  }
  const isModule = name !== CONFIG_FILE
  const path = join(folder, name)
  if (isModule && !isTrusted(path)) {
    problems.add('file', name, FOREIGN)
    return null
  }
  try {
    const value = isModule ? defaultOf(path) : parseWithComments(readFileSync(path, 'utf8'))
    if (isObject(value)) return { name, isModule, entries: Object.entries(value) }
    problems.add('file', name, isModule ? NO_DEFAULT : 'must hold one JSON object')
  } catch (error) {
    problems.add('file', name, whyNot(error, isModule))
  }
  return null
}

const FOREIGN = `is a program that another user may have written, so it is not run: become its owner, or write ${CONFIG_FILE}`
const NO_DEFAULT = 'must export one object by default: export default { … }'

/** True for a file that only this user or root can have written; also where there is no such file. */
export function isTrusted(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  const me = process.geteuid?.()
  if (found === undefined || me === undefined) return true
  return (found.uid === me || found.uid === ROOT) && (found.mode & ALL_WRITE) === 0
}

/** Their names; a folder should have one at most. */
export function configFilesIn(folder: string): readonly string[] {
  return [CONFIG_FILE, ...MODULES].filter((name) => existsSync(join(folder, name)))
}

/** Loaded at once, as every other source of options is read: a module that awaits something is refused. */
function defaultOf(path: string): unknown {
  const loaded: unknown = createRequire(path)(path)
  if (!types.isModuleNamespaceObject(loaded)) return loaded
  const module: { readonly default?: unknown } = Object(loaded)
  return module.default
}

function whyNot(error: unknown, isModule: boolean): string {
  const code = errorCode(error)
  if (/^E[A-Z]+$/.test(code)) return `cannot be read: ${code}`
  if (isModule) return `cannot be run: ${moduleProblem(error)}`
  return `is not valid JSON: ${error instanceof Error ? error.message : error}`
}
