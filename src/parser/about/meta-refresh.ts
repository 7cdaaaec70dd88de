// `<meta http-equiv=refresh>`: the standard's shared declarative refresh steps.

export type Refresh = {
  readonly delaySeconds: number
  /** Not resolved; '' means the page itself. */
  readonly href: string
}

const DELAY = /^[\t\n\f\r ]*(?:(\d+)|(?=\.))[\d.]*/
const SEPARATOR = /^[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/
const URL_PREFIX = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i

/** Reads the `content` of a refresh; null when it is none. */
export function parseRefresh(content: string): Refresh | null {
  const delay = DELAY.exec(content)
  if (delay === null) return null
  const rest = content.slice(delay[0].length)
  if (rest !== '' && !/^[\t\n\f\r ;,]/.test(rest)) return null
  const delaySeconds = Number(delay[1] ?? 0)
  const target = rest.replace(SEPARATOR, '')
  return { delaySeconds, href: hrefOf(target) }
}

function hrefOf(target: string): string {
  const bare = target.replace(URL_PREFIX, '')
  const quote = bare[0]
  if (quote !== '"' && quote !== "'") return bare
  const end = bare.indexOf(quote, 1)
  return end < 0 ? bare.slice(1) : bare.slice(1, end)
}

/** The rel of such a link, which has none of its own. */
export const REFRESH = 'refresh'
/** A refresh is a link only if it leads there soon: a later one just keeps a page up to date. */
export const MAX_REFRESH_SECONDS = 100
