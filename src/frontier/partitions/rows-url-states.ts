// The states of all URLs of a divided frontier, from its rows. For storages that cannot count or search.
import { type HostState, NO_COUNTS, type UrlCounts } from '../../core/host.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import type { UrlRecord } from '../../core/visit.ts'
import { reasonCode, URL_STATES } from '../../core/visit.ts'
import type { Candidate } from '../../ordering/ordering.ts'
import type { UrlRow } from '../engine/rows.ts'
import { DUPLICATE, LEASED, QUEUED, REDIRECTED, shownState, UNREACHABLE } from '../engine/states.ts'
import { candidateOf } from '../engine/url-table.ts'
import type { RobotsRecord } from '../frontier.ts'
import { unpackNumbers } from '../packing.ts'
import type { RowValue, StoredUrlStates, TableName } from '../storage.ts'
import type { LearnedState, ListedUrl, Outcome, Unreached, UrlStates } from '../url-states.ts'
import { idIn, numberOf, partitionOf, partitionOfNumber } from './partition-of.ts'
import { namedRow, type RowReader, robotsFrom } from './row-reader.ts'

type ListOptions = Parameters<UrlStates['list']>[0]
type DividedCrawl = { readonly crawlId: number; readonly partitions: number }
type Named = Readonly<Record<string, RowValue>>

/** Below the priority of any page that is to be visited again. */
const NO_PAGE_PRIORITY = -1

export class RowsUrlStates implements StoredUrlStates {
  readonly #crawlId: number
  readonly #partitions: number
  readonly #reader: RowReader

  constructor({ crawlId, partitions }: DividedCrawl, reader: RowReader) {
    this.#crawlId = crawlId
    this.#partitions = partitions
    this.#reader = reader
  }

  async find(url: CanonicalUrl): Promise<UrlRecord | null> {
    const row = await this.#find(url)
    return row === null ? null : this.#recordOf(row)
  }

  async list(options: ListOptions): Promise<readonly ListedUrl[]> {
    const all: (readonly [number, UrlRow])[] = []
    for (const partition of this.#each()) {
      let left = options.limit
      for await (const row of this.#urlsAfter(partition, options.after)) {
        if (left <= 0) break
        if (!isAskedFor(row, options)) continue
        all.push([numberOf(row.id, partition, this.#partitions), row])
        left--
      }
    }
    const first = all.toSorted(([a], [b]) => a - b).slice(0, options.limit)
    return Promise.all(
      first.map(async ([position, row]) => ({ ...(await this.#recordOf(row)), position })),
    )
  }

  async at(positions: readonly number[]): Promise<readonly ListedUrl[]> {
    const count = this.#partitions
    const asked = positions.map(async (position) => {
      const row = await this.#row(partitionOfNumber(position, count), 'url', idIn(position, count))
      return row === null ? [] : [{ ...(await this.#recordOf(urlFrom(row))), position }]
    })
    return (await Promise.all(asked)).flat()
  }

  async counts(): Promise<UrlCounts> {
    return sumOfCounts(await Array.fromAsync(this.#all('crawl')))
  }

  async outcomes(): Promise<readonly Outcome[]> {
    const byName = new Map<string, { outcome: Outcome; number: number }>()
    for await (const { id, partition, url, state, reason } of this.#allUrls()) {
      const [shown, code] = [shownState(state), codeOf(state, reason)]
      const number = numberOf(id, partition, this.#partitions)
      const known = byName.get(`${shown} ${code}`)
      const count = (known?.outcome.count ?? 0) + 1
      const isFirst = known === undefined || number < known.number
      const example = isFirst ? { url, reason } : known.outcome.example
      byName.set(`${shown} ${code}`, {
        outcome: { state: shown, code, count, example },
        number: isFirst ? number : known.number,
      })
    }
    return [...byName.values()].map(({ outcome }) => outcome).toSorted(mostFirst)
  }

  async unreached(seedHosts: readonly string[]): Promise<readonly Unreached[]> {
    const urls = new Map<string, number>()
    for (const partition of this.#each()) {
      for await (const { state, reason, originId } of this.#unsettled(partition)) {
        if (state !== UNREACHABLE || reasonCode(reason) === 'budget-requests') continue
        const host = await this.#row(partition, 'host', originId >> 1)
        const name = String(host?.name)
        if (host === null || !(hadAnswered(host, originId & 1) || seedHosts.includes(name)))
          continue
        urls.set(name, (urls.get(name) ?? 0) + 1)
      }
    }
    const all = [...urls].map(([host, count]) => ({ host, urls: count }))
    return all.toSorted((a, b) => b.urls - a.urls || byText(a.host, b.host))
  }

  async pagesToRevisit(round: number): Promise<number | null> {
    for await (const row of this.#all('crawl')) if (Number(row.round) < round) return null
    let pages = 0
    for await (const row of this.#all('revisit')) {
      if (Number(row.priority) > NO_PAGE_PRIORITY) pages++
    }
    return pages
  }

  async hosts(limit: number): Promise<readonly HostState[]> {
    const all: HostState[] = []
    for (const partition of this.#each()) {
      const leased = await this.#leased(partition)
      for await (const row of this.#named(partition, 'host')) all.push(hostFrom(row, leased))
    }
    const first = all.toSorted((a, b) => sizeOf(b) - sizeOf(a) || byText(a.host, b.host))
    return first.slice(0, limit)
  }

  async host(name: string): Promise<HostState | null> {
    const partition = partitionOf(name, this.#partitions)
    for await (const row of this.#named(partition, 'host')) {
      if (row.name === name) return hostFrom(row, await this.#leased(partition))
    }
    return null
  }

  async robots(origin: string): Promise<RobotsRecord | null> {
    const row = await this.#row(this.#partitionOf(`${origin}/` as CanonicalUrl), 'robots', origin)
    return row === null ? null : robotsFrom(row)
  }

  async ahead(url: CanonicalUrl): Promise<number> {
    const waiting = await this.#find(url)
    if (waiting === null || waiting.state !== QUEUED) return 0
    const { id, priority } = waiting
    let ahead = 0
    for await (const other of this.#urlsAfter(this.#partitionOf(url), 0)) {
      if (other.state !== QUEUED || other.originId >> 1 !== waiting.originId >> 1) continue
      if (other.priority > priority || (other.priority === priority && other.id < id)) ahead++
    }
    return ahead
  }

  async candidate(url: CanonicalUrl): Promise<Candidate | null> {
    const row = await this.#find(url)
    return row === null ? null : candidateOf(row)
  }

  async learned(): Promise<readonly LearnedState[]> {
    const all: LearnedState[] = []
    for (const part of this.#each()) {
      for await (const row of this.#named(part, 'ordering')) {
        all.push(...learnedFrom(row, part, this.#partitions))
      }
    }
    return all
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #each(): number[] {
    return Array.from({ length: this.#partitions }, (_, partition) => partition)
  }

  #partitionOf(url: CanonicalUrl): number {
    return partitionOf(hostOf(url), this.#partitions)
  }

  async #find(url: CanonicalUrl): Promise<UrlRow | null> {
    const partition = this.#partitionOf(url)
    const id = await this.#reader.idOf(partition, url)
    const row = id === null ? null : await this.#row(partition, 'url', id)
    return row === null ? null : urlFrom(row)
  }

  async #row(partition: number, table: TableName, key: RowValue): Promise<Named | null> {
    const row = await this.#reader.row(partition, table, key)
    return row === null ? null : namedRow(table, row)
  }

  async *#named(partition: number, table: TableName, after?: number): AsyncGenerator<Named> {
    for await (const rows of this.#reader.rows(partition, table, after)) {
      for (const row of rows) yield namedRow(table, row)
    }
  }

  async *#all(table: TableName): AsyncGenerator<Named> {
    for (const partition of this.#each()) yield* this.#named(partition, table)
  }

  /** URLs of one partition whose number over all partitions is above `after`. */
  async *#urlsAfter(partition: number, after: number): AsyncGenerator<UrlRow> {
    const afterId = Math.max(0, Math.floor((after - partition) / this.#partitions))
    for await (const row of this.#named(partition, 'url', afterId)) yield urlFrom(row)
  }

  async *#allUrls(): AsyncGenerator<UrlRow & { readonly partition: number }> {
    for (const partition of this.#each()) {
      for await (const row of this.#urlsAfter(partition, 0)) yield { ...row, partition }
    }
  }

  /** URLs of one partition, with all that are leased or unreachable. */
  async *#unsettled(partition: number): AsyncGenerator<UrlRow> {
    const rows = this.#reader.unsettled?.(partition) ?? this.#reader.rows(partition, 'url')
    for await (const some of rows) for (const row of some) yield urlFrom(namedRow('url', row))
  }

  /** Requests under way, by host id. */
  async #leased(partition: number): Promise<ReadonlyMap<number, number>> {
    const leased = new Map<number, number>()
    for await (const { state, originId } of this.#unsettled(partition)) {
      if (state === LEASED) leased.set(originId >> 1, (leased.get(originId >> 1) ?? 0) + 1)
    }
    return leased
  }

  async #recordOf(row: UrlRow): Promise<UrlRecord> {
    const { url, state, reason, depth, foundOn, priority, tries, nextAt } = row
    return {
      crawlId: this.#crawlId,
      url,
      host: hostOf(url),
      state: shownState(state),
      reason,
      depth,
      foundOn: foundOn === null ? null : await this.#finder(foundOn),
      priority,
      tries,
      nextAt,
    }
  }

  async #finder(foundOn: number): Promise<string | null> {
    const count = this.#partitions
    const number = Math.abs(foundOn)
    const table = foundOn > 0 ? 'url' : 'sitemap'
    const row = await this.#row(partitionOfNumber(number, count), table, idIn(number, count))
    return row === null ? null : String(row.url)
  }
}

/** The sums of the rows of `crawl` of all partitions. */
export function sumOfCounts(crawls: readonly Named[]): UrlCounts {
  const counts = { ...NO_COUNTS }
  for (const row of crawls) {
    for (const state of URL_STATES) counts[state] += Number(row[state])
    counts.outside += Number(row.outside)
    counts.refused -= Number(row.outside)
  }
  return counts
}

/** From a row of `ordering`; none if nothing was learned. */
export function learnedFrom(
  { name, state }: Named,
  part: number,
  partitions: number,
): readonly LearnedState[] {
  if (!(state instanceof Uint8Array)) return []
  return [{ name: String(name), bytes: state, ...(partitions > 1 ? { part } : {}) }]
}

function isAskedFor({ state, reason }: UrlRow, asked: ListOptions): boolean {
  if (asked.state !== undefined && shownState(state) !== asked.state) return false
  return asked.code === undefined || codeOf(state, reason) === asked.code
}

/** The reason of a duplicate or a redirect is a URL, not a code. */
function codeOf(state: number, reason: string): string {
  return state === DUPLICATE || state === REDIRECTED ? '' : reasonCode(reason)
}

/** `scheme`: 0 http, 1 https. */
function hadAnswered({ answered, stored }: Named, scheme: number): boolean {
  const schemes = Number(answered)
  return schemes === 0 ? Number(stored) > 0 : (schemes & (1 << scheme)) !== 0
}

function urlFrom(row: Named): UrlRow {
  return {
    id: Number(row.id),
    originId: Number(row.origin_id),
    url: String(row.url) as CanonicalUrl,
    state: Number(row.state),
    reason: String(row.reason),
    depth: Number(row.depth),
    hops: Number(row.hops),
    foundOn: row.found_on === null ? null : Number(row.found_on),
    via: Number(row.via),
    foundAt: Number(row.found_at),
    inLinks: Number(row.in_links),
    signals: row.signals instanceof Uint8Array ? unpackNumbers(row.signals) : null,
    priority: Number(row.priority),
    tries: Number(row.tries),
    nextAt: row.next_at === null ? null : Number(row.next_at),
  }
}

function hostFrom(row: Named, leased: ReadonlyMap<number, number>): HostState {
  const inFlight = leased.get(Number(row.id)) ?? 0
  const open = Number(row.open_http) + Number(row.open_https) + Number(row.delayed)
  return {
    host: String(row.name),
    site: String(row.site),
    queued: open - inFlight,
    inFlight,
    stored: Number(row.stored),
    failures: Number(row.failures),
    trouble: String(row.trouble),
    delayMs: Number(row.delay_ms),
    restsUntil: Number(row.rests_until),
  }
}

function sizeOf({ queued, inFlight, stored }: HostState): number {
  return queued + inFlight + stored
}

function mostFirst(a: Outcome, b: Outcome): number {
  const byState = URL_STATES.indexOf(a.state) - URL_STATES.indexOf(b.state)
  return b.count - a.count || byState || byText(a.code, b.code)
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
