// The pages that a topic is built from, read before the crawl starts. Pages stored by a crawl of this
// workspace are taken from there; the others are fetched as politely as in a crawl.
import type { CrawlSettings, JobOrigin } from '../core/job.ts'
import { type CanonicalUrl, hostOf } from '../core/url.ts'
import { reasonCode } from '../core/visit.ts'
import { openFetcher } from '../http/fetcher.ts'
import type { OwnListeners } from '../http/own-listeners.ts'
import type { Clock } from '../lib/clock.ts'
import type { Example, Examples } from '../options/examples-file.ts'
import { createPageParser } from '../parser/parse-page.ts'
import type { HostLimiter } from '../scouter/host-limiter.ts'
import { type OnePage, PageVisitor } from '../scouter/page-without-crawl.ts'
import type { PageText } from '../topic/topic.ts'
import { pageTextOf, textPage } from './example-texts.ts'
import { refusalText } from './refusal-text.ts'
import { trustedHosts } from './trusted-hosts.ts'

export type ExamplePages = {
  readonly positive: readonly PageText[]
  readonly negative: readonly PageText[]
  readonly lost: readonly LostExample[]
}

/** A page that could not be read, with the reason in words. */
type LostExample = { readonly url: CanonicalUrl; readonly reason: string }

/** Looks a page up among the stored ones; null if it is not there. */
type StoredExamples = (url: CanonicalUrl) => Promise<PageText | null>

export type ExampleDeps = {
  readonly settings: CrawlSettings
  /** Their hosts may have private addresses if a user of this machine named them. */
  readonly seeds: readonly CanonicalUrl[]
  readonly origin: JobOrigin
  readonly ownListeners?: OwnListeners
  /** Running crawls may visit the same hosts. */
  readonly openLimiter: () => Promise<HostLimiter>
  readonly stored: StoredExamples
  readonly clock: Clock
  /** Called with the number of pages requested so far, and of all. */
  readonly onProgress: (done: number, of: number) => void
  readonly onWait: (host: string, forMs: number) => void
}

/** More hosts at once would make little difference, and a crawl's own limit may be lower. */
const HOSTS_AT_ONCE = 16
/** Failures of the host. Its other pages would fail, too, so it is left alone. */
const HOST_FAULTS = /^(?:dns|connect|tls|timeout-\w+|robots-unreachable|http-(?:429|50[234]))$/

export async function readExamplePages(
  { positive, negative }: Examples,
  deps: ExampleDeps,
): Promise<ExamplePages> {
  const urls = [...positive, ...negative].flatMap((example) =>
    example.kind === 'url' ? [example.url] : [],
  )
  const pages = await pagesAt(urls, deps)
  const textOf = (example: Example): PageText[] => {
    if (example.kind === 'text') return [textPage(example)]
    const page = pages.get(example.url)
    return page === undefined || typeof page === 'string' ? [] : [page]
  }
  return {
    positive: positive.flatMap(textOf),
    negative: negative.flatMap(textOf),
    lost: [...pages].flatMap(([url, page]) =>
      typeof page === 'string' ? [{ url, reason: page }] : [],
    ),
  }
}

/** By URL: the page, or why there is none. */
type Read = Map<CanonicalUrl, PageText | string>

async function pagesAt(urls: readonly CanonicalUrl[], deps: ExampleDeps): Promise<Read> {
  const read: Read = new Map()
  const missing: CanonicalUrl[] = []
  for (const url of urls) {
    const page = await deps.stored(url)
    if (page === null) missing.push(url)
    else read.set(url, page)
  }
  if (missing.length > 0) await fetchAll(missing, read, deps)
  return read
}

async function fetchAll(
  urls: readonly CanonicalUrl[],
  read: Read,
  deps: ExampleDeps,
): Promise<void> {
  const { settings, clock, onWait, onProgress, ownListeners } = deps
  const own = ownListeners === undefined ? {} : { ownListeners }
  await using fetcher = openFetcher({ ...settings, ...trustedHosts(deps), ...own })
  await using limiter = await deps.openLimiter()
  const visitor = new PageVisitor({ fetcher, limiter, settings, clock, onWait })
  const parse = createExampleParser(settings)
  const hosts = [...Map.groupBy(urls, hostOf).values()]
  let done = 0
  const visitHosts = async (): Promise<void> => {
    for (let pages = hosts.pop(); pages !== undefined; pages = hosts.pop()) {
      let fault: string | null = null
      for (const url of pages) {
        onProgress(done, urls.length)
        done++
        if (fault !== null) {
          read.set(url, `${url}: was not asked for, since its host had failed (${fault})`)
          continue
        }
        const page: OnePage = await visitor.fetch(url)
        read.set(url, parse(page))
        if ('reason' in page && HOST_FAULTS.test(reasonCode(page.reason))) fault = page.reason
      }
    }
  }
  const visitors = Math.min(HOSTS_AT_ONCE, settings.concurrency)
  await Promise.all(Array.from({ length: visitors }, visitHosts))
  onProgress(done, urls.length)
  // The crawl that follows visits some of these hosts, too.
  await visitor.rested()
}

function createExampleParser({
  maxBodyBytes,
}: CrawlSettings): (page: OnePage) => PageText | string {
  const options = { salt: 0, parts: ['links'] as const, keepHtml: false, maxBodyBytes }
  const parse = createPageParser(options)
  return (page) => {
    if (page.outcome !== 'fetched') return whyLost(page)
    const parsed = parse(page.head, page.body)
    if (parsed.outcome !== 'page') {
      const reason = 'reason' in parsed ? parsed.reason : parsed.outcome
      return whyLost({ ...page, reason })
    }
    const { url, title, description, contentText, noindex } = parsed.page.fields
    // A crawl stores nothing of such a page, so a replay of the crawl could not know it either.
    if (noindex) return `${url}: asks not to be indexed`
    const text = pageTextOf({ url, title, description, contentText }, parsed.page.parts.links)
    return text ?? `${url}: has no words`
  }
}

function whyLost({
  url,
  redirects,
  reason,
}: Omit<OnePage, 'outcome'> & { reason: string }): string {
  return refusalText({ at: url, reason, redirects })
}
