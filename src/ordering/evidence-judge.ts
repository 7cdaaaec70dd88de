// The parser's side of the orderings that weigh what a link says: what its page, its anchor, the
// words around it and its own address have to say for the topic, each as mean log-odds per word.
import type { CanonicalUrl } from '../core/url.ts'
import type { Judgement, Topic } from '../topic/topic.ts'
import { type KeywordInLink, keywordInLink } from './keyword-in-link.ts'
import type {
  Judge,
  OptionValues,
  OrderingOption,
  ReadLink,
  ReadPage,
  SettledPage,
  Signals,
} from './ordering.ts'

/** Names of the first signals of a candidate. */
export const EVIDENCE_SIGNALS = ['parent', 'anchor', 'context', 'address'] as const

const ANCHOR = 0.5
const CONTEXT = 0.25
const ADDRESS = 0.25

export const EVIDENCE_OPTIONS: readonly OrderingOption[] = [
  weight('anchor', 'weight of the link’s own words; its page has weight 1', ANCHOR),
  weight('context', 'weight of the words around the link', CONTEXT),
  weight('address', 'weight of the words in the URL', ADDRESS),
]

function weight(name: string, help: string, value: number): OrderingOption {
  return { name, help, default: value, min: 0, max: 10 }
}

/** Notes of a page its evidence and its worth; of a link what speaks for it beside its page. */
export class EvidenceJudge implements Judge {
  readonly #topic: Topic | null

  constructor(topic: Topic | null) {
    this.#topic = topic
  }

  page({ judgement }: ReadPage): Signals {
    if (judgement === null) return [0, 0]
    return [judgement.evidence, worthOf(judgement)]
  }

  link({ url, anchor, context }: ReadLink): Signals {
    const topic = this.#topic
    if (topic === null) return [0, 0, 0]
    return [topic.evidence(anchor), topic.evidence(context), topic.addressEvidence(url)]
  }

  /** A sitemap says nothing but the address; the rest speaks neither for nor against. */
  listed(url: CanonicalUrl): Signals | null {
    return this.#topic === null ? null : [0, 0, 0, this.#topic.addressEvidence(url)]
  }
}

/** The same, and whether a keyword names the topic in the link: 1 or 0. */
export class KeywordJudge extends EvidenceJudge {
  readonly #keyword: KeywordInLink

  constructor(topic: Topic | null) {
    super(topic)
    this.#keyword = keywordInLink(topic)
  }

  override link(link: ReadLink): Signals {
    const [anchor = 0, context = 0, address = 0] = super.link(link)
    const isNamed = this.#keyword.anchor(link.anchor) || this.#keyword.address(link.url)
    return [anchor, context, address, isNamed ? 1 : 0]
  }

  override listed(url: CanonicalUrl): Signals | null {
    const evidence = super.listed(url)
    return evidence && [...evidence, this.#keyword.address(url) ? 1 : 0]
  }
}

/**
 * What a crawl learns from: half how likely the page is on topic, half how near it is. Relevance
 * alone tells nothing of the way there, and promise alone takes what is near for the aim.
 */
function worthOf({ relevance, promise = relevance }: Judgement): number {
  return (relevance + promise) / 2
}

/** What a page passes on: its own evidence before what the link says. */
export function passEvidence({ judged }: SettledPage, link: Signals | null): Signals {
  return [judged?.[0] ?? 0, link?.[0] ?? 0, link?.[1] ?? 0, link?.[2] ?? 0]
}

export type EvidenceWeights = {
  readonly anchor: number
  readonly context: number
  readonly address: number
}

export function evidenceWeights(options: OptionValues): EvidenceWeights {
  const { anchor = ANCHOR, context = CONTEXT, address = ADDRESS } = options
  return { anchor, context, address }
}

/** The weighed sum of the evidence in a candidate's signals. */
export function evidenceFor(signals: Signals, weights: EvidenceWeights): number {
  return (
    (signals[0] ?? 0) +
    weights.anchor * (signals[1] ?? 0) +
    weights.context * (signals[2] ?? 0) +
    weights.address * (signals[3] ?? 0)
  )
}
