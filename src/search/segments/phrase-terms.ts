// By which terms a phrase is looked for. Two common words in a row are one term (joined-terms.ts): all pages have both,
// but few have them together. Words that are common in this index only are such a term from some page on
// (common-words.ts), so the pages are divided into spans, and in each span a phrase has its own terms.
import type { CommonWords } from './common-words.ts'
import type { IndexView } from './index-view.ts'
import { pairTerm } from './joined-terms.ts'

export type PhraseWords = {
  readonly words: readonly string[]
  /** The last word is a prefix. */
  readonly prefix: boolean
}

/** A term, and how many words of the phrase are before it. */
export type PhraseTerm = { readonly term: string; readonly offset: number }

/** The pages from `base` up to, not including, `end`. */
export type PhraseSpan = {
  readonly base: number
  readonly end: number
  /** Without the prefix at the end of a phrase. */
  readonly terms: readonly PhraseTerm[]
  /** The index with only the segments that have these pages. */
  readonly view: IndexView
}

/** Spans that begin within this first part of all pages become one, since each costs some time. */
const FIRST_PART = 1 / 16

/** In the order of pages, from the first to the last. */
export function phraseSpans(view: IndexView, phrase: PhraseWords): PhraseSpan[] {
  const from = pairsFrom(view.common, phrase)
  const bases = [0, ...beginnings(from, view.end)]
  return bases.map((base, nth) => {
    const end = bases[nth + 1] ?? view.end
    const segments = view.segments.filter((each) => each.base < end && each.end > base)
    const isWhole = segments.length === view.segments.length
    return {
      ...{ base, end },
      terms: termsOf(phrase, (at) => (from[at] ?? Number.POSITIVE_INFINITY) <= base),
      view: isWhole ? view : { ...view, segments },
    }
  })
}

/** By place: from which page on the word there and the next one are a term. */
function pairsFrom(common: CommonWords, { words, prefix }: PhraseWords): number[] {
  const pairs = words.length - (prefix ? 2 : 1)
  return Array.from({ length: Math.max(0, pairs) }, (_, at) =>
    common.pairedFrom(words[at] ?? '', words[at + 1] ?? ''),
  )
}

function beginnings(from: readonly number[], end: number): number[] {
  const all = [...new Set(from)].filter((base) => base > 0 && base < end).sort((a, b) => a - b)
  const last = all.findLastIndex((base) => base <= end * FIRST_PART)
  return all.slice(Math.max(0, last))
}

/** `isPair`: whether the word in a place and the next one are a term. */
function termsOf({ words, prefix }: PhraseWords, isPair: (at: number) => boolean): PhraseTerm[] {
  const terms: PhraseTerm[] = []
  const pairAt = (at: number) => ({
    term: pairTerm(words[at] ?? '', words[at + 1] ?? ''),
    offset: at,
  })
  const count = words.length - Number(prefix)
  for (let at = 0; at < count; at++) {
    if (isPair(at)) terms.push(pairAt(at++))
    // The word before is in a pair already; this one makes another with it.
    else if (isPair(at - 1)) terms.push(pairAt(at - 1))
    else terms.push({ term: words[at] ?? '', offset: at })
  }
  return terms
}
