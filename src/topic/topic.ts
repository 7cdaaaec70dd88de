// The topic of a crawl, as a judge of texts. A topic is built once, before the crawl starts, from the user's
// input (words, examples, a trained model). It is stored with the crawl as a plain record, and every parser
// thread opens that record.
//
// It answers two different questions:
//   is this page on topic?        `judge`: `relevance`, a probability by the better classifier, and `hot`
//   does this text lead there?    `evidence`: mean log-odds per word, meaningful for three words too
import type { CanonicalUrl } from '../core/url.ts'

/** The parts of a page that a topic looks at. */
export type PageText = {
  readonly url: CanonicalUrl
  readonly title: string
  readonly description: string
  readonly text: string
  /** Anchor texts of its links: menus say what a site is about, and main content excludes them. */
  readonly anchors: readonly string[]
}

export type Judgement = {
  /** Probability that the page is on topic, 0 to 1. */
  readonly relevance: number
  /**
   * How near the page is to pages on topic, 0 to 1: softer than `relevance`, and with more weight on rare
   * words. The crawl learns from it; the default is `relevance`.
   */
  readonly promise?: number
  /** The crawl looks for such pages; see the rule in open-topic.ts. */
  readonly hot: boolean
  /** Cosine of the page and the topic's centre, 0 to 1. */
  readonly similarity: number
  /** Mean log-odds per word of the page; above 0 is evidence for the topic. */
  readonly evidence: number
  /** Number of words of the page, without stop words. */
  readonly terms: number
  /** How often the topic's keywords and phrases occur in the title, and in the text. */
  readonly titleMentions: number
  readonly textMentions: number
}

export interface Topic {
  /** Topics from words also learn from it: see learning.ts. */
  judge(page: PageText): Judgement
  /** The same topic before it learned anything; absent if it never learns. */
  readonly fresh?: () => Topic
  /** Mean log-odds per word of a short text (an anchor, the words around it); 0 for no words. */
  evidence(text: string): number
  /** The same for the words of a URL. */
  addressEvidence(url: CanonicalUrl): number
  /** Cosine of a short text and the topic's centre, without stop words; 0 to 1. */
  similarity(text: string): number
  /** How often the topic's keywords and phrases occur in a text. */
  mentions(text: string): number
}
