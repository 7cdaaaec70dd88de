// Term weights: a term counts the more often it occurs here and the rarer it is elsewhere.
import type { DocumentFrequencies } from './document-frequencies.ts'
import type { TermTable } from './term-table.ts'
import { TermVector } from './term-vector.ts'

/**
 * The vector of a text from its counts. Occurrences are damped by a logarithm: the tenth mention
 * tells less than the first. Without frequencies every term is worth the same.
 */
export function tfIdf(counts: TermTable, frequencies?: DocumentFrequencies): TermVector {
  const ids = counts.ids.slice()
  const weights = counts.values.slice()
  for (let at = 0; at < ids.length; at++) {
    const count = weights[at] ?? 1
    // Most terms occur once, and logarithms are most of the time here.
    const tf = count === 1 ? 1 : 1 + Math.log(count)
    weights[at] = frequencies === undefined ? tf : tf * frequencies.idf(ids[at] ?? 0)
  }
  return new TermVector(ids, weights)
}
