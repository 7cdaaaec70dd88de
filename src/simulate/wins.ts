// Topic by topic, who is ahead: "A beats B on 7 of 8 topics". The honest comparison where topics
// differ more than orderings do.
import type { Contender } from './contenders.ts'
import { measureOf, type Reading, read } from './reading.ts'
import { spreadOf } from './statistics.ts'
import { type Summary, topicsFor } from './summary.ts'

export type Duel = {
  readonly wins: number
  readonly losses: number
  /** Topics both ran on and the reading could be taken for. */
  readonly topics: number
  /** Mean of the first's value minus the second's. */
  readonly difference: number
  /** Standard deviation of those differences. */
  readonly deviation: number
}

/** Closer than this is a draw: less than any figure shown could tell. */
const DRAW = 1e-9

export function duel(summary: Summary, a: Contender, b: Contender, reading: Reading): Duel {
  const sign = measureOf(reading).better === 'higher' ? 1 : -1
  const differences = topicsFor(summary.topics, reading).flatMap(({ topic }) => {
    const ofA = a.byTopic.get(topic)
    const ofB = b.byTopic.get(topic)
    if (ofA === undefined || ofB === undefined) return []
    const difference = read(ofA, reading, summary.grid) - read(ofB, reading, summary.grid)
    return Number.isNaN(difference) ? [] : [difference]
  })
  const { mean, deviation } = spreadOf(differences)
  return {
    wins: differences.filter((difference) => difference * sign > DRAW).length,
    losses: differences.filter((difference) => difference * sign < -DRAW).length,
    topics: differences.length,
    difference: mean,
    deviation,
  }
}
