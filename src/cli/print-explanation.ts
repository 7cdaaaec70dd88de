// The story of one URL, for people and as JSON.
import type { HostState } from '../core/host.ts'
import type { JobRecord } from '../core/job.ts'
import type { StoredPage } from '../core/page.ts'
import type { UrlRecord } from '../core/url-record.ts'
import { safeText } from '../lib/terminal.ts'
import { showBytes, showCount, showSeconds, showTime } from './format.ts'
import { jsonLine, snakeCased } from './print.ts'

export type Explanation = {
  readonly job: JobRecord
  readonly url: string
  /** Null when the crawl has never seen the URL. */
  readonly row: UrlRecord | null
  /** From where it was found back to a seed. */
  readonly path: readonly string[]
  readonly page: StoredPage | null
  /** URLs of its host that go before it; null when it does not wait. */
  readonly ahead: number | null
  readonly host: HostState | null
  readonly now: number
}

export function explanationJson(explanation: Explanation): string {
  const { job, url, row, path, page, ahead, host } = explanation
  return jsonLine({
    crawl: job.id,
    url,
    known: row !== null,
    ...(row ?? {}),
    ordering: job.settings.ordering,
    path,
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
    ['depth', `${row.depth} link${row.depth === 1 ? '' : 's'} from a seed`],
    ['tries', String(row.tries)],
    ...waitingLines(explanation),
    ...hostLines(explanation),
    ...pageLines(explanation),
  ]
  const body = lines.map(([name, text]) => `  ${name.padEnd(8)}${safeText(text)}\n`)
  return `${safeText(url)}\n${body.join('')}`
}

function foundText({ path, row }: Explanation): string {
  if (path.length === 0) return row?.depth === 0 ? 'a seed' : 'not recorded where'
  return `on ${path.join(', from ')}`
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
    const before = `${showCount(ahead)} URLs of its host go before it`
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
    ...(host.failures > 0 ? [`${host.failures} failures in a row, the last ${host.trouble}`] : []),
  ]
  return [['host', `${host.host}: ${state.join(', ')}`]]
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
