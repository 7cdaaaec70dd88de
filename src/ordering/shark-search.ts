// Shark-search (Hersovici and others): the potential of a link is partly inherited from its page, and partly
// given by its own words and those around them. A page that is off topic passes on what it inherited itself,
// less each time, so that a good page still counts a few links away.
//
//   inherited       δ · similarity of the page, or δ · the page's own inheritance if it is off topic
//   neighbourhood   β · similarity of the anchor + (1 − β) · similarity of the words around it,
//                   which count as 1 if the anchor itself is on topic
//   potential       γ · inherited + (1 − γ) · neighbourhood
//
// If several pages link to a URL, the highest potential counts.
import type { Topic } from '../topic/topic.ts'
import {
  type Candidate,
  type Judge,
  type OptionValues,
  type Ordering,
  type ReadLink,
  type ReadPage,
  type Scorer,
  type SettledPage,
  type Signals,
  unspokenScore,
} from './ordering.ts'

const DELTA = 0.5
const BETA = 0.8
const GAMMA = 0.5
/** A topic of many words shares some with any text: only above this similarity is a text on topic. */
const THRESHOLD = 0.05

/**
 * Notes the similarity of a page, and for a link the similarities of its anchor and of the words around it.
 */
class WordsJudge implements Judge {
  readonly #topic: Topic | null
  readonly #threshold: number

  constructor(topic: Topic | null, { threshold = THRESHOLD }: OptionValues) {
    this.#topic = topic
    this.#threshold = threshold
  }

  page({ judgement }: ReadPage): Signals {
    return [judgement?.similarity ?? 0]
  }

  link({ anchor, context }: ReadLink): Signals {
    if (this.#topic === null) return [0, 0]
    const own = this.#topic.similarity(anchor)
    return [own, own > this.#threshold ? 1 : this.#topic.similarity(context)]
  }
}

class Potential implements Scorer {
  readonly #delta: number
  readonly #beta: number
  readonly #gamma: number
  readonly #threshold: number

  constructor(options: OptionValues) {
    const { delta = DELTA, beta = BETA, gamma = GAMMA, threshold = THRESHOLD } = options
    this.#delta = delta
    this.#beta = beta
    this.#gamma = gamma
    this.#threshold = threshold
  }

  score(candidate: Candidate): number {
    const { depth, signals } = candidate
    if (depth === 0 || signals === null) return unspokenScore(candidate)
    const [inherited = 0, anchor = 0, context = 0] = signals
    const neighbourhood = this.#beta * anchor + (1 - this.#beta) * context
    return this.#gamma * inherited + (1 - this.#gamma) * neighbourhood
  }

  pass({ judged, signals }: SettledPage, link: Signals | null): Signals {
    const similarity = judged?.[0] ?? 0
    const legacy = similarity > this.#threshold ? similarity : (signals?.[0] ?? 0)
    return [this.#delta * legacy, link?.[0] ?? 0, link?.[1] ?? 0]
  }
}

export const sharkSearch: Ordering = {
  name: 'shark-search',
  about: 'most promising by its page, its anchor and the words around it first',
  rescoreOn: ['signals'],
  focused: true,
  options: [
    {
      name: 'delta',
      help: 'how much of a page’s similarity its links inherit',
      default: DELTA,
      min: 0,
      max: 1,
    },
    {
      name: 'beta',
      help: 'weight of the anchor against the words around it',
      default: BETA,
      min: 0,
      max: 1,
    },
    {
      name: 'gamma',
      help: 'weight of what is inherited against anchor and context',
      default: GAMMA,
      min: 0,
      max: 1,
    },
    {
      name: 'threshold',
      help: 'similarity above which a page or an anchor is taken to speak of the topic',
      default: THRESHOLD,
      min: 0,
      max: 1,
    },
  ],
  signals: ['inherited', 'anchor', 'context'],
  judge: ({ topic, options }) => new WordsJudge(topic, options),
  createScorer: (options) => new Potential(options),
}
