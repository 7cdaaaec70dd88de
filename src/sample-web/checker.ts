// Checks of what a crawl did, over an access log and over the rows it stored. Pure, and empty when
// all is well: every breach is listed with what is needed to look it up.
import { present } from '../lib/present.ts'
import type { AccessRecord } from './access-log.ts'
import type { ExpectedCrawl } from './oracle.ts'

export type PolitenessRules = {
  /** The least gap between starts of requests to one host; per host where they differ. */
  readonly delayMs: number | ((host: string) => number)
  /** Requests to one host at the same time. */
  readonly perHost: number
  /** What the measuring itself may be off by. */
  readonly toleranceMs: number
  /**
   * How long requests could not be seen between two moments, because whoever notes them stood still; 0
   * when it is left out. For one request at a time.
   */
  readonly unseenMs?: (from: number, to: number) => number
}

export type PolitenessBreach = {
  readonly kind: 'gap' | 'concurrency'
  readonly host: string
  /** Epoch ms of the request that came too early. */
  readonly at: number
  readonly detail: string
}

export function politenessBreaches(
  log: readonly AccessRecord[],
  rules: PolitenessRules,
): PolitenessBreach[] {
  const byHost = Map.groupBy(log, (record) => record.host)
  return [...byHost].flatMap(([host, records]) => {
    const inOrder = records.toSorted((a, b) => a.startedAt - b.startedAt)
    const delayMs = typeof rules.delayMs === 'number' ? rules.delayMs : rules.delayMs(host)
    return [
      ...gapBreaches(host, inOrder, { ...rules, delayMs }),
      ...concurrencyBreaches(host, inOrder, rules),
    ]
  })
}

/**
 * A request that waited to be seen makes the gap after it short, by no more than it waited. However
 * long that was: the one after the next is sent a delay later than the next, and that one not before
 * this was answered, so of the gaps in a row only one can be lost.
 */
function gapBreaches(
  host: string,
  inOrder: readonly AccessRecord[],
  { delayMs, toleranceMs, unseenMs }: PolitenessRules & { readonly delayMs: number },
): PolitenessBreach[] {
  let notBefore = Number.NEGATIVE_INFINITY
  return inOrder.slice(1).flatMap((record, nth) => {
    const before = present(inOrder[nth])
    const gapMs = record.startedAt - before.startedAt
    const shortMs = delayMs - toleranceMs - gapMs
    const waitedMs = unseenMs?.(before.startedAt - delayMs, before.startedAt) ?? 0
    notBefore = Math.max(notBefore + delayMs, before.startedAt)
    const isExplained = waitedMs >= shortMs && record.startedAt >= notBefore - toleranceMs
    if (shortMs <= 0 || isExplained) return []
    notBefore = record.startedAt
    const gap = `${gapMs.toFixed(1)} ms after ${before.path} (${delayMs} ms expected)`
    const detail = `${record.path} came ${gap}`
    return [{ kind: 'gap' as const, host, at: record.startedAt, detail }]
  })
}

/** A sweep over the starts: of the earlier requests, those still under way are counted. */
function concurrencyBreaches(
  host: string,
  inOrder: readonly AccessRecord[],
  { perHost, toleranceMs }: PolitenessRules,
): PolitenessBreach[] {
  let under: AccessRecord[] = []
  const found: PolitenessBreach[] = []
  for (const record of inOrder) {
    // The client may have the last byte before the server knows that it sent it.
    under = under.filter((one) => one.endedAt - toleranceMs > record.startedAt)
    under.push(record)
    if (under.length <= perHost) continue
    const detail = `${under.length} at once: ${under.map((one) => one.path).join(', ')}`
    found.push({ kind: 'concurrency', host, at: record.startedAt, detail })
  }
  return found
}

/** How often each URL was asked for. */
export function requestCounts(log: readonly AccessRecord[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { host, path } of log) {
    const url = `http://${host}${path}`
    counts.set(url, (counts.get(url) ?? 0) + 1)
  }
  return counts
}

/** URLs asked for more often than `allowed` says, with how often. */
export function askedTooOften(
  log: readonly AccessRecord[],
  allowed: (url: string) => number,
): { readonly url: string; readonly times: number }[] {
  return [...requestCounts(log)]
    .filter(([url, times]) => times > allowed(url))
    .map(([url, times]) => ({ url, times }))
}

/** A row of `pages`, as far as it matters here. */
export type StoredRow = { readonly url: string; readonly duplicateOf: number | null }

/** Expected pages of which neither they nor an exact copy is stored as itself. */
export function missing(rows: readonly StoredRow[], expected: ExpectedCrawl): string[] {
  const stored = new Set(storedUrls(rows).map((url) => contentOf(url, expected)))
  const present = new Set(rows.map((row) => row.url))
  const pages = [...expected.stored].filter((url) => !stored.has(url))
  return [...pages, ...[...expected.duplicates.keys()].filter((url) => !present.has(url))]
}

/** Rows of URLs that should have none, and rows called duplicates that repeat nothing. */
export function extra(rows: readonly StoredRow[], expected: ExpectedCrawl): string[] {
  const groups = new Set([...expected.duplicates.values()].flat())
  return rows
    .filter(({ url, duplicateOf }) => {
      if (duplicateOf !== null) return !groups.has(url)
      return !expected.stored.has(url) && !expected.duplicates.has(url)
    })
    .map((row) => row.url)
}

/** URLs with more than one row, and contents stored as themselves more than once. */
export function twice(rows: readonly StoredRow[], expected: ExpectedCrawl): string[] {
  const contents = storedUrls(rows).map((url) => contentOf(url, expected))
  return [...new Set([...repeated(rows.map((row) => row.url)), ...repeated(contents)])]
}

/** A row of `urls`, as far as it matters here. */
export type UrlRow = { readonly url: string; readonly state: string; readonly reason: string }

/** Known URLs in another state, or there for another reason, than expected; and URLs not known. */
export function wrongStates(rows: readonly UrlRow[], expected: ExpectedCrawl): string[] {
  const wanted = wantedStates(expected)
  const wrong = rows.flatMap(({ url, state, reason }) => {
    const want = wanted.get(url)
    wanted.delete(url)
    if (want?.includes(claim(state, reason))) return []
    return [`${url} is ${state} (${reason}), not ${want?.join(' or ') ?? 'known at all'}`]
  })
  return [...wrong, ...[...wanted.keys()].map((url) => `${url} has no state`)]
}

function claim(state: string, reason: string): string {
  return state === 'refused' || state === 'failed' ? `${state} ${reason.split(':')[0]}` : state
}

function wantedStates(expected: ExpectedCrawl): Map<string, string[]> {
  const wanted = new Map<string, string[]>()
  for (const url of expected.stored) wanted.set(url, ['stored'])
  for (const [, group] of expected.duplicates) {
    for (const url of group) wanted.set(url, ['stored', 'duplicate'])
  }
  for (const url of expected.redirected.keys()) wanted.set(url, ['redirected'])
  for (const [url, code] of expected.refused) wanted.set(url, [`refused ${code}`])
  for (const [url, code] of expected.failed) wanted.set(url, [`failed ${code}`])
  return wanted
}

function storedUrls(rows: readonly StoredRow[]): string[] {
  return rows.filter((row) => row.duplicateOf === null).map((row) => row.url)
}

/** The first URL of its group stands for a content. */
function contentOf(url: string, expected: ExpectedCrawl): string {
  return expected.duplicates.get(url)?.[0] ?? url
}

function repeated(list: readonly string[]): string[] {
  const seen = new Set<string>()
  return list.filter((one) => seen.has(one) || !seen.add(one))
}
