// `jelajah explain URL`: the story of one URL, put together from the frontier and the store.

import type { JobRecord } from '../core/job.ts'
import { type CanonicalUrl, canonicalise } from '../core/url.ts'
import { createIdentity } from '../core/url-identity.ts'
import type { UrlRecord } from '../core/url-record.ts'
import { reasonCode } from '../core/visit.ts'
import type { UrlLedger } from '../frontier/url-ledger.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { explainScore } from '../reads/explain-score.ts'
import type { PageImportance } from '../store/importance-store.ts'
import { chooseCrawl } from '../workspace/find-crawl.ts'
import { placeOf } from '../workspace/open-workspace.ts'
import type { Place } from '../workspace/workspace.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import {
  type Explanation,
  explanationJson,
  explanationText,
  type Via,
} from './print-explanation.ts'
import type { ExplainOptions } from './reader-commands.ts'

/** Deeper paths are shown up to here; nobody reads on. */
const MAX_STEPS = 20

export async function runExplain(
  options: ExplainOptions,
  out: Output,
  clock: Clock = systemClock,
): Promise<ExitCode> {
  const { url, json } = options
  await using place = placeOf(options)
  const job = await chooseCrawl(place, options.crawl)
  const explanation = { ...(await explain(place, job, url)), now: clock.now() }
  await out.write(json ? explanationJson(explanation) : explanationText(explanation))
  return explanation.row === null ? EXIT.error : EXIT.done
}

/** All but the moment it is told at. */
export async function explain(
  place: Place,
  job: JobRecord,
  given: CanonicalUrl,
): Promise<Omit<Explanation, 'now'>> {
  await using ledger = await place.ledger(job)
  await using pages = await place.pageReader()
  const asGiven = (await ledger?.find(given)) ?? null
  const url = asGiven === null ? createIdentity(job.settings.stripParams)(given) : given
  const row = asGiven ?? (await ledger?.find(url)) ?? null
  if (ledger === null || row === null) {
    return { ...UNKNOWN, job, url }
  }
  const page = await pages.findByUrl(job.id, url)
  return {
    job,
    url,
    row,
    path: await pathTo(ledger, row),
    via: await viaOf(ledger, row),
    page,
    history: await pages.historyOf(job.id, url),
    importance: page === null ? null : await importanceOf(place, page.duplicateOf ?? page.id),
    score: wasQueued(row) ? await explainScore(ledger, job, url) : null,
    ahead: row.state === 'queued' ? await ledger.ahead(url) : null,
    host: await ledger.host(row.host),
  }
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

async function importanceOf(place: Place, pageId: number): Promise<PageImportance | null> {
  await using reader = await place.importanceReader()
  return reader.get(pageId)
}

/** How the URL was found, as far as what it was found on tells. */
async function viaOf(ledger: UrlLedger, { foundOn }: UrlRecord): Promise<Via | null> {
  const from = foundOn === null ? null : canonicalise(foundOn)
  if (from === null) return null
  const state = (await ledger.find(from))?.state
  // Whatever links or redirects was fetched, so the crawl knows it; a sitemap is kept elsewhere.
  if (state === undefined) return 'sitemap'
  return state === 'redirected' ? 'redirect' : 'link'
}

/** The pages that led here, the nearest first. */
async function pathTo(ledger: UrlLedger, row: UrlRecord): Promise<readonly string[]> {
  const path: string[] = []
  let from = row.foundOn
  while (from !== null && path.length < MAX_STEPS && !path.includes(from)) {
    path.push(from)
    const url = canonicalise(from)
    from = url === null ? null : ((await ledger.find(url))?.foundOn ?? null)
  }
  return path
}
