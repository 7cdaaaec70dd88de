// The story of one URL, for people and as JSON.
import type { HostState } from '../core/host.ts'
import type { JobRecord } from '../core/job.ts'
import type { StoredPage } from '../core/page.ts'
import type { UrlRecord } from '../core/url-record.ts'
import { reasonCode } from '../core/visit.ts'
import { safeText } from '../lib/terminal.ts'
import { showBytes, showCount, showNumber, showSeconds, showTime } from './format.ts'
import { jsonLine, snakeCased } from './print.ts'

export type Via = 'link' | 'redirect' | 'sitemap'

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
  /** URLs of its host that go before it; null when it does not wait. */
  readonly ahead: number | null
  readonly host: HostState | null
  readonly now: number
}

export function explanationJson(explanation: Explanation): string {
  const { job, url, row, path, via, page, ahead, host } = explanation
  return jsonLine({
    crawl: job.id,
    url,
    known: row !== null,
    ...(row ?? {}),
    ordering: job.settings.ordering,
    path,
    via,
    ahead,
    host: row?.host ?? null,
    hostState: host === null ? null : snakeCased(host),
    page: page === null ? null : snakeCased({ ...page, contentText: undefined }),
  })
}

export function explanationText(explanation: Explanation): string {
  const { job, url, row } = explanation
  if (row === null) {
    return (
      `${safeText(url)}\n  Crawl ${job.id} has never seen this URL: no seed, no page it fetched ` +
      'and no sitemap it read names it.\n'
    )
  }
  const lines: [string, string][] = [
    ['crawl', `${job.id} (${job.name})`],
    ['state', row.reason === '' ? row.state : `${row.state}: ${row.reason}`],
    ['found', foundText(explanation)],
    ['depth', `${showNumber(row.depth, 'link')} from a seed`],
    ['tries', triesText(row)],
    ...waitingLines(explanation),
    ...hostLines(explanation),
    ...pageLines(explanation),
  ]
  const body = lines.map(([name, text]) => `  ${name.padEnd(8)}${safeText(text)}\n`)
  return `${safeText(url)}\n${body.join('')}`
}

/** What a rule forbids before anything is sent; the try was only a look at the rule. */
const UNASKED = ['robots', 'robots-unreachable', 'private-address', 'port']

function triesText({ state, reason, tries }: UrlRecord): string {
  const unasked = state === 'refused' && UNASKED.includes(reasonCode(reason))
  return unasked ? 'none: it was refused before any request' : showCount(tries)
}

const FOUND: Readonly<Record<Via, string>> = {
  link: 'on',
  redirect: 'redirected from',
  sitemap: 'listed in',
}

function foundText({ path, via, row }: Explanation): string {
  if (path.length === 0) return row?.depth === 0 ? 'a seed' : 'not recorded where'
  return `${FOUND[via ?? 'link']} ${path.join(', from ')}`
}

function waitingLines({ row, job, ahead, now }: Explanation): [string, string][] {
  if (row === null) return []
  const lines: [string, string][] = []
  if (row.nextAt !== null) {
    const wait = row.nextAt - now
    const when = wait > 0 ? `in ${showSeconds(wait / 1000)}` : 'as soon as the crawl runs'
    lines.push(['next', `${showTime(row.nextAt)}, ${when}`])
  }
  if (ahead !== null) {
    const before = `${showNumber(ahead, 'URL of its host goes', 'URLs of its host go')} before it`
    lines.push(['waits', `${before} (${job.settings.ordering}, score ${row.priority})`])
  }
  return lines
}

function hostLines({ host, now }: Explanation): [string, string][] {
  if (host === null) return []
  const rest = host.restsUntil - now
  const state = [
    `${showCount(host.stored)} stored`,
    `${showCount(host.queued)} queued`,
    `a request every ${host.delayMs} ms`,
    ...(rest > 0 ? [`rests for ${showSeconds(rest / 1000)}`] : []),
    ...(host.failures > 0 ? [failuresText(host)] : []),
  ]
  return [['host', `${host.host}: ${state.join(', ')}`]]
}

function failuresText({ failures, trouble }: HostState): string {
  const last = failures === 1 ? `: ${trouble}` : ` in a row, the last ${trouble}`
  return showNumber(failures, 'failure') + (trouble === '' ? '' : last)
}

function pageLines({ page }: Explanation): [string, string][] {
  if (page === null) return []
  const same = page.duplicateOf === null ? '' : `, same content as page ${page.duplicateOf}`
  const size = showBytes(page.sizeBytes)
  return [
    ['page', `${page.id}: "${page.title}", ${size}, ${page.language || 'no language'}${same}`],
    ['fetched', `${showTime(page.fetchedAt)}, took ${page.fetchMs} ms`],
  ]
}
