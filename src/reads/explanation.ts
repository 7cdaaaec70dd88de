// The story of one URL: gathered from the frontier, the store and the ordering, and as JSON.
import { InvalidInput } from '../core/errors.ts'
import type { HostState } from '../core/host.ts'
import type { JobRecord } from '../core/job.ts'
import type { PageHistory, StoredPage } from '../core/page.ts'
import { type CanonicalUrl, canonicalise, createIdentity } from '../core/url.ts'
import { reasonCode, type UrlRecord } from '../core/visit.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import { jsonLine, snakeCased } from '../lib/json-line.ts'
import { ORDERING_CHOICES, optionValues } from '../ordering/index.ts'
import type { OptionValues, Ordering, ScorePart, Signals } from '../ordering/ordering.ts'
import type { PageImportance } from '../store/importance-store.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Older crawls are not searched for a URL that this one does not know. */
const MAX_OTHERS = 20
/** Deeper paths are shown up to here; nobody reads on. */
const MAX_STEPS = 20

export type Via = 'link' | 'redirect' | 'sitemap'

/** How important a page is, and by what. */
type ExplainedImportance = Omit<PageImportance, 'pageId'>

export type Explanation = {
  readonly job: JobRecord
  readonly url: string
  /** Null when the crawl has never seen the URL. */
  readonly row: UrlRecord | null
  /** From where it was found back to a seed. */
  readonly path: readonly string[]
  /** How the first of the path led to it; null when that is not known. */
  readonly via: Via | null
  readonly page: StoredPage | null
  /** What later rounds made of it. */
  readonly history: PageHistory
  /** Null before the crawl has ended, or when the page is not stored. */
  readonly importance: ExplainedImportance | null
  readonly score: ExplainedScore | null
  /** URLs of its host that go before it; null when it does not wait. */
  readonly ahead: number | null
  readonly host: HostState | null
  readonly now: number
}

export function explanationJson(explanation: Explanation): string {
  const { job, url, row, path, via, page, history, importance, score, ahead, host } = explanation
  const { looks, gone } = history
  return jsonLine({
    crawl: job.id,
    url,
    known: row !== null,
    ...(row ?? {}),
    ordering: job.settings.ordering,
    orderingOptions: score?.options ?? {},
    score: score?.score ?? null,
    scoreParts: Object.fromEntries((score?.parts ?? []).map(({ name, value }) => [name, value])),
    path,
    via,
    ahead,
    host: row?.host ?? null,
    hostState: host === null ? null : snakeCased(host),
    page:
      page === null ? null : snakeCased({ ...page, contentText: undefined, markdown: undefined }),
    looks: looks === null ? null : snakeCased({ ...looks }),
    gone: gone === null ? null : snakeCased({ ...gone }),
    importance: importance === null ? null : snakeCased({ ...importance }),
  })
}

/** Everything but `now`. */
export async function explain(
  workspace: Workspace,
  job: JobRecord,
  given: CanonicalUrl,
): Promise<Omit<Explanation, 'now'>> {
  await using urlStates = await workspace.urlStates(job)
  await using pages = await workspace.pageReader()
  const asGiven = (await urlStates?.find(given)) ?? null
  const url = asGiven === null ? createIdentity(job.settings.stripParams)(given) : given
  const row = asGiven ?? (await urlStates?.find(url)) ?? null
  if (urlStates === null || row === null) {
    return { ...UNKNOWN, job, url }
  }
  const page = await pages.findByUrl(job.id, url)
  return {
    job,
    url,
    row,
    path: await pathTo(urlStates, row),
    via: await viaOf(urlStates, row),
    page,
    history: await pages.historyOf(job.id, url),
    importance: page === null ? null : await importanceOf(workspace, page.duplicateOf ?? page.id),
    score: wasQueued(row) ? await explainScore(urlStates, job, url) : null,
    ahead: row.state === 'queued' ? await urlStates.ahead(url) : null,
    host: await urlStates.host(row.host),
  }
}

/** The newest other crawl that has stored a page of that URL; null if there is none among the newest. */
export async function otherCrawlWith(
  workspace: Workspace,
  { id }: Pick<JobRecord, 'id'>,
  given: CanonicalUrl,
): Promise<number | null> {
  await using jobs = await workspace.jobReader()
  await using pages = await workspace.pageReader()
  const newest = (await jobs?.list({ limit: MAX_OTHERS + 1 })) ?? []
  for (const job of newest.filter((each) => each.id !== id).slice(0, MAX_OTHERS)) {
    const urls = [given, createIdentity(job.settings.stripParams)(given)]
    if ((await pages.idsByUrl(job.id, urls)).size > 0) return job.id
  }
  return null
}

/** What a rule refused at first sight never had a score. */
function wasQueued({ state, reason, tries }: UrlRecord): boolean {
  return state !== 'refused' || tries > 0 || reasonCode(reason) === 'buffer'
}

const UNKNOWN = {
  row: null,
  path: [],
  via: null,
  page: null,
  history: { looks: null, gone: null },
  importance: null,
  score: null,
  ahead: null,
  host: null,
}

async function importanceOf(workspace: Workspace, pageId: number): Promise<PageImportance | null> {
  await using reader = await workspace.importanceReader()
  return reader.get(pageId)
}

/** How the URL was found, as far as what it was found on tells. */
async function viaOf(urlStates: UrlStates, { foundOn }: UrlRecord): Promise<Via | null> {
  const from = foundOn === null ? null : canonicalise(foundOn)
  if (from === null) return null
  const state = (await urlStates.find(from))?.state
  // Whatever links or redirects was fetched, so the crawl knows it; a sitemap is kept elsewhere.
  if (state === undefined) return 'sitemap'
  return state === 'redirected' ? 'redirect' : 'link'
}

/** The pages that led here, the nearest first. */
async function pathTo(urlStates: UrlStates, row: UrlRecord): Promise<readonly string[]> {
  const path: string[] = []
  let from = row.foundOn
  while (from !== null && path.length < MAX_STEPS && !path.includes(from)) {
    path.push(from)
    const url = canonicalise(from)
    from = url === null ? null : ((await urlStates.find(url))?.foundOn ?? null)
  }
  return path
}

/** As `jelajah explain --json` prints it. */
export async function readExplanation(
  job: JobRecord,
  text: string,
  { workspace, now }: { readonly workspace: Workspace; readonly now: number },
): Promise<Record<string, unknown>> {
  const url = canonicalise(text)
  if (url === null) throw new InvalidInput('url', 'must be an http or https URL')
  return JSON.parse(explanationJson({ ...(await explain(workspace, job, url)), now }))
}

/** What an ordering makes of a URL, now. */
type ExplainedScore = {
  readonly options: OptionValues
  readonly score: number
  /** What the score is made from; empty where it needs no telling. */
  readonly parts: readonly ScorePart[]
}

/**
 * Why a URL has the score it has: its ordering is asked, with what it had learned by then.
 * Null when the URL is not known, or this version does not have its ordering.
 */
export async function explainScore(
  urlStates: Pick<UrlStates, 'candidate' | 'learned'>,
  { settings, salt }: Pick<JobRecord, 'settings' | 'salt'>,
  url: CanonicalUrl,
  orderings: readonly Ordering[] = ORDERING_CHOICES,
): Promise<ExplainedScore | null> {
  const ordering = orderings.find(({ name }) => name === settings.ordering)
  const candidate = await urlStates.candidate(url)
  if (ordering === undefined || candidate === null) return null
  const options = valuesOf(ordering, settings.orderingOptions)
  if (options === null) return null
  const scorer = ordering.createScorer(options, salt)
  for (const { name, bytes, part } of await urlStates.learned()) {
    if (name === ordering.name) scorer.load?.(bytes, part)
  }
  const parts = scorer.explain?.(candidate) ?? named(ordering.signals, candidate.signals)
  return { options, score: scorer.score(candidate), parts }
}

/** Null when the ordering of this version cannot have been given these. */
function valuesOf(
  ordering: Ordering,
  given: Readonly<Record<string, string>>,
): OptionValues | null {
  try {
    return optionValues(ordering, given)
  } catch (error) {
    if (error instanceof InvalidInput) return null
    throw error
  }
}

function named(names: readonly string[] = [], signals: Signals | null): ScorePart[] {
  return names.flatMap((name, at) => {
    const value = signals?.[at]
    return value === undefined ? [] : [{ name, value }]
  })
}
