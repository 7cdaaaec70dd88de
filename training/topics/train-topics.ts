// Trains the model of the ready topics: what `jelajah train` does with these texts, but with whole words only.
// Parts of words judge a little better and cost some four times as much on every page of a crawl.

import { BOTH_LANGUAGES } from '../../src/text/text.ts'
import type { LabelledText } from '../../src/topic/labelled-texts.ts'
import { encodeModel } from '../../src/topic/model-file.ts'
import { wordsOf } from '../../src/topic/term-words.ts'
import { type CountedTexts, countTexts, trainOnAll } from '../../src/topic/train.ts'

/**
 * Pages are far longer than these texts. The regression weighs a text by its length; the sums of Naive Bayes
 * grow with it, and say 0 or 1 of every page.
 */
export const METHOD = 'logistic-regression'

export function wholeWords(
  texts: readonly LabelledText[],
  language = BOTH_LANGUAGES,
): CountedTexts {
  const counted = countTexts(texts, language)
  return { ...counted, readings: [counted.readings[0]] }
}

/** The text of a model file. */
export function modelOf(
  texts: readonly LabelledText[],
  accuracy: Readonly<Record<string, number>>,
): string {
  const trained = trainOnAll(wholeWords(texts))
  const { terms } = trained.logisticRegression.knowledge
  const sources = texts.map(({ text }) => text)
  const words = wordsOf(terms, sources, trained.reading)
  return encodeModel(trained, {
    method: METHOD,
    accuracy,
    wordOf: (term) => words.get(term) ?? null,
  })
}
