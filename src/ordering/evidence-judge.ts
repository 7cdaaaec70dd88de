// The parser's side of the orderings that weigh the words of a link: the evidence of its page, its anchor,
// the words around it and its address, each as mean log-odds per word.
import type { CanonicalUrl } from '../core/url.ts'
import { remembering } from '../text/remembering.ts'
import { addressWords } from '../topic/page-words.ts'
import type { Judgement, Topic } from '../topic/topic.ts'
import type {
  Judge,
  OptionValues,
  OrderingOption,
  ReadLink,
  ReadPage,
  SettledPage,
  Signals,
} from './ordering.ts'

/** Names of a candidate's first signals. */
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

/** Notes the evidence and the worth of a page, and for a link the evidence beside that of its page. */
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

  /** A sitemap gives only the address; the other signals are neutral. */
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
 * The value a crawl learns from: half the probability that the page is on topic, half its promise. Relevance
 * alone says nothing about the path there, and promise alone mistakes near pages for the target.
 */
function worthOf({ relevance, promise = relevance }: Judgement): number {
  return (relevance + promise) / 2
}

/** Puts the page's own evidence before the link's. */
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

/** The weighted sum of the evidence in a candidate's signals. */
export function evidenceFor(signals: Signals, weights: EvidenceWeights): number {
  return (
    (signals[0] ?? 0) +
    weights.anchor * (signals[1] ?? 0) +
    weights.context * (signals[2] ?? 0) +
    weights.address * (signals[3] ?? 0)
  )
}

/** Cache of addresses, since menus repeat on every page of a site: 6 MB at most. */
const KEPT_ADDRESSES = { kept: 16_384, longest: 300 }

export type KeywordInLink = {
  readonly anchor: (anchor: string) => boolean
  readonly address: (url: CanonicalUrl) => boolean
}

/** Whether a link names the topic: its anchor or its target address contains a keyword. */
export function keywordInLink(topic: Topic | null): KeywordInLink {
  if (topic === null) return { anchor: () => false, address: () => false }
  const inAddress = remembering(
    (url: CanonicalUrl) => topic.mentions(addressWords(url)),
    KEPT_ADDRESSES,
  )
  return {
    anchor: (anchor) => topic.mentions(anchor) > 0,
    address: (url) => inAddress(url) > 0,
  }
}
