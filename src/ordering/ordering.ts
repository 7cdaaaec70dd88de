// Decides which URL of a host comes first. An ordering is one file with two sides, which share only numbers:
//
//   parser side     a `Judge` looks at every page and its links and notes signals about them
//   frontier side   a `Scorer` passes signals from a page to its links, and scores candidates
//
// Only `score` is required: an ordering that needs no content has no judge, and one that learns nothing has
// only a score. An ordering knows nothing about politeness, hosts or stores; the host policy chooses the next
// *host*.
import type { CanonicalUrl } from '../core/url.ts'
import type { Graph } from '../graph/graph.ts'
import type { Judgement, PageText, Topic } from '../topic/topic.ts'

/** Numbers that an ordering keeps with a page or a candidate; finite, at most 255. */
export type Signals = readonly number[]

/** A URL in the frontier with the facts that an ordering weighs. New facts are added here first. */
export type Candidate = {
  readonly url: CanonicalUrl
  /** Distance in links from a seed, by the shortest path seen so far. */
  readonly depth: number
  /** When its page was discovered: later pages have larger numbers. */
  readonly foundAt: number
  /** Links to it from pages fetched so far. */
  readonly inLinks: number
  /** The signals that pages passed to it; null for a seed or in an ordering without signals. */
  readonly signals: Signals | null
}

/** The facts that change after a candidate was queued. */
export const CHANGING_FACTS = ['inLinks', 'depth', 'signals'] as const
export type ChangingFact = (typeof CHANGING_FACTS)[number]

/** A number that the user may choose with `--ordering-option name=value`. */
export type OrderingOption = {
  readonly name: string
  /** One line for help. */
  readonly help: string
  readonly default: number
  readonly min: number
  readonly max: number
  /** Only whole numbers. */
  readonly whole?: boolean
}

/** Options whose names the user makes up: each is a rule, and its number what the rule is worth. */
export type OrderingRules = {
  /** One line for help. */
  readonly help: string
  readonly min: number
  readonly max: number
  /** Rules that count without being given. */
  readonly given?: OptionValues
}

/** A named set of options: `--ordering NAME:PRESET`. */
export type OrderingPreset = {
  readonly name: string
  /** One line for help. */
  readonly about: string
  /** Instead of the defaults. May have rules. */
  readonly options: OptionValues
}

/** Every option of an ordering, as chosen or by default, and the rules that were given. */
export type OptionValues = Readonly<Record<string, number>>

/** The input of a judge. A focused ordering always gets a topic; others may get null. */
type Brief = { readonly options: OptionValues; readonly topic: Topic | null }

/** A page as the parser read it. */
export type ReadPage = {
  readonly url: CanonicalUrl
  /** Null in crawls without a topic. */
  readonly judgement: Judgement | null
}

/** A link on a page. */
export type ReadLink = {
  readonly url: CanonicalUrl
  readonly anchor: string
  /** The words around it; may be ''. */
  readonly context: string
}

/** The parser's side. One per thread; apart from caches it keeps nothing between pages. */
export interface Judge {
  /** The page's signals, sent to the frontier. */
  page(page: ReadPage): Signals
  /** The signals of one link of the last page given. */
  link(link: ReadLink): Signals
  /** The same for a URL that was listed without a page (in a sitemap); null: no signals. */
  listed?(url: CanonicalUrl): Signals | null
}

/** A page that was fetched and judged, as the frontier knows it. */
export type SettledPage = Candidate & {
  /** Unique among all pages of the crawl. */
  readonly id: number
  /** The part of a divided crawl that it belongs to. See {@link Scorer.gist}. */
  readonly part?: number | undefined
  /** The judge's signals of the page; null without a judge. */
  readonly judged: Signals | null
  /** Number of its links that may be followed. */
  readonly links: number
  /** Number of waiting URLs, before its own links are added. */
  readonly waiting: number
  /** The page it was first found on, in its state when queued; null for seeds and listed URLs. */
  readonly finder: () => Candidate | null
}

/** The target of a link. */
export type Target = {
  readonly url: CanonicalUrl
  /** Its index among the links of the page that may be followed, from 0. */
  readonly position: number
}

/** Scores that depend on the whole graph, computed from time to time. */
export type Ranking = {
  /** True if it is time, given the pages settled in total and since the last computation. */
  readonly isDue: (settled: number, since: number) => boolean
  /**
   * By node, the first number of the new signals. Nodes are all known URLs; only settled ones have out-links.
   */
  readonly rank: (graph: Graph) => Float64Array
}

/** The frontier's side: one per crawl, called by one process, entirely in memory. */
export interface Scorer {
  /**
   * Pure, except for the learned state; finite; higher is sooner; ties are resolved by order of discovery.
   */
  score(candidate: Candidate): number
  /**
   * The signals that a page passes to one of its links, given the judge's signals of the link. The default is
   * those signals. Null: not worth following; refused as `focus` until a better path leads there. Called
   * right after `settled`, in order, once for each target that waits or will wait, and not for targets that
   * were fetched already or that other rules refuse.
   */
  pass?(page: SettledPage, link: Signals | null, target: Target): Signals | null
  /**
   * Combines the signals when one more page links to a waiting URL. The default is whichever scores higher.
   */
  merge?(known: Signals, fresh: Signals): Signals
  /** Called when a page is settled and before its links are passed on: the moment to learn. */
  settled?(page: SettledPage): void
  /**
   * True if scores of waiting candidates change with learning. The frontier then scores the heads of its
   * queues again before it picks from them.
   */
  readonly drifts?: boolean
  /** Grows when scoring has changed as a whole: every waiting URL may then be scored again. */
  readonly renewals?: number
  /** Re-ranks everything that waits, from time to time. */
  readonly ranking?: Ranking
  /**
   * The learned state, to be kept over a restart; null: nothing worth keeping. In a divided crawl, what was
   * learned from the pages of this part.
   */
  save?(part?: number): Uint8Array | null
  /** Restores the state that `save` returned in an earlier run. Ignores unreadable bytes. */
  load?(bytes: Uint8Array, part?: number): void
  /** Another program learns from the pages of this part from now on, and tells the gist. */
  leave?(part: number): void
  /**
   * In a crawl that several programs share, each learns from the parts that it owns. The gist of what was
   * learned from a part is sent to all others about every second: a kilobyte at most.
   */
  gist?(part: number): Uint8Array | null
  /** The gists of all parts that others own, as of now. Unreadable ones are ignored. */
  hear?(gists: readonly Uint8Array[]): void
  /** The parts of a candidate's score, for people. The default is the signals under their names. */
  explain?(candidate: Candidate): readonly ScorePart[]
}

export type ScorePart = { readonly name: string; readonly value: number }

export interface Ordering {
  readonly name: string
  /** One line for help and the dashboard. */
  readonly about: string
  /** A change of one of these facts makes the frontier score a queued candidate again. */
  readonly rescoreOn: readonly ChangingFact[]
  /** True if it needs a topic. */
  readonly focused?: boolean
  readonly options?: readonly OrderingOption[]
  /** Present if any other name is an option, too. */
  readonly rules?: OrderingRules
  readonly presets?: readonly OrderingPreset[]
  /** The names of a candidate's signals, in their order; for `explain`. */
  readonly signals?: readonly string[]
  /** The parser's side; absent in orderings that ignore content. */
  judge?(brief: Brief): Judge
  /** The frontier's side. `seed` makes random choices repeatable. */
  createScorer(options: OptionValues, seed: number): Scorer
}

/** Scores of URLs without signals: a seed comes before all others, anything else after them. */
export const SEED_SCORE = 1e9
export function unspokenScore({ depth }: Candidate): number {
  return depth === 0 ? SEED_SCORE : -SEED_SCORE
}

type JudgedPage = {
  /** Null without a topic. */
  readonly judgement: Judgement | null
  /** The page's signals for the frontier; null without a judge. */
  readonly judged: Signals | null
  /** The signals of each link, in the order of the links; empty without a judge. */
  readonly signals: readonly Signals[]
}

type PageToJudge = {
  readonly topic: Pick<Topic, 'judge'> | null
  readonly judge: Judge | null
  readonly page: PageText
  /** Links that may be followed. */
  readonly links: readonly ReadLink[]
}

/** Judges one page with its links, in the same way in a parser thread and in the replay of a stored crawl. */
export function judgePage({ topic, judge, page, links }: PageToJudge): JudgedPage {
  const judgement = topic === null ? null : topic.judge(page)
  return judgeLinks({ judge, url: page.url, judgement, links })
}

/** Judges the links of a page whose text is judged already. */
export function judgeLinks(page: {
  readonly judge: Judge | null
  readonly url: CanonicalUrl
  readonly judgement: Judgement | null
  readonly links: readonly ReadLink[]
}): JudgedPage {
  const { judge, url, judgement, links } = page
  if (judge === null) return { judgement, judged: null, signals: [] }
  const judged = judge.page({ url, judgement })
  return { judgement, judged, signals: links.map((link) => judge.link(link)) }
}

const BYTES_EACH = 8

/**
 * Encodes an ordering's learned state as bytes for `save`, and decodes it for `load`: numbers, or several
 * parts.
 */
export function keepNumbers(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(numbers).buffer)
}

/** Null unless the bytes are exactly `count` finite numbers. */
export function keptNumbers(bytes: Uint8Array, count: number): readonly number[] | null {
  if (bytes.byteLength !== count * BYTES_EACH) return null
  // Copied: a database may return bytes at any offset, but Float64Array needs an aligned one.
  const numbers = [...new Float64Array(new Uint8Array(bytes).buffer)]
  return numbers.every(Number.isFinite) ? numbers : null
}

/**
 * A scorer whose clock is the number of settled pages. Programs that share a crawl count for themselves; one that
 * is behind takes the highest count it hears of, so their numbers stay comparable.
 */
export abstract class PageClock {
  protected now = 0

  save(): Uint8Array {
    return keepNumbers([this.now])
  }

  load(bytes: Uint8Array): void {
    this.hear([bytes])
  }

  gist(): Uint8Array {
    return this.save()
  }

  hear(counts: readonly Uint8Array[]): void {
    const numbers = counts.flatMap((bytes) => keptNumbers(bytes, 1) ?? [])
    this.now = Math.max(this.now, ...numbers.filter(Number.isSafeInteger))
  }
}

const WORD_BYTES = 4

/** Concatenates parts behind a header with the format and the length of each. */
export function joined(format: number, parts: readonly Uint8Array[]): Uint8Array {
  const head = new Uint8Array(WORD_BYTES * (2 + parts.length))
  const words = new DataView(head.buffer)
  words.setUint32(0, format)
  words.setUint32(WORD_BYTES, parts.length)
  for (const [at, part] of parts.entries()) words.setUint32(WORD_BYTES * (2 + at), part.length)
  return new Uint8Array(Buffer.concat([head, ...parts]))
}

/** Null if the bytes are truncated or of another format. */
export function parted(format: number, bytes: Uint8Array): readonly Uint8Array[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.byteLength < 2 * WORD_BYTES || view.getUint32(0) !== format) return null
  const count = view.getUint32(WORD_BYTES)
  let at = WORD_BYTES * (2 + count)
  if (at > bytes.byteLength) return null
  const parts: Uint8Array[] = []
  for (let part = 0; part < count; part++) {
    const end = at + view.getUint32(WORD_BYTES * (2 + part))
    parts.push(bytes.subarray(at, end))
    at = end
  }
  return at === bytes.byteLength ? parts : null
}

/**
 * The only place that asks an ordering for a score. Queues and the file can sort numbers only, so a URL for
 * which the ordering returns no number comes last.
 */
export function finiteScore(scorer: Scorer, candidate: Candidate): number {
  const score = scorer.score(candidate)
  return Number.isFinite(score) ? score : -SEED_SCORE
}
