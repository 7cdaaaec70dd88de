// `jelajah simulate`: replays a stored crawl, or webs made up for it, through many orderings and says
// which was better.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HostPolicyName } from '../../core/crawl-terms.ts'
import { InvalidInput } from '../../core/errors.ts'
import type { Language } from '../../core/languages.ts'
import type { WorkspaceChoice } from '../../core/workspace-url.ts'
import { openReplayFrontier } from '../../experiment/replay-frontier.ts'
import { openStoredWeb, type StoredWeb } from '../../experiment/stored-web.ts'
import { hasSavedPage, NOT_BUILT } from '../../lib/built-pages.ts'
import { systemClock } from '../../lib/clock.ts'
import { showRate } from '../../lib/format.ts'
import { ResourceStack } from '../../lib/resource-stack.ts'
import { safeText } from '../../lib/terminal.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import {
  compareOn,
  type Entrant,
  type Subject,
  type SubjectWeb,
} from '../../simulate/comparison.ts'
import { makeWorld } from '../../simulate/replay-world.ts'
import { drawReport } from '../../simulate/report/report.ts'
import type { SampleName } from '../../simulate/sample/sample-names.ts'
import { SAMPLE_WEBS, sampleTopics, sampleTruth } from '../../simulate/sample/sample-webs.ts'
import type { JudgedBy, RunFacts, Summary } from '../../simulate/summary.ts'
import { printTable } from '../../simulate/table.ts'
import { toJson } from '../../simulate/to-json.ts'
import { workspaceOf } from '../../workspace/open-workspace.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { ProgressPrinter } from '../progress-printer.ts'
import type { Budget, ChosenOrdering } from './simulate-options.ts'
import { type About, findSubjects, type NamedFile } from './subjects.ts'

export type SimulateOptions = Omit<WorkspaceChoice, 'dataDir'> &
  About & {
    /** Null: webs made up for the purpose, those of `demo`. */
    readonly dataDir: string | null
    readonly demo: readonly SampleName[]
    readonly crawl: string | null
    readonly orderings: readonly ChosenOrdering[]
    /** True when they were named: then one that cannot run is an error. */
    readonly orderingsNamed: boolean
    readonly hostPolicies: readonly HostPolicyName[]
    readonly budget: Budget
    readonly concurrency: number
    readonly perHost: number
    readonly delayMs: number
    readonly deadLinks: boolean
    /** For whatever is random. */
    readonly randomSeeds: readonly number[]
    /** Folder for the report, absolute; null: none. */
    readonly out: string | null
    readonly force: boolean
    readonly language: Language
    readonly json: boolean
    readonly quiet: boolean
    readonly verbose: boolean
    /** The command line, to be typed again; without passwords, since reports are given away. */
    readonly command: string
  }

const REPORT_FILES = { html: 'report.html', json: 'report.json' } as const

export async function runSimulate(options: SimulateOptions, out: Output): Promise<ExitCode> {
  refuseOverwriting(options)
  const say = (text: string): void => {
    if (!options.quiet) out.warn(`${safeText(text)}\n`)
  }
  const { dataDir } = options
  await using workspace = dataDir === null ? null : workspaceOf({ ...options, dataDir })
  await using opened = new ResourceStack()
  const crawls: OpenCrawl[] =
    workspace === null
      ? options.demo.map(openSample)
      : [{ ...opened.use(await openStoredWeb({ ...options, workspace })), about: null }]
  const { webs, judgedBy } = await websOf(crawls, options, say)
  const summary = await compareAll(options, webs)
  const facts: RunFacts = {
    web: crawls.map(({ name }) => name).join(', '),
    command: options.command,
    delayMs: options.delayMs > 0 ? options.delayMs : null,
    judgedBy,
  }
  const json = `${JSON.stringify(toJson(summary, facts))}\n`
  await out.write(options.json ? json : printTable(summary, { verbose: options.verbose, judgedBy }))
  say(`pages replayed per second: ${speeds(summary)}`)
  if (options.out === null) return EXIT.done
  const html = drawReport(summary, { ...facts, language: options.language })
  if (html === null) throw notBuilt()
  writeReport(options.out, { json, html })
  say(`written: ${join(options.out, REPORT_FILES.html)} and ${REPORT_FILES.json} beside it`)
  return EXIT.done
}

async function websOf(
  crawls: readonly OpenCrawl[],
  options: SimulateOptions,
  say: (text: string) => void,
): Promise<{ readonly webs: readonly SubjectWeb[]; readonly judgedBy: JudgedBy }> {
  const webs: SubjectWeb[] = []
  let judgedBy: JudgedBy = 'nobody'
  for (const { world, name, about, job } of crawls) {
    say(`${name}: ${world.alive} pages, ${world.links.edges} links between them`)
    const found = await findSubjects({ ...options, ...about }, world, job)
    for (const warning of found.warnings) say(`warning: ${warning}`)
    judgedBy = found.judgedBy
    webs.push({ world, subjects: crawls.length > 1 ? named(name, found.subjects) : found.subjects })
  }
  return { webs, judgedBy }
}

/** Topics of different webs may have the same name. */
function named(web: string, subjects: readonly Subject[]): Subject[] {
  return subjects.map(({ truth, ...rest }) => ({
    ...rest,
    truth: { ...truth, web, topic: `${web}/${truth.topic}` },
  }))
}

async function compareAll(options: SimulateOptions, webs: readonly SubjectWeb[]): Promise<Summary> {
  const subjects = webs.flatMap((web) => web.subjects)
  const { concurrency, perHost, delayMs, randomSeeds, quiet } = options
  const printer = new ProgressPrinter({ stream: process.stderr, clock: systemClock, quiet })
  try {
    return await compareOn(webs, {
      randomSeeds,
      entrants: entrantsFor(options, subjects),
      budget: budgetFor(options, subjects),
      politeness: { concurrency, perHost, delayMs },
      openFrontier: openReplayFrontier,
      onProgress: ({ done, total, topic, entrant }) =>
        printer.show(total === 0 ? 1 : done / total, `${entrant}, ${topic}`),
    })
  } finally {
    printer.end()
  }
}

function speeds({ contenders }: Summary): string {
  const each = contenders.map(
    ({ name, mean }) => `${name} ${showRate(mean.singles.pagesPerSecond)}`,
  )
  return each.join(', ')
}

/** Orderings that need a topic run only where there is one; to name one without is a mistake. */
function entrantsFor(
  { orderings, orderingsNamed, hostPolicies }: SimulateOptions,
  subjects: readonly Subject[],
): Entrant[] {
  const hasTopic = subjects.every(({ topic }) => topic !== null)
  const able = orderings.filter(({ ordering }) => hasTopic || ordering.focused !== true)
  if (orderingsNamed && able.length < orderings.length) {
    const names = orderings.filter((each) => !able.includes(each)).map(({ name }) => name)
    throw new InvalidInput(
      '--orderings',
      `${names.join(', ')} must know what to look for: ` +
        'give --topic, --keywords, --topic-model, --examples, --classifier or --topics',
    )
  }
  return able.flatMap((chosen) => hostPolicies.map((hostPolicy) => ({ ...chosen, hostPolicy })))
}

/** A share that is the same for all topics, and never more than the pages that were asked for. */
function budgetFor({ budget }: SimulateOptions, subjects: readonly Subject[]): number {
  if ('share' in budget) return budget.share
  const reachable = subjects.map(({ truth }) => truth.reachable.reduce((sum, is) => sum + is, 0))
  return Math.min(1, budget.pages / Math.max(1, ...reachable))
}

function refuseOverwriting({ out, force }: SimulateOptions): void {
  if (out === null) return
  if (!hasSavedPage('report')) throw notBuilt()
  if (force) return
  const there = Object.values(REPORT_FILES).find((name) => existsSync(join(out, name)))
  if (there === undefined) return
  throw new InvalidInput('--out', `${join(out, there)} is there already; --force writes over it`)
}

function notBuilt(): InvalidInput {
  return new InvalidInput('--out', `a report needs the dashboard. ${NOT_BUILT}`)
}

function writeReport(folder: string, texts: Readonly<Record<'html' | 'json', string>>): void {
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, REPORT_FILES.html), texts.html)
    writeFileSync(join(folder, REPORT_FILES.json), texts.json)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new InvalidInput('--out', `the report cannot be written: ${why}`)
  }
}

type OpenCrawl = StoredWeb & {
  /** What it is about, where it brings that along. */
  readonly about: { readonly topicsFile: NamedFile; readonly truthFile: NamedFile } | null
}

/** A small web made up for the purpose, with topics and the truth about them. */
export function openSample(name: SampleName): OpenCrawl {
  const web = SAMPLE_WEBS[name]()
  return {
    name,
    job: { seeds: [web.seed], topic: null, settings: DEFAULT_SETTINGS },
    world: makeWorld(web.pages),
    about: {
      topicsFile: { name: `topics of ${name}`, text: sampleTopics(web) },
      truthFile: { name: `truth of ${name}`, text: sampleTruth(web) },
    },
    [Symbol.asyncDispose]: async () => {},
  }
}
