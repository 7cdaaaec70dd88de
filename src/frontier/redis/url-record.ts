// A URL's row as records.lua tells it; the decoder of this edge.
import { VIAS } from '../../core/link.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import type { UrlCopy } from '../../core/url-copy.ts'
import type { UrlRecord } from '../../core/url-record.ts'
import { URL_STATES, type UrlState } from '../../core/visit.ts'
import type { Candidate, Signals } from '../../ordering/ordering.ts'
import { signalsOfText } from './signals-text.ts'

/** Two states more than people see: queued for later, and refused as out of reach. */
const STATE_NUMBERS = 9
const DELAYED = 7
const UNREACHABLE = 8

export type RedisUrl = {
  readonly id: number
  readonly url: CanonicalUrl
  readonly state: number
  readonly reason: string
  readonly depth: number
  /** URL of the page or sitemap; '' for none; digits: the id of a page in another shard. */
  readonly finder: string
  readonly priority: number
  readonly tries: number
  readonly nextAt: number | null
  readonly hops: number
  readonly foundOn: number
  readonly via: number
  readonly foundAt: number
  readonly inLinks: number
  readonly signals: Signals | null
}

export function decodeRedisUrl(reply: unknown): RedisUrl {
  const texts = Array.isArray(reply) ? reply.map(String) : []
  const [id, url, state, reason = '', depth, finder = '', priority, tries, nextAt, ...rest] = texts
  const [hops, foundOn, via, foundAt, inLinks, signals = ''] = rest
  return {
    id: Number(id),
    url: (url ?? '') as CanonicalUrl,
    state: Number(state),
    reason,
    depth: Number(depth),
    finder,
    priority: Number(priority),
    tries: Number(tries),
    nextAt: nextAt === undefined || nextAt === '' ? null : Number(nextAt),
    hops: Number(hops),
    foundOn: Number(foundOn),
    via: Number(via),
    foundAt: Number(foundAt),
    inLinks: Number(inLinks),
    signals: signalsOfText(signals),
  }
}

export function recordOf(row: RedisUrl, crawlId: number): UrlRecord {
  const { url, reason, depth, finder, priority, tries, nextAt } = row
  return {
    ...{ crawlId, url, host: hostOf(url), state: shownState(row.state), reason, depth },
    foundOn: finder === '' ? null : finder,
    ...{ priority, tries, nextAt },
  }
}

export function candidateOf({ url, depth, foundAt, inLinks, signals }: RedisUrl): Candidate {
  return { url, depth, foundAt, inLinks, signals }
}

/** `numberIn`: of an id, over all shards. */
export function copyOf(row: RedisUrl, numberIn: (id: number) => number): UrlCopy {
  const { url, reason, depth, hops, foundOn, foundAt, inLinks, priority, tries, nextAt } = row
  return {
    ...{ position: numberIn(row.id), url, state: shownState(row.state) },
    ...{ outOfReach: row.state === UNREACHABLE, reason, depth, hops },
    foundOn: foundOn > 0 ? finderNumber(row, numberIn) : null,
    foundIn: foundOn < 0 ? row.finder : null,
    via: VIAS[row.via] ?? 'link',
    ...{ foundAt, inLinks, signals: row.signals, priority, tries, nextAt },
  }
}

/** That of a page in another shard is told as it is. */
function finderNumber({ finder, foundOn }: RedisUrl, numberIn: (id: number) => number): number {
  return /^\d+$/.test(finder) ? Number(finder) : numberIn(foundOn)
}

export function shownState(state: number): UrlState {
  if (state === DELAYED) return 'queued'
  return URL_STATES[state] ?? 'refused'
}

/** For list.lua: a 1 for each number under which this state is kept. */
export function statesText(state: UrlState | undefined): string {
  if (state === undefined) return ''
  const isWanted = (_: unknown, number: number) => (shownState(number) === state ? '1' : '0')
  return Array.from({ length: STATE_NUMBERS }, isWanted).join('')
}
