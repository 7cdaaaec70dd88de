// How well texts are labelled, beside scikit-learn's ComplementNB on the same folds. FILE has lines
// {"text": …, "label": …}; without one, the short descriptions of Debian's packages by their section,
// as apt-cache of this machine knows them. Nothing is downloaded.
//
//   sh scripts/node bench/classify/compare.ts [FILE] [--folds N] [--seed N] [--python PATH]
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seededRandom, shuffledNumbers } from '../../src/lib/seeded-random.ts'
import { crossValidate } from '../../src/topic/cross-validation.ts'
import { stratifiedFolds } from '../../src/topic/examples.ts'
import type { LabelledText } from '../../src/topic/labelled-texts.ts'
import { countTexts } from '../../src/topic/train.ts'
import { markdownTable } from '../table.ts'

/** Sections that are about something; the others tell in which language a library is written. */
const SECTIONS =
  'admin comm database doc editors electronics fonts games gnome graphics hamradio localization mail math misc net science sound text utils video web'
const PER_SECTION = 300

function packageDescriptions(): LabelledText[] {
  const all = execFileSync('apt-cache', ['dumpavail'], { maxBuffer: 2 ** 30 }).toString()
  const bySection = new Map(SECTIONS.split(' ').map((section) => [section, new Set<string>()]))
  for (const paragraph of all.split('\n\n')) {
    const section = /^Section: (\S+)/m.exec(paragraph)?.[1] ?? ''
    const description = /^Description(?:-en)?: (.+)/m.exec(paragraph)?.[1]
    if (description !== undefined) bySection.get(section)?.add(description)
  }
  return [...bySection].flatMap(([label, descriptions]) => {
    const sorted = [...descriptions].sort()
    const order = shuffledNumbers(sorted.length, seededRandom(1))
    return [...order].slice(0, PER_SECTION).map((at) => ({ text: sorted[at] ?? '', label }))
  })
}

function textsIn(file: string): LabelledText[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

type Row = { readonly name: string; readonly accuracy: number[]; readonly f1: number[] }

function judgedByScikit(python: string, input: unknown): Row[] {
  const script = join(import.meta.dirname, 'complement-nb.py')
  const output = execFileSync(python, [script], { input: JSON.stringify(input) }).toString()
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function spread(values: readonly number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const deviation = Math.sqrt(squares / Math.max(1, values.length - 1))
  return `${(100 * mean).toFixed(1)} ± ${(100 * deviation).toFixed(1)}`
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folds: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    python: { type: 'string', default: 'python3' },
  },
})
const [file] = positionals
const [folds, seed] = [Number(values.folds), Number(values.seed)]
const texts = file === undefined ? packageDescriptions() : textsIn(file)
const counted = countTexts(texts)
const ours = crossValidate(counted, { folds, seed }).map(({ method, accuracy, macroF1 }) => {
  const shown = ({ mean, deviation }: typeof accuracy) =>
    `${(100 * mean).toFixed(1)} ± ${(100 * deviation).toFixed(1)}`
  return [`Jelajah, ${method}`, shown(accuracy), shown(macroF1)]
})
const theirs = judgedByScikit(values.python, {
  texts: texts.map(({ text }) => text),
  labels: texts.map(({ label }) => label),
  folds: [...stratifiedFolds(counted.labelOf, folds, seed)],
}).map(({ name, accuracy, f1 }) => [`ComplementNB, ${name}`, spread(accuracy), spread(f1)])
const title = `${texts.length} texts, ${counted.labels.length} labels, ${folds} folds`
const head = [title, 'accuracy', 'macro-F1']
process.stdout.write(`${markdownTable(head, [...ours, ...theirs])}\n`)
