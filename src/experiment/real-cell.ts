// A real cell: one crawl, in processes of its own, in a folder that is removed afterwards.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CrawlerError, InvalidInput } from '../core/errors.ts'
import type { CrawlSummary } from '../core/summary.ts'
import { createFolder } from '../lib/folder.ts'
import { moduleBeside } from '../lib/module-beside.ts'
import { crawlFrom } from '../library/crawl.ts'
import { MAP_FORMATS } from '../map/index.ts'
import { MAP_KINDS } from '../map/map-format.ts'
import { readGraph } from '../reads/crawl-graph.ts'
import { mapSource } from '../reads/map-source.ts'
import { WorkspaceFiles } from '../reads/workspace-files.ts'
import { chooseCrawl } from '../workspace/find-crawl.ts'
import { openWorkspace } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { crawlOptions } from './crawl-options.ts'
import { type CrawledCell, readCrawl } from './crawled-cell.ts'
import type { Cell, CellResult, Choices, ExperimentOptions, Plan } from './experiment.ts'
import { UsageMeter } from './process-usage.ts'
import { measureReal } from './real-measures.ts'
import type { Shape } from './shaping-proxy.ts'
import { subjectOf } from './subject.ts'
import type { WebReady, WebRequest } from './web-process.ts'
import { type KnownWeb, withMadeTopic } from './webs.ts'

type RealCell = ExperimentOptions & {
  readonly cell: Cell
  /** Null: nothing is known of the web. */
  readonly web: KnownWeb | null
  readonly onProgress: (share: number) => void
}

const CELL = 'cell'
/** With a time limit, pages are no limit unless the plan gives one. */
const ALL_PAGES = 10_000_000

export async function runReal(run: RealCell): Promise<CellResult> {
  const work = join(run.folder, 'work')
  createFolder(work)
  // A new one each time: processes of a run that was killed may still write into theirs.
  const data = mkdtempSync(join(work, 'cell-'))
  try {
    return await runIn(data, run)
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

async function runIn(data: string, run: RealCell): Promise<CellResult> {
  const { cell, web, plan } = run
  await using served = await startWeb(plan, cell)
  const { ready } = served
  const seeds = seedsFor(run, ready)
  const options = networkOptions(cell.options, plan, ready)
  const { summary, usage } = await measuredCrawl(run, { data, seeds, options })
  await using workspace = openWorkspace({ data, frontier: null })
  const crawled: CrawledCell = await readCrawl(workspace, { seeds, sizes: ready.sizes })
  const { cwd } = run
  const subject =
    web === null
      ? null
      : await subjectOf(cell.options, { ...web, seeds }, { cwd, models: plan.models })
  const figures = measureReal({
    ...{ crawled, summary, usage, models: plan.models },
    known: web === null || subject === null ? null : { world: web.world, subject },
  })
  const hasMaps = plan.maps && cell.repeat === 0
  const maps = hasMaps ? await drawMaps(workspace, { folder: run.folder, cell }) : []
  return {
    ...{ key: cell.key, ...figures, sites: crawled.sites, maps },
    notes: [...(subject?.notes ?? []), ...notesOf(summary)],
  }
}

type OneCrawl = {
  readonly data: string
  readonly seeds: readonly string[]
  readonly options: Choices
}

/** What is read and compared afterwards is no part of the crawl. */
async function measuredCrawl(run: RealCell, wanted: OneCrawl) {
  using usage = new UsageMeter()
  return { usage, summary: await crawlOnce(run, wanted) }
}

async function crawlOnce(run: RealCell, { data, seeds, options }: OneCrawl): Promise<CrawlSummary> {
  const { signal, cell, cwd, onProgress } = run
  const wanted = crawlOptions(withMadeTopic(options, run.web?.made ?? null), seeds)
  const limits = limitsOf(cell.options)
  const running = crawlFrom(cwd, { ...wanted, ...limits, data, name: CELL, signal })
  const startedAt = performance.now()
  for await (const event of running.events) {
    if (event.type === 'notice') run.watcher.onNotice(`cell ${cell.number}: ${event.text}`)
    if (event.type !== 'progress') continue
    const time = limits.duration === undefined ? 0 : elapsed(startedAt) / limits.duration
    onProgress(Math.max(time, event.stored / (limits.maxPages ?? 1000)))
  }
  const summary = await running.summary
  signal.throwIfAborted()
  if (summary.stored === 0) {
    const why = summary.note ?? Object.keys(summary.reasons).join(', ')
    throw new InvalidInput('plan', `cell ${cell.number} has stored no page: ${why}`)
  }
  return summary
}

function elapsed(startedAt: number): number {
  return (performance.now() - startedAt) / 1000
}

function limitsOf({ duration, maxPages }: Choices): { duration?: number; maxPages?: number } {
  if (typeof duration !== 'number') return typeof maxPages === 'number' ? { maxPages } : {}
  return { duration, maxPages: typeof maxPages === 'number' ? maxPages : ALL_PAGES }
}

function seedsFor({ web, cell, plan }: RealCell, { seeds }: WebReady): readonly string[] {
  if (Array.isArray(cell.options.seeds)) return cell.options.seeds.map(String)
  return seeds ?? web?.seeds ?? (plan.web.from === 'seeds' ? plan.web.seeds : [])
}

/** How the crawl gets to a web on this machine, or through the proxy. */
function networkOptions(options: Choices, { web }: Plan, ready: WebReady): Choices {
  const isMade = web.from === 'sample' || web.from === 'hosts'
  const proxy = ready.proxyPort === null ? {} : { proxy: `http://127.0.0.1:${ready.proxyPort}` }
  const direct = web.from === 'sample' && ready.proxyPort === null
  return {
    ...options,
    ...(isMade && { allowPrivate: true }),
    ...(direct && { connectTo: `*=127.0.0.1:${ready.port}` }),
    ...proxy,
  }
}

const KBYTE = 1000

/** Null if no cell of the plan is shaped: then none needs the proxy, else all have it. */
function shapeOf(plan: Plan, cell: Pick<Cell, 'options'>): Shape | null {
  const names = ['bandwidth', 'bandwidthPerConnection', 'latency']
  const sets = [plan.options, ...plan.factors.flatMap(({ levels }) => levels.map(({ set }) => set))]
  if (!sets.some((set) => names.some((name) => Object.hasOwn(set, name)))) return null
  const { bandwidth, bandwidthPerConnection, latency } = cell.options
  const bytes = (value: unknown) => (typeof value === 'number' ? value * KBYTE : null)
  return {
    bytesPerSecond: bytes(bandwidth),
    bytesPerConnection: bytes(bandwidthPerConnection),
    latencyMs: typeof latency === 'number' ? latency : 0,
  }
}

type StartedWeb = AsyncDisposable & { readonly ready: WebReady }

const NOTHING: WebReady = { port: null, proxyPort: null, seeds: null, sizes: null }

async function startWeb(plan: Plan, cell: Cell): Promise<StartedWeb> {
  const shape = shapeOf(plan, cell)
  const isMade = plan.web.from === 'sample' || plan.web.from === 'hosts'
  if (!isMade && shape === null) return { ready: NOTHING, [Symbol.asyncDispose]: async () => {} }
  const child = fork(moduleBeside(import.meta, 'web-process'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const wanted: WebRequest = { web: plan.web, seed: cell.seed, shape }
  child.send(wanted)
  const ready = await answerOf(child)
  return { ready, [Symbol.asyncDispose]: () => ended(child) }
}

async function answerOf(child: ChildProcess): Promise<WebReady> {
  const exited = once(child, 'exit').then(() => {
    throw new CrawlerError('process-died', 'the process of the sample web could not be started')
  })
  // It also ends when everything went well.
  exited.catch(() => {})
  const [ready]: WebReady[] = await Promise.race([once(child, 'message'), exited])
  return ready ?? NOTHING
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.disconnect()
  await exit
}

function notesOf({ note, status }: CrawlSummary): string[] {
  return note === undefined || status === 'completed' ? [] : [note]
}

/** More nodes are a cloud. */
const TOP = 300
const MAX_EDGES = 400_000
const FORMATS = ['html', 'svg'] as const

/**
 * Page map and site map of a crawl, as pages to look at and as pictures. Names of the files, relative to
 * the folder of the experiment.
 */
async function drawMaps(
  workspace: Workspace,
  { folder, cell }: { readonly folder: string; readonly cell: Cell },
): Promise<string[]> {
  createFolder(join(folder, 'maps'))
  const job = await chooseCrawl(workspace, null)
  await using files = new WorkspaceFiles(workspace)
  const here = await files.crawl(job.id)
  if (here === null) return []
  const graph = await readGraph(files, here)
  const written: string[] = []
  for (const kind of MAP_KINDS) {
    const wish = { kind, host: null, top: TOP, maxEdges: MAX_EDGES, beyond: 0 }
    const map = await mapSource(here, graph, wish)
    for (const format of FORMATS) {
      const name = `maps/${nameOf(cell)}-${kind}.${format}`
      const pieces = await Array.fromAsync(MAP_FORMATS[format].write(map))
      writeFileSync(join(folder, name), pieces.join(''))
      written.push(name)
    }
  }
  return written
}

function nameOf({ labels, number }: Cell): string {
  const text = Object.values(labels).join('-').toLowerCase()
  const plain = text.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')
  return `${number}-${plain.slice(0, 60)}`
}
