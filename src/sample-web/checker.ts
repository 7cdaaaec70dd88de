// Checks the result of a crawl, by an access log and by the stored rows. Pure functions; the results are
// empty if all is well, and otherwise list every breach with enough to look it up.
import { present } from '../lib/present.ts'
import type { AccessRecord } from './access-log.ts'
import type { ExpectedCrawl } from './oracle.ts'

export type PolitenessRules = {
  /** The least gap between starts of requests to one host; may differ per host. */
  readonly delayMs: number | ((host: string) => number)
  /** Limit of simultaneous requests to one host. */
  readonly perHost: number
  /** Tolerance for measuring errors. */
  readonly toleranceMs: number
  /**
   * How long requests went unseen between two moments, because the server process was stalled; default 0. For
   * one request at a time.
   */
  readonly unseenMs?: (from: number, to: number) => number
}

type PolitenessBreach = {
  readonly kind: 'gap' | 'concurrency'
  readonly host: string
  /** Epoch ms of the early request. */
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
 * A request that was seen late makes the gap after it short, by at most its lateness. That is true for any
 * lateness: the request after the next is sent a delay later than the next, and the next not before this one
 * was answered, so only one gap in a row can be short.
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

/** Sweeps over the starts, and counts the earlier requests that are still in flight. */
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

/** How often each URL was requested. */
export function requestCounts(log: readonly AccessRecord[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { host, path } of log) {
    const url = `http://${host}${path}`
    counts.set(url, (counts.get(url) ?? 0) + 1)
  }
  return counts
}

/** URLs requested more often than `allowed`, with their counts. */
export function askedTooOften(
  log: readonly AccessRecord[],
  allowed: (url: string) => number,
): { readonly url: string; readonly times: number }[] {
  return [...requestCounts(log)]
    .filter(([url, times]) => times > allowed(url))
    .map(([url, times]) => ({ url, times }))
}

/** The fields of a `pages` row that matter here. */
type StoredRow = { readonly url: string; readonly duplicateOf: number | null }

/** Expected pages that are not stored as an original, neither themselves nor an exact copy. */
export function missing(rows: readonly StoredRow[], expected: ExpectedCrawl): string[] {
  const stored = new Set(storedUrls(rows).map((url) => contentOf(url, expected)))
  const present = new Set(rows.map((row) => row.url))
  const pages = [...expected.stored].filter((url) => !stored.has(url))
  return [...pages, ...[...expected.duplicates.keys()].filter((url) => !present.has(url))]
}

/** Rows of URLs that should have none, and rows marked as duplicates that duplicate nothing. */
export function extra(rows: readonly StoredRow[], expected: ExpectedCrawl): string[] {
  const groups = new Set([...expected.duplicates.values()].flat())
  return rows
    .filter(({ url, duplicateOf }) => {
      if (duplicateOf !== null) return !groups.has(url)
      return !expected.stored.has(url) && !expected.duplicates.has(url)
    })
    .map((row) => row.url)
}

/** URLs with more than one row, and contents stored as an original more than once. */
export function twice(rows: readonly StoredRow[], expected: ExpectedCrawl): string[] {
  const contents = storedUrls(rows).map((url) => contentOf(url, expected))
  return [...new Set([...repeated(rows.map((row) => row.url)), ...repeated(contents)])]
}

/** The fields of a `urls` row that matter here. */
type UrlRow = { readonly url: string; readonly state: string; readonly reason: string }

/** Known URLs with another state or reason than expected; and unknown URLs. */
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

/** The first URL of its group identifies a content. */
function contentOf(url: string, expected: ExpectedCrawl): string {
  return expected.duplicates.get(url)?.[0] ?? url
}

function repeated(list: readonly string[]): string[] {
  const seen = new Set<string>()
  return list.filter((one) => seen.has(one) || !seen.add(one))
}
