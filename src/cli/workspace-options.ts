// The options that say where crawls live: a folder, or the URLs of a database and of a frontier that many
// machines share. No message shows a URL as it was written: it may hold a password.
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DEFAULT_DATA, isServerUrl, type WorkspaceChoice } from '../core/workspace-url.ts'
import type { Location, Problems } from '../options/bad-options.ts'
import type { Option } from '../options/option.ts'
import { DATA, FRONTIER, STORE_TIMEOUT } from '../options/workspace.ts'
import { placeGiven, type Sources, type Surroundings } from './sources.ts'

export const WORKSPACE_OPTIONS = [DATA, FRONTIER, STORE_TIMEOUT] as const
/** For readers, which need only the store; the other options are accepted and have no effect. */
export const STORE_OPTIONS = [
  DATA,
  { ...FRONTIER, hidden: true },
  { ...STORE_TIMEOUT, hidden: true },
] as const
/** Their keys in the config file, as `keyOf` has them. */
export const WORKSPACE_KEYS: readonly string[] = ['data', 'frontier', 'storetimeout']

/** A server opens private addresses to others, and runs code for them: no file of the folder it is started in may do that. */
export function openedByHand<T>(option: Option<T>): Option<T> {
  const isDoor = option.name === 'allow-private' || option.name === 'plugin'
  return isDoor ? { ...option, fromDotenv: false } : option
}

type WorkspaceDeps = {
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
    const location = sources.locations.get('data') ?? { source: 'environment', at: '--data' }
    refuseFile(dataDir, problems, location)
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
