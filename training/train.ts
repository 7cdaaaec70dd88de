// Learns what main content is, from pages whose main content is known; writes the model the parser
// uses and prints what it is worth, measured on sites it had not seen. See README.md beside this.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { getDomain } from 'tldts'
import { readSets } from '../bench/extraction/data.ts'
import { InvalidInput } from '../src/core/errors.ts'
import { CLASSES } from '../src/parser/content/page-kinds.ts'
import { FEATURES } from '../src/parser/features/block-features.ts'
import { encodeForest } from '../src/parser/forest/forest.ts'
import { BlockForest } from './block-forest.ts'
import { FOLDS, NONE } from './cross-validation.ts'
import { type Dataset, readDataset } from './dataset.ts'
import { foldsOf } from './folds.ts'
import { KindForests } from './kind-forests.ts'
import { type LabelledPage, labelledPages } from './labelled-page.ts'
import { modelSource } from './model-source.ts'
import { printScores } from './scores.ts'
import { WordCounts } from './word-scores.ts'

const USAGE = `usage: sh scripts/node training/train.ts DATA [options]

  --trees N       trees of the forest for blocks (250)
  --rate X        how far each tree goes (0.1)
  --dry           measure only, leave the model as it is
  --answers FILE  keep the cross-validated probabilities, 32-bit floats, block by block
`
const MODEL = new URL('../src/parser/content/model.ts', import.meta.url)
const SEED = 1
const MOST_TELLING = 30

type Options = {
  readonly folder: string
  readonly trees: number
  readonly learningRate: number
  readonly dry: boolean
  readonly answers: string | null
}

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      trees: { type: 'string', default: '250' },
      rate: { type: 'string', default: '0.1' },
      dry: { type: 'boolean', default: false },
      answers: { type: 'string' },
    },
  })
  const [folder] = positionals
  if (folder === undefined) throw new InvalidInput('DATA', `no folder is given\n${USAGE}`)
  return {
    folder,
    trees: Number(values.trees),
    learningRate: Number(values.rate),
    dry: values.dry,
    answers: values.answers ?? null,
  }
}

function log(text: string): void {
  const seconds = Math.round(performance.now() / 1000)
  process.stderr.write(`${String(seconds).padStart(4)} s  ${text}\n`)
}

function train(options: Options): void {
  log('reading pages')
  const pages = labelledPages(readSets(options.folder, null))
  const folds = foldsOf(pages.map(foldPage), FOLDS, SEED)
  const counts = new WordCounts()
  for (const [at, page] of pages.entries()) {
    counts.add(page, getDomain(page.truth.url ?? '') ?? page.id, folds[at] ?? 0)
  }
  const data = readDataset(pages, folds, (fold) => counts.without(fold))
  log(`${pages.length} pages, ${data.pageOfRow.length} blocks, ${data.blocks.length} features`)

  // Kinds first: what a page is tells what to look for in it.
  const kinds = new KindForests(pages, data, folds)
  const classes = kinds.probabilities()
  setClasses(data, classes)
  log(`kinds told apart: ${(100 * kinds.accuracy(classes)).toFixed(1)} %`)

  const blocks = new BlockForest(pages, data, folds, options)
  const answers = blocks.probabilities((fold) => log(`fold ${fold + 1} of ${FOLDS}`))
  if (options.answers !== null) writeFileSync(options.answers, Buffer.from(answers.buffer))
  printScores(pages, data, answers)
  if (options.dry) return

  const { forest, importance } = blocks.train(NONE)
  log(`most telling: ${mostTelling(importance)}`)
  const source = modelSource({
    words: counts.without(NONE),
    kinds: kinds.forests(NONE).map(encodeForest),
    blocks: encodeForest(forest),
  })
  writeFileSync(MODEL, source)
  log(`wrote ${MODEL.pathname}, ${Math.round(source.length / 1024)} KB`)
}

function foldPage({ id, set, truth }: LabelledPage): Parameters<typeof foldsOf>[0][number] {
  return { id, url: truth.url, kind: `${set} ${truth.kind}`, text: truth.text }
}

function setClasses({ blocks, pageOfRow }: Dataset, classes: readonly Float32Array[]): void {
  for (const [at, column] of classes.entries()) {
    const target = blocks[FEATURES.length + at]
    if (target === undefined) continue
    for (let row = 0; row < target.length; row++) target[row] = column[pageOfRow[row] ?? 0] ?? 0
  }
}

function mostTelling(importance: Float64Array): string {
  const names = [...FEATURES, ...CLASSES]
  return [...importance.entries()]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_TELLING)
    .map(([at, gain]) => `${names[at]} ${(100 * gain).toFixed(1)} %`)
    .join(', ')
}

try {
  train(readOptions())
} catch (error) {
  if (!(error instanceof InvalidInput)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
