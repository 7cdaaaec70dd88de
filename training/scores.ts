// What a choice of blocks is worth, per set and per kind of page.
import {
  snippetCounts,
  totalOfShingles,
  totalOfSnippets,
  totalOfWords,
} from '../bench/extraction/metrics.ts'
import { chooseContent } from '../src/parser/content/choose-content.ts'
import { CLASSES, claimOf } from '../src/parser/content/page-kinds.ts'
import { FEATURES } from '../src/parser/features/block-features.ts'
import type { Dataset } from './dataset.ts'
import { type LabelledPage, readPage } from './labelled-page.ts'
import { createMeasure, type Score, scaled, scoreOf } from './metrics.ts'

const percent = (value: number): string => (100 * value).toFixed(1).padStart(5)

/** Chooses by these probabilities and prints what that gives. */
export function printScores(
  pages: readonly LabelledPage[],
  data: Dataset,
  probabilities: Float32Array,
): void {
  const chosen = pages.map((page, at) => choose(page, data, probabilities, at))
  for (const set of new Set(pages.map((page) => page.set))) {
    // Of some sets only the kind is known.
    if (!pages.some((page) => page.set === set && page.labels.some((label) => label >= 0))) continue
    const rows = [...pages.entries()].filter(([, page]) => page.set === set)
    const kinds = [...new Set(rows.map(([, page]) => page.truth.kind))].sort()
    const lines = [
      ['all', rows] as const,
      ...kinds.map((kind) => [kind, rows.filter(([, page]) => page.truth.kind === kind)] as const),
    ]
    const f1s: number[] = []
    for (const [name, some] of kinds.length > 1 ? lines : lines.slice(0, 1)) {
      const { score, lost } = scoreSome(some, chosen)
      if (name !== 'all') f1s.push(score.f1)
      process.stdout.write(
        `${(name === 'all' ? set : `  ${name}`).padEnd(18)}${String(some.length).padStart(5)}  F1 ${score.f1.toFixed(4)}  P ${score.precision.toFixed(3)}  R ${score.recall.toFixed(3)}  lost ${percent(lost)} %\n`,
      )
    }
    if (f1s.length > 1)
      process.stdout.write(
        `  mean over kinds        F1 ${(f1s.reduce((a, b) => a + b, 0) / f1s.length).toFixed(4)}\n`,
      )
  }
}

function scoreSome(
  some: readonly (readonly [number, LabelledPage])[],
  chosen: readonly Uint8Array[],
): { score: Score; lost: number } {
  const metric = some[0]?.[1].metric ?? 'word'
  const lost: number[] = []
  const measured = some.map(([at, page]) => {
    const list = chosen[at] ?? new Uint8Array(0)
    if (metric === 'snippet') {
      const text = page.texts.filter((_, row) => list[row] === 1).join('\n')
      return snippetCounts(
        page.truth.snippets?.required ?? [],
        page.truth.snippets?.forbidden ?? [],
        text,
      )
    }
    const truth = page.truth.text ?? ''
    const word = createMeasure(page.texts, truth, { metric: 'word', dense: page.dense })(list)
    if (truth !== '') lost.push(scoreOf(word).recall < 0.5 ? 1 : 0)
    return metric === 'word'
      ? word
      : scaled(createMeasure(page.texts, truth, { metric, dense: page.dense })(list))
  })
  const total =
    metric === 'snippet'
      ? totalOfSnippets(measured)
      : metric === 'shingle'
        ? totalOfShingles(measured)
        : totalOfWords(measured.map(scoreOf))
  return { score: total, lost: lost.reduce((a, b) => a + b, 0) / Math.max(1, lost.length) }
}

/** As the parser does it. */
function choose(
  page: LabelledPage,
  { blocks, starts }: Dataset,
  probabilities: Float32Array,
  at: number,
): Uint8Array {
  const from = starts[at] ?? 0
  const columns = blocks.map((column) => column.subarray(from, starts[at + 1]))
  const chosen = new Uint8Array(page.texts.length)
  const { reading, signs } = readPage(page.truth)
  const { outline, text } = reading
  chooseContent({
    probabilities: probabilities.slice(from, starts[at + 1]),
    words: columns[0] ?? new Float32Array(0),
    count: chosen.length,
    chosen,
    outline,
    bytes: text.bytes,
    heading: columns[FEATURES.indexOf('heading')] ?? new Float32Array(0),
    classes: CLASSES.map((_, name) => columns[FEATURES.length + name]?.[0] ?? 0),
    claim: claimOf(signs),
  })
  return chosen
}
