// Replays every ordering on every topic and measures each replay. Results are shared where possible: the
// judgements of a topic that does not learn, over all orderings; an ordering's signals of a page's links,
// over host policies and seeds; and the whole replay of an ordering that ignores content, over all topics
// with the same seeds.
import type { Judge, OptionValues, Ordering } from '../ordering/ordering.ts'
import type { Topic } from '../topic/topic.ts'
import { buffersAtEnd } from './buffers.ts'
import type { Contender } from './contenders.ts'
import { spreadOf } from './measures.ts'
import { type Measured, measureReplay, shareGrid } from './metrics.ts'
import { FoundPages, JudgedLinks, JudgedTexts, type PageLinks, PlainLinks } from './page-links.ts'
import { measureOf, type Reading, read } from './reading.ts'
import { type Fetches, type OpenFrontier, type Politeness, replay } from './replay.ts'
import type { Replay, Truth } from './replay-result.ts'
import type { ReplayWorld } from './replay-world.ts'
import { type Summary, summarise, topicsFor } from './summary.ts'
import { createYardstick, fetchesFor, type Yardstick } from './yardstick.ts'

/** The target of a crawl, its seeds, and the pages that count as relevant. */
export type Subject = {
  /** Null: only orderings that need no topic can run. */
  readonly topic: Topic | null
  readonly truth: Truth
  readonly seeds: readonly number[]
}

export type Entrant = {
  /** The ordering's name, with its options if they were chosen. */
  readonly name: string
  readonly ordering: Ordering
  readonly options: OptionValues
  readonly hostPolicy: string
}

/** A web, and the subjects looked for in it. */
export type SubjectWeb = {
  readonly world: ReplayWorld
  readonly subjects: readonly Subject[]
}

export type ComparisonOptions = SubjectWeb & {
  readonly entrants: readonly Entrant[]
  /** Seeds for randomness in an ordering: each is a replay of its own. */
  readonly randomSeeds: readonly number[]
  /** Share of the reachable pages to fetch, above 0 up to 1. */
  readonly budget: number
  readonly politeness: Politeness
  readonly openFrontier: OpenFrontier
  readonly onProgress?: (progress: Progress) => void
}

type Progress = {
  /** Number of fetches, over all replays. */
  readonly done: number
  readonly total: number
  readonly topic: string
  readonly entrant: string
}

type Run = {
  readonly subject: Subject
  readonly yardstick: Yardstick
  readonly entrant: Entrant
  readonly seed: number
}
type Timed = Fetches & { readonly seconds: number }

export async function compare(options: ComparisonOptions): Promise<Summary> {
  return compareOn([options], options)
}

/** Runs on several webs in turn; the names of their topics differ. */
export async function compareOn(
  webs: readonly SubjectWeb[],
  options: Omit<ComparisonOptions, keyof SubjectWeb>,
): Promise<Summary> {
  const grid = shareGrid(options.budget)
  const yardsticks: Yardstick[] = []
  const measured: Measured[] = []
  const planned = webs.map((web) => planFor(web, options))
  const total = planned.reduce((sum, { fetches }) => sum + fetches, 0)
  let before = 0
  for (const plan of planned) {
    const offset = before
    const onProgress = (progress: Progress): void =>
      options.onProgress?.({ ...progress, done: offset + progress.done, total })
    yardsticks.push(...plan.yardsticks)
    measured.push(...(await measureAll({ ...plan, onProgress }, grid)))
    before += plan.fetches
  }
  return summarise({ yardsticks, grid, measured })
}

type Plan = ComparisonOptions & {
  readonly yardsticks: readonly Yardstick[]
  /** Over all replays on this web. */
  readonly fetches: number
}

function planFor(web: SubjectWeb, options: Omit<ComparisonOptions, keyof SubjectWeb>): Plan {
  const { world, subjects } = web
  const yardsticks = subjects.map(({ truth }) => createYardstick(world, truth))
  return {
    ...options,
    ...web,
    yardsticks,
    fetches: countFetches({ ...options, ...web }, yardsticks),
  }
}

async function measureAll(options: Plan, grid: Float64Array): Promise<Measured[]> {
  const { subjects, yardsticks } = options
  const measured: Measured[] = []
  const replays = new Replays(options)
  for (const [at, subject] of subjects.entries()) {
    const yardstick = yardsticks[at]
    if (yardstick === undefined) continue
    const runs = options.entrants.flatMap((entrant) =>
      options.randomSeeds.map((seed) => ({ subject, yardstick, entrant, seed })),
    )
    for (const run of runs) {
      measured.push(measureReplay(yardstick, await replays.of(run), grid))
    }
  }
  return measured
}

class Replays {
  readonly #options: Plan
  readonly #found: FoundPages
  /** Enough for each topic, so that a replay can serve all of them. */
  readonly #limit: number
  readonly #shared = new Map<string, Timed>()
  #subject: Subject | null = null
  #texts: JudgedTexts | null = null
  #judged = new Map<string, PageLinks>()
  #done = 0

  constructor(options: Plan) {
    this.#options = options
    this.#found = new FoundPages(options.world)
    this.#limit = mostFetches(options.yardsticks, options.budget)
  }

  async of(run: Run): Promise<Replay> {
    const { entrant, seed, yardstick, subject } = run
    const limit = fetchesFor(yardstick, this.#options.budget)
    const { fetched, at, seconds, ...rest } = await this.#fetches(run, limit)
    const own = fetched.subarray(0, limit)
    const ranDry = rest.ranDry && fetched.length <= limit
    const { reachable } = yardstick
    return {
      ordering: entrant.name,
      hostPolicy: entrant.hostPolicy,
      topic: subject.truth.topic,
      seed,
      fetched: own,
      at: at?.subarray(0, limit) ?? null,
      ranDry,
      buffers: buffersAtEnd({ fetched: own, ranDry }, { ...this.#options.world, reachable }),
      seconds: fetched.length === 0 ? seconds : (seconds * own.length) / fetched.length,
    }
  }

  async #fetches(run: Run, limit: number): Promise<Timed> {
    if (looksAtContent(run.entrant)) return this.#replay(run, limit)
    const key = keyOf(run)
    const known = this.#shared.get(key) ?? (await this.#replay(run, this.#limit))
    this.#shared.set(key, known)
    return known
  }

  async #replay({ subject, entrant, seed }: Run, limit: number): Promise<Timed> {
    const { world, politeness, openFrontier, onProgress } = this.#options
    const links = this.#linksFor(subject, entrant)
    const startedAt = performance.now()
    const before = this.#done
    const tell = () =>
      onProgress?.({
        done: this.#done,
        total: this.#options.fetches,
        topic: subject.truth.topic,
        entrant: entrant.name,
      })
    tell()
    const fetches = await replay({
      ...{ world, links, limit, politeness, openFrontier },
      ordering: entrant.ordering,
      scorer: entrant.ordering.createScorer(entrant.options, seed),
      hostPolicy: entrant.hostPolicy,
      found: this.#found,
      seeds: subject.seeds,
      onFetched: (count) => {
        this.#done += count
        tell()
      },
    })
    // A replay that ran dry counts as finished.
    this.#done = before + limit
    return { ...fetches, seconds: (performance.now() - startedAt) / 1000 }
  }

  #linksFor(subject: Subject, { ordering, options, name }: Entrant): PageLinks {
    const { world } = this.#options
    const own = subject.topic?.fresh?.()
    // The state that a topic learns belongs to one replay alone.
    if (own !== undefined) return this.#ownLinks(own, ordering.judge?.({ options, topic: own }))
    if (subject !== this.#subject) {
      this.#subject = subject
      this.#texts = subject.topic === null ? null : new JudgedTexts(subject.topic, world)
      this.#judged = new Map()
    }
    const known = this.#judged.get(name)
    if (known !== undefined) return known
    const judge = ordering.judge?.({ options, topic: subject.topic })
    const found = this.#found
    const links =
      judge === undefined
        ? new PlainLinks(world, found)
        : new JudgedLinks({ world, found, judge, texts: this.#texts, again: this.#runsAgain(name) })
    this.#judged.set(name, links)
    return links
  }

  #ownLinks(topic: Topic, judge: Judge | undefined): PageLinks {
    const [{ world }, found] = [this.#options, this.#found]
    if (judge === undefined) return new PlainLinks(world, found)
    const texts = new JudgedTexts(topic, world)
    return new JudgedLinks({ world, found, judge, texts, again: false })
  }

  #runsAgain(name: string): boolean {
    const { entrants, randomSeeds } = this.#options
    return randomSeeds.length > 1 || entrants.filter((entrant) => entrant.name === name).length > 1
  }
}

/** Enough for each topic, so that a replay can serve all of them. */
function mostFetches(yardsticks: readonly Yardstick[], budget: number): number {
  return Math.max(0, ...yardsticks.map((facts) => fetchesFor(facts, budget)))
}

function countFetches(
  { entrants, subjects, randomSeeds, budget }: ComparisonOptions,
  yardsticks: readonly Yardstick[],
): number {
  const starts = new Set(subjects.map(({ seeds }) => seeds.join())).size
  const each = yardsticks.reduce((sum, facts) => sum + fetchesFor(facts, budget), 0)
  const shared = starts * mostFetches(yardsticks, budget)
  const fetches = entrants.map((entrant) => (looksAtContent(entrant) ? each : shared))
  return randomSeeds.length * fetches.reduce((sum, count) => sum + count, 0)
}

function looksAtContent({ ordering }: Entrant): boolean {
  return ordering.judge !== undefined
}

function keyOf({ entrant, seed, subject }: Run): string {
  return JSON.stringify([entrant.name, entrant.hostPolicy, seed, subject.seeds])
}

type Duel = {
  readonly wins: number
  readonly losses: number
  /** Number of topics that both ran on and that have the reading. */
  readonly topics: number
  /** Mean of the first's value minus the second's. */
  readonly difference: number
  /** Standard deviation of those differences. */
  readonly deviation: number
}

/** A smaller difference is a draw: no figure would show it. */
const DRAW = 1e-9

/**
 * Compares two contenders topic by topic: "A beats B on 7 of 8 topics". This is the fair comparison if
 * topics differ more than orderings do.
 */
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
