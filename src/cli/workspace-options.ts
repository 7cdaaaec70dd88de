// The options that say where crawls live: a folder, or the URLs of a database and of a frontier that many
// machines share. No message shows a URL as it was written: it may hold a password.
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Refused } from '../core/errors.ts'
import { isServerUrl, type WorkspaceChoice, wrongParameter } from '../core/workspace-url.ts'
import type { Location, Problems } from '../options/bad-options.ts'
import { number, type Option, text } from '../options/option.ts'
import { placeGiven, type Sources, type Surroundings } from './sources.ts'

export const DEFAULT_DATA = './jelajah-data'
/** A server that restarts is back within this time. */
export const DEFAULT_STORE_TIMEOUT_S = 60
const MAX_STORE_TIMEOUT_S = 86_400

const DATABASES = ['postgres:', 'postgresql:']
const FRONTIERS = ['redis:', 'rediss:', 'redis+cluster:', 'rediss+cluster:']

export const DATA: Option<Pick<WorkspaceChoice, 'dataDir'>> = text({
  name: 'data',
  env: 'JELAJAH_DATA',
  value: 'DIR|URL',
  default: DEFAULT_DATA,
  help: 'where crawls live: a folder, or postgres://user:password@host/database',
  to: (dataDir) => ({ dataDir: isServerUrl(dataDir) ? databaseUrl(dataDir) : dataDir }),
})

/** The folder of the demo. */
export const FOLDER: typeof DATA = text({
  name: 'data',
  value: 'DIR',
  // A demo must not land among real crawls.
  fromEnvironment: false,
  default: 'a folder of its own',
  help: 'the folder where crawls live',
  to: (dataDir) => {
    if (!isServerUrl(dataDir)) return { dataDir }
    throw new Refused('needs a folder')
  },
})

export const FRONTIER: Option<{ readonly frontier: string }> = text({
  name: 'frontier',
  env: 'JELAJAH_FRONTIER',
  value: 'URL',
  help: 'beside a database: redis://host:6379 (rediss: with TLS, redis+cluster: several hosts)',
  to: (frontier) => ({ frontier: frontierUrl(frontier) }),
})

export const STORE_TIMEOUT: Option<{ readonly storeTimeoutMs: number }> = number({
  name: 'store-timeout',
  env: 'JELAJAH_STORE_TIMEOUT',
  value: 'SECONDS',
  min: 0.001,
  max: MAX_STORE_TIMEOUT_S,
  fraction: true,
  default: String(DEFAULT_STORE_TIMEOUT_S),
  help: 'how long a database or a frontier may be away before the command ends with exit code 8',
  to: (seconds) => ({ storeTimeoutMs: Math.max(1, Math.round(seconds * 1000)) }),
})

export const WORKSPACE_OPTIONS = [DATA, FRONTIER, STORE_TIMEOUT] as const
/** For readers, which need only the store; the other options are accepted and have no effect. */
export const STORE_OPTIONS = [
  DATA,
  { ...FRONTIER, hidden: true },
  { ...STORE_TIMEOUT, hidden: true },
] as const
/** Their keys in the config file, as `keyOf` has them. */
export const WORKSPACE_KEYS: readonly string[] = ['data', 'frontier', 'storetimeout']

/** A server opens private addresses to others: no file of the folder it is started in may do that. */
export function openedByHand<T>(option: Option<T>): Option<T> {
  return option.name === 'allow-private' ? { ...option, fromDotenv: false } : option
}

export type WorkspaceDeps = {
  readonly sources: Sources
  readonly around: Pick<Surroundings, 'cwd'>
  readonly problems: Problems
}

export function readWorkspace(
  chosen: Partial<WorkspaceChoice>,
  deps: WorkspaceDeps,
): WorkspaceChoice {
  const { sources, around, problems } = deps
  const { dataDir: written = DEFAULT_DATA, storeTimeoutMs } = chosen
  const timeout = storeTimeoutMs === undefined ? {} : { storeTimeoutMs }
  const dataDir = isServerUrl(written) ? written : resolve(around.cwd, written)
  if (!isServerUrl(dataDir)) {
    const place = sources.places.get('data') ?? { source: 'environment', at: '--data' }
    refuseFile(dataDir, problems, place)
    refuseLoneFrontier(chosen, deps)
    return { dataDir, ...timeout }
  }
  const frontier = chosen.frontier === undefined ? {} : { frontier: chosen.frontier }
  return { dataDir, ...frontier, ...timeout }
}

/** Refuses a `dataDir` that is a file, or lies below one. */
export function refuseFile(
  dataDir: string,
  problems: Problems,
  { source, at }: Location = { source: 'flag', at: '--data' },
): void {
  const file = isServerUrl(dataDir) ? null : fileAt(dataDir)
  if (file !== null) problems.add(source, at, `${file} is a file, not a folder`)
}

/** The path or the nearest one above it that is a file; null when there is none. */
function fileAt(path: string): string | null {
  try {
    return statSync(path).isDirectory() ? null : path
  } catch {
    return dirname(path) === path ? null : fileAt(dirname(path))
  }
}

function refuseLoneFrontier(
  { frontier, dataDir }: Partial<WorkspaceChoice>,
  { sources, problems }: WorkspaceDeps,
): void {
  const { given } = sources.args
  // A folder on the command line wins over a frontier in the environment.
  const isOverruled = given.has('data') && !given.has('frontier')
  const isTold = dataDir === undefined && placeGiven(DATA, sources) !== null
  if (frontier === undefined || isOverruled || isTold) return
  const { source, at } = givenAs(FRONTIER, sources)
  const message = 'is for crawls in a database: give --data postgres://… as well, or leave it out'
  problems.add(source, at, message)
}

function givenAs(option: typeof DATA | typeof FRONTIER, sources: Sources): Location {
  return placeGiven(option, sources) ?? { source: 'flag', at: `--${option.name}` }
}

function databaseUrl(written: string): string {
  const url = URL.parse(written)
  if (!DATABASES.some((scheme) => written.toLowerCase().startsWith(`${scheme}//`))) {
    throw new Refused('needs a folder or postgres://host/database')
  }
  const wrong = wrongParameter(written)
  if (wrong !== null) throw new Refused(wrong)
  if (url !== null && url.hostname !== '') return written
  throw new Refused('is not a URL such as postgres://user:password@host:5432/database')
}

/** `URL` does not accept the several hosts of a cluster, so each host is checked by itself. */
function frontierUrl(written: string): string {
  const scheme = FRONTIERS.find((known) => written.toLowerCase().startsWith(`${known}//`))
  if (scheme === undefined)
    throw new Refused('needs redis://host:6379, rediss:// or redis+cluster://')
  const [, authority = ''] = /^[^:]+:\/\/([^/?#]*)/.exec(written) ?? []
  const hosts = authority.slice(authority.lastIndexOf('@') + 1).split(',')
  if (hosts.every((host) => isHost(host))) return written
  throw new Refused('is not a URL such as redis://:password@host:6379/0?prefix=jelajah')
}

function isHost(text: string): boolean {
  const url = URL.parse(`http://${text}/`)
  return text !== '' && url !== null && url.hostname !== ''
}
