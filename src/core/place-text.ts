// Where crawls live, as it is written: a folder, or the URLs of two servers. Plain, so that it can be
// handed to a thread or another process; never on a command line, since it may hold a password.

export type PlaceText = {
  /** A folder, or the URL of a PostgreSQL. */
  readonly data: string
  /** The URL of a Redis; null: the frontier is in the folder, or is not asked for. */
  readonly frontier: string | null
  /** How long a server may be away before that is an error; left out: a minute. */
  readonly storeTimeoutMs?: number
}

const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i
/** All between the scheme and the last @ before the path: a password may hold an @ that nobody escaped. */
const CREDENTIALS = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)@/i
const SECRET_PARAMETER = /([?&](?:password|sslpassword|sslkey|token)=)[^&#]*/gi

export function isServerUrl(text: string): boolean {
  return URL_START.test(text)
}

/** As it may be shown to anybody. */
export function withoutPassword(url: string): string {
  return url
    .replace(CREDENTIALS, (_, scheme: string, who: string) => `${scheme}${masked(who)}@`)
    .replace(SECRET_PARAMETER, '$1***')
}

/** How the place is called in messages. */
export function shownPlace({ data }: Pick<PlaceText, 'data'>): string {
  return isServerUrl(data) ? withoutPassword(data) : data
}

function masked(who: string): string {
  const colon = who.indexOf(':')
  return colon === -1 ? who : `${who.slice(0, colon)}:***`
}
