// A simulated cell: one replay of a known web. Nothing in its result depends on the machine or the time.
import { optionValues, orderingOf } from '../ordering/index.ts'
import type { Ordering } from '../ordering/ordering.ts'
import {
  FoundPages,
  JudgedLinks,
  JudgedTexts,
  type PageLinks,
  PlainLinks,
} from '../simulate/page-links.ts'
import { type Fetches, replay } from '../simulate/replay.ts'
import type { ReplayWorld } from '../simulate/replay-world.ts'
import type { Topic } from '../topic/topic.ts'
import {
  type Cell,
  type CellResult,
  type Choices,
  type Measured,
  type ModelSettings,
  rounded,
} from './experiment.ts'
import { measureOrder } from './measure-order.ts'
import { openReplayFrontier } from './replay-frontier.ts'
import { type CellSubject, subjectOf } from './subject.ts'
import type { KnownWeb } from './webs.ts'

/** As in `jelajah simulate`: one queue over all hosts, one request at a time, no politeness. */
const REPLAY_DEFAULTS: Choices = { delay: 0, concurrency: 1, hostPolicy: 'best' }
/** Options of a replay as options of a crawl, for what both have. */
export function replayOptions(options: Choices): Choices {
  return { ...REPLAY_DEFAULTS, ...options }
}

type SimulatedCell = {
  readonly cell: Cell
  readonly web: KnownWeb
  readonly models: ModelSettings
  readonly cwd: string
  readonly onProgress: (share: number) => void
}

export async function runSimulated(run: SimulatedCell): Promise<CellResult> {
  const { cell, web, models } = run
  const options = replayOptions(cell.options)
  const subject = await subjectOf(options, web, run)
  const { yardstick, request } = subject
  const limit = budgetOf(options, yardstick.reachable, request.settings.maxPages)
  const fetches = withinTime(await replayed(run, subject, limit), request.settings.durationMs)
  const { settings } = request
  const replay = {
    ...fetches,
    ...{ ordering: settings.ordering, hostPolicy: settings.hostPolicy },
    ...{ topic: '', seed: cell.seed, buffers: new Map(), seconds: 0 },
  }
  const order = { yardstick, replay, world: web.world, similarity: subject.similarity }
  const upTo = Math.min(1, limit / Math.max(1, yardstick.reachable))
  const { measures, curves } = measureOrder(order, models, upTo)
  const pages = fetches.fetched.length
  return {
    key: cell.key,
    measures: [count('pages', pages), count('reachable', yardstick.reachable), ...measures],
    ...{ curves, sites: [], maps: [], notes: subject.notes },
  }
}

function count(measure: string, value: number): Measured {
  return { measure, of: '', at: '', value: rounded(value), unit: 'pages' }
}

/** `budget` as a share of the pages, or `maxPages`; all pages if neither is given. */
function budgetOf(options: Choices, reachable: number, maxPages: number): number {
  const { budget } = options
  if (typeof budget === 'string') {
    return Math.max(1, Math.round((reachable * Number.parseFloat(budget)) / 100))
  }
  return Object.hasOwn(options, 'maxPages') ? Math.min(maxPages, reachable) : reachable
}

async function replayed(run: SimulatedCell, subject: CellSubject, limit: number) {
  const { world } = run.web
  const { settings } = subject.request
  const ordering = orderingOf(settings)
  const values = optionValues(ordering, settings.orderingOptions)
  const found = new FoundPages(world)
  const topic = subject.topic?.fresh?.() ?? subject.topic
  let done = 0
  return replay({
    ...{ world, found, limit, ordering, seeds: subject.seeds },
    links: linksFor(world, found, { ordering, values, topic }),
    scorer: ordering.createScorer(values, run.cell.seed),
    hostPolicy: settings.hostPolicy,
    politeness: {
      concurrency: settings.concurrency,
      perHost: settings.perHost,
      delayMs: settings.delayMs,
    },
    openFrontier: openReplayFrontier,
    onFetched: (count) => {
      done += count
      run.onProgress(done / limit)
    },
  })
}

type JudgeInput = {
  readonly ordering: Ordering
  readonly values: ReturnType<typeof optionValues>
  readonly topic: Topic | null
}

function linksFor(
  world: ReplayWorld,
  found: FoundPages,
  { ordering, values, topic }: JudgeInput,
): PageLinks {
  const judge = ordering.judge?.({ options: values, topic })
  if (judge === undefined) return new PlainLinks(world, found)
  const texts = topic === null ? null : new JudgedTexts(topic, world)
  return new JudgedLinks({ world, found, judge, texts, again: false })
}

/** A crawl that stops after some virtual time has not run dry. */
function withinTime(fetches: Fetches, durationMs: number | null): Fetches {
  const { at, fetched } = fetches
  if (durationMs === null || at === null) return fetches
  const late = at.findIndex((moment) => moment > durationMs)
  if (late < 0) return fetches
  return { fetched: fetched.slice(0, late), at: at.slice(0, late), ranDry: false }
}
