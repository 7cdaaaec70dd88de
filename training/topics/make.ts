// Makes src/topic/ready/model.ts from the texts beside this file, and prints how well unseen texts are judged.
//
//   sh scripts/node training/topics/make.ts [--dry] [LABELLED.jsonl LABEL=TOPIC,…]
//
// With a file of labelled texts, which are not trained on, it also prints how well the model judges them.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { crossValidate } from '../../src/topic/cross-validation.ts'
import { likeliest } from '../../src/topic/linear-classifier.ts'
import { decodeModel } from '../../src/topic/model-file.ts'
import { createTextReader } from '../../src/topic/reading.ts'
import { ScoreCounts } from '../../src/topic/scores.ts'
import { classifierOf } from '../../src/topic/train.ts'
import { type Language, readTopicTexts } from './read-texts.ts'
import { METHOD, modelOf, wholeWords } from './train-topics.ts'

const MODEL_FILE = join(import.meta.dirname, '../../src/topic/ready/model.ts')
const FOLDS = 10

/** Accuracy by method. */
function measure(languages: readonly Language[]): Record<string, number> {
  const counted = wholeWords(readTopicTexts(languages))
  const results = crossValidate(counted, { folds: FOLDS, seed: 1 })
  for (const { method, accuracy, macroF1, pooled } of results) {
    const by = pooled.labels.map(({ label, f1 }) => `${label} ${percent(f1)}`).join(', ')
    const shown = `accuracy ${percent(accuracy.mean)} ± ${percent(accuracy.deviation)}`
    console.log(`${languages.join('+')} ${method}: ${shown}, macro-F1 ${percent(macroF1.mean)}`)
    console.log(`   F1: ${by}`)
  }
  return Object.fromEntries(
    results.map(({ method, accuracy }) => [method, Number(accuracy.mean.toFixed(4))]),
  )
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}

/** `pairs`: which label of the file is which topic. Texts with other labels are left out. */
function judgeOthers(model: string, file: string, pairs: string): void {
  const topicOf = new Map(pairs.split(',').map((pair) => pair.split('=', 2) as [string, string]))
  const { reading, ...classifiers } = decodeModel(model, 'the model')
  const reader = createTextReader(reading)
  for (const method of ['naive-bayes', 'logistic-regression'] as const) {
    const classifier = classifierOf(classifiers, method)
    const among = new Set(topicOf.values())
    const [all, wanted] = [new ScoreCounts(classifier.labels), new ScoreCounts(classifier.labels)]
    for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
      const { text, label } = JSON.parse(line)
      const truth = topicOf.get(label)
      if (truth === undefined) continue
      const shares = classifier.probabilities(reader.count(text))
      all.add(truth, classifier.labels[likeliest(shares)] ?? '')
      const inside = shares.map((share, at) => (among.has(classifier.labels[at] ?? '') ? share : 0))
      wanted.add(truth, classifier.labels[likeliest(inside)] ?? '')
    }
    const show = (tally: ScoreCounts) => percent(tally.scores().accuracy)
    console.log(
      `${file} ${method}: ${show(all)} % among all labels, ${show(wanted)} % among the file's`,
    )
  }
}

const [file, pairs] = process.argv.slice(2).filter((word) => word !== '--dry')
measure(['en'])
measure(['id'])
const model = modelOf(readTopicTexts(), measure(['en', 'id']))
if (file !== undefined && pairs !== undefined) judgeOthers(model, file, pairs)
const packed = brotliCompressSync(model).toString('base64')
console.log(`${METHOD}; ${model.length} bytes, ${packed.length} in base64 of brotli`)
if (!process.argv.includes('--dry')) {
  writeFileSync(
    MODEL_FILE,
    `// Made by training/topics/make.ts from texts that were written for it. Not written by hand.

/** A model file, compressed by Brotli, in base64. */
export const MODEL: string =
  '${packed}'
`,
  )
}
