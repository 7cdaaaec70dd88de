// Learns what main content is, from pages whose main content is known; writes the model the parser
// uses and prints what it is worth, measured on sites it had not seen. See README.md beside this.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { getDomain } from 'tldts'
import { readSets } from '../bench/extraction/data.ts'
import { FEATURES } from '../src/parser/content/features.ts'
import { encodeForest, type Forest } from '../src/parser/content/forest.ts'
import { ForestScorer } from '../src/parser/content/forest-scorer.ts'
import { CLASSES } from '../src/parser/content/kinds.ts'
import { PAGE_FEATURES } from '../src/parser/content/page-facts.ts'
import { binColumns } from './bins.ts'
import { readDataset } from './dataset.ts'
import { foldsOf } from './folds.ts'
import { trainForest } from './forest-trainer.ts'
import { type LabelledPage, labelledPages } from './labelled-page.ts'
import { modelSource } from './model-source.ts'
import { printScores } from './scores.ts'
import { WordCounts } from './word-scores.ts'

const FOLDS = 5
const SEED = 1
/** No fold: everything counts. */
const NONE = -1
const MODEL = new URL('../src/parser/content/model.ts', import.meta.url)

const KIND_FOREST = {
  trees: 70,
  depth: 4,
  learningRate: 0.1,
  l2: 3,
  minChildWeight: 3,
  rowShare: 0.7,
  featureShare: 0.3,
}
const BLOCK_FOREST = {
  trees: 300,
  depth: 6,
  learningRate: 0.12,
  l2: 5,
  minChildWeight: 20,
  rowShare: 0.7,
  featureShare: 0.4,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: true },
    trees: { type: 'string' },
    rate: { type: 'string' },
    save: { type: 'string' },
  },
})
const [folder] = positionals
if (folder === undefined) {
  process.stderr.write('usage: sh scripts/node training/train.ts DATA\n')
  process.exit(2)
}
const log = (text: string): void => {
  process.stderr.write(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${text}\n`)
}
const blockOptions = {
  ...BLOCK_FOREST,
  trees: Number(values.trees ?? BLOCK_FOREST.trees),
  learningRate: Number(values.rate ?? BLOCK_FOREST.learningRate),
}

log('reading pages')
const pages = labelledPages(readSets(folder, null))
const folds = foldsOf(
  pages.map(({ id, set, truth }) => ({
    id,
    url: truth.url,
    kind: `${set} ${truth.kind}`,
    text: truth.text,
  })),
  FOLDS,
  SEED,
)
const counts = new WordCounts()
for (const [at, page] of pages.entries()) {
  counts.add(page, getDomain(page.truth.url ?? '') ?? page.id, folds[at] ?? 0)
}
const words = counts.without(NONE)
log(
  `${pages.length} pages; ${words.hints.size} words of classes, ${words.lexicon.size} words of texts`,
)
const data = readDataset(pages, folds, (fold) => counts.without(fold))
log(
  `${data.pageOfRow.length} blocks, ${FEATURES.length} + ${CLASSES.length} features; ${PAGE_FEATURES.length} of pages`,
)

// Kinds first: what a page is tells what to look for in it.
const pageBins = binColumns(data.pages)
const kinds = CLASSES.map(() => new Float32Array(pages.length))
for (let fold = 0; fold < FOLDS; fold++)
  kindForests(fold).forEach((forest, at) => ask(forest, data.pages, folds, fold, kinds[at]))
normalise(kinds)
for (const [at, column] of kinds.entries()) {
  const target = data.blocks[FEATURES.length + at]
  if (target !== undefined)
    for (let row = 0; row < target.length; row++)
      target[row] = column[data.pageOfRow[row] ?? 0] ?? 0
}
log(`kinds told apart: ${(100 * accuracy()).toFixed(1)} %`)

const blockBins = binColumns(data.blocks)
const labels = new Float32Array(data.pageOfRow.length)
const weights = new Float32Array(data.pageOfRow.length)
for (const [at, page] of pages.entries()) {
  labels.set(page.labels, data.starts[at])
  weights.set(weightsOf(page), data.starts[at])
}
const rowFolds = Uint8Array.from(data.pageOfRow, (page) => folds[page] ?? 0)
const probabilities = new Float32Array(labels.length)
for (let fold = 0; fold < FOLDS; fold++) {
  const { forest } = blockForest(fold)
  ask(forest, data.blocks, rowFolds, fold, probabilities)
  log(`fold ${fold + 1} of ${FOLDS}`)
}
if (values.save !== undefined) writeFileSync(values.save, Buffer.from(probabilities.buffer))
printScores(pages, data, probabilities)

if (values.write) {
  // A page of the final model has been seen in training, but its kind is told without it.
  const { forest, importance } = blockForest(NONE)
  log(
    'most telling: ' +
      [...importance.entries()]
        .sort((a, b) => b[1] - a[1])
        .slice(0, 30)
        .map(([at, gain]) => `${[...FEATURES, ...CLASSES][at]} ${(100 * gain).toFixed(1)}`)
        .join(', '),
  )
  const source = modelSource({
    words,
    kinds: kindForests(NONE).map(encodeForest),
    blocks: encodeForest(forest),
  })
  writeFileSync(MODEL, source)
  log(`wrote ${MODEL.pathname}, ${Math.round(source.length / 1024)} KB`)
}

function kindForests(without: number): Forest[] {
  return CLASSES.map((name) => {
    const wanted = Float32Array.from(pages, ({ truth }) => (classOf(truth.kind) === name ? 1 : 0))
    const total = pages.filter(
      ({ truth }, at) => classOf(truth.kind) === name && folds[at] !== without,
    ).length
    const weight = Float32Array.from(pages, ({ set, truth }, at) => {
      if (folds[at] === without) return 0
      // Other sets are all news: they would drown the rest.
      const own = set === 'wcxb' ? 1 : 0.2
      return classOf(truth.kind) === name ? own * Math.sqrt(pages.length / total) : own
    })
    return trainForest(
      { columns: data.pages, binned: pageBins, labels: wanted, weights: weight },
      { ...KIND_FOREST, seed: SEED },
    ).forest
  })
}

function blockForest(without: number): ReturnType<typeof trainForest> {
  const some =
    without === NONE
      ? weights
      : weights.map((weight, row) => (rowFolds[row] === without ? 0 : weight))
  return trainForest(
    { columns: data.blocks, binned: blockBins, labels, weights: some, groups: data.pageOfRow },
    { ...blockOptions, seed: SEED },
  )
}

/** A page counts as one, whatever its length; in it words count, up to a point. */
function weightsOf({ words, labels, metric }: LabelledPage): Float32Array {
  const size = (row: number): number => Math.min(words[row] ?? 0, 150) + 3
  let all = 0
  let wanted = 0
  for (const [row, label] of labels.entries()) {
    if (Number.isNaN(label)) continue
    all += size(row)
    wanted += label * size(row)
  }
  if (metric === 'snippet') {
    const known = labels.filter((label) => !Number.isNaN(label)).length
    return labels.map((label) => (Number.isNaN(label) ? 0 : 200 / known))
  }
  const scale = 300 / (0.5 * all + 0.5 * wanted + 50)
  return labels.map((label, row) => (Number.isNaN(label) ? 0 : size(row) * scale))
}

function ask(
  forest: Forest,
  columns: readonly Float32Array[],
  foldOf: Uint8Array,
  fold: number,
  out: Float32Array | undefined,
): void {
  const all = new Float32Array(foldOf.length)
  new ForestScorer(forest).score(columns, foldOf.length, all)
  for (let row = 0; row < foldOf.length; row++)
    if (foldOf[row] === fold && out !== undefined) out[row] = all[row] ?? 0
}

function normalise(columns: readonly Float32Array[]): void {
  for (let page = 0; page < pages.length; page++) {
    const sum = columns.reduce((total, column) => total + (column[page] ?? 0), 0) || 1
    for (const column of columns) column[page] = (column[page] ?? 0) / sum
  }
}

function accuracy(): number {
  let right = 0
  let all = 0
  for (const [at, page] of pages.entries()) {
    if (page.set !== 'wcxb') continue
    const best = CLASSES.reduce(
      (found, _, name) => ((kinds[name]?.[at] ?? 0) > (kinds[found]?.[at] ?? 0) ? name : found),
      0,
    )
    all++
    if (CLASSES[best] === classOf(page.truth.kind)) right++
  }
  return right / Math.max(1, all)
}

function classOf(kind: string): string {
  return kind === 'news' || kind === 'blog' ? 'article' : kind
}
