// The kinds of pages the forests tell apart. They are those of the data the forests learned from, and
// finer than the ones that are stored: what to keep of a shop's shelf is not what to keep of a list of
// news, though a reader would call both a listing.
import type { PageKind } from '../../core/page.ts'

export const CLASSES = [
  'article',
  'service',
  'forum',
  'listing',
  'collection',
  'documentation',
  'product',
] as const
export type PageClass = (typeof CLASSES)[number]

const KIND_OF: Readonly<Record<PageClass, PageKind>> = {
  article: 'article',
  service: 'other',
  forum: 'thread',
  listing: 'listing',
  collection: 'listing',
  documentation: 'documentation',
  product: 'product',
}
const FRONT = /^https?:\/\/[^/]+\/(?:(?:index|home|default)\.[a-z]+)?$/

export type JudgedKind = {
  readonly kind: PageKind
  /** 0 to 1. */
  readonly confidence: number
}

/** The kind by the probability of each class, as they stand in CLASSES; they sum up to 1. */
export function kindOf(probabilities: ArrayLike<number>, url: string): JudgedKind {
  const sums = new Map<PageKind, number>()
  for (const [at, name] of CLASSES.entries()) {
    const kind = KIND_OF[name]
    sums.set(kind, (sums.get(kind) ?? 0) + (probabilities[at] ?? 0))
  }
  let best: JudgedKind = { kind: 'other', confidence: 0 }
  for (const [kind, confidence] of sums)
    if (confidence > best.confidence) best = { kind, confidence }
  // The page a site opens with may look like anything but a thread or a single text.
  const opensSite = FRONT.test(url) && best.kind !== 'thread' && best.kind !== 'documentation'
  return opensSite && (best.kind !== 'article' || best.confidence < 0.8)
    ? { kind: 'front-page', confidence: 1 - (sums.get('thread') ?? 0) }
    : best
}
