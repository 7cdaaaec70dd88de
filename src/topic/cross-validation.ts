// Measures how well unseen texts are judged: each fold is judged by what was learned from the others, both
// methods on the same folds. Everything that training chooses (how texts are read, smoothing, the regression)
// is chosen again for every fold from its training texts.
import { DEFAULT_METHOD, METHODS, type Method } from '../core/topic-text.ts'
import { splitAt, stratifiedFolds } from './examples.ts'
import { likeliest } from './linear-classifier.ts'
import { ScoreCounts, type Scores } from './scores.ts'
import { type CountedTexts, classifierOf, type Trained, train } from './train.ts'

export type CrossValidated = {
  readonly method: Method
  readonly accuracy: Spread
  readonly macroF1: Spread
  /** Over the answers of all folds together. */
  readonly pooled: Scores
}

/** Over folds. */
export type Spread = { readonly mean: number; readonly deviation: number }

type CrossValidationOptions = {
  readonly folds: number
  readonly seed: number
  /** Called before each fold; they are counted from 1. */
  readonly onFold?: (fold: number, folds: number) => void
}

export function crossValidate(
  texts: CountedTexts,
  { folds, seed, onFold }: CrossValidationOptions,
): CrossValidated[] {
  const count = Math.min(folds, texts.labelOf.length)
  const foldOf = stratifiedFolds(texts.labelOf, count, seed)
  const results = METHODS.map((method) => ({
    method,
    pooled: new ScoreCounts(texts.labels),
    each: [] as Scores[],
  }))
  for (let fold = 0; fold < count; fold++) {
    onFold?.(fold + 1, count)
    const { learned, judged } = splitAt(foldOf, fold)
    const trained = train(texts, learned)
    for (const { method, pooled, each } of results) {
      const own = new ScoreCounts(texts.labels)
      for (const [truth, given] of answersOf(texts, trained, method, judged)) {
        pooled.add(truth, given)
        own.add(truth, given)
      }
      each.push(own.scores())
    }
  }
  return results.map(({ method, pooled, each }) => ({
    method,
    accuracy: spreadOf(each.map(({ accuracy }) => accuracy)),
    macroF1: spreadOf(each.map(({ macroF1 }) => macroF1)),
    pooled: pooled.scores(),
  }))
}

/** The default method of a model. */
export function bestMethod(results: readonly CrossValidated[]): Method {
  const accuracyOf = (method: Method) =>
    results.find((one) => one.method === method)?.accuracy.mean ?? 0
  return METHODS.reduce(
    (best, method) => (accuracyOf(method) > accuracyOf(best) ? method : best),
    DEFAULT_METHOD,
  )
}

function* answersOf(
  { labels, labelOf, readings }: CountedTexts,
  trained: Trained,
  method: Method,
  judged: Uint32Array,
): Iterable<readonly [truth: string, given: string]> {
  const classifier = classifierOf(trained, method)
  const { counts } = readings.find(({ rules }) => rules === trained.reading) ?? readings[0]
  for (const text of judged) {
    const own = counts[text]
    if (own === undefined) continue
    const given = likeliest(classifier.probabilities(own))
    yield [labels[labelOf[text] ?? 0] ?? '', labels[given] ?? '']
  }
}

function spreadOf(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  // One fold has no spread.
  return { mean, deviation: values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1)) }
}
