// Which pages an export is of: the filter in terms of the store, and the search index that an export asks.
import { CrawlerError, InvalidInput, shown } from '../core/errors.ts'
import type { PageKind } from '../core/page.ts'
import { redirectsOf } from '../crawl/importance.ts'
import { ExportInterrupted } from '../export/run-export.ts'
import { nearest } from '../lib/edit-steps.ts'
import { showNumber } from '../lib/format.ts'
import { given } from '../lib/present.ts'
import { sinceTime } from '../options/values.ts'
import { refuseUnknownHost } from '../reads/known-host.ts'
import { catchUpInSteps, openSearch, type StepsOptions } from '../reads/search.ts'
import { countBehind, openIndexSource } from '../search/index/index-writer.ts'
import type { SearchReader } from '../search/search-index.ts'
import type { PageNames } from '../store/graph-reader.ts'
import type { WholePageFilter } from '../store/page-reader.ts'
import { chooseCrawl } from '../workspace/find-crawl.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Which pages; what is null or false is not asked for. */
export type ExportFilter = {
  /** Null: the newest, or all of the topic where one is given. `all`: all of them. */
  readonly crawl: string | null
  readonly host: string | null
  readonly language: string | null
  readonly kind: PageKind | null
  readonly hot: boolean
  /** As it was written; see `sinceTime` of options/values.ts. */
  readonly since: string | null
  readonly minRelevance: number | null
  readonly topic: string | null
  /** Only pages that a search for this finds. */
  readonly query: string | null
  readonly limit: number | null
}

/** Without what a search finds, which is asked for every time. */
export async function filterFrom(
  workspace: Workspace,
  asked: ExportFilter,
  { duplicates, now }: { readonly duplicates: boolean; readonly now: number },
): Promise<Omit<WholePageFilter, 'among'>> {
  const { host, language, kind, hot, since, minRelevance, topic } = asked
  const crawlIds = await crawlsFrom(workspace, asked)
  if (host !== null) await refuseUnknownHost(workspace, host, crawlIds)
  return {
    ...given({ crawlIds, host, language, kind, minRelevance }),
    ...(hot || topic !== null ? { hot: true } : {}),
    ...(since === null ? {} : { since: sinceTime(since, now) }),
    ...(duplicates ? { duplicates } : {}),
  }
}

/** Null: all there are. */
async function crawlsFrom(
  workspace: Workspace,
  { crawl, topic }: ExportFilter,
): Promise<readonly number[] | null> {
  // Also says when there is nothing here at all.
  const all = crawl === 'all' || (crawl === null && topic !== null)
  const chosen = await chooseCrawl(workspace, all ? null : crawl)
  const crawls = all ? null : [chosen.id]
  if (topic === null) return crawls
  const topics = await topicsIn(workspace)
  const about = [...topics].filter(([, words]) => words === topic).map(([id]) => id)
  const wanted = about.filter((id) => crawls === null || crawls.includes(id))
  if (wanted.length > 0) return wanted
  throw new InvalidInput('--topic', noSuchTopic(topic, [...new Set(topics.values())]))
}

async function topicsIn(workspace: Workspace): Promise<ReadonlyMap<number, string>> {
  await using pages = await workspace.pageReader()
  return await pages.topics()
}

function noSuchTopic(topic: string, known: readonly string[]): string {
  const meant = nearest(topic, known) ?? known[0]
  const hint = meant === undefined ? '' : `; one is about ${shown(meant)}`
  return `none of these crawls is about ${shown(topic)}${hint}`
}

/** Which page of a crawl a URL stands for, also behind redirects. */
export async function namesOf(workspace: Workspace, crawlId: number): Promise<PageNames> {
  await using jobs = await workspace.jobReader()
  const job = await jobs?.get(crawlId)
  await using urlStates = job == null ? null : await workspace.urlStates(job)
  await using graph = await workspace.graphReader()
  return await graph.names(crawlId, redirectsOf(urlStates))
}

/** How long nothing may move while another process keeps the index: it may be ranking pages. */
const PATIENCE_MS = 30_000

/** What needs no page to be shown. */
type ExportSearch = Pick<SearchReader, 'matching' | 'nearDuplicates'> & AsyncDisposable

type ExportSearchOptions = StepsOptions & { readonly patienceMs?: number }

/**
 * Catches up with the store first, or waits while another process does. An index that is behind would leave
 * pages out, and nobody would know.
 */
export async function openExportSearch(
  workspace: Workspace,
  { patienceMs = PATIENCE_MS, ...options }: ExportSearchOptions,
): Promise<ExportSearch> {
  await using source = await openIndexSource(workspace)
  if (source === null)
    throw new CrawlerError('store-unreachable', `the crawls of ${workspace.shown} are gone`)
  const last = await source.changes.last()
  await using search = openSearch(workspace)
  let least = Number.POSITIVE_INFINITY
  for (let movedAt = performance.now(); ; ) {
    await catchUpInSteps(search, options)
    if (options.signal.aborted) throw new ExportInterrupted()
    const reader = await workspace.searchReader({ pagesOf: async () => [] })
    const behind = await countBehind(reader, source, last)
    if (reader !== null && behind === 0) return reader
    await reader?.[Symbol.asyncDispose]()
    const isKept = await workspace.isLocked('search')
    if (behind < least) movedAt = performance.now()
    else if (!isKept || performance.now() - movedAt >= patienceMs) throw isBehind(behind, isKept)
    least = Math.min(least, behind)
  }
}

function isBehind(changes: number, isKept: boolean): CrawlerError {
  const what = `the search index is ${showNumber(changes, 'change')} behind`
  return isKept
    ? new CrawlerError('store-busy', `${what}; wait for the process that keeps it, then try again`)
    : new CrawlerError(
        'store-unreachable',
        `${what}, and cannot be written; 'jelajah index' says why`,
      )
}
