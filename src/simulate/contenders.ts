// The contenders of a comparison, and their figures: the mean over seeds for each topic, and over topics.
import {
  CURVE_MEASURES,
  type CurveKey,
  meanCurve,
  meanOf,
  SINGLE_MEASURES,
  type SingleKey,
} from './measures.ts'
import type { Figures, Measured } from './metrics.ts'
import type { TopicFacts } from './yardstick.ts'

/** An ordering with a host policy. */
export type Contender = {
  /** The ordering's name, with the host policy if the ordering ran with several. */
  readonly name: string
  readonly ordering: string
  readonly hostPolicy: string
  readonly runs: readonly Measured[]
  /** Topic → mean over its seeds. */
  readonly byTopic: ReadonlyMap<string, Figures>
  /** Mean over topics. */
  readonly mean: Figures
}

export function contendersOf(
  measured: readonly Measured[],
  topics: readonly TopicFacts[],
  grid: Float64Array,
): Contender[] {
  const groups = Map.groupBy(measured, (run) => JSON.stringify([run.ordering, run.hostPolicy]))
  const perOrdering = Map.groupBy(groups.values(), ([run]) => run?.ordering)
  return [...groups.values()].flatMap((runs) => {
    const [run] = runs
    if (run === undefined) return []
    const { ordering, hostPolicy } = run
    const several = (perOrdering.get(ordering)?.length ?? 0) > 1
    const name = several ? `${ordering}, ${hostPolicy}` : ordering
    const byTopic = meanByTopic(runs, topics, grid.length)
    const mean = meanOverTopics(byTopic, topics, grid.length)
    return [{ name, ordering, hostPolicy, runs, byTopic, mean }]
  })
}

function meanByTopic(
  runs: readonly Measured[],
  topics: readonly TopicFacts[],
  points: number,
): Map<string, Figures> {
  const groups = Map.groupBy(runs, (run) => run.topic)
  const means = topics.flatMap(({ topic }): [string, Figures][] => {
    const group = groups.get(topic)
    return group === undefined ? [] : [[topic, meanFigures(() => group, group, points)]]
  })
  return new Map(means)
}

function meanOverTopics(
  byTopic: ReadonlyMap<string, Figures>,
  topics: readonly TopicFacts[],
  points: number,
): Figures {
  const all = [...byTopic.values()]
  const withRelevant = topics.flatMap(({ topic, relevant }) =>
    relevant > 0 ? (byTopic.get(topic) ?? []) : [],
  )
  return meanFigures((ofTopic) => (ofTopic ? withRelevant : all), all, points)
}

/** `having` selects the figures for measures that need a topic, and for the others. */
function meanFigures(
  having: (ofTopic: boolean) => readonly Figures[],
  all: readonly Figures[],
  points: number,
): Figures {
  const curve = (key: CurveKey) =>
    meanCurve(
      having(CURVE_MEASURES[key].ofTopic).map(({ curves }) => curves[key]),
      points,
    )
  const single = (key: SingleKey) =>
    meanOf(having(SINGLE_MEASURES[key].ofTopic).map(({ singles }) => singles[key]))
  const hours = all.flatMap((figures) => figures.hours ?? [])
  return {
    curves: curvesBy(curve),
    singles: singlesBy(single),
    hours: hours.length < all.length ? null : meanCurve(hours, points),
  }
}

function curvesBy(curve: (key: CurveKey) => Float64Array): Figures['curves'] {
  return {
    harvest: curve('harvest'),
    recall: curve('recall'),
    ofIdeal: curve('ofIdeal'),
    relevantHosts: curve('relevantHosts'),
    pagerankSum: curve('pagerankSum'),
    csPagerank: curve('csPagerank'),
    csInDegree: curve('csInDegree'),
    stPagerank: curve('stPagerank'),
    stInDegree: curve('stInDegree'),
    jain: curve('jain'),
    gini: curve('gini'),
    entropy: curve('entropy'),
  }
}

function singlesBy(single: (key: SingleKey) => number): Figures['singles'] {
  return {
    nauc20: single('nauc20'),
    bc5Pagerank: single('bc5Pagerank'),
    bc10Pagerank: single('bc10Pagerank'),
    bc5InDegree: single('bc5InDegree'),
    bc10InDegree: single('bc10InDegree'),
    fetched: single('fetched'),
    pagesPerSecond: single('pagesPerSecond'),
  }
}
