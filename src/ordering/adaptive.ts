// Learns on the way where relevant pages are. It starts from what link-context says of a link, and
// adds what was learned about four places the link belongs to: the host of its target, the first
// and the second directory there, and its hub, the page that speaks best for it.
//
//   score = link-context + Σ over places  weight · clip(ln((observed + prior) / (expected + prior)))
//
// A page that is fetched adds its promise (its relevance, more softly judged: see topic.ts) to what was
// observed at its own places and a half to what was expected there, so a place is worth more than
// nothing known as long as every second page of it is on topic. Hosts and directories forget slowly: a
// site may have one good corner. A good page on another host also speaks for the place that led there,
// or gateways, which are rarely relevant themselves, would starve.
import {
  EVIDENCE_OPTIONS,
  EVIDENCE_SIGNALS,
  EvidenceJudge,
  type EvidenceWeights,
  evidenceFor,
  evidenceWeights,
  passEvidence,
} from './evidence-judge.ts'
import {
  type Candidate,
  type OptionValues,
  type Ordering,
  type ScorePart,
  type SettledPage,
  type Signals,
  type Steering,
  unspokenScore,
} from './ordering.ts'
import { PlaceTable } from './place-table.ts'
import { hubOf, placesOf } from './places.ts'

const PLACE = 0.5
const HUB = 1
const PRIOR = 0.5
const EXPECTED = 0.5
const MEMORY = 0.97
const CREDIT = 8
/** What one place can take from a score or add to it, before it is weighed. */
const LOWEST = -4
const HIGHEST = 2
/** Sites and their directories, and pages that lead to others: 1.5 MB each. */
const TABLE_BITS = 17
/** Where the places stand among a candidate's signals, and how many of them are of its own URL. */
const FIRST_PLACE = EVIDENCE_SIGNALS.length
const URL_PLACES = 3
const LENGTH_BYTES = 4

class Adaptive implements Steering {
  readonly drifts = true
  readonly #weights: EvidenceWeights
  readonly #place: number
  readonly #hub: number
  readonly #prior: number
  readonly #expected: number
  readonly #memory: number
  readonly #credit: number
  readonly #places = new PlaceTable(TABLE_BITS)
  readonly #hubs = new PlaceTable(TABLE_BITS)

  constructor(options: OptionValues) {
    const { place = PLACE, hub = HUB, prior = PRIOR } = options
    const { expected = EXPECTED, memory = MEMORY, credit = CREDIT } = options
    this.#weights = evidenceWeights(options)
    this.#place = place
    this.#hub = hub
    this.#prior = prior
    this.#expected = expected
    this.#memory = memory
    this.#credit = credit
  }

  score(candidate: Candidate): number {
    const { depth, signals } = candidate
    if (depth === 0 || signals === null) return unspokenScore(candidate)
    let score = evidenceFor(signals, this.#weights)
    for (let at = 0; at < URL_PLACES; at++) score += this.#placeTerm(signals, at)
    return score + this.#hubTerm(signals)
  }

  pass(page: SettledPage, link: Signals | null, { url }: { url: Candidate['url'] }): Signals {
    // Element by element: this runs for every link, and spreading costs twice as much.
    const [parent = 0, anchor = 0, context = 0, address = 0] = passEvidence(page, link)
    const places = placesOf(url)
    return [parent, anchor, context, address, places[0], places[1], places[2], hubOf(page.id)]
  }

  /** The page that promises most is the hub; what was learned meanwhile has no say in that. */
  merge(known: Signals, fresh: Signals): Signals {
    return this.worth(fresh) > this.worth(known) ? fresh : known
  }

  worth(signals: Signals): number {
    return evidenceFor(signals, this.#weights)
  }

  settled({ url, signals, judged, finder }: SettledPage): void {
    if (judged === null) return
    const promise = judged[1] ?? 0
    const own = placesOf(url)
    for (const place of own) this.#places.learn(place, promise, this.#expected, this.#memory)
    const hub = signals?.[FIRST_PLACE + URL_PLACES]
    if (hub !== undefined) this.#hubs.learn(hub, promise, this.#expected)
    this.#giveCredit(finder(), own[0], promise)
  }

  save(): Uint8Array {
    const [places, hubs] = [this.#places.save(), this.#hubs.save()]
    const bytes = new Uint8Array(LENGTH_BYTES + places.length + hubs.length)
    new DataView(bytes.buffer).setUint32(0, places.length)
    bytes.set(places, LENGTH_BYTES)
    bytes.set(hubs, LENGTH_BYTES + places.length)
    return bytes
  }

  load(bytes: Uint8Array): void {
    if (bytes.byteLength < LENGTH_BYTES) return
    const end = LENGTH_BYTES + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
    if (end > bytes.byteLength) return
    this.#places.load(bytes.subarray(LENGTH_BYTES, end))
    this.#hubs.load(bytes.subarray(end))
  }

  explain({ signals }: Candidate): readonly ScorePart[] {
    if (signals === null) return []
    const { anchor, context, address } = this.#weights
    const [parent = 0, ownAnchor = 0, ownContext = 0, ownAddress = 0] = signals
    return [
      { name: 'parent', value: parent },
      { name: 'anchor', value: anchor * ownAnchor },
      { name: 'context', value: context * ownContext },
      { name: 'address', value: address * ownAddress },
      { name: 'host', value: this.#placeTerm(signals, 0) },
      { name: 'directory', value: this.#placeTerm(signals, 1) },
      { name: 'subdirectory', value: this.#placeTerm(signals, 2) },
      { name: 'hub', value: this.#hubTerm(signals) },
    ]
  }

  #placeTerm(signals: Signals, at: number): number {
    const place = signals[FIRST_PLACE + at]
    if (place === undefined) return 0
    return this.#place * clip(this.#places.logRatio(place, this.#prior))
  }

  #hubTerm(signals: Signals): number {
    const hub = signals[FIRST_PLACE + URL_PLACES]
    return hub === undefined ? 0 : this.#hub * clip(this.#hubs.logRatio(hub, this.#prior))
  }

  #giveCredit(finder: Candidate | null, host: number, promise: number): void {
    if (finder === null) return
    const places = placesOf(finder.url)
    if (places[0] === host) return
    for (const place of places) this.#places.learn(place, this.#credit * promise, 0)
  }
}

function clip(term: number): number {
  return Math.max(LOWEST, Math.min(HIGHEST, term))
}

export const adaptive: Ordering = {
  name: 'adaptive',
  about: 'best link by its words, and by what its site, directory and page have led to so far',
  rescoreOn: ['signals'],
  focused: true,
  options: [
    ...EVIDENCE_OPTIONS,
    {
      name: 'place',
      help: 'weight of what was learned about host, directory and subdirectory, each',
      default: PLACE,
      min: 0,
      max: 10,
    },
    {
      name: 'hub',
      help: 'weight of what was learned about the page that speaks best for a link',
      default: HUB,
      min: 0,
      max: 10,
    },
    {
      name: 'prior',
      help: 'how much must be seen at a place before it counts: added to observed and expected',
      default: PRIOR,
      min: 0.01,
      max: 100,
    },
    {
      name: 'expected',
      help: 'relevance expected of a page: a place below it loses, one above gains',
      default: EXPECTED,
      min: 0.01,
      max: 1,
    },
    {
      name: 'memory',
      help: 'what is kept of a place’s past with each new page; 1: nothing is forgotten',
      default: MEMORY,
      min: 0,
      max: 1,
    },
    {
      name: 'credit',
      help: 'how much a relevant page speaks for the place of another host that led to it',
      default: CREDIT,
      min: 0,
      max: 100,
    },
  ],
  signals: [...EVIDENCE_SIGNALS, 'host', 'directory', 'subdirectory', 'hub'],
  judge: ({ topic }) => new EvidenceJudge(topic),
  steer: (options) => new Adaptive(options),
}
