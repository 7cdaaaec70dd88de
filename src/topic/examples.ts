// Many counted texts as one table, with a row per text and a column per term. Training runs over it many
// times, so it consists of flat arrays.
import { seededRandom, shuffledNumbers } from '../lib/seeded-random.ts'
import { TermTable } from '../text/term-table.ts'
import type { TermId } from '../text/text.ts'

export type Example = {
  readonly counts: TermTable
  /** An index in the list of labels. */
  readonly label: number
}

export type Examples = {
  readonly labels: readonly string[]
  /** By text. */
  readonly labelOf: Int32Array
  /** Number of texts by label. */
  readonly textsPerLabel: Float64Array
  /** By column. */
  readonly terms: Int32Array
  /** By column: number of texts that have the term. */
  readonly textsWith: Int32Array
  /** Text n has the cells from starts[n] to starts[n + 1], exclusive. */
  readonly starts: Int32Array
  /** By cell. */
  readonly columns: Int32Array
  readonly counts: Float64Array
  /** Number of terms left out because there were too many. */
  readonly prunedTerms: number
}

/** Limit of numbers in a model, terms times labels: some 9 MB as a file. */
const MAX_WEIGHTS = 800_000
const MAX_TERMS = 100_000

export function createExamples(labels: readonly string[], examples: readonly Example[]): Examples {
  const frequencies = new TermTable(1024)
  for (const { counts } of examples) for (const id of counts.ids) frequencies.add(id, 1)
  const { kept, columnOf } = chooseTerms(frequencies, labels.length)
  const textsPerLabel = new Float64Array(labels.length)
  const labelOf = Int32Array.from(examples, ({ label }) => label)
  for (const label of labelOf) textsPerLabel[label] = (textsPerLabel[label] ?? 0) + 1
  return {
    labels,
    labelOf,
    textsPerLabel,
    terms: kept,
    textsWith: Int32Array.from(kept, (id) => frequencies.get(id)),
    ...cellsOf(examples, columnOf),
    prunedTerms: frequencies.size - kept.length,
  }
}

type Terms = {
  readonly kept: Int32Array
  /** 1 for the first column; 0 for a term that was left out. */
  readonly columnOf: TermTable
}

/** All terms in the order they appeared, or those that most texts have. */
function chooseTerms(frequencies: TermTable, labels: number): Terms {
  const most = Math.min(MAX_TERMS, Math.max(1, Math.floor(MAX_WEIGHTS / labels)))
  let kept = frequencies.ids.slice()
  if (kept.length > most) {
    const common = (a: TermId, b: TermId) => frequencies.get(b) - frequencies.get(a)
    kept = Int32Array.from([...kept].sort(common).slice(0, most))
  }
  const columnOf = new TermTable(kept.length)
  for (let column = 0; column < kept.length; column++) columnOf.set(kept[column] ?? 0, column + 1)
  return { kept, columnOf }
}

function cellsOf(
  examples: readonly Example[],
  columnOf: TermTable,
): Pick<Examples, 'starts' | 'columns' | 'counts'> {
  const room = examples.reduce((sum, { counts }) => sum + counts.size, 0)
  const starts = new Int32Array(examples.length + 1)
  const columns = new Int32Array(room)
  const counts = new Float64Array(room)
  let cell = 0
  for (let text = 0; text < examples.length; text++) {
    const { ids, values } = examples[text]?.counts ?? new TermTable()
    for (let at = 0; at < ids.length; at++) {
      const column = columnOf.get(ids[at] ?? 0) - 1
      if (column < 0) continue
      columns[cell] = column
      counts[cell++] = values[at] ?? 0
    }
    starts[text + 1] = cell
  }
  return { starts, columns: columns.subarray(0, cell), counts: counts.subarray(0, cell) }
}

/** The sum of the cells' values by column and label: column × labels + label. */
export function sumByLabel(examples: Examples, values: Float64Array): Float64Array {
  const { labels, labelOf, starts, columns, terms } = examples
  const sums = new Float64Array(terms.length * labels.length)
  for (let text = 0; text < labelOf.length; text++) {
    const label = labelOf[text] ?? 0
    const end = starts[text + 1] ?? 0
    for (let cell = starts[text] ?? 0; cell < end; cell++) {
      const at = (columns[cell] ?? 0) * labels.length + label
      sums[at] = (sums[at] ?? 0) + (values[cell] ?? 0)
    }
  }
  return sums
}

/** Some of the texts, with the same columns; a column without texts is empty. */
export function selectTexts(examples: Examples, chosen: Uint32Array): Examples {
  const { starts, columns, counts, labelOf, textsPerLabel, textsWith } = examples
  const room = chosen.reduce((sum, text) => sum + (starts[text + 1] ?? 0) - (starts[text] ?? 0), 0)
  const selected = {
    starts: new Int32Array(chosen.length + 1),
    columns: new Int32Array(room),
    counts: new Float64Array(room),
    labelOf: Int32Array.from(chosen, (text) => labelOf[text] ?? 0),
    textsPerLabel: new Float64Array(textsPerLabel.length),
    textsWith: new Int32Array(textsWith.length),
  }
  let at = 0
  for (const [turn, text] of chosen.entries()) {
    const [begin, end] = [starts[text] ?? 0, starts[text + 1] ?? 0]
    selected.columns.set(columns.subarray(begin, end), at)
    selected.counts.set(counts.subarray(begin, end), at)
    at += end - begin
    selected.starts[turn + 1] = at
    const label = labelOf[text] ?? 0
    selected.textsPerLabel[label] = (selected.textsPerLabel[label] ?? 0) + 1
  }
  for (const column of selected.columns) {
    selected.textsWith[column] = (selected.textsWith[column] ?? 0) + 1
  }
  return { ...examples, ...selected }
}

/** The counts of one text as a table. */
export function countsOf({ starts, columns, counts, terms }: Examples, text: number): TermTable {
  const [begin, end] = [starts[text] ?? 0, starts[text + 1] ?? 0]
  const table = new TermTable(end - begin)
  for (let cell = begin; cell < end; cell++) {
    table.set(terms[columns[cell] ?? 0] ?? 0, counts[cell] ?? 0)
  }
  return table
}

/**
 * Folds of labelled texts, each to be judged by what was learned from the others: the fold of each text,
 * from 0; every fold has its share of every label. The seed decides which.
 */
export function stratifiedFolds(labelOf: Int32Array, folds: number, seed: number): Uint32Array {
  const order = shuffledNumbers(labelOf.length, seededRandom(seed))
  const byLabel = order.sort((a, b) => (labelOf[a] ?? 0) - (labelOf[b] ?? 0))
  const foldOf = new Uint32Array(labelOf.length)
  // The counter continues over all labels; if it restarted, small labels would all be in the first folds.
  for (const [turn, text] of byLabel.entries()) foldOf[text] = turn % folds
  return foldOf
}

type Split = { readonly learned: Uint32Array; readonly judged: Uint32Array }

/** One fold to judge, the others to learn from. */
export function splitAt(foldOf: Uint32Array, fold: number): Split {
  const learned: number[] = []
  const judged: number[] = []
  for (const [text, own] of foldOf.entries()) (own === fold ? judged : learned).push(text)
  return { learned: Uint32Array.from(learned), judged: Uint32Array.from(judged) }
}
