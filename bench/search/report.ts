// What a comparison found, as tables.
import { markdownTable } from '../table.ts'
import type { Outcome } from './contenders.ts'
import type { JudgedQueries } from './judged-queries.ts'
import { type Measures, meanOf } from './metrics.ts'

const COLUMNS: readonly (readonly [name: string, of: keyof Measures])[] = [
  ['nDCG@10', 'ndcg10'],
  ['MRR@10', 'mrr10'],
  ['MAP', 'map'],
  ['recall@100', 'recall100'],
  ['recall@1000', 'recall1000'],
]

/** Better and worse: queries whose first useful hit moved within the best ten, beside the first row. */
export function comparison(outcomes: readonly Outcome[]): string {
  const [plain] = outcomes
  const head = ['', ...COLUMNS.map(([name]) => name), 'better', 'worse', 'ms']
  const rows = outcomes.map((outcome) => {
    const mean = meanOf(outcome.measures)
    const figures = COLUMNS.map(([, of]) => mean[of].toFixed(4))
    return [outcome.contender.name, ...figures, ...moved(outcome, plain), middle(outcome.times)]
  })
  return markdownTable(head, rows)
}

function moved({ measures }: Outcome, plain: Outcome | undefined): [string, string] {
  const steps = measures.map(({ mrr10 }, at) => mrr10 - (plain?.measures[at]?.mrr10 ?? mrr10))
  const count = (which: (step: number) => boolean) => String(steps.filter(which).length)
  return [count((step) => step > 0), count((step) => step < 0)]
}

function middle(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  return (sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1)
}

/** The first queries whose page is not among the best ten. */
export function failures({ measures }: Outcome, queries: JudgedQueries, most: number): string {
  const missed = queries.topics.filter((_, at) => measures[at]?.mrr10 === 0).slice(0, most)
  const wanted = (id: string) => [...(queries.judgements.get(id)?.keys() ?? [])].join(' ')
  return missed.map(({ id, text }) => `${text}\t${wanted(id)}\n`).join('')
}
