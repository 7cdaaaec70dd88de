// Counts how often keywords occur in a text. A keyword is one term or several in a row; scripts written
// without spaces give pairs of characters, so their keywords are found like any phrase.
import { TermTable } from '../text/term-table.ts'
import type { TermId } from '../text/text.ts'

type Terms = readonly TermId[]

export class Mentions {
  /** Keywords of one term. */
  readonly #single = new TermTable()
  /** Keywords of several terms by their first term, each with its index in the list. */
  readonly #longer = new Map<TermId, { readonly terms: Terms; readonly at: number }[]>()
  /** The first terms of those: looked up for every word, at a fifth of the cost. */
  readonly #firsts = new TermTable()
  readonly size: number

  constructor(keywords: readonly Terms[]) {
    this.size = keywords.length
    for (const [at, terms] of keywords.entries()) {
      const [first] = terms
      if (first === undefined) continue
      if (terms.length === 1) this.#single.set(first, 1)
      else {
        this.#longer.set(first, [...(this.#longer.get(first) ?? []), { terms, at }])
        this.#firsts.set(first, 1)
      }
    }
  }

  /** Whether any keyword is longer than a term, so that the order of words matters. */
  get needsOrder(): boolean {
    return this.#longer.size > 0
  }

  /** Counts keywords of one term, from term counts alone. */
  inCounts(counts: TermTable): number {
    let sum = 0
    for (const id of this.#single.ids) sum += counts.get(id)
    return sum
  }

  /** Counts all keywords in a sequence of terms. */
  inTerms(terms: Terms): number {
    let sum = 0
    for (let at = 0; at < terms.length; at++) {
      const id = terms[at] ?? 0
      sum += this.#single.get(id)
    }
    return sum + this.longerIn(terms)
  }

  /** Counts only keywords that are longer than a term; `found` gets each with its position. */
  longerIn(terms: Terms, found?: (keyword: number, start: number) => void): number {
    if (!this.needsOrder) return 0
    let sum = 0
    for (let start = 0; start < terms.length; start++) {
      const first = terms[start] ?? 0
      if (!this.#firsts.has(first)) continue
      for (const longer of this.#longer.get(first) ?? NONE) {
        if (!continues(terms, start, longer.terms)) continue
        sum++
        found?.(longer.at, start)
      }
    }
    return sum
  }
}

const NONE: readonly never[] = []

function continues(terms: Terms, start: number, keyword: Terms): boolean {
  for (let at = 1; at < keyword.length; at++) {
    if (terms[start + at] !== keyword[at]) return false
  }
  return true
}
