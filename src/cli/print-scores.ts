// How good a classifier is, as tables for people and as JSON.
import type { CrossValidated, Spread } from '../topic/cross-validation.ts'
import type { LabelScore, Scores } from '../topic/scores.ts'
import { type Column, table } from './table.ts'

/** A label's name in the confusion table's columns would make it wider than any terminal. */
const MAX_LABEL_CELLS = 28

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

export function crossValidationTable(results: readonly CrossValidated[]): string {
  const spread = ({ mean, deviation }: Spread) =>
    `${(100 * mean).toFixed(1)} ± ${(100 * deviation).toFixed(1)} %`
  const columns: Column<CrossValidated>[] = [
    { title: 'method', of: ({ method }) => method },
    { title: 'accuracy', of: ({ accuracy }) => spread(accuracy), align: 'right' },
    { title: 'macro-F1', of: ({ macroF1 }) => spread(macroF1), align: 'right' },
  ]
  return table(columns, results)
}

/** `tells` gives what stands beside each label: its words. */
export function labelTable(scores: Scores, tells?: (label: string) => string): string {
  const columns: Column<LabelScore>[] = [
    { title: 'label', of: ({ label }) => label, max: MAX_LABEL_CELLS },
    { title: 'texts', of: ({ texts }) => String(texts), align: 'right' },
    { title: 'precision', of: ({ precision }) => percent(precision), align: 'right' },
    { title: 'recall', of: ({ recall }) => percent(recall), align: 'right' },
    { title: 'F1', of: ({ f1 }) => percent(f1), align: 'right' },
  ]
  if (tells === undefined) return table(columns, scores.labels)
  const words: Column<LabelScore> = {
    title: 'telling words',
    of: ({ label }) => tells(label),
    max: 80,
  }
  return table([...columns, words], scores.labels)
}

type ConfusionRow = {
  readonly at: number
  readonly label: string
  readonly counts: readonly number[]
}

/** Rows are true labels, columns the labels given, by number. */
export function confusionTable({ labels, confusion }: Scores): string {
  const rows = labels.map(({ label }, at) => ({ at, label, counts: confusion[at] ?? [] }))
  const columns: Column<ConfusionRow>[] = [
    { title: '', of: ({ at }) => String(at + 1), align: 'right' },
    { title: 'true label', of: ({ label }) => label, max: MAX_LABEL_CELLS },
    ...labels.map((_, given): Column<ConfusionRow> => {
      const of = ({ counts }: ConfusionRow) => shownCount(counts[given] ?? 0)
      return { title: String(given + 1), of, align: 'right', min: 3 }
    }),
  ]
  return table(columns, rows)
}

/** Nothing is easier to overlook than a 0, and most are. */
function shownCount(count: number): string {
  return count === 0 ? '·' : String(count)
}

function scoresJson({ texts, accuracy, macroF1, labels, confusion }: Scores) {
  return { texts, accuracy, macro_f1: macroF1, labels, confusion }
}

export function crossValidationJson({ method, accuracy, macroF1, pooled }: CrossValidated) {
  return {
    method,
    accuracy: accuracy.mean,
    accuracy_deviation: accuracy.deviation,
    macro_f1: macroF1.mean,
    macro_f1_deviation: macroF1.deviation,
    pooled: scoresJson(pooled),
  }
}
