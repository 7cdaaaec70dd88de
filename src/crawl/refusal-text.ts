// Explains why there is no page, in a sentence that also says what to do about it.
import { reasonCode } from '../core/visit.ts'

export type NoPage = {
  /** The file, or the last URL of the redirects. */
  readonly at: string
  /** As in `urls`, or `empty`. */
  readonly reason: string
  readonly redirects: readonly { readonly url: string; readonly status: number }[]
}

export function refusalText({ at, reason, redirects }: NoPage): string {
  const code = reasonCode(reason)
  const detail = reason.slice(code.length + 2)
  const way = redirects.map(({ url }) => `${url} → `).join('')
  return `${way}${at}: ${explain(code, detail) ?? reason}`
}

function explain(code: string, detail: string): string | null {
  if (code.startsWith('http-')) return answered(Number(code.slice(5)))
  if (code.startsWith('timeout-')) {
    return `no answer in time (${detail}); --timeout MS gives a request longer`
  }
  return SENTENCES[code]?.(detail) ?? null
}

/** `import` of this module also loads Node's own fetch, which costs every crawl 30 ms of processor time. */
const http = (): typeof import('node:http') => process.getBuiltinModule('node:http')

function answered(status: number): string {
  const { STATUS_CODES } = http()
  return `the server answered ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()
}

const SENTENCES: Readonly<Record<string, (detail: string) => string>> = {
  empty: () => 'is empty: there is nothing to parse',
  type: (type) => `is ${type || 'of no known type'}, which the parser does not read`,
  decode: (why) => `cannot be decoded: ${why}`,
  robots: (why) =>
    `robots.txt ${why || 'asks crawlers to stay out'}; --ignore-robots is for sites of your own`,
  'crawl-delay': (why) =>
    `${why.replace(/^robots\.txt asks for /, 'its robots.txt asks for a Crawl-delay of ')}; --max-crawl-delay allows more`,
  'robots-unreachable': (url) =>
    `${url} gave no answer to rely on, so nothing of this site may be asked for now`,
  'private-address': (address) =>
    /^[\d.]+$|:/.test(address)
      ? `leads to ${address}, a private address; --allow-private=${address} lets it in`
      : `leads to ${address}, where no crawl goes`,
  port: (port) =>
    `leads to port ${port}, which is none of the web; name this URL itself to go there`,
  dns: (why) => `the host cannot be found (${why})`,
  connect: (why) => `the host cannot be reached (${why})`,
  tls: (why) => `no safe connection (${why}); --insecure-tls accepts any certificate`,
  protocol: (why) => `the answer is broken (${why})`,
  'redirect-loop': (to) => `redirects back to ${to}`,
  'redirect-limit': (to) => `redirects too often; the next would be ${to}`,
  plugin: (why) => `a plug-in dropped it (${why})`,
  'plugin-error': (why) => `a plug-in failed on it (${why})`,
  'redirect-target': (to) => `redirects to where nothing can be fetched: ${to}`,
}

const WORDS: readonly (readonly [reason: RegExp, words: string])[] = [
  [/^dns: ENOTFOUND/, 'there is no such host; check the spelling'],
  [/^dns: ENODATA/, 'its name has no address'],
  [/^dns: E(?:TIMEOUT|AGAIN)/, 'no name server answered for it in time'],
  [/^dns\b/, 'the name of the host could not be looked up'],
  [/^connect: ECONNREFUSED/, 'nothing listens there'],
  [/^connect: E(?:HOST|NET)UNREACH/, 'there is no way to it from here'],
  [/^connect\b/, 'the connection could not be made'],
  [/^timeout-/, 'it did not answer in time'],
  [/^tls: CERT_HAS_EXPIRED/, 'its certificate has expired'],
  [/^tls: CERT_NOT_YET_VALID/, 'its certificate is not valid yet'],
  [/^tls: ERR_TLS_CERT_ALTNAME_INVALID/, 'its certificate is for another name'],
  [/^tls: \w*SELF_SIGNED/, 'its certificate is signed by itself, or by nobody who is known'],
  [/^tls: UNABLE_TO_/, 'whoever signed its certificate is not known'],
  [/^tls: ERR_SSL_WRONG_VERSION_NUMBER/, 'it does not speak TLS there'],
  [/^tls: \w+_NO_APPLICATION_PROTOCOL/, 'it speaks HTTP/2 alone; --http2 does, too'],
  [/^tls: \w+_PROTOCOL_VERSION/, 'it only speaks a version of TLS that is not safe any more'],
  [/^tls\b/, 'no secure connection: its certificate or its encryption is not in order'],
  [/^http-404$/, 'there is no such page'],
  [/^http-(?:401|403)$/, 'it wants nobody to read this, or no crawler'],
  [/^http-429$/, 'it has too many requests'],
  [/^http-5/, 'its server is in trouble'],
  [/^port\b/, 'this port is not one of the web'],
  [/^robots$/, 'its robots.txt forbids it'],
  [/^crawl-delay\b/, 'that is more than --max-crawl-delay'],
  [/^host-unreachable\b/, 'it gave no answer'],
  [/^robots-unreachable$/, 'without its robots.txt nothing of it may be fetched'],
  [/^private-address: a server of Jelajah/, 'no crawl goes there'],
  [/^private-address/, 'a private address; a crawl, or its server, needs --allow-private'],
]

/** Reasons with their meaning, for a user who may have mistyped an address. */
export function inWords(reason: string): string {
  const [, words] = WORDS.find(([form]) => form.test(reason)) ?? []
  return words === undefined ? reason : `${reason}: ${words}`
}
