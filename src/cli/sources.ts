// Where options come from besides flags: the environment, `.env` and the config file.
// Stronger first: flag, environment, `.env` (never over the real environment), file, default.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { isModulePath } from '../core/plugin.ts'
import { nearest } from '../lib/edit-steps.ts'
import { errorCode } from '../lib/present.ts'
import type { Location, Problems, Source } from '../options/bad-options.ts'
import type { Given } from '../options/focus-checks.ts'
import { keyOf, type Option, type OptionInfo, truthOf } from '../options/option.ts'
import type { Args } from './args.ts'
import { CONFIG_FILE, type ConfigFile, isTrusted, readConfigFile } from './config-file.ts'

const DOTENV_FILE = '.env'

/** The surroundings of a command; a test makes its own. */
export type Surroundings = {
  readonly cwd: string
  readonly env: Variables
  readonly cores: number
  /** Prints a notice or a warning; left out: nothing is printed. */
  readonly tell?: (text: string) => void
}

export type Sources = {
  readonly args: Args
  /** Variables that only `.env` sets; left out where no file is read. */
  readonly dotenv?: ReadonlySet<string>
  readonly notices?: FileNotices
  readonly env: Variables
  /** The config file, by `keyOf` the option's name. */
  readonly file: ReadonlyMap<string, FileEntry>
  /** The files that another user may have written. */
  readonly foreign?: ReadonlySet<string>
  /** Where each option that was read was given, by its name. */
  readonly locations: Map<string, Location>
}

type FileEntry = { readonly file: string; readonly key: string; readonly value: unknown }
type Found = {
  readonly source: Source
  readonly at: string
  readonly raw: unknown
  /** The config file that has it. */
  readonly file?: string
}

/** `withFile`: false for a command that no config file is written for. */
export function readSources(
  args: Args,
  { cwd, env, tell = () => {} }: Surroundings,
  problems: Problems,
  { withFile = true }: { readonly withFile?: boolean } = {},
): Sources {
  const dotenv = readIfThere(join(cwd, DOTENV_FILE), problems)
  const config = withFile ? readConfigFile(cwd, problems) : null
  if (config?.isModule) tell(`${config.name} of ${cwd} was run, for the options it sets`)
  const variables = dotenv === null ? {} : parseEnv(dotenv)
  const locations = new Map<string, Location>()
  problems.locate((option) => locations.get(option))
  return {
    args,
    env: { ...variables, ...env },
    dotenv: new Set(Object.keys(variables).filter((name) => env[name] === undefined)),
    notices: new FileNotices(cwd, tell),
    file: config === null ? new Map() : entriesOf(config),
    foreign: new Set([DOTENV_FILE, CONFIG_FILE].filter((name) => !isTrusted(join(cwd, name)))),
    locations,
  }
}

/**
 * Tells of variables, of the environment and of `.env`, that set no option of any command. The other commands
 * are loaded only where `own`, the options of this one, do not explain all variables.
 */
export async function warnOfVariables(
  { cwd, env, tell = () => {} }: Surroundings,
  own: readonly OptionInfo[],
  allOptions: () => Promise<readonly OptionInfo[]>,
): Promise<void> {
  const dotenv = readIfThere(join(cwd, DOTENV_FILE), null)
  const inFile = dotenv === null ? {} : parseEnv(dotenv)
  const variables = { ...inFile, ...env }
  if (!Object.keys(variables).some(isOurs) || variableWarnings(variables, own).length === 0) return
  const all = await allOptions()
  for (const warning of variableWarnings(env, all)) tell(warning)
  for (const warning of variableWarnings(inFile, all, DOTENV_FILE)) tell(warning)
}

/** Reads every option from the strongest source that has it. */
export function readOptions<T>(
  options: readonly Option<T>[],
  sources: Sources,
  problems: Problems,
): Partial<T> {
  const chosen: Partial<T> = {}
  for (const option of options) {
    const found = find(option, sources)
    if (found === null) continue
    const { source, raw, at } = found
    sources.locations.set(option.name, { source, at })
    if (runsForeignCode(option, found, sources)) {
      problems.add(source, at, 'names code to run in a file of another user; give it as a flag')
      continue
    }
    tellFile(option, found, sources)
    Object.assign(
      chosen,
      problems.try(source, () => option.read(raw, at)),
    )
  }
  return chosen
}

/** A folder that others write to must not choose the code that a command runs. */
function runsForeignCode({ name }: OptionInfo, { source, at, raw, file }: Found, sources: Sources) {
  const isCode = name === 'plugin' || (name === 'ordering' && isModulePath(String(raw)))
  const fromDotenv = source === 'environment' && sources.dotenv?.has(at) === true
  return isCode && sources.foreign?.has(file ?? (fromDotenv ? DOTENV_FILE : '')) === true
}

function tellFile(option: OptionInfo, { source, at, file }: Found, sources: Sources): void {
  const { dotenv, notices } = sources
  if (source === 'environment' && dotenv?.has(at)) notices?.note(option, DOTENV_FILE, at)
  if (file !== undefined) notices?.note(option, file, option.name)
}

/** Refuses keys of the file that are no options: they are typing errors. */
export function refuseUnknownKeys(
  { file }: Sources,
  options: readonly OptionInfo[],
  problems: Problems,
): void {
  const names = options.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  const known = new Set(names.map(keyOf))
  for (const [normal, { file: name, key }] of file) {
    if (known.has(normal)) continue
    const meant = nearest(key, names)
    const hint = meant === null ? '' : `; did you mean "${meant}"?`
    problems.add('file', `${name}: ${key}`, `there is no such option${hint}`)
  }
}

/** Where an option was given; null where it was not given. */
export function placeGiven(option: OptionInfo, sources: Sources): Omit<Found, 'raw'> | null {
  const found = find(option, sources)
  return found === null ? null : { source: found.source, at: found.at }
}

/** The options that were read: whether one was given, and where. */
export function givenIn({ locations }: Sources): Given {
  return {
    has: (name) => locations.has(name),
    locationOf: (name) => locations.get(name) ?? { source: 'flag', at: `--${name}` },
  }
}

function find(option: OptionInfo, { args, env, dotenv, file }: Sources): Found | null {
  const given = args.given.get(option.name)
  if (given !== undefined) return { source: 'flag', ...given }
  const variable = inEnvironment(option, env)
  const isTaken = option.fromDotenv !== false || !dotenv?.has(variable?.at ?? '')
  if (variable !== null && isTaken) return { source: 'environment', ...variable }
  for (const name of [option.name, ...(option.aliases ?? [])]) {
    const entry = file.get(keyOf(name))
    if (entry === undefined || entry.value === null) continue
    const at = `${entry.file}: ${entry.key}`
    return { source: 'file', at, raw: entry.value, file: entry.file }
  }
  return null
}

function entriesOf({ name, entries }: ConfigFile): Sources['file'] {
  return new Map(entries.map(([key, value]) => [keyOf(key), { file: name, key, value }]))
}

function readIfThere(path: string, problems: Problems | null): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = errorCode(error)
    // A folder called .env is somebody's Python, not our business.
    if (code !== 'ENOENT' && code !== 'EISDIR' && code !== 'ENOTDIR') {
      problems?.add('file', path, `cannot be read: ${code}`)
    }
    return null
  }
}

/**
 * Options of commands that send data elsewhere, open doors, write over files, or run code. Those of a crawl
 * say it themselves, in their table.
 */
const WEIGHTY: ReadonlySet<string> = new Set([
  'data',
  'frontier',
  'token',
  'host',
  'allow-host',
  'webhook',
  'plugin',
  'fields',
  'out',
  'force',
])

/**
 * A command obeys files of the folder it is started in, and somebody else may have put them there. It says in
 * one line, once all is read, what they set of some weight, without the values, which may be secrets.
 */
class FileNotices {
  readonly #folder: string
  readonly #tell: (text: string) => void
  readonly #found = new Map<string, Set<string>>()

  constructor(folder: string, tell: (text: string) => void) {
    this.#folder = folder
    this.#tell = tell
  }

  /** `at`: how the file calls it. */
  note({ name, weighty = false }: OptionInfo, file: string, at: string): void {
    if (!weighty && !WEIGHTY.has(name)) return
    // Commands read their options at once, in one go.
    if (this.#found.size === 0) queueMicrotask(() => this.#tell(this.#text()))
    this.#found.set(file, (this.#found.get(file) ?? new Set()).add(at))
  }

  #text(): string {
    const files = [...this.#found].map(([file, names]) => `${file} sets ${[...names].join(', ')}`)
    return `in ${this.#folder}, ${files.join(' and ')}`
  }
}

type Variables = Readonly<Record<string, string | undefined>>

const PREFIX = 'JELAJAH_'
const SEPARATOR = /[\s,]+/
/** More of them are no slips, but the variables of another program. */
const MAX_WARNINGS = 10

type Variable = { readonly name: string; readonly negated: boolean }

/**
 * The variables that set an option, the strongest first.
 *
 * Options in the environment: `JELAJAH_MAX_PAGES` for `--max-pages`, and so for every flag of every
 * command. Some options have an older name besides.
 */
export function variablesOf(option: OptionInfo): readonly Variable[] {
  const { name, aliases = [], env, kind, fromEnvironment = true } = option
  if (!fromEnvironment) return []
  const flags = [name, ...aliases]
  return [
    ...flags.map((flag) => ({ name: variableOf(flag), negated: false })),
    ...(kind === 'flag' ? [{ name: variableOf(`no-${name}`), negated: true }] : []),
    ...(env === undefined ? [] : [{ name: env, negated: false }]),
  ]
}

function variableOf(flag: string): string {
  return `${PREFIX}${flag.replaceAll('-', '_').toUpperCase()}`
}

/** The variable that sets an option, with its value; null where none does. Empty ones do not count. */
function inEnvironment(
  option: OptionInfo,
  env: Variables,
): { readonly at: string; readonly raw: unknown } | null {
  for (const { name, negated } of variablesOf(option)) {
    const text = env[name]?.trim() ?? ''
    if (text === '' || option.ignoresVariable?.(text) === true) continue
    return { at: name, raw: rawOf(option, text, negated) }
  }
  return null
}

function rawOf(option: OptionInfo, text: string, negated: boolean): unknown {
  const { repeatable, takesWord, separator = SEPARATOR } = option
  const truth = option.kind === 'flag' ? truthOf(text.toLowerCase()) : undefined
  if (truth !== undefined) return negated ? !truth : truth
  if (repeatable !== true && takesWord === undefined) return text
  return text
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

/** A warning for each variable that is called like one of ours and sets nothing. `of`: where they are. */
export function variableWarnings(
  env: Variables,
  options: readonly OptionInfo[],
  of = 'the environment',
): string[] {
  const known = new Set(options.flatMap((option) => variablesOf(option).map(({ name }) => name)))
  const unknown = Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !known.has(name) && env[name]?.trim() !== '')
    .sort()
  const suffixes = [...known].filter(isOurs).map((name) => name.slice(PREFIX.length))
  const more = unknown.length - MAX_WARNINGS
  return [
    ...unknown
      .slice(0, MAX_WARNINGS)
      .map((name) => `${name} in ${of} ${warningFor(name, suffixes)}`),
    ...(more > 0
      ? [`${more} more variables in ${of} that begin with ${PREFIX} set no option`]
      : []),
  ]
}

/** True for a name that only we would use. */
function isOurs(variable: string): boolean {
  return variable.startsWith(PREFIX)
}

function warningFor(name: string, suffixes: readonly string[]): string {
  const meant = nearest(name.slice(PREFIX.length, PREFIX.length + 40).toUpperCase(), suffixes)
  const hint = meant === null ? '' : `; did you mean ${PREFIX}${meant}?`
  return `sets no option${hint}`
}
