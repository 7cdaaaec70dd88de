// What a crawl is about, as something that judges texts. A topic is built once, before the crawl
// starts, from what the user gave (words, examples, a trained model), kept with the crawl as a plain
// record, and opened from that record by every parser thread.
//
// Two questions are asked of it, and they are not the same:
//   is this page on topic?        `judge`: `relevance`, a probability by the better classifier, and `hot`
//   does this text lead there?    `evidence`: mean log-odds per word, meaningful for three words too
import type { CanonicalUrl } from '../core/url.ts'

/** A page as far as a topic looks at it. */
export type PageText = {
  readonly url: CanonicalUrl
  readonly title: string
  readonly description: string
  readonly text: string
  /** Anchor texts of its links: menus say what a site is about, and main content leaves them out. */
  readonly anchors: readonly string[]
}

export type Judgement = {
  /** Probability that the page is on topic, 0 to 1. */
  readonly relevance: number
  /**
   * How near the page is to pages on topic, 0 to 1: softer than `relevance`, and by its rare words more
   * than by its common ones. What a crawl learns from; the relevance where it is left out.
   */
  readonly promise?: number
  /** The page is one the crawl is after: see the rule where the topic is opened. */
  readonly hot: boolean
  /** Cosine of the page and the topic's centre, 0 to 1. */
  readonly similarity: number
  /** Mean log-odds per word of the page; above 0 speaks for the topic. */
  readonly evidence: number
  /** Words of the page that count: without stop words. */
  readonly terms: number
  /** How often the topic's keywords and phrases occur in the title, and in the text. */
  readonly titleMentions: number
  readonly textMentions: number
}

export interface Topic {
  /** Topics of words also learn from it: see learning.ts. */
  judge(page: PageText): Judgement
  /** The same topic before it has learned anything; left out where it never does. */
  readonly fresh?: () => Topic
  /** Mean log-odds per word of a short text (an anchor, the words around it); 0 for no words. */
  evidence(text: string): number
  /** The same of the words in a URL. */
  addressEvidence(url: CanonicalUrl): number
  /** Cosine of a short text and the topic's centre, stop words left out; 0 to 1. */
  similarity(text: string): number
  /** How often the topic's keywords and phrases occur in a text. */
  mentions(text: string): number
}
