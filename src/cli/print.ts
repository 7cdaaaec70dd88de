// What commands print: tables for people, JSON for programs. JSON names are those of SQL columns.

import type { CrawlSettings, JobRecord, JobRunRecord } from '../core/job.ts'
import type { StoredPage } from '../core/page.ts'
import { aboutObject } from '../core/page.ts'
import type { CrawlSummary } from '../core/summary.ts'
import type { UrlRecord } from '../core/url-record.ts'
import { withoutPassword } from '../core/workspace-url.ts'
import {
  showBytes,
  showCount,
  showNumber,
  showPercent,
  showRate,
  showTime,
  showTook,
} from '../lib/format.ts'
import { jsonLine, snakeCased } from '../lib/json-line.ts'
import { safeText } from '../lib/terminal.ts'
import type { Column } from './table.ts'

/** Exactly the columns of `urls`, in their order. */
export function urlJson(row: UrlRecord): string {
  const { crawlId, url, host, state, reason, depth, foundOn, priority, tries, nextAt } = row
  const known = { crawlId, url, host, state, reason, depth, foundOn, priority, tries, nextAt }
  return jsonLine(known)
}

export function pageJson({ id, crawlId, url, duplicateOf, about, ...rest }: StoredPage): string {
  return jsonLine({ id, crawlId, url, duplicateOf, ...rest, about: aboutObject(about) })
}

/** A job with what it has stored. */
export type CrawlRow = JobRecord & {
  readonly stored: number
  readonly duplicates: number
  readonly judged: number
  readonly hot: number
  /** Oldest first. */
  readonly runs: readonly JobRunRecord[]
}

export function crawlJson(row: CrawlRow): string {
  const { id, name, status, note, seeds, stored, duplicates, startedAt, endedAt, topic } = row
  const { judged, hot, round } = row
  return jsonLine({
    ...{ id, name, status, note, seeds, stored, duplicates, startedAt, endedAt },
    ...(topic === null ? {} : { judged, hot }),
    ...(round === undefined ? {} : { round }),
    settings: settingsJson(row.settings),
    runs: row.runs.map(({ startedAt, settings, topicFingerprint }) => ({
      started_at: startedAt,
      options: settingsJson(settings),
      ...(topicFingerprint === null ? {} : { topic_fingerprint: topicFingerprint }),
    })),
  })
}

function settingsJson(settings: CrawlSettings): Record<string, unknown> {
  return snakeCased({ ...settings, proxies: settings.proxies.map(withoutPassword) })
}

/** With hot pages and orderings where some crawl was after something. */
export function crawlColumns(rows: readonly CrawlRow[]): readonly Column<CrawlRow>[] {
  const focused = rows.some(({ topic }) => topic !== null)
  const refreshed = rows.some(({ round }) => round !== undefined)
  const hidden = [...(focused ? [] : FOCUSED), ...(refreshed ? [] : [ROUND])]
  return CRAWL_COLUMNS.filter(({ title }) => !hidden.includes(title))
}

const FOCUSED = ['HOT', 'ORDERING']
const ROUND = 'ROUND'

const CRAWL_COLUMNS: readonly Column<CrawlRow>[] = [
  { title: 'ID', of: ({ id }) => String(id), align: 'right' },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'PAGES', of: ({ stored }) => showCount(stored), align: 'right' },
  { title: 'HOT', of: ({ topic, hot }) => (topic === null ? '' : showCount(hot)), align: 'right' },
  { title: ROUND, of: ({ round = 0 }) => (round === 0 ? '' : String(round)), align: 'right' },
  { title: 'STARTED', of: ({ startedAt }) => showTime(startedAt) },
  {
    title: 'TOOK',
    of: ({ endedAt, ranMs }) => (endedAt === null ? '' : showTook(ranMs / 1000)),
    align: 'right',
  },
  { title: 'ORDERING', of: ({ settings }) => settings.ordering },
  { title: 'NAME', of: ({ name, note }) => (note === '' ? name : `${name} (${note})`) },
]

/** `focused`: with how relevant each page is, and a mark where it is hot. */
export function pageColumns(focused: boolean): readonly Column<StoredPage>[] {
  const [id, ...rest] = PAGE_COLUMNS
  return id !== undefined && focused ? [id, RELEVANCE, ...rest] : PAGE_COLUMNS
}

const RELEVANCE: Column<StoredPage> = {
  title: 'RELEVANT',
  of: ({ relevance, hot }) =>
    `${relevance === null ? '' : relevance.toFixed(2)}${hot ? ' hot' : '    '}`,
  align: 'right',
}

const PAGE_COLUMNS: readonly Column<StoredPage>[] = [
  { title: 'ID', of: ({ id }) => String(id), align: 'right', min: 6 },
  { title: 'DEPTH', of: ({ depth }) => String(depth), align: 'right' },
  { title: 'SIZE', of: ({ sizeBytes }) => showBytes(sizeBytes), align: 'right', min: 8 },
  { title: 'TITLE', of: titleOf, min: 40, max: 40 },
  { title: 'URL', of: ({ url }) => url, max: 200 },
]

function titleOf({ title, duplicateOf, noindex }: StoredPage): string {
  if (duplicateOf !== null) return `(same as ${duplicateOf})`
  return noindex ? '(noindex)' : title
}

export const URL_COLUMNS: readonly Column<UrlRecord>[] = [
  { title: 'STATE', of: ({ state }) => state, min: 10 },
  { title: 'DEPTH', of: ({ depth }) => String(depth), align: 'right' },
  { title: 'URL', of: ({ url }) => url, min: 60, max: 200 },
  { title: 'REASON', of: ({ reason }) => reason, max: 200 },
]

const HOSTS_SHOWN = 5

export function summaryText(summary: CrawlSummary): string {
  const { stored, duplicates, refused, outside, failed, queued } = summary
  const hosts = Object.entries(summary.hosts).sort(([, a], [, b]) => b - a)
  const rest = hosts.length - HOSTS_SHOWN
  const lines = [
    `Crawl ${summary.crawl} ${summary.status}: ${showNumber(stored, 'page')} stored ` +
      `(${showBytes(summary.bytes)}) in ${showTook(summary.seconds)}` +
      (summary.refresh === undefined ? `, ${showRate(summary.pages_per_second)} per second` : ''),
    `  ${showNumber(duplicates, 'duplicate')}, ${showCount(refused)} refused, ` +
      `${showCount(failed)} failed, ${showCount(outside)} outside, ${showCount(queued)} still queued`,
    ...reasonLines(summary),
    ...truncatedLines(summary),
    ...refreshLines(summary),
    ...harvestLines(summary),
    ...(summary.note === undefined ? [] : [`  ended because ${safeText(summary.note)}`]),
    ...hosts
      .slice(0, HOSTS_SHOWN)
      .map(([host, pages]) => `  ${showCount(pages).padStart(9)}  ${safeText(host)}`),
    ...(rest > 0 ? [`             and ${showNumber(rest, 'more host')}`] : []),
    // Where all was fetched, or there was nobody to share with, the figure would only mislead.
    ...(summary.fairness_over > 1 && queued > 0
      ? [`  fairness ${summary.fairness.toFixed(3)} (1 = ${evenly(summary.fairness_over)})`]
      : []),
  ]
  return `${lines.join('\n')}\n`
}

function truncatedLines({ truncated }: CrawlSummary): string[] {
  if (truncated === 0) return []
  return [`  ${showNumber(truncated, 'page')} cut (--max-body, --max-links-body)`]
}

function evenly(domains: number): string {
  return `each of ${domains} seed domains got its share`
}

const REASONS_SHOWN = 4

function reasonLines({ reasons }: CrawlSummary): string[] {
  const all = Object.entries(reasons)
  if (all.length === 0) return []
  const told = all.slice(0, REASONS_SHOWN).map(([code, count]) => `${code} ${showCount(count)}`)
  return [safeText(`  most often: ${told.join(', ')}${all.length > told.length ? ', …' : ''}`)]
}

const KEPT = [
  ['not_due', 'not due'],
  ['not_yet', 'not asked for yet'],
  ['unanswered', 'kept without an answer'],
] as const

function refreshLines({ refresh }: CrawlSummary): string[] {
  if (refresh === undefined) return []
  const { round, changed, gone, unchanged, kept } = refresh
  const looked = refresh.new + changed + gone + unchanged
  if (looked === 0 && kept > 0 && kept === refresh.not_due) {
    return [`  round ${round}: nothing of ${showNumber(kept, 'page')} is due`]
  }
  const found = `${showCount(refresh.new)} new, ${showCount(changed)} changed, ${showCount(gone)} gone`
  const rest = KEPT.filter(([name]) => refresh[name] > 0)
  const why = rest.map(([name, words]) => `, ${showCount(refresh[name])} ${words}`).join('')
  return [`  round ${round}: ${found}, ${showCount(unchanged)} unchanged${why}`]
}

function harvestLines({ hot, judged, harvest_rate, recent_harvest_rate }: CrawlSummary): string[] {
  if (hot === undefined) return []
  if (judged === undefined) return [`  ${showNumber(hot, 'hot page')}`]
  if (harvest_rate == null) return []
  const recent = recent_harvest_rate == null ? '' : `, of late ${showPercent(recent_harvest_rate)}`
  const pages = `${showNumber(hot, 'hot page')} of ${showCount(judged)} judged`
  return [`  harvest ${showPercent(harvest_rate)}: ${pages}${recent}`]
}
