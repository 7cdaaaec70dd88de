// Requests in the form of Firecrawl's API v2, in our own words. What we do not do is refused by name, never
// left out silently: a client must not believe that it got what it asked for.
import { InvalidInput, shown } from '../../core/errors.ts'
import { canonicalise } from '../../core/url.ts'
import type { ScrapeFormat } from '../../reads/shapes/scrape.ts'

type Body = Readonly<Record<string, unknown>>

/** By their name for a format: ours. */
const FORMATS: Readonly<Record<string, ScrapeFormat>> = {
  markdown: 'markdown',
  html: 'html',
  rawHtml: 'html',
  links: 'links',
  images: 'parts',
}
/** They change nothing here: who asks, and what a cloud may cache. */
const WITHOUT_EFFECT = [
  ...['origin', 'integration', 'maxAge', 'minAge', 'storeInCache', 'blockAds', 'fastMode'],
  ...['removeBase64Images', 'proxy', 'parsers', 'zeroDataRetention', 'useMock', 'lockdown'],
]
const BROWSER = 'no browser runs here: pages are read as the server sends them'
const NOT_DONE: Readonly<Record<string, string>> = {
  actions: BROWSER,
  waitFor: BROWSER,
  mobile: BROWSER,
  location: 'requests go out from this machine',
  headers: 'requests have no headers of clients',
  includeTags: 'the main content is found by what the page shows',
  excludeTags: 'the main content is found by what the page shows',
  prompt: 'no language model runs here',
  webhook: 'POST /crawl has webhooks of our own form',
  ignoreQueryParameters: 'POST /crawl has strip_params, which names them',
  regexOnFullURL: 'paths are compared, not URLs',
  robotsUserAgent: 'robots.txt is read for our own name',
  skipTlsVerification: 'whether certificates are checked is for the server to say',
}
/** Their default, which asks for nothing. */
const HARMLESS: ReadonlySet<unknown> = new Set([undefined, null, false, 0, ''])

/** The fields of a body. Those in `known` are read by the caller; all others must ask for nothing. */
export function readBody(body: unknown, known: readonly string[], at = 'body'): Body {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidInput(at, 'needs a JSON object')
  }
  for (const [name, value] of Object.entries(body)) {
    const isAsked = !HARMLESS.has(value) && !(Array.isArray(value) && value.length === 0)
    if (!isAsked || known.includes(name) || WITHOUT_EFFECT.includes(name)) continue
    const why = Object.hasOwn(NOT_DONE, name) ? NOT_DONE[name] : 'there is nothing like it'
    throw new InvalidInput(name, `is not done here: ${why}`)
  }
  return { ...body }
}

export const SCRAPE_FIELDS = ['url', 'formats', 'onlyMainContent', 'timeout']

/** Options of a page inside of another request. */
export function readPageOptions(raw: unknown): Body {
  return readBody(raw, SCRAPE_FIELDS, 'scrapeOptions')
}

/** Names of formats as the client gave them. */
export function formatsOf(body: Body): readonly string[] {
  const formats = namesIn(body.formats)
  if (truthIn(body, 'onlyMainContent') === false && formats.includes('markdown')) {
    throw new InvalidInput('onlyMainContent', 'is always true of Markdown here; rawHtml has it all')
  }
  return formats
}

function namesIn(raw: unknown): readonly string[] {
  if (raw === undefined || raw === null) return ['markdown']
  const given = Array.isArray(raw) ? raw : [raw]
  return given.map((one: unknown) => {
    const { type = one }: { readonly type?: unknown } = typeof one === 'object' ? { ...one } : {}
    if (typeof type === 'string' && Object.hasOwn(FORMATS, type)) return type
    const made = Object.keys(FORMATS).join(', ')
    throw new InvalidInput('formats', `${shown(type)} is not made here, only ${made}`)
  })
}

export function ownFormats(formats: readonly string[]): ScrapeFormat[] {
  return [...new Set(formats.map((name) => FORMATS[name] ?? 'markdown'))]
}

export function numberIn(body: Body, name: string, most: number): number | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && value >= 0 && value <= most) return value
  throw new InvalidInput(name, `needs a number from 0 to ${most}, not ${shown(value)}`)
}

export function truthIn(body: Body, name: string): boolean | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean') return value
  throw new InvalidInput(name, `is true or false, not ${shown(value)}`)
}

const CRAWL_FIELDS = [
  ...['url', 'limit', 'maxDiscoveryDepth', 'includePaths', 'excludePaths', 'crawlEntireDomain'],
  ...['allowExternalLinks', 'allowSubdomains', 'delay', 'maxConcurrency', 'sitemap'],
  ...['scrapeOptions', 'deduplicateSimilarURLs'],
]
const DEFAULT_LIMIT = 10_000

/** Their names for fields of our `POST /crawl`, which problems are about. */
const THEIR_NAMES: Readonly<Record<string, string>> = {
  max_pages: 'limit',
  max_depth: 'maxDiscoveryDepth',
  concurrency: 'maxConcurrency',
  include: 'includePaths',
  exclude: 'excludePaths',
}

/** A place as in our requests, such as `include[0]`. */
export function inTheirNames(at: string): string {
  return at.replace(/^\w+/, (name) =>
    Object.hasOwn(THEIR_NAMES, name) ? (THEIR_NAMES[name] ?? name) : name,
  )
}

/** The body of our `POST /crawl` for a crawl of theirs. `maxPages`: of the server, for those without a limit. */
export function crawlBodyOf(raw: unknown, maxPages: number): Body {
  const body = readBody(raw, CRAWL_FIELDS)
  const { url, sitemap = 'include', scrapeOptions = {} } = body
  const start = typeof url === 'string' ? canonicalise(url) : null
  if (start === null) throw new InvalidInput('url', `${shown(url)} is not an http or https URL`)
  const wrong = formatsOf(readPageOptions(scrapeOptions)).find(
    (name) => name !== 'markdown' && name !== 'links',
  )
  if (wrong !== undefined) {
    throw new InvalidInput('formats', `of a crawl are markdown and links, not ${wrong}`)
  }
  if (sitemap !== 'include' && sitemap !== 'skip') {
    throw new InvalidInput('sitemap', `is include or skip here, not ${shown(sitemap)}`)
  }
  const delay = numberIn(body, 'delay', 3600)
  const include = [...globsOf(body.includePaths, 'includePaths')]
  // Theirs stays below the path it starts from unless it is told otherwise.
  const { pathname } = new URL(start)
  if (truthIn(body, 'crawlEntireDomain') !== true && pathname !== '/' && include.length === 0) {
    include.push(pathname, `${pathname.replace(/\/$/, '')}/**`)
  }
  return {
    url: start,
    max_pages: numberIn(body, 'limit', 1e9) ?? Math.min(DEFAULT_LIMIT, maxPages),
    scope: scopeOf(body),
    keep: ['markdown'],
    ...(sitemap === 'skip' ? { sitemaps: false } : {}),
    ...defined({
      max_depth: numberIn(body, 'maxDiscoveryDepth', 1e6),
      concurrency: numberIn(body, 'maxConcurrency', 1e6),
      delay: delay === undefined ? undefined : Math.round(delay * 1000),
      include: include.length === 0 ? undefined : include,
      exclude:
        body.excludePaths === undefined ? undefined : globsOf(body.excludePaths, 'excludePaths'),
    }),
  }
}

function scopeOf(body: Body): 'any' | 'domain' | 'host' {
  const [external, subdomains] = [
    truthIn(body, 'allowExternalLinks'),
    truthIn(body, 'allowSubdomains'),
  ]
  if (external === true) return 'any'
  return subdomains === true ? 'domain' : 'host'
}

function globsOf(raw: unknown, at: string): readonly string[] {
  if (raw === undefined || raw === null) return []
  if (!Array.isArray(raw)) throw new InvalidInput(at, `needs a list of patterns, not ${shown(raw)}`)
  return raw.map((pattern: unknown) => {
    const glob = typeof pattern === 'string' ? globOf(pattern) : null
    if (glob !== null) return glob
    throw new InvalidInput(at, `${shown(pattern)}: patterns here are plain paths with .* in them`)
  })
}

/**
 * Their patterns are regular expressions, which are found anywhere in a path unless they say `^` and `$`. Those
 * of plain letters and `.*` have a glob; null for others.
 */
function globOf(pattern: string): string | null {
  const bare = pattern.replace(/^\^/, '').replace(/\$$/, '').replaceAll('\\/', '/')
  if (!/^(?:[\w\-/~%]|\\\.|\.\*|\.\+)+$/.test(bare)) return null
  const glob = bare.replaceAll('.*', '**').replaceAll('.+', '?**').replaceAll('\\.', '.')
  const isAnchored = pattern.startsWith('^') && !glob.startsWith('**')
  // A path begins with a slash.
  if (isAnchored && !glob.startsWith('/')) return null
  const begun = isAnchored ? glob : `/**${glob.replace(/^\*\*/, '')}`
  return pattern.endsWith('$') || begun.endsWith('**') ? begun : `${begun}**`
}

function defined(fields: Body): Body {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
