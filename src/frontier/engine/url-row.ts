// A row of the table of URLs, as passed between the parts of the frontier.
import type { SQLInputValue } from 'node:sqlite'
import type { CanonicalUrl } from '../../core/url.ts'
import type { Candidate } from '../../ordering/ordering.ts'
import { packNumbers, unpackNumbers } from './packing.ts'
import type { StateNumber } from './states.ts'

export type NewUrl = {
  readonly id: number
  readonly originId: number
  readonly url: CanonicalUrl
  readonly state: StateNumber
  readonly reason: string
  readonly depth: number
  readonly hops: number
  readonly foundOn: number | null
  readonly via: number
  readonly foundAt: number
  readonly inLinks: number
  readonly signals: readonly number[] | null
  readonly priority: number
}

export type UrlRow = NewUrl & { readonly tries: number }

/** Facts that change while a URL waits, and the score computed from them. */
export type Facts = Pick<NewUrl, 'depth' | 'inLinks' | 'signals' | 'priority'>

/** Decodes a row of the table. */
export function decodeUrlRow(row: Record<string, unknown> | undefined): UrlRow {
  return {
    id: Number(row?.id),
    originId: Number(row?.origin_id),
    url: String(row?.url) as CanonicalUrl,
    state: Number(row?.state),
    reason: String(row?.reason),
    depth: Number(row?.depth),
    hops: Number(row?.hops),
    foundOn: row?.found_on === null ? null : Number(row?.found_on),
    via: Number(row?.via),
    foundAt: Number(row?.found_at),
    inLinks: Number(row?.in_links),
    signals: row?.signals instanceof Uint8Array ? unpackNumbers(row.signals) : null,
    priority: Number(row?.priority),
    tries: Number(row?.tries),
  }
}

/** Signals as a column stores them. */
export function packed(signals: NewUrl['signals']): Uint8Array | null {
  return signals === null ? null : packNumbers(signals)
}

/** The values of the columns depth, in_links, signals and priority. */
export function columnsOf({ depth, inLinks, signals, priority }: Facts): SQLInputValue[] {
  return [depth, inLinks, packed(signals), priority]
}

/** The facts of a row that an ordering weighs. */
export function candidateOf({ url, depth, foundAt, inLinks, signals }: UrlRow): Candidate {
  return { url, depth, foundAt, inLinks, signals }
}
