// The options of `adaptive`, and the weights that its regression starts with.
import { EVIDENCE_OPTIONS, type EvidenceWeights } from './evidence-judge.ts'
import type { Start } from './online-regression.ts'
import type { OptionValues, OrderingOption } from './ordering.ts'

const KEYWORD = 0.5
const PARENTS = 0.2
const PLACE = 0.2
const HUB = 0.2
export const PRIOR = 1
const FREEDOM = 0.3
export const GATEWAY = 1
export const STEP = 0.04

/** Initial weights: of the constant feature, which is least certain, and of the parent's evidence. */
export const ANY_PAGE = { mean: -2, freedom: 7 }
const PARENT = 0.7

export const ADAPTIVE_OPTIONS: readonly OrderingOption[] = [
  ...EVIDENCE_OPTIONS,
  {
    name: 'keyword',
    help: 'weight to start with of a keyword in anchor or address',
    default: KEYWORD,
    min: 0,
    max: 10,
  },
  {
    name: 'parents',
    help: 'weight to start with of what all pages with a link to it are worth',
    default: PARENTS,
    min: 0,
    max: 10,
  },
  {
    name: 'place',
    help: 'weight to start with of what was found at host, directory and subdirectory, each',
    default: PLACE,
    min: 0,
    max: 10,
  },
  {
    name: 'hub',
    help: 'weight to start with of what the page that speaks best for a link has led to',
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
    name: 'freedom',
    help: 'how far weights may move from where they start; 0: they stay',
    default: FREEDOM,
    min: 0,
    max: 10,
  },
  {
    name: 'gateway',
    help: 'weight of the surprises that a host has led to elsewhere; 0: poor pages are no way on',
    default: GATEWAY,
    min: 0,
    max: 100,
  },
  {
    name: 'step',
    help: 'differences in what is expected that count; of equals, the URL found first; 0: all',
    default: STEP,
    min: 0,
    max: 1,
  },
]

export function startsFor(options: OptionValues, evidence: EvidenceWeights): Start[] {
  const { keyword = KEYWORD, place = PLACE, hub = HUB } = options
  const { parents = PARENTS, freedom = FREEDOM } = options
  const { anchor, context, address } = evidence
  const means = [1, anchor, context, address].map((weight) => PARENT * weight)
  means.push(keyword, place, place, place, hub, parents)
  const any = { mean: ANY_PAGE.mean, spread: ANY_PAGE.freedom * freedom }
  return [any, ...means.map((mean) => ({ mean, spread: freedom }))]
}
