// The topic of a crawl. It is built before the crawl starts and saved with it; a later run with the same
// request neither builds nor fetches again. A crawl without a topic loads nothing that builds one.
import { randomUUID } from 'node:crypto'
import { InvalidInput } from '../core/errors.ts'
import type { CrawlSettings, JobOrigin, JobRecord, KeptTopic } from '../core/job.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { Clock } from '../lib/clock.ts'
import { showNumber, showSeconds } from '../lib/format.ts'
import { BadOptions } from '../options/bad-options.ts'
import type { TopicRequest } from '../options/topic-request.ts'
import type { JobReader } from '../store/job-store.ts'
import type { PageReader } from '../store/page-reader.ts'
import type { PageText } from '../topic/topic.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { ExamplePages } from './example-pages.ts'
import { pageTextOf } from './example-texts.ts'
import type { CrawlWatcher } from './job-run.ts'
import { ownListenersOf } from './trusted-hosts.ts'

type TopicDeps = {
  readonly jobs: JobReader
  readonly watcher: Pick<CrawlWatcher, 'onBusy' | 'onNotice'>
  readonly clock: Clock
}

type TopicWanted = {
  /** Id of the job, if it already has one. */
  readonly id?: number
  readonly topic: TopicRequest | null
  readonly settings: CrawlSettings
  readonly seeds: readonly CanonicalUrl[]
  readonly origin: JobOrigin
  readonly workspace: Workspace
}

/** With fewer pages on topic there is nothing to learn from … */
const MIN_POSITIVE = 3
/** … and with fewer of the examples left, the topic would differ from the intended one. */
const MIN_SHARE = 0.8
const LOST_SHOWN = 10
/** The newest crawls, whose pages need not be fetched again. */
const CRAWLS_ASKED = 100
/** Shorter pauses are not reported. */
const LONG_WAIT_MS = 3_000

/** The topic of this run; `known` is the topic of the last one. */
export async function topicFor(
  wanted: TopicWanted,
  known: KeptTopic | null,
  deps: TopicDeps,
): Promise<KeptTopic | null> {
  const request = wanted.topic
  const { onNotice, onBusy } = deps.watcher
  if (request === null) {
    if (known !== null) onNotice('this run has no topic, though the crawl had one before')
    return null
  }
  if (known !== null && known.request === request.key && (await isReadable(known))) return known
  if (known !== null) onNotice('the topic changed: from now on pages are judged by the new one')
  const pages = await examplePages(wanted, request, deps)
  onBusy('building the topic')
  const { buildRequested } = await import('./topic-source.ts')
  return { ...buildRequested(request, pages), request: request.key }
}

/**
 * The topic saved with a job. A topic of words from an earlier version is built again from the same words,
 * since pages were judged by other rules then.
 */
export async function topicLeft({
  topic: known,
  settings: { topic: words, keywords, examples, classifier },
}: Pick<JobRecord, 'topic' | 'settings'>): Promise<KeptTopic | null> {
  const isOfWords = examples === null && classifier === null && words.length + keywords.length > 0
  if (known === null || !isOfWords || (await isReadable(known))) return known
  const request = { words, keywords, examples: null, model: null, key: '' }
  const { buildRequested } = await import('./topic-source.ts')
  return { ...known, ...buildRequested(request, NO_PAGES) }
}

/** A newer version of this program may save topics in another form; then the topic is built again. */
async function isReadable(known: KeptTopic): Promise<boolean> {
  const { openTopic } = await import('../topic/open-topic.ts')
  try {
    openTopic(known, { hotThreshold: 0.5 })
    return true
  } catch (error) {
    if (error instanceof InvalidInput) return false
    throw error
  }
}

const NO_PAGES: ExamplePages = { positive: [], negative: [], lost: [] }

async function examplePages(
  { id, settings, seeds, origin, workspace }: TopicWanted,
  { examples }: TopicRequest,
  { jobs, watcher, clock }: TopicDeps,
): Promise<ExamplePages> {
  if (examples === null) return NO_PAGES
  const { readExamplePages } = await import('./example-pages.ts')
  const crawlIds = (await jobs.list({ limit: CRAWLS_ASKED })).map(({ id }) => id)
  await using reader = await workspace.pageReader()
  const pages = await readExamplePages(examples.pages, {
    settings,
    seeds,
    ownListeners: await ownListenersOf(workspace.text),
    origin,
    openLimiter: () =>
      workspace.hostLimiter({
        // By its number: a run that was cut off leaves its slots behind, and the next one releases them.
        holder: `examples ${id ?? randomUUID()}`,
        clock,
      }),
    stored: (url) => storedPage(reader, crawlIds, url),
    clock,
    onProgress: (done, of) => watcher.onBusy(`fetching example pages: ${done} of ${of}`),
    onWait: (host, forMs) => {
      if (forMs < LONG_WAIT_MS) return
      watcher.onBusy(`${host} asks for a pause: waiting ${showSeconds(forMs / 1000)}`)
    },
  })
  reportLost(pages, examples, watcher)
  const counts = `${pages.positive.length} on topic, ${pages.negative.length} off topic`
  watcher.onNotice(`learning from the examples in ${examples.file}: ${counts}`)
  return pages
}

/** The page from any crawl of this workspace, the newest first. */
async function storedPage(
  reader: PageReader,
  crawlIds: readonly number[],
  url: CanonicalUrl,
): Promise<PageText | null> {
  for (const crawlId of crawlIds) {
    const page = await reader.findByUrl(crawlId, url)
    if (page === null || page.noindex) continue
    const { links } = await reader.partsOf(page.id)
    // Anchor texts belong to a page. Crawls that keep no links have only half of it.
    if (links !== undefined) return pageTextOf(page, links)
  }
  return null
}

function reportLost(
  { positive, negative, lost }: ExamplePages,
  { file, pages }: NonNullable<TopicRequest['examples']>,
  { onNotice }: Pick<CrawlWatcher, 'onNotice'>,
): void {
  if (lost.length === 0) return
  const given = pages.positive.length + pages.negative.length
  const lines = lost.slice(0, LOST_SHOWN).map(({ reason }) => `  ${reason}`)
  const more = lost.length - lines.length
  if (more > 0) lines.push(`  and ${showNumber(more, 'more')}`)
  const had = given - lost.length
  const isEnough = positive.length >= MIN_POSITIVE && had >= MIN_SHARE * given
  if (isEnough) {
    onNotice(`examples left out: ${lost.length} of ${given}`)
    for (const line of lines) onNotice(line)
    return
  }
  const message = [
    `only ${had} of ${given} examples could be had (${positive.length} on topic, ${negative.length} off); ` +
      `${MIN_POSITIVE} on topic and ${MIN_SHARE * 100} % of all are needed:`,
    ...lines,
    `  Take them out of ${file}, put others or their texts in their place, or try again later.`,
  ].join('\n')
  throw new BadOptions([{ source: 'file', at: '--examples', message }])
}
