// A model for people to read: the words of its terms, and the words that say most about a label.
import { hashText, type TermId } from '../text/text.ts'
import { createTermNamer, isWordPart, type ReadingRules } from './reading.ts'
import type { Classifiers } from './train.ts'

/** The words of the given terms, found in their source texts. */
export function wordsOf(
  terms: Int32Array,
  texts: Iterable<string>,
  rules: ReadingRules,
): ReadonlyMap<TermId, string> {
  const wanted = new Set(terms)
  const words = new Map<TermId, string>()
  const namesIn = createTermNamer(rules)
  for (const text of texts) {
    if (words.size === wanted.size) break
    for (const name of namesIn(text)) {
      const term = hashText(name)
      if (wanted.has(term) && !words.has(term)) words.set(term, name)
    }
  }
  return words
}

/** The words that pull most towards a label, common ones first among equals; word parts are left out. */
export function tellingWords(
  { naiveBayes, logisticRegression }: Classifiers,
  words: ReadonlyMap<TermId, string>,
  { label, count }: { readonly label: number; readonly count: number },
): string[] {
  const { terms, weights, labels } = logisticRegression.knowledge
  const { counts } = naiveBayes.knowledge
  const ranked: { word: string; score: number }[] = []
  for (const [row, term] of terms.entries()) {
    const word = words.get(term)
    if (word === undefined || isWordPart(word)) continue
    const at = row * labels.length + label
    // A strong pull from one text alone says little to people.
    const score = (weights[at] ?? 0) * Math.log1p(counts[at] ?? 0)
    if (score > 0) ranked.push({ word, score })
  }
  ranked.sort((a, b) => b.score - a.score)
  return ranked.slice(0, count).map(({ word }) => word)
}
