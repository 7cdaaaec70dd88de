// Why there is no page to show, in a sentence that also says what can be done about it.
import { STATUS_CODES } from 'node:http'
import { reasonCode } from '../core/visit.ts'

export type NoPage = {
  /** The file, or the last URL of the way. */
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

function answered(status: number): string {
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
  'redirect-target': (to) => `redirects to where nothing can be fetched: ${to}`,
}
