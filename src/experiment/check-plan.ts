// Checks the measures that a plan names, and the options of every cell by the rules of a crawl, before the first
// cell runs.
import { InvalidInput, shown } from '../core/errors.ts'
import { nearest } from '../lib/edit-steps.ts'
import { BadOptions } from '../options/bad-options.ts'
import { SAMPLE_NAMES } from '../simulate/sample/sample-names.ts'
import { SAMPLE_WEBS } from '../simulate/sample/sample-webs.ts'
import {
  type Choices,
  type Kind,
  type MeasureRef,
  type Plan,
  refText,
  shareText,
} from './experiment.ts'
import { cellsOf } from './grid.ts'
import { curvesAlong, thresholdsFor, thresholdText } from './measure-order.ts'
import { throwProblems } from './plan.ts'
import { ROLES } from './process-usage.ts'
import { replayOptions } from './simulated-cell.ts'
import { readOptions } from './subject.ts'
import { withMadeTopic } from './webs.ts'

type Problem = { readonly at: string; readonly message: string }

/** What the experiment itself decides. */
const REFUSED: Readonly<Record<string, string>> = {
  data: 'results have a folder of their own; what is crawled is "web"',
  frontier: 'cells run in a folder of their own',
  name: 'cells are named after their levels',
  fresh: 'every cell begins from scratch',
  index: 'no cell keeps a search index',
}
const ANY_SEED = 'http://example.com/'

/** InvalidInput with all problems at once. */
export async function checkPlan(plan: Plan, file: string, cwd: string): Promise<void> {
  const problems: Problem[] = measureProblems(plan)
  const checked = new Set<string>()
  const made = plan.web.from === 'sample' ? SAMPLE_WEBS[sampleOf(plan.web.sample)]() : null
  for (const { options } of cellsOf(plan, { cwd })) {
    const text = JSON.stringify(options)
    if (checked.has(text)) continue
    checked.add(text)
    problems.push(...ownProblems(options, plan))
    const whole = plan.kind === 'simulate' ? replayOptions(options) : options
    problems.push(...(await crawlProblems(withMadeTopic(whole, made), plan, cwd)))
  }
  throwProblems(file, problems)
}

function sampleOf(name: string) {
  return SAMPLE_NAMES.find((known) => known === name) ?? SAMPLE_NAMES[0]
}

async function crawlProblems(options: Choices, { web }: Plan, cwd: string): Promise<Problem[]> {
  const own = Object.keys(REFUSED)
  const known = Object.fromEntries(Object.entries(options).filter(([name]) => !own.includes(name)))
  try {
    await readOptions(known, seedsOf(known, web), cwd)
    return []
  } catch (error) {
    if (error instanceof BadOptions) return [...error.problems]
    if (error instanceof InvalidInput) return [{ at: error.at, message: error.message }]
    throw error
  }
}

function seedsOf({ seeds }: Choices, web: Plan['web']): readonly string[] {
  if (Array.isArray(seeds)) return seeds.map(String)
  return web.from === 'seeds' ? web.seeds : [ANY_SEED]
}

function ownProblems(options: Choices, { kind, web }: Plan): Problem[] {
  const problems: Problem[] = []
  for (const [name, why] of Object.entries(REFUSED)) {
    if (Object.hasOwn(options, name))
      problems.push({ at: name, message: `cannot be chosen: ${why}` })
  }
  for (const name of ['bandwidth', 'bandwidthPerConnection'] as const) {
    problems.push(...inRange(name, options[name], { min: 1, max: 10_000_000, of: 'kB/s' }))
  }
  problems.push(...inRange('latency', options.latency, { min: 0, max: 60_000, of: 'ms' }))
  const { budget } = options
  if (budget !== undefined && !/^\d{1,3}(?:\.\d+)?%$/.test(String(budget))) {
    problems.push({ at: 'budget', message: `needs a share such as 20%, not ${shown(budget)}` })
  }
  if (budget !== undefined && kind === 'crawl') {
    problems.push({ at: 'budget', message: 'is for simulated crawls; give maxPages or duration' })
  }
  const isShaped = ['bandwidth', 'bandwidthPerConnection', 'latency'].some((name) =>
    Object.hasOwn(options, name),
  )
  if (isShaped && Object.hasOwn(options, 'proxy')) {
    problems.push({ at: 'proxy', message: 'bandwidth and latency are limited by a proxy of ours' })
  }
  const isMade = web.from === 'sample' || web.from === 'hosts'
  if (isMade && Object.hasOwn(options, 'seeds')) {
    problems.push({ at: 'seeds', message: 'a sample web has seeds of its own' })
  }
  return problems
}

function inRange(
  at: string,
  value: unknown,
  { min, max, of }: { readonly min: number; readonly max: number; readonly of: string },
): Problem[] {
  const isFine = typeof value === 'number' && value >= min && value <= max
  if (value === undefined || isFine) return []
  return [{ at, message: `needs a number of ${of} from ${min} to ${max}, not ${shown(value)}` }]
}

type Known = Pick<Plan, 'kind' | 'models'>

/** Names shown of a measure that is known with other particulars. */
const MOST_SHOWN = 8

/** What a plan's crawls measure, by name, so that a misspelt column is refused before the first crawl. */
function measureProblems(plan: Pick<Plan, 'kind' | 'models' | 'tables' | 'figures'>) {
  const measures = new Names(measuresOf(plan), measuresOf({ ...plan, kind: otherKind(plan) }))
  const curves = new Names(curvesOf(plan), curvesOf({ ...plan, kind: otherKind(plan) }))
  const problems: Problem[] = []
  for (const [number, { columns }] of (plan.tables ?? []).entries()) {
    for (const [at, ref] of columns.entries()) {
      problems.push(...measures.problems(ref, `tables[${number}].columns[${at}]`, plan.kind))
    }
  }
  for (const [number, { bars, curve, of }] of (plan.figures ?? []).entries()) {
    const at = `figures[${number}]`
    problems.push(
      ...(bars === null
        ? curves.problems({ measure: curve, of, at: '' }, `${at}.curve`, plan.kind)
        : measures.problems(bars, `${at}.bars`, plan.kind)),
    )
  }
  return problems
}

function otherKind({ kind }: Known): Kind {
  return kind === 'crawl' ? 'simulate' : 'crawl'
}

class Names {
  readonly #known: readonly string[]
  readonly #ofOtherKind: readonly string[]

  constructor(known: readonly string[], ofOtherKind: readonly string[]) {
    this.#known = known
    this.#ofOtherKind = ofOtherKind
  }

  problems(ref: MeasureRef, at: string, kind: Kind): Problem[] {
    const text = refText(ref)
    if (this.#known.includes(text)) return []
    if (this.#ofOtherKind.includes(text)) {
      const other =
        kind === 'crawl' ? 'simulated crawls: "kind": "simulate"' : 'real crawls: "kind": "crawl"'
      return [{ at, message: `${shown(text)} needs ${other}` }]
    }
    const alike = this.#known.filter((name) => nameOf(name) === ref.measure)
    const some = alike.slice(0, MOST_SHOWN).join(', ')
    const more = alike.length > MOST_SHOWN ? ', …' : ''
    if (alike.length > 0) {
      return [
        { at, message: `${shown(text)} is not measured by this plan; there is ${some}${more}` },
      ]
    }
    const names = [...new Set(this.#known.map(nameOf))]
    const meant = nearest(ref.measure.slice(0, 40), names)
    const hint = meant === null ? `known are ${names.join(', ')}` : `did you mean ${meant}?`
    return [{ at, message: `there is no ${shown(ref.measure)}; ${hint}` }]
  }
}

function nameOf(text: string): string {
  return text.split(/[/@]/, 1)[0] ?? ''
}

function measuresOf({ kind, models }: Known): string[] {
  const stops = models.stops.map(shareText)
  return [
    ...(kind === 'crawl' ? REAL_MEASURES : SIMULATED_MEASURES),
    'nauc20',
    ...curvesAlong.flatMap((name) => stops.map((stop) => `${name}@${stop}`)),
    ...models.importance.flatMap((metric) => [
      ...stops.map((stop) => `p_cs/${metric}@${stop}`),
      ...thresholdsFor(metric, models).flatMap((threshold) =>
        stops.map((stop) => `p_st/${metric}@${thresholdText(threshold)}/${stop}`),
      ),
      ...models.buffers.map((share) => `p_bc/${metric}@${shareText(share)}`),
    ]),
  ]
}

function curvesOf({ kind, models }: Known): string[] {
  return [
    ...['pages', ...curvesAlong],
    ...(kind === 'crawl' ? REAL_CURVES : []),
    ...models.importance.flatMap((metric) => [
      `p_cs/${metric}`,
      ...thresholdsFor(metric, models).map((each) => `p_st/${metric}@${thresholdText(each)}`),
    ]),
  ]
}

const SIMULATED_MEASURES = ['pages', 'reachable', 'virtual_seconds', 'virtual_pages_per_second']
const OF_PROCESSES = ['cpu_cores', 'cpu_ms_per_page', 'memory_peak', 'memory_mean']
const REAL_MEASURES = [
  ...['pages', 'seconds', 'pages_per_second', 'bytes', 'hosts', 'failed', 'queued', 'jain'],
  ...['hot', 'harvest', 'harvest/topic', 'cpu_per_worker', 'memory_per_worker'],
  ...['download', 'parse', 'queue'].map((stage) => `stage_ms/${stage}`),
  ...OF_PROCESSES.flatMap((name) => ['all', ...ROLES].map((role) => `${name}/${role}`)),
]
const REAL_CURVES = ['harvest/topic', ...ROLES.flatMap((role) => [`cpu/${role}`, `memory/${role}`])]
