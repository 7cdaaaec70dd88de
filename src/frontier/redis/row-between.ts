// A row as rows-between.lua tells it; the decoder of this edge.
import type { CanonicalUrl } from '../../core/url.ts'
import type { Candidate } from '../../ordering/ordering.ts'
import { listOf } from './reply.ts'
import { signalsOfText } from './signals-text.ts'

export type RowBetween = Candidate & {
  readonly id: number
  readonly state: number
  readonly reason: string
  readonly priority: number
}

export function decodeRowBetween(value: unknown): RowBetween {
  const [id, state, reason, url, depth, foundAt, inLinks, signals, priority] = listOf(value)
  return {
    ...{ id: Number(id), state: Number(state), reason: String(reason) },
    url: String(url) as CanonicalUrl,
    ...{ depth: Number(depth), foundAt: Number(foundAt), inLinks: Number(inLinks) },
    signals: typeof signals === 'string' ? signalsOfText(signals) : null,
    priority: Number(priority),
  }
}
