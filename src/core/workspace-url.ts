// Where crawls live, as it is written: a folder, or the URLs of two servers. Plain, so that it can be
// handed to a thread or another process; never on a command line, since it may hold a password.

export type WorkspaceUrl = {
  /** A folder, or the URL of a PostgreSQL. */
  readonly data: string
  /** The URL of a Redis; null: the frontier is in the folder, or is not asked for. */
  readonly frontier: string | null
  /** How long a server may be away before that is an error; left out: a minute. */
  readonly storeTimeoutMs?: number
  /** Where the server of this place listens, as `host:port`, when there is one: no crawl goes there. */
  readonly listensOn?: string
  /** Its servers were there before: one that is not now is waited for, also by who opens it. */
  readonly isKnown?: boolean
}

const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i
/** All up to the last @: a password may hold any sign that nobody escaped, be it a slash or an @. */
const CREDENTIALS = /^([a-z][a-z0-9+.-]*:\/\/)(.*)@/is
const PARAMETER = /([?&][^=?&]*)=([^&]*)/g
const SECRET_NAME = /pass|pwd|secret|token|auth|key/i

export function isServerUrl(text: string): boolean {
  return URL_START.test(text)
}

/** As it may be shown to anybody: rather too little of it than a part of a password. */
export function withoutPassword(url: string): string {
  let isClear = true
  const shown = url.replace(PARAMETER, (all, name: string, value: string) => {
    if (!SECRET_NAME.test(name)) return all
    isClear &&= !value.includes('@')
    return `${name}=***`
  })
  // What is before that @ may be a password that looks like a parameter.
  if (!isClear) return `${URL_START.exec(url)?.[0] ?? ''}***`
  return shown.replace(CREDENTIALS, (_, scheme: string, who: string) => `${scheme}${masked(who)}@`)
}

/** How the place is called in messages. */
export function shownWorkspace({ data }: Pick<WorkspaceUrl, 'data'>): string {
  return isServerUrl(data) ? withoutPassword(data) : data
}

/** Without a colon it may be either: a Redis is often given a password alone. */
function masked(who: string): string {
  const colon = who.indexOf(':')
  return colon === -1 ? '***' : `${who.slice(0, colon)}:***`
}

/** Where a command works. */
export type WorkspaceChoice = {
  /** An absolute folder, or the URL of a database. */
  readonly dataDir: string
  /** The URL of the frontier beside a database; null: none was named. */
  readonly frontier?: string | null
  /** How long a store may be away before that is an error. */
  readonly storeTimeoutMs?: number
}
