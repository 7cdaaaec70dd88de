// What a crawl that looks for something makes of a page: how relevant it is, what it and its links
// say to the ordering, and whether it is worth keeping. One per parser thread; crawls that look for
// nothing have none and pay for nothing.
//
// A page that is not kept still speaks: its links go to the frontier with what it says of them, and
// whether they are followed is the ordering's business.
import type { CrawlSettings, KeptTopic } from '../core/job.ts'
import type { Found } from '../core/link.ts'
import type { CanonicalUrl } from '../core/url.ts'
import { judgePage } from '../ordering/judge-page.ts'
import type { Judge, ReadLink, Signals } from '../ordering/ordering.ts'
import { detectLanguage } from '../text/language.ts'
import { primaryLanguage } from '../text/text.ts'
import { tokens } from '../text/tokens.ts'
import type { PageText, Topic } from '../topic/topic.ts'
import type { LinkRow, ResolvedLinks } from './parts/link-list.ts'

/** What a thread is told about it, in plain JSON. */
export type FocusOptions = Pick<
  CrawlSettings,
  'ordering' | 'orderingOptions' | 'hotThreshold' | 'minRelevance' | 'minTerms' | 'languages'
> & {
  readonly topic: KeptTopic | null
  /** Pages of earlier runs, for a topic that learns from what it meets. */
  readonly seen?: readonly PageText[]
}

export type FocusParts = Pick<FocusOptions, 'minRelevance' | 'minTerms' | 'languages'> & {
  readonly topic: Topic | null
  /** The parser's side of the ordering; null when it looks at no content. */
  readonly judge: Judge | null
}

/** What is looked at of a page besides its links. */
export type PageWords = {
  readonly url: CanonicalUrl
  readonly title: string
  readonly description: string
  readonly contentText: string
  /** A tag; '' when nothing tells it. */
  readonly language: string
}

export type Seen = {
  /** As it is stored; null without a topic. */
  readonly relevance: number | null
  readonly hot: boolean
  /** What the page passes to the frontier about itself. */
  readonly judged: Signals | null
  /** The links, each that may be followed with what it says of its target. */
  readonly found: readonly Found[]
  /** Why the page is not kept; null when it is. */
  readonly refusal: string | null
}

/** A page in a crawl that looks for nothing. */
export function unjudged(found: readonly Found[]): Seen {
  return { relevance: null, hot: false, judged: null, found, refusal: null }
}

export class Focus {
  readonly #parts: FocusParts

  constructor(parts: FocusParts) {
    this.#parts = parts
  }

  look(page: PageWords, links: ResolvedLinks): Seen {
    const { topic, judge } = this.#parts
    const { url, title, description, contentText: text } = page
    const { judgement, judged, signals } = judgePage({
      topic,
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

  /** What is known of a URL that only a sitemap names. */
  listed(url: CanonicalUrl): Signals | null {
    return this.#parts.judge?.listed?.(url) ?? null
  }

  /** What a page says of its language is often wrong, so its text must tell that it is another one. */
  #otherLanguage({ title, description, contentText, language }: PageWords): string | null {
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

/** Nobody needs more digits, and a column of short numbers is easier to read. */
function rounded(relevance: number): number {
  return Math.round(relevance * 10_000) / 10_000
}
