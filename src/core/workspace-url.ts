// The address of a workspace: a folder, or the URLs of two servers. It is plain data, so that it can be sent
// to a thread or a process; never on a command line, since it may contain a password.

export type WorkspaceUrl = {
  /** A folder, or the URL of a PostgreSQL. */
  readonly data: string
  /** The URL of a Redis; null if the frontier is in the folder or not needed. */
  readonly frontier: string | null
  /** How long a server may be unreachable before that is an error; a minute by default. */
  readonly storeTimeoutMs?: number
  /** The `host:port` of the Jelajah server of this workspace, if there is one: no crawl may fetch from it. */
  readonly listensOn?: string
  /** The servers were reachable before, so opening waits for one that is not reachable now. */
  readonly isKnown?: boolean
}

/** Where crawls live when nothing says where. */
export const DEFAULT_DATA = './jelajah-data'

/** Seconds after which a program that falls silent is taken for dead: `?lease=` of a server's URL. */
const LEASE_S = { default: 15, least: 1, most: 600 }
const LEASE_RANGE = `lease is a number of seconds from ${LEASE_S.least} to ${LEASE_S.most}`
/** The limit of `?partitions=` in a server's URL: the number of partitions of a new crawl's frontier. */
const MAX_PARTITIONS = 1024
const PARTITIONS_RANGE = `partitions is a number from 1 to ${MAX_PARTITIONS}`
/** The second is what earlier versions called them. */
const PARTITIONS_NAMES = ['partitions', 'shards']
const OWN_PARAMETER = /([?&])(?:lease|partitions|shards)=[^&#]*(?:&|$)/

const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i
/** Everything up to the last @: an unescaped password may contain any character, even a slash or an @. */
const CREDENTIALS = /^([a-z][a-z0-9+.-]*:\/\/)(.*)@/is
const PARAMETER = /([?&][^=?&]*)=([^&]*)/g
const SECRET_NAME = /pass|pwd|secret|token|auth|key/i

export function isServerUrl(text: string): boolean {
  return URL_START.test(text)
}

/** In milliseconds, as the URL of one server says; null if it does not, NaN if it is out of range. */
export function leaseIn(url: string): number | null {
  const written = parameterIn(url, ['lease'])
  if (written === null) return null
  const seconds = written === '' ? Number.NaN : Number(written)
  const fits = seconds >= LEASE_S.least && seconds <= LEASE_S.most
  return fits ? Math.round(seconds * 1000) : Number.NaN
}

/** The frontier's URL has the first word, then the database's. */
export function leaseMsOf({ data, frontier }: Pick<WorkspaceUrl, 'data' | 'frontier'>): number {
  const written = frontier === null ? null : leaseIn(frontier)
  return written || leaseIn(data) || LEASE_S.default * 1000
}

/** As the URL of one server says; null if it does not, NaN if it is out of range. */
function partitionsIn(url: string): number | null {
  const written = parameterIn(url, PARTITIONS_NAMES)
  if (written === null) return null
  const number = Number(written)
  return Number.isInteger(number) && number >= 1 && number <= MAX_PARTITIONS ? number : Number.NaN
}

/** The frontier's URL has the first word, then the database's; null if neither says it. */
export function partitionsOf({
  data,
  frontier,
}: Pick<WorkspaceUrl, 'data' | 'frontier'>): number | null {
  const written = frontier === null ? null : partitionsIn(frontier)
  return written || partitionsIn(data) || null
}

/** What is wrong with the parameters that both servers' URLs may have; null if nothing is. */
export function wrongParameter(url: string): string | null {
  if (Number.isNaN(leaseIn(url))) return LEASE_RANGE
  return Number.isNaN(partitionsIn(url)) ? PARTITIONS_RANGE : null
}

/** The URL as the server's driver understands it. */
export function withoutParameters(url: string): string {
  let left = url
  while (OWN_PARAMETER.test(left)) left = left.replace(OWN_PARAMETER, '$1')
  return left === url ? url : left.replace(/[?&]$/, '')
}

function parameterIn(url: string, names: readonly string[]): string | null {
  if (!url.includes('?')) return null
  const parameters = new URLSearchParams(url.slice(url.lastIndexOf('?') + 1))
  for (const name of names) if (parameters.has(name)) return parameters.get(name)
  return null
}

/** Safe to show to anybody: it rather hides too much than shows part of a password. */
export function withoutPassword(url: string): string {
  let isClear = true
  const shown = url.replace(PARAMETER, (all, name: string, value: string) => {
    if (!SECRET_NAME.test(name)) return all
    isClear &&= !value.includes('@')
    return `${name}=***`
  })
  // The text before that @ may be a password that looks like a parameter.
  if (!isClear) return `${URL_START.exec(url)?.[0] ?? ''}***`
  return shown.replace(CREDENTIALS, (_, scheme: string, who: string) => `${scheme}${masked(who)}@`)
}

/** The workspace as messages name it. */
export function shownWorkspace({ data }: Pick<WorkspaceUrl, 'data'>): string {
  return isServerUrl(data) ? withoutPassword(data) : data
}

/** Without a colon it may be either: Redis URLs often have a password alone. */
function masked(who: string): string {
  const colon = who.indexOf(':')
  return colon === -1 ? '***' : `${who.slice(0, colon)}:***`
}

/** The workspace that a command was given. */
export type WorkspaceChoice = {
  /** An absolute folder, or the URL of a database. */
  readonly dataDir: string
  /** The URL of the frontier beside a database; null if none was given. */
  readonly frontier?: string | null
  /** How long a store may be unreachable before that is an error. */
  readonly storeTimeoutMs?: number
}
