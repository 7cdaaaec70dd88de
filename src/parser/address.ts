// The parts of a page's address. Several judges of one page ask for them, one after the other.

export type Address = { readonly host: string; readonly path: string; readonly query: string }

/** An address that the URL parser would leave as it is: a name for a host, no escapes, no dots in the path. */
const PLAIN =
  /^https?:\/\/((?:[a-z0-9-]+\.)*[a-z][a-z-]*)(?::\d{1,4})?(\/(?:[\w\-~!$&()*+,;=@/]|(?<!\/)\.)*)(\?[!$-&(-;=?-~]+)?$/

let last: { readonly url: string; readonly address: Address | null } = { url: '', address: null }

/** Null when it is no URL. */
export function addressOf(url: string): Address | null {
  if (url !== last.url) last = { url, address: read(url) }
  return last.address
}

function read(url: string): Address | null {
  const [, host = '', path = '', query = ''] = PLAIN.exec(url) ?? []
  if (host !== '' && !host.includes('xn--')) return { host, path, query }
  const parsed = URL.parse(url)
  if (parsed === null) return null
  return { host: parsed.hostname, path: parsed.pathname, query: parsed.search }
}
