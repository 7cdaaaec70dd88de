// Learns during the crawl which links lead to relevant pages. A score is the expected worth of the page
// behind a link, 0 to 1. A regression learns from every fetched page how well its features predicted its
// worth:
//
//   parent, anchor, context, address   the words of the page with the link, and of the link: link-context
//   keyword                            the anchor or the address names the topic
//   parents                            ln((Σ worth of pages that link to it + 1) / (count · mean worth + 1))
//   host, directory, subdirectory      observed worth there, compared with the expected worth:
//   hub                                ln((observed + prior) / (expected + prior)); the hub is the page with
//                                      the best evidence for the link
//
// It starts as link-context, with small weights for the other features, so prefixes without meaning cannot
// mislead it: they have no surplus, or their weight falls to 0. The expected worth of a prefix is what the
// regression expects of its pages, so a web with few relevant pages does not make every prefix bad.
//
// A host also gets credit for the other hosts it led to: gateways, such as portals, are poor pages and the
// only way to good ones. A host is a gateway to the extent that pages of new hosts it led to were better
// than the crawl's average at that moment, per page that was fetched from it:
//
//   score = σ(Σ weight · feature) + gateway · Σ surprise / (pages + 10)
//
// Differences smaller than a step are ignored: among links without good evidence, the first found comes
// first. If little is expected of any link, the crawl is breadth-first.
//
// More than 400 lines, of which a fifth explain the formula: what is learned together is kept together. What several
// programs tell each other of it is in lessons.ts and regression-sums.ts.
import { ADAPTIVE_OPTIONS, ANY_PAGE, GATEWAY, PRIOR, STEP, startsFor } from './adaptive-options.ts'
import {
  EVIDENCE_SIGNALS,
  type EvidenceWeights,
  evidenceFor,
  evidenceWeights,
  KeywordJudge,
} from './evidence-judge.ts'
import { Heard, Lessons } from './lessons.ts'
import { OnlineRegression, sigmoid } from './online-regression.ts'
import {
  type Candidate,
  joined,
  keepNumbers,
  keptNumbers,
  type OptionValues,
  type Ordering,
  parted,
  type ScorePart,
  type Scorer,
  type SettledPage,
  type Signals,
  unspokenScore,
} from './ordering.ts'
import { hubOf, PrefixTable, placesOf } from './prefix-table.ts'
import { RegressionSums } from './regression-sums.ts'

/** Evidence is limited to as much, for and against: a single text decides nothing for ever. */
const MOST_EVIDENCE = 6
/** The surplus of a prefix is limited to a factor of e ** 4, up or down. */
const MOST_SURPLUS = 4
/** A host is new for 8 pages. 10 pages are added to those of a gateway, or a single page could make one. */
const NEW_HOST_PAGES = 8
const GATEWAY_PRIOR = 10
/** Share of the latest page in the crawl's moving average. */
const LATEST = 0.1
/** Limit of counted pages that link to a URL; each more would cost a write and tell little. */
const MOST_PARENTS = 32
/** Tables of sites with their directories, of hubs, and of gateways: 1.5 MB each. */
const TABLE_BITS = 17
/** New weights are used after a tenth more pages, so that waiting scores stay comparable. */
const RENEWED_AFTER = { share: 0.1, least: 4 }

/** Positions of a candidate's signals. */
const SIGNALS = [
  ...EVIDENCE_SIGNALS,
  'keyword',
  'host',
  'directory',
  'subdirectory',
  'hub',
  'parents’ worth',
  'parents',
  // Only of a link to another host: the host it was first found on.
  'found on',
] as const
const EVIDENCES = EVIDENCE_SIGNALS.length
const KEYWORD_AT = EVIDENCES
const PLACES_AT = KEYWORD_AT + 1
const HUB_AT = PLACES_AT + 3
const WORTH_AT = HUB_AT + 1
const COUNT_AT = WORTH_AT + 1
const FROM_AT = COUNT_AT + 1

/** The parts of a score after the constant one, in the order of their weights. */
const PARTS = [...SIGNALS.slice(0, HUB_AT + 1), 'parents'] as const
const PARENTS_FEATURE = PARTS.length

/** Saved bytes start with it: earlier versions saved another format. */
const FORMAT = 0xada20002
const NO_BYTES = new Uint8Array(0)

class Adaptive implements Scorer {
  readonly drifts = true
  readonly #evidence: EvidenceWeights
  readonly #prior: number
  readonly #step: number
  readonly #regression: OnlineRegression
  readonly #places = new PrefixTable(TABLE_BITS)
  readonly #hubs = new PrefixTable(TABLE_BITS)
  /** By host: surprises as observed worth, pages as expected worth. */
  readonly #gateways = new PrefixTable(TABLE_BITS)
  readonly #gateway: number
  readonly #features: Float64Array
  readonly #weights: Float64Array
  /** Number of pages learned from, and their mean worth. */
  #pages = 0
  #mean = sigmoid(ANY_PAGE.mean)
  #latest = sigmoid(ANY_PAGE.mean)
  #renewedAt = 0
  #renewals = 0
  /** By part of a divided crawl. The tables above have what is in all of them. */
  readonly #lessons = new Map<number, Lessons>()
  readonly #heard = new Heard()
  /** The page whose links are being passed, and its host. */
  #passing: { readonly page: SettledPage; readonly host: number } | null = null

  constructor(options: OptionValues) {
    const { prior = PRIOR, step = STEP, gateway = GATEWAY } = options
    this.#evidence = evidenceWeights(options)
    this.#prior = prior
    this.#step = step
    this.#gateway = gateway
    this.#regression = new OnlineRegression(startsFor(options, this.#evidence))
    this.#features = new Float64Array(this.#regression.size)
    this.#weights = this.#regression.weights.slice()
  }

  get renewals(): number {
    return this.#renewals
  }

  score(candidate: Candidate): number {
    const { depth, signals } = candidate
    if (depth === 0 || signals === null) return unspokenScore(candidate)
    const features = this.#featuresOf(signals)
    let sum = 0
    for (let at = 0; at < features.length; at++) {
      sum += (this.#weights[at] ?? 0) * (features[at] ?? 0)
    }
    const score = sigmoid(sum) + this.#gatewayTerm(signals)
    return this.#step === 0 ? score : Math.round(score / this.#step) * this.#step
  }

  pass(page: SettledPage, link: Signals | null, { url }: { url: Candidate['url'] }): Signals {
    const { judged } = page
    const places = placesOf(url)
    if (this.#passing?.page !== page) this.#passing = { page, host: placesOf(page.url)[0] }
    // An array literal: this runs for every link, and spreading costs twice as much.
    const signals = [
      judged?.[0] ?? 0,
      link?.[0] ?? 0,
      link?.[1] ?? 0,
      link?.[2] ?? 0,
      link?.[3] ?? 0,
      places[0],
      places[1],
      places[2],
      hubOf(page.id),
      judged?.[1] ?? 0,
      1,
    ]
    if (this.#passing.host !== places[0]) signals.push(this.#passing.host)
    return signals
  }

  /** The page with the most promise is the hub; later learning does not change that. */
  merge(known: Signals, fresh: Signals): Signals {
    const isBetter = evidenceFor(fresh, this.#evidence) > evidenceFor(known, this.#evidence)
    const isNamed = Math.max(known[KEYWORD_AT] ?? 0, fresh[KEYWORD_AT] ?? 0)
    const count = known[COUNT_AT] ?? 0
    const isFull = count >= MOST_PARENTS
    if (!isBetter && isFull && isNamed === known[KEYWORD_AT]) return known
    const merged = (isBetter ? fresh : known).slice()
    merged[KEYWORD_AT] = isNamed
    merged[WORTH_AT] = (known[WORTH_AT] ?? 0) + (isFull ? 0 : (fresh[WORTH_AT] ?? 0))
    merged[COUNT_AT] = count + (isFull ? 0 : (fresh[COUNT_AT] ?? 0))
    merged.length = COUNT_AT + 1
    const from = known[FROM_AT]
    if (from !== undefined) merged.push(from)
    return merged
  }

  settled({ url, signals, judged, finder, part }: SettledPage): void {
    if (judged === null) return
    const worth = judged[1] ?? 0
    const places = placesOf(url)
    const lessons = part === undefined ? null : this.#lessonsOf(part)
    this.#pages += 1
    this.#mean += (worth - this.#mean) / (this.#pages + 1)
    if (lessons !== null) {
      lessons.pages += 1
      lessons.worth += worth
    }
    const from = (): number | undefined => {
      const source = finder()
      return source === null ? signals?.[FROM_AT] : placesOf(source.url)[0]
    }
    this.#findGateway(places[0], { worth, from, lessons })
    if (signals === null) return
    const features = this.#featuresOf(signals)
    const expected = this.#regression.expected(features)
    lessons?.sums.learn(features, worth, { expected, weights: this.#regression.weights })
    this.#regression.learn(features, worth, expected)
    if (this.#allPages >= this.#renewedAt) this.#renew()
    for (const place of places) {
      this.#places.learn(place, worth, expected)
      lessons?.places.learn(place, worth, expected)
    }
    const hub = signals[HUB_AT]
    if (hub === undefined) return
    this.#hubs.learn(hub, worth, expected)
    lessons?.learnHub(hub, worth, expected)
  }

  save(part?: number): Uint8Array | null {
    if (part !== undefined) return this.#lessons.get(part)?.save() ?? null
    const numbers = keepNumbers([
      ...[this.#pages, this.#mean, this.#latest, this.#renewedAt],
      ...this.#weights,
      ...this.#regression.numbers(),
    ])
    return joined(FORMAT, [numbers, ...this.#tables().map((table) => table.save())])
  }

  load(bytes: Uint8Array, part?: number): void {
    if (part === undefined) this.#loadAll(bytes)
    else this.#loadPart(bytes, part)
  }

  leave(part: number): void {
    const lessons = this.#lessons.get(part)
    if (lessons === undefined) return
    this.#lessons.delete(part)
    this.#count(lessons, -1)
  }

  gist(part: number): Uint8Array | null {
    return this.#lessons.get(part)?.gist(this.#latest) ?? null
  }

  hear(gists: readonly Uint8Array[]): void {
    if (this.#heard.take(gists, this.#regression.size)) this.#learnAgain()
  }

  /** Pages of this program and, as far as it has heard, of others. */
  get #allPages(): number {
    return this.#pages + this.#heard.pages
  }

  get #meanOfAll(): number {
    const { pages, worth } = this.#heard
    if (pages === 0) return this.#mean
    const own = this.#pages + 1
    return (this.#mean * own + worth) / (own + pages)
  }

  /** What the latest pages of the crawl were worth. */
  get #latestOfAll(): number {
    const own = Math.max(1, this.#lessons.size)
    const { parts, latest } = this.#heard
    return parts === 0 ? this.#latest : (own * this.#latest + latest) / (own + parts)
  }

  #lessonsOf(part: number): Lessons {
    const known = this.#lessons.get(part)
    if (known !== undefined) return known
    const lessons = new Lessons(new RegressionSums(this.#regression.size))
    this.#lessons.set(part, lessons)
    return lessons
  }

  #loadPart(bytes: Uint8Array, part: number): void {
    const lessons = Lessons.load(bytes, this.#regression.size)
    if (lessons === null) return
    this.leave(part)
    this.#lessons.set(part, lessons)
    this.#count(lessons, 1)
  }

  /** All that was learned from a part counts from now on; with `sign` -1 it no longer does. */
  #count(lessons: Lessons, sign: 1 | -1): void {
    const pages = this.#pages + sign * lessons.pages
    const sum = this.#mean * (this.#pages + 1) + sign * lessons.worth
    this.#mean = sum / (pages + 1)
    this.#pages = pages
    for (const [at, table] of this.#tables().entries()) {
      const own = lessons.tables[at]
      if (own !== undefined) table.absorb(own, sign)
    }
    this.#learnAgain()
    this.#renew()
  }

  /** New weights, from everything that all parts have told. */
  #learnAgain(): void {
    const own = Array.from(this.#lessons.values(), ({ sums }) => sums)
    this.#regression.learnFrom([...own, ...this.#heard.sums])
    if (this.#allPages >= this.#renewedAt) this.#renew()
  }

  #loadAll(bytes: Uint8Array): void {
    const [numbers, ...tables] = parted(FORMAT, bytes) ?? []
    const { size, numbersKept } = this.#regression
    const kept = numbers && keptNumbers(numbers, 4 + size + numbersKept)
    if (!kept) return
    const [pages = 0, mean = 0, latest = 0, renewedAt = 0, ...learned] = kept
    this.#pages = pages
    this.#mean = mean
    this.#latest = latest
    this.#renewedAt = renewedAt
    this.#renewals += 1
    this.#weights.set(learned.slice(0, size))
    this.#regression.take(learned.slice(size))
    for (const [at, table] of this.#tables().entries()) table.load(tables[at] ?? NO_BYTES)
  }

  explain({ signals }: Candidate): readonly ScorePart[] {
    if (signals === null) return []
    const features = this.#featuresOf(signals)
    const parts = ['any page', ...PARTS].map((name, at) => ({
      name,
      value: (this.#weights[at] ?? 0) * (features[at] ?? 0),
    }))
    return [...parts, { name: 'gateway', value: this.#gatewayTerm(signals) }]
  }

  #tables(): readonly PrefixTable[] {
    return [this.#places, this.#hubs, this.#gateways]
  }

  #gatewayTerm(signals: Signals): number {
    const host = signals[PLACES_AT]
    if (host === undefined) return 0
    const pages = this.#gateways.expected(host) + GATEWAY_PRIOR
    const surprises = this.#gateways.observed(host) + this.#heard.gateways.observed(host)
    return (this.#gateway * surprises) / pages
  }

  /** A page of a new host counts for the host that led there, by the size of the surprise. */
  #findGateway(host: number, { worth, from, lessons }: NewPage): void {
    const surprise = worth - this.#latestOfAll
    this.#latest += LATEST * (worth - this.#latest)
    const isNew = this.#gateways.expected(host) < NEW_HOST_PAGES
    const gateway = surprise > 0 && isNew ? (from() ?? host) : host
    for (const gateways of [this.#gateways, lessons?.gateways]) {
      if (gateway !== host) gateways?.learn(gateway, surprise, 0)
      gateways?.learn(host, 0, 1)
    }
  }

  #renew(): void {
    this.#renewals += 1
    this.#weights.set(this.#regression.weights)
    const pages = this.#allPages
    this.#renewedAt = pages + Math.max(RENEWED_AFTER.least, RENEWED_AFTER.share * pages)
  }

  /** The result is valid until the next call. */
  #featuresOf(signals: Signals): Float64Array {
    const features = this.#features
    features[0] = 1
    for (let at = 0; at < EVIDENCES; at++) {
      features[1 + at] = limited(signals[at] ?? 0, MOST_EVIDENCE)
    }
    features[1 + KEYWORD_AT] = signals[KEYWORD_AT] ?? 0
    for (let at = PLACES_AT; at < HUB_AT; at++) {
      features[1 + at] = this.#surplus(this.#places, signals[at])
    }
    features[1 + HUB_AT] = this.#hubSurplus(signals[HUB_AT])
    const count = signals[COUNT_AT] ?? 0
    features[PARENTS_FEATURE] =
      count === 0 ? 0 : Math.log(((signals[WORTH_AT] ?? 0) + 1) / (count * this.#meanOfAll + 1))
    return features
  }

  #hubSurplus(hub: number | undefined): number {
    const { hubs, pages } = this.#heard
    if (pages === 0 || hub === undefined) return this.#surplus(this.#hubs, hub)
    const observed = this.#hubs.observed(hub) + hubs.observed(hub)
    const expected = this.#hubs.expected(hub) + hubs.expected(hub)
    const surplus = Math.log((observed + this.#prior) / (expected + this.#prior))
    return limited(surplus, MOST_SURPLUS)
  }

  #surplus(table: PrefixTable, place: number | undefined): number {
    if (place === undefined) return 0
    return limited(table.logRatio(place, this.#prior), MOST_SURPLUS)
  }
}

type NewPage = {
  readonly worth: number
  /** The host that led there, if any did. */
  readonly from: () => number | undefined
  readonly lessons: Lessons | null
}

function limited(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value))
}

export const adaptive: Ordering = {
  name: 'adaptive',
  about: 'best page expected, by what its links say and what such links have led to so far',
  rescoreOn: ['signals'],
  focused: true,
  options: ADAPTIVE_OPTIONS,
  signals: SIGNALS,
  judge: ({ topic }) => new KeywordJudge(topic),
  createScorer: (options) => new Adaptive(options),
}
