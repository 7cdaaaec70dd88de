// `jelajah experiment`: runs the crawls of a plan, and writes tables, figures and a report.
import { existsSync, globSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { InvalidInput, Refused, shown } from '../core/errors.ts'
import { LANGUAGES, type Language } from '../core/languages.ts'
import { isServerUrl } from '../core/workspace-url.ts'
import { type DoneCell, type Plan, refText } from '../experiment/experiment.ts'
import { countCells } from '../experiment/grid.ts'
import type { PlanChanges } from '../experiment/plan.ts'
import type { ResultTable } from '../experiment/results.ts'
import { systemClock } from '../lib/clock.ts'
import { showTook } from '../lib/format.ts'
import { StopSignals } from '../lib/stop-signals.ts'
import { safeText } from '../lib/terminal.ts'
import { Problems } from '../options/bad-options.ts'
import { type ChosenBy, choice, flag, list, number, text } from '../options/option.ts'
import { whyUnreadable } from '../options/topic-files.ts'
import { SAMPLE_NAMES } from '../simulate/sample/sample-names.ts'
import { parseArgs, refuseWords } from './args.ts'
import type { Command } from './command.ts'
import { commandLine } from './command.ts'
import { JSON_OUTPUT, QUIET } from './common-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { ProgressPrinter } from './progress-printer.ts'
import { readOptions, readSources, type Surroundings } from './sources.ts'
import { type Column, table } from './table.ts'

const OPTIONS = [
  text({
    name: 'out',
    value: 'FOLDER',
    default: 'jelajah-experiments/NAME',
    help: 'where results are kept; the same folder continues an experiment that was interrupted',
  }),
  list({
    name: 'web',
    value: 'WEB',
    help:
      'crawl another web than that of the plan: a folder with a crawl, URLs to start from, or one of ' +
      SAMPLE_NAMES.join(', '),
    to: (written) => ({ web: written }),
  }),
  text({
    name: 'crawl',
    value: 'ID|NAME',
    default: 'the newest',
    help: 'which crawl of the folder that --web names',
  }),
  list({
    name: 'set',
    value: 'NAME=VALUE',
    help:
      'change an option of the plan, or the levels of a factor: ordering=opic, ' +
      'ordering=["opic","location"]',
    to: (written) => ({ set: written.map(settingOf) }),
  }),
  number({ name: 'repeats', min: 1, max: 1000, help: 'so many instead of those of the plan' }),
  flag({ name: 'fresh', help: 'forget results that are there, and run every cell again' }),
  choice({
    name: 'language',
    choices: LANGUAGES,
    default: 'en',
    help: 'of report and tables',
    ignoresVariable: (written) => !LANGUAGES.some((known) => known === written),
  }),
  { ...JSON_OUTPUT, help: 'print all results as JSON instead of tables' },
  QUIET,
] as const

type Choices = ChosenBy<typeof OPTIONS>

export const command: Command = {
  usage: '<plan.json|NAME> [options]',
  options: OPTIONS,
  examples: [
    ['experiment stop-models', 'a plan that comes with Jelajah; without a name they are listed'],
    ['experiment my-plan.json --out results', 'a plan of your own'],
    ['experiment stop-models --web ./news', 'on a crawl of your own'],
    ['experiment four-queries --set duration=5 --repeats 2', 'with other settings'],
  ],
  run: (argv, around, out) => runCommand(parseExperiment(argv, around), out),
}

type ExperimentCommand = ReturnType<typeof parseExperiment>

const DEFAULTS = { fresh: false, json: false, quiet: false, set: [], web: [], crawl: null }

export function parseExperiment(argv: readonly string[], around: Surroundings) {
  const problems = new Problems()
  const args = parseArgs(argv, OPTIONS, problems)
  refuseWords(args, 1, problems)
  const sources = readSources(args, around, problems, { withFile: false })
  const chosen: Partial<Choices> = readOptions<Choices>(OPTIONS, sources, problems)
  const [plan = null] = args.words
  problems.throwIfAny()
  const language: Language = chosen.language ?? 'en'
  const { cwd } = around
  return {
    ...DEFAULTS,
    ...chosen,
    ...{ plan, language, cwd, repeats: chosen.repeats ?? null },
    out: chosen.out === undefined ? null : resolve(cwd, chosen.out),
    command: commandLine('experiment', ...argv),
    madeBy: commandLine(
      'experiment',
      ...argv.filter((word, at) => !isOfThisRun(word, argv[at - 1])),
    ),
  }
}

async function runCommand(options: ExperimentCommand, out: Output): Promise<ExitCode> {
  if (options.plan === null) {
    await out.write(bundledList())
    return EXIT.done
  }
  const { readPlan } = await import('../experiment/plan.ts')
  const { checkPlan } = await import('../experiment/check-plan.ts')
  const file = planFile(options.plan, options.cwd)
  const plan = readPlan(readText(file), basename(file), changesOf(options))
  // Files that a plan names are found beside it.
  await checkPlan(plan, basename(file), dirname(file))
  const folder = options.out ?? resolve(options.cwd, 'jelajah-experiments', plan.name)
  if (options.fresh) rmSync(join(folder, 'cells'), { recursive: true, force: true })
  return runIn(folder, { ...options, plan, planFolder: dirname(file) }, out)
}

type Wanted = Omit<ExperimentCommand, 'plan'> & {
  readonly plan: Plan
  readonly planFolder: string
}

async function runIn(folder: string, options: Wanted, out: Output): Promise<ExitCode> {
  const { openLock } = await import('../db/lock.ts')
  const { runExperiment } = await import('../experiment/run-experiment.ts')
  const { experimentJson, writeOutputs } = await import('../experiment/outputs.ts')
  const { tablesOf } = await import('../experiment/results.ts')
  const { plan, language, command, madeBy } = options
  const say = (text: string): void => {
    if (!options.quiet) out.warn(`${safeText(text)}\n`)
  }
  await using lock = await openLock(join(folder, 'lock'))
  if (lock === null) {
    throw new InvalidInput('--out', `another experiment runs in ${shown(folder)}`)
  }
  const startedAt = Date.now()
  using signals = new StopSignals({ onLeave: () => say('leaving at once') })
  const printer = new CellPrinter(plan, { quiet: options.quiet, say })
  try {
    const cells = await runExperiment({
      ...{ plan, folder, cwd: options.planFolder, signal: signals.signal, watcher: printer },
    })
    printer.end()
    const run = { plan, cells, language, command: madeBy }
    const notes = { command, startedAt, endedAt: Date.now(), seconds: printer.seconds }
    await writeOutputs(folder, run, notes)
    const shownTables = tablesOf(plan, cells)
      .map((each) => tableText(each))
      .join('\n')
    await out.write(options.json ? `${JSON.stringify(experimentJson(run))}\n` : shownTables)
    say(`written: ${folder}`)
    return EXIT.done
  } catch (error) {
    printer.end()
    if (!signals.signal.aborted) throw error
    say(`stopped; the same command continues: ${command}`)
    return EXIT.interrupted
  }
}

/** Seen from a checkout and from the package. */
const BUNDLED = ['../../experiments', '../../../experiments'].map((path) =>
  join(import.meta.dirname, path),
)

/** Plans that come with the program. */
function bundledFolder(): string | null {
  return BUNDLED.find((folder) => existsSync(folder)) ?? null
}

function bundledNames(): string[] {
  const folder = bundledFolder()
  if (folder === null) return []
  return globSync('*.json', { cwd: folder })
    .map((file) => file.slice(0, -'.json'.length))
    .sort()
}

function bundledList(): string {
  const names = bundledNames()
  const widest = Math.max(...names.map((name) => name.length))
  const lines = names.map(
    (name) => `  jelajah experiment ${name.padEnd(widest)}  ${titleOf(name)}\n`,
  )
  return `Plans that come with Jelajah:\n${lines.join('')}A plan of your own is a file: jelajah experiment plan.json\n`
}

function titleOf(name: string): string {
  const text = readText(join(bundledFolder() ?? '', `${name}.json`))
  return /"title": "([^"]*)"/.exec(text)?.[1] ?? ''
}

function planFile(written: string, cwd: string): string {
  const path = resolve(cwd, written)
  // A folder of results may have the name of the plan.
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path
  const folder = bundledFolder()
  if (folder !== null && bundledNames().includes(written)) return join(folder, `${written}.json`)
  const known = bundledNames().join(', ')
  throw new InvalidInput(
    'plan',
    `there is no file ${shown(written)}, and no plan of that name: ${known}`,
  )
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new InvalidInput('plan', `${file} ${whyUnreadable(error)}`)
  }
}

/** What the command line changes in a plan. */
function changesOf({ web, crawl, set, repeats, cwd }: ExperimentCommand): PlanChanges {
  if (crawl !== null && web.length === 0) throw new InvalidInput('--crawl', 'needs --web FOLDER')
  return { web: webOf(web, crawl, cwd), set, repeats }
}

function webOf(written: readonly string[], crawl: string | null, cwd: string): unknown {
  const [first] = written
  if (first === undefined) return undefined
  if (/^https?:/i.test(first)) return { seeds: written }
  if (written.length > 1) throw new InvalidInput('--web', 'needs one folder, or URLs')
  if (SAMPLE_NAMES.some((name) => name === first)) return { sample: first }
  const data = isServerUrl(first) ? first : resolve(cwd, first)
  return crawl === null ? { data } : { data, crawl }
}

/** The value is JSON where it is, else a text. */
function settingOf(written: string): readonly [string, unknown] {
  const equals = written.indexOf('=')
  if (equals < 1) throw new Refused(`needs NAME=VALUE, not ${shown(written)}`)
  const value = written.slice(equals + 1).trim()
  try {
    return [written.slice(0, equals).trim(), JSON.parse(value)]
  } catch {
    return [written.slice(0, equals).trim(), value]
  }
}

/** Part of a flag that says where results go or what is printed, and changes no result. */
function isOfThisRun(word: string, before: string | undefined): boolean {
  return before === '--out' || /^(?:--(?:out|(?:no-)?(?:fresh|json|quiet))(?:=.*)?|-q)$/s.test(word)
}

const MEASURES_SHOWN = ['pages', 'pages_per_second', 'harvest', 'nauc20', 'p_cs']

/** What is printed: a row for each cell when it is done, and the tables at the end. */
class CellPrinter {
  /** By cell, in the order of the grid. */
  readonly seconds: (number | null)[] = []
  #done = 0
  readonly #plan: Plan
  readonly #total: number
  readonly #say: (text: string) => void
  readonly #progress: ProgressPrinter

  constructor(plan: Plan, { quiet, say }: { quiet: boolean; say: (text: string) => void }) {
    this.#plan = plan
    this.#total = countCells(plan)
    this.#say = say
    this.#progress = new ProgressPrinter({ stream: process.stderr, clock: systemClock, quiet })
    say(`${plan.title}: ${this.#total} cell${this.#total === 1 ? '' : 's'}`)
  }

  onNotice(text: string): void {
    this.#progress.end()
    this.#say(text)
  }

  onProgress({ labels, repeat }: DoneCell['cell'], share: number): void {
    const what = [...Object.values(labels), `repeat ${repeat + 1}`].join(', ')
    this.#progress.show((this.#done + share) / this.#total, what)
  }

  onDone({ cell, result }: DoneCell, seconds: number | null): void {
    this.seconds[cell.number - 1] = seconds
    this.#done++
    this.#progress.end()
    const width = String(this.#total).length
    const columns = this.#plan.factors.map(({ name, levels }) => {
      const widest = Math.max(...levels.map(({ label }) => label.length))
      return (cell.labels[name] ?? '').padEnd(widest)
    })
    const shownMeasures = MEASURES_SHOWN.flatMap((name) => {
      const found = result.measures.find(({ measure }) => measure === name)
      return found === undefined ? [] : [`${refText(found)} ${rounded(found.value)}`]
    })
    const took = seconds === null ? 'done before' : showTook(seconds)
    this.#say(
      `${String(this.#done).padStart(width)}/${this.#total}  ${columns.join('  ')}  ` +
        `${cell.repeat + 1}  ${took.padStart(6)}  ${shownMeasures.slice(0, 3).join('  ')}`,
    )
  }

  end(): void {
    this.#progress.end()
  }
}

function digitsOf(value: number): number {
  return Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
}

function shownValue(value: number): string {
  return Number.isFinite(value) ? value.toFixed(digitsOf(value)) : '–'
}

/** Counts stay whole. */
function rounded(value: number | null): string {
  return Number.isInteger(value) ? String(value) : shownValue(value ?? Number.NaN)
}

function tableText({ plan, columns, rows }: ResultTable): string {
  type Row = ResultTable['rows'][number]
  const left = plan.rows.map(
    (name): Column<Row> => ({ title: name, of: ({ labels }) => labels[name] ?? '' }),
  )
  const right = columns.map(
    ({ level, ...ref }, nth): Column<Row> => ({
      title: [level ?? '', refText(ref)].join(' ').trim(),
      align: 'right',
      of: ({ cells }) => {
        const { mean = Number.NaN, half = Number.NaN } = cells[nth] ?? {}
        const around = Number.isFinite(half) ? ` ± ${half.toFixed(digitsOf(mean))}` : ''
        return Number.isFinite(mean) ? `${shownValue(mean)}${around}` : '–'
      },
    }),
  )
  return `${plan.title}\n${table([...left, ...right], rows)}`
}
