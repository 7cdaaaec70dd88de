// The classes of pages that the forests distinguish. They are those of the training data, and finer
// than the stored kinds: a shop's listing needs other rules than a list of news, though readers
// would call both a listing.
import type { PageKind } from '../../core/page.ts'
import { type Address, addressOf } from '../address.ts'
import type { PageSigns } from '../features/page-facts.ts'

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

export type JudgedKind = {
  readonly kind: PageKind
  /** 0 to 1. */
  readonly confidence: number
}

/** Declared types; no manual is declared as a product. */
const DECLARED: readonly (readonly [kind: PageKind, types: RegExp])[] = [
  ['product', /^(?:Product|ProductGroup|IndividualProduct)$/],
  ['thread', /^(?:DiscussionForumPosting|QAPage|Question)$/],
  ['article', /^(?:NewsArticle|BlogPosting|Article|ReportageNewsArticle|OpinionNewsArticle)$/],
  ['documentation', /^(?:TechArticle|APIReference)$/],
  ['listing', /^(?:CollectionPage|SearchResultsPage)$/],
]
/** Factor of a declared type. */
const DECLARED_TIMES = 3
/** With a lower confidence, or with less text, the kind is unknown rather than wrong. */
const LEAST_CONFIDENCE = 0.4
const LEAST_WORDS = 20

export type KindSigns = {
  readonly url: string
  readonly jsonLdTypes: readonly string[]
  /** Of the whole page. */
  readonly words: number
}

/** The kind by the probability of each class, in the order of CLASSES; they sum up to 1. */
export function kindOf(probabilities: ArrayLike<number>, signs: KindSigns): JudgedKind {
  if (signs.words < LEAST_WORDS) return { kind: 'other', confidence: 0 }
  const sums = kindSums(probabilities, signs.jsonLdTypes)
  let best: JudgedKind = { kind: 'other', confidence: 0 }
  for (const [kind, confidence] of sums) {
    if (confidence > best.confidence) best = { kind, confidence }
  }
  // The front page of a site may look like anything but a thread or a single text.
  const opensSite =
    isFrontPage(signs.url) && best.kind !== 'thread' && best.kind !== 'documentation'
  if (opensSite && (best.kind !== 'article' || best.confidence < 0.8)) {
    return { kind: 'front-page', confidence: 1 - (sums.get('thread') ?? 0) }
  }
  return best.confidence < LEAST_CONFIDENCE ? { ...best, kind: 'other' } : best
}

function kindSums(
  probabilities: ArrayLike<number>,
  types: readonly string[],
): Map<PageKind, number> {
  const sums = new Map<PageKind, number>()
  for (const [at, name] of CLASSES.entries()) {
    const kind = KIND_OF[name]
    sums.set(kind, (sums.get(kind) ?? 0) + (probabilities[at] ?? 0))
  }
  for (const [kind, pattern] of DECLARED) {
    if (!types.some((type) => pattern.test(type))) continue
    sums.set(kind, DECLARED_TIMES * (sums.get(kind) ?? 0))
  }
  const all = [...sums.values()].reduce((total, sum) => total + sum, 0) || 1
  for (const [kind, sum] of sums) sums.set(kind, sum / all)
  return sums
}

export type PageClaim = 'thread' | 'article' | ''

const THREAD_HOST = /(?:^|\.)(?:forums?|bbs|boards?|discuss|community|talk)\./
/** `sailforum.org` is one, `weforum.org` is none: it only casts doubt on what the head says. */
const DOUBTFUL_HOST = /forums?\./
/** A folder of the path that only forums have: in a title the words mean nothing. */
const THREAD_PATH =
  /\/(?:threads?|discussions?|showthread|showtopic|viewtopic|viewthread|t|d)(?=[/.?_-]|$)/i
/** A folder that others have, too: a magazine has topics, a club its community. */
const MAYBE_THREAD_PATH = /\/(?:forums?|topics?|boards?|bbs|questions?|community)(?=[/.?_-]|$)/i
const THREAD_TYPES = /^(?:DiscussionForumPosting|QAPage)$/
const NO_ADDRESS: Address = { host: '', path: '', query: '' }
const ARTICLE_TYPES = /^(?:Article|NewsArticle|BlogPosting|Recipe)$/

/**
 * What the head declares counts first. Some forums declare their threads articles, above all for Open
 * Graph: if the address says otherwise, nothing is claimed, and the forests decide.
 *
 * The kind of page that the URL and the head claim. The forests use such claims as features; where it
 * matters most, whether comments are the content or beside it, the claim decides between a thread and an
 * article.
 */
export function claimOf({ url, openGraphType, jsonLdTypes }: PageSigns): PageClaim {
  if (jsonLdTypes.some((type) => THREAD_TYPES.test(type))) return 'thread'
  const { host, path: folders, query } = addressOf(url) ?? NO_ADDRESS
  const path = folders.slice(0, 300) + query.slice(0, 100)
  const isForum = THREAD_HOST.test(host) || THREAD_PATH.test(path)
  const isDoubtful = isForum || DOUBTFUL_HOST.test(host)
  if (jsonLdTypes.some((type) => ARTICLE_TYPES.test(type))) return isDoubtful ? '' : 'article'
  if (isForum) return 'thread'
  if (openGraphType.toLowerCase() === 'article') return isDoubtful ? '' : 'article'
  return MAYBE_THREAD_PATH.test(path) ? 'thread' : ''
}

const FRONT = /^https?:\/\/[^/?#]+\/?(?:(?:index|home|default)\.[a-z]+)?$/i

/** The front page of a site. A URL with a query is one of many: `/?p=12`. */
export function isFrontPage(url: string): boolean {
  return FRONT.test(url)
}
