// A topic that is one word, for tests that need numbers they can compute: a page is as relevant as
// large the word's share is among the words of its text.
import type { CanonicalUrl } from '../../src/core/url.ts'
import { tokens } from '../../src/text/tokens.ts'
import type { Judgement, PageText, Topic } from '../../src/topic/topic.ts'

export class WordTopic implements Topic {
  readonly #word: string
  readonly #hotThreshold: number
  /** Every page it was asked about. */
  readonly seen: PageText[] = []

  constructor(word: string, hotThreshold = 0.5) {
    this.#word = word
    this.#hotThreshold = hotThreshold
  }

  judge(page: PageText): Judgement {
    this.seen.push(page)
    const relevance = this.similarity(page.text)
    return {
      relevance,
      hot: relevance >= this.#hotThreshold,
      similarity: relevance,
      evidence: relevance - 0.5,
      terms: tokens(page.text).length,
      titleMentions: this.mentions(page.title),
      textMentions: this.mentions(page.text),
    }
  }

  evidence(text: string): number {
    return this.similarity(text)
  }

  addressEvidence(url: CanonicalUrl): number {
    return this.similarity(url)
  }

  similarity(text: string): number {
    return this.mentions(text) / Math.max(1, tokens(text).length)
  }

  mentions(text: string): number {
    return tokens(text).filter((word) => word === this.#word).length
  }
}
