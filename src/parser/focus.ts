// Judges pages in a focused crawl: how relevant a page is, which signals it and its links give to
// the ordering, and whether it is worth keeping. There is one per parser thread; a crawl without a
// focus has none and pays nothing.
//
// A page that is not kept still counts: its links go to the frontier with their signals, and the
// ordering decides whether they are followed.
import type { CrawlSettings, KeptTopic } from '../core/job.ts'
import type { Found } from '../core/link.ts'
import type { CanonicalUrl } from '../core/url.ts'
import { type Judge, judgePage, type ReadLink, type Signals } from '../ordering/ordering.ts'
import { detectLanguage } from '../text/language.ts'
import { primaryLanguage } from '../text/text.ts'
import { tokens } from '../text/tokens.ts'
import type { Judgement, PageText, Topic } from '../topic/topic.ts'
import type { LinkRow, ResolvedLinks } from './parts/link-list.ts'

/** Plain JSON, for the start of a thread. */
export type FocusOptions = Pick<
  CrawlSettings,
  'ordering' | 'orderingOptions' | 'hotThreshold' | 'minRelevance' | 'minTerms' | 'languages'
> & {
  readonly topic: KeptTopic | null
  /** Pages of earlier runs, for a topic that learns from the pages of the crawl. */
  readonly seen?: readonly PageText[]
}

export type FocusParts = Pick<FocusOptions, 'minRelevance' | 'minTerms' | 'languages'> & {
  readonly topic: Topic | null
  /** The parser's side of the ordering; null when the ordering does not read content. */
  readonly judge: Judge | null
  /** Where a plug-in judges pages: from which relevance on they are hot. */
  readonly hotThreshold?: number
}

/** The text of a page, without its links. */
export type FocusText = {
  readonly url: CanonicalUrl
  readonly title: string
  readonly description: string
  readonly contentText: string
  /** A language tag; '' when unknown. */
  readonly language: string
}

export type FocusResult = {
  /** The stored value; null without a topic. */
  readonly relevance: number | null
  readonly hot: boolean
  /** Signals of the page itself for the frontier. */
  readonly judged: Signals | null
  /** The links; those that may be followed carry signals about their target. */
  readonly found: readonly Found[]
  /** Why the page is not kept; null when it is kept. */
  readonly refusal: string | null
}

/** The result for a page in a crawl without a focus. */
export function resultWithoutFocus(found: readonly Found[]): FocusResult {
  return { relevance: null, hot: false, judged: null, found, refusal: null }
}

export class Focus {
  readonly #parts: FocusParts

  constructor(parts: FocusParts) {
    this.#parts = parts
  }

  /** `given`: the relevance by a plug-in, which then counts; null: none judged it. */
  judge(page: FocusText, links: ResolvedLinks, given: number | null = null): FocusResult {
    const { topic, judge } = this.#parts
    const { url, title, description, contentText: text } = page
    const own = given === null ? null : this.#judgementOf(given)
    const { judgement, judged, signals } = judgePage({
      topic: own === null ? topic : { judge: () => own },
      judge,
      page: { url, title, description, text, anchors: links.rows.map(anchorOf) },
      links: judge === null ? [] : followed(links),
    })
    const relevance = judgement === null ? null : rounded(judgement.relevance)
    return {
      relevance,
      hot: judgement?.hot ?? false,
      judged,
      found: judge === null ? links.found : withSignals(links.found, signals),
      refusal: this.#otherLanguage(page) ?? this.#offTopic(relevance) ?? this.#tooShort(text),
    }
  }

  /** Everything that an ordering may ask for follows from the one number. */
  #judgementOf(relevance: number): Judgement {
    const hot = relevance >= (this.#parts.hotThreshold ?? 1)
    const nothing = { terms: 0, titleMentions: 0, textMentions: 0 }
    return { relevance, hot, similarity: relevance, evidence: relevance - 0.5, ...nothing }
  }

  /** Signals for a URL that is known only from a sitemap. */
  signalsForUrl(url: CanonicalUrl): Signals | null {
    return this.#parts.judge?.listed?.(url) ?? null
  }

  /** The declared language is often wrong, so the text itself must show that it is another language. */
  #otherLanguage({ title, description, contentText, language }: FocusText): string | null {
    const { languages } = this.#parts
    if (languages.length === 0 || languages.includes(primaryLanguage(language))) return null
    const told = detectLanguage([contentText, title, description].join('\n')).language
    if (told === '' || languages.includes(told)) return null
    return `language: ${told}, not ${languages.join(' or ')}`
  }

  #offTopic(relevance: number | null): string | null {
    const { minRelevance } = this.#parts
    if (minRelevance === null || relevance === null || relevance >= minRelevance) return null
    return `off-topic: relevance ${relevance} below ${minRelevance}`
  }

  #tooShort(text: string): string | null {
    const { minTerms } = this.#parts
    if (minTerms === null) return null
    const words = tokens(text, { max: minTerms }).length
    return words < minTerms ? `too-short: ${words} of ${minTerms} words` : null
  }
}

function anchorOf([, anchor]: LinkRow): string {
  return anchor
}

function followed({ rows, found }: ResolvedLinks): ReadLink[] {
  const links: ReadLink[] = []
  for (const [at, [url, anchor, , context = '']] of rows.entries()) {
    if (found[at]?.nofollow === false) links.push({ url, anchor, context })
  }
  return links
}

/** `signals` has one entry for each link that may be followed. */
function withSignals(found: readonly Found[], signals: readonly Signals[]): Found[] {
  let next = 0
  return found.map((link) =>
    link.nofollow ? link : { ...link, signals: signals[next++] ?? link.signals },
  )
}

/** More digits are of no use, and a column of short numbers is easier to read. */
function rounded(relevance: number): number {
  return Math.round(relevance * 10_000) / 10_000
}
