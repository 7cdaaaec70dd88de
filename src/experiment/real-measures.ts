// The figures of a real crawl: speed, harvest, fairness, CPU and memory of its processes, time per stage; and, if
// its web is known, those of the order in which it fetched.
import { jainsIndex } from '../core/fairness.ts'
import type { CrawlSummary } from '../core/summary.ts'
import { siteOf } from '../core/url.ts'
import { meanOf } from '../simulate/measures.ts'
import type { ReplayWorld } from '../simulate/replay-world.ts'
import type { CrawledCell, CrawledPage } from './crawled-cell.ts'
import {
  type Measured,
  type MeasuredCurve,
  type ModelSettings,
  rounded,
  type Value,
} from './experiment.ts'
import { measureOrder, type OrderFigures, pagesOverTime } from './measure-order.ts'
import { ROLES, type Role, type UsageMeter, type UsageSample } from './process-usage.ts'
import type { CellSubject } from './subject.ts'

type RealInput = {
  readonly crawled: CrawledCell
  readonly summary: CrawlSummary
  readonly usage: UsageMeter
  readonly models: ModelSettings
  readonly known: { readonly world: ReplayWorld; readonly subject: CellSubject } | null
}

const MB = 1e6
const POINTS = 100

export function measureReal(input: RealInput): OrderFigures {
  const { crawled, summary, usage } = input
  const parts = [
    totals(crawled, summary),
    harvest(crawled.pages),
    processes(usage, summary, crawled),
    stages(crawled.pages),
    ofOrder(input),
  ]
  return {
    measures: parts.flatMap(({ measures }) => measures),
    curves: parts.flatMap(({ curves }) => curves),
  }
}

function measured(measure: string, of: string, value: number, unit: string): Measured {
  return { measure, of, at: '', value: rounded(value), unit }
}

function totals({ pages, sites }: CrawledCell, summary: CrawlSummary): OrderFigures {
  const { seconds, bytes, failed, queued } = summary
  const perSite = Map.groupBy(sites, ({ host }) => siteOf(host))
  const counts = [...perSite.values()].map((own) => own.reduce((sum, each) => sum + each.pages, 0))
  return {
    measures: [
      measured('pages', '', pages.length, 'pages'),
      measured('seconds', '', seconds, 's'),
      measured('pages_per_second', '', pages.length / seconds, 'pages/s'),
      measured('bytes', '', bytes / MB, 'MB'),
      measured('hosts', '', sites.filter((site) => site.pages > 0).length, 'hosts'),
      measured('failed', '', failed, 'URLs'),
      measured('queued', '', queued, 'URLs'),
      measured('jain', '', jainsIndex(counts), 'index'),
    ],
    curves: [pagesOverTime(pages.map(({ atMs }) => atMs))],
  }
}

/** By the crawl's own topic. */
function harvest(pages: readonly CrawledPage[]): OrderFigures {
  const judged = pages.filter((page) => page.judged)
  if (judged.length === 0) return { measures: [], curves: [] }
  const x: number[] = []
  const y: Value[] = []
  let hot = 0
  for (const [at, page] of judged.entries()) {
    if (page.hot) hot++
    const isShown = (at + 1) % Math.max(1, Math.ceil(judged.length / POINTS)) === 0
    if (!isShown && at + 1 < judged.length) continue
    x.push(at + 1)
    y.push(rounded((100 * hot) / (at + 1)))
  }
  return {
    measures: [
      measured('hot', '', hot, 'pages'),
      measured('harvest', 'topic', (100 * hot) / judged.length, '%'),
    ],
    curves: [{ curve: 'harvest', of: 'topic', x, y, xUnit: 'pages', yUnit: '%' }],
  }
}

function stages(pages: readonly CrawledPage[]): OrderFigures {
  const queued = pages.flatMap(({ queueMs }) => queueMs ?? [])
  const stage = (name: string, values: readonly number[]) =>
    measured('stage_ms', name, meanOf(values), 'ms')
  return {
    measures: [
      stage(
        'download',
        pages.map(({ fetchMs }) => fetchMs),
      ),
      stage(
        'parse',
        pages.map(({ parseMs }) => parseMs),
      ),
      stage('queue', queued),
    ],
    curves: [],
  }
}

function processes(usage: UsageMeter, summary: CrawlSummary, crawled: CrawledCell): OrderFigures {
  const known = ROLES.filter((role) => usage.samples[role].length > 0)
  const all = known.reduce((sum, role) => sum + usage.cpuMs(role), 0)
  const perPage = (cpuMs: number) => cpuMs / Math.max(1, crawled.pages.length)
  const cores = (cpuMs: number) => cpuMs / (1000 * summary.seconds)
  const measures = known.flatMap((role) => {
    const cpuMs = usage.cpuMs(role)
    const memory = usage.samples[role].map(({ rssBytes }) => rssBytes / MB)
    return [
      measured('cpu_cores', role, cores(cpuMs), 'cores'),
      measured('cpu_ms_per_page', role, perPage(cpuMs), 'ms'),
      measured('memory_peak', role, largest(memory), 'MB'),
      measured('memory_mean', role, meanOf(memory), 'MB'),
    ]
  })
  if (known.length === 0) return { measures: [], curves: [] }
  const sums = summed(usage)
  return {
    measures: [
      measured('cpu_cores', 'all', cores(all), 'cores'),
      measured('cpu_ms_per_page', 'all', perPage(all), 'ms'),
      measured('memory_peak', 'all', largest(sums), 'MB'),
      measured('memory_mean', 'all', meanOf(sums), 'MB'),
      ...measures,
      ...perWorker(usage, crawled.parserThreads, cores),
    ],
    curves: known.flatMap((role) => usageCurves(role, usage.samples[role])),
  }
}

/** Memory of all processes at each moment; they begin and end at different ones. */
export function summed({ samples }: Pick<UsageMeter, 'samples'>): number[] {
  const sums = new Map<number, number>()
  for (const { atMs, rssBytes } of ROLES.flatMap((role) => samples[role])) {
    sums.set(atMs, (sums.get(atMs) ?? 0) + rssBytes / MB)
  }
  return [...sums.values()]
}

/** A crawl of a day has more samples than a call may have arguments. */
function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0)
}

/** A parser's heaps and CPU time, divided evenly among its threads. */
function perWorker(
  usage: UsageMeter,
  threads: number,
  cores: (cpuMs: number) => number,
): Measured[] {
  const heaps = usage.samples.parser.map(({ heapBytes }) => heapBytes / MB)
  if (heaps.length === 0) return []
  return [
    measured('memory_per_worker', '', largest(heaps) / threads, 'MB'),
    measured('cpu_per_worker', '', cores(usage.cpuMs('parser')) / threads, 'cores'),
  ]
}

function usageCurves(role: Role, samples: readonly UsageSample[]): MeasuredCurve[] {
  const every = Math.max(1, Math.ceil(samples.length / POINTS))
  const some = samples.filter((_, at) => at % every === 0)
  const x = some.map(({ atMs }) => rounded(atMs / 1000) ?? 0)
  const shared = { of: role, x, xUnit: 's' }
  const busy = some.map(({ atMs, cpuMs }, at) => {
    const before = some[at - 1]
    const ms = atMs - (before?.atMs ?? 0)
    return ms <= 0 ? null : rounded((cpuMs - (before?.cpuMs ?? 0)) / ms)
  })
  const memory = some.map(({ rssBytes }) => rounded(rssBytes / MB))
  return [
    { curve: 'cpu', ...shared, y: busy, yUnit: 'cores' },
    { curve: 'memory', ...shared, y: memory, yUnit: 'MB' },
  ]
}

/** Pages that are none of the known web are left out. */
function ofOrder({ known, crawled, models }: RealInput): OrderFigures {
  if (known === null) return { measures: [], curves: [] }
  const { world, subject } = known
  const { yardstick, request, similarity } = subject
  const seen = new Set<number>()
  const found = crawled.pages.flatMap(({ url }) => {
    const page = world.find(url)
    if (page === undefined || seen.has(page)) return []
    seen.add(page)
    return [page]
  })
  const replay = {
    ...{ ordering: request.settings.ordering, hostPolicy: request.settings.hostPolicy },
    ...{ topic: '', seed: 0, buffers: new Map(), seconds: 0, at: null },
    fetched: Uint32Array.from(found),
    ranDry: found.length >= yardstick.reachable,
  }
  const upTo = Math.min(1, crawled.maxPages / Math.max(1, yardstick.reachable))
  const figures = measureOrder({ yardstick, world, replay, similarity }, models, upTo)
  const relevant = found.filter((page) => yardstick.truth.relevant[page] === 1).length
  const hasTopic = yardstick.relevant > 0
  const whole = measured('harvest', '', (100 * relevant) / Math.max(1, found.length), '%')
  return { measures: [...(hasTopic ? [whole] : []), ...figures.measures], curves: figures.curves }
}
