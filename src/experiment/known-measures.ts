// What a plan's crawls measure, by name, so that a misspelt column is refused before the first crawl.
import { shown } from '../core/errors.ts'
import { nearest } from '../lib/edit-steps.ts'
import { type Kind, type MeasureRef, type Plan, refText, shareText } from './experiment.ts'
import { curvesAlong, thresholdsFor, thresholdText } from './measure-order.ts'
import { ROLES } from './process-usage.ts'

type Problem = { readonly at: string; readonly message: string }
type Known = Pick<Plan, 'kind' | 'models'>

/** Names shown of a measure that is known with other particulars. */
const MOST_SHOWN = 8

export function measureProblems(plan: Pick<Plan, 'kind' | 'models' | 'tables' | 'figures'>) {
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
