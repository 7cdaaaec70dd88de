// The pages that have words in a row. Only pages that have all the words are looked at, and positions are read
// only where such a page is: first those of the rarest word, then of each other one as far as they may matter.
import type { Field } from '../../core/search-field.ts'
import { type DocBits, eachDoc } from './doc-bits.ts'
import type { IndexView } from './index-view.ts'
import { isPairable, pairTerm } from './joined-terms.ts'
import { NO_LINKS } from './link-list.ts'
import { fieldSet, worthIn } from './made-lists.ts'
import { inAllGroups } from './matching-docs.ts'
import { OneWord, type PhrasePlace, SomeWords, Starts } from './phrase-place.ts'
import { HEAD_OF } from './postings.ts'
import {
  type ByteRange,
  type FoundTerm,
  findTerm,
  MadePostings,
  StoredPostings,
} from './postings-list.ts'
import { termsWith } from './terms-with.ts'

/** The most words with a prefix that are looked up at the end of a phrase: the most common ones. */
export const MAX_IN_PHRASE = 200

type Phrase = {
  readonly words: readonly string[]
  /** The last word is a prefix. */
  readonly prefix: boolean
  readonly fields: readonly Field[] | null
}

export function phraseOf(view: IndexView, phrase: Phrase): MadePostings {
  const made = new MadePostings()
  const wanted = fieldSet(phrase.fields).has.reduce(
    (mask, has, field) => mask | (Number(has) << field),
    0,
  )
  const places = placesOf(view, phrase).sort((a, b) => a.pages - b.pages)
  const starts = new Starts()
  eachDoc(commonDocs(view, places), (doc) => {
    let mask = wanted
    for (let at = 0; at < places.length; at++) mask &= places[at]?.load(doc) ?? 0
    let [text, head, some] = [0, 0, 0]
    for (let field = 0; mask !== 0; field++, mask >>>= 1) {
      if ((mask & 1) === 0) continue
      const count = inARow(places, field, starts)
      if (count === 0) continue
      some += count
      if (field === 0) text = count
      else head += count * (HEAD_OF[field] ?? 0)
    }
    if (some > 0) made.add(doc, text, head)
  })
  return made.done(worthIn(view))
}

/** Where the positions are that a search for a phrase may read: of blocks with pages that have all its words. */
export function phrasePositions(view: IndexView, phrase: Phrase): ByteRange[] {
  const places = placesOf(view, phrase).sort((a, b) => a.pages - b.pages)
  const ranges: ByteRange[] = []
  eachDoc(commonDocs(view, places), (doc) => {
    for (const place of places) place.addRanges(doc, ranges)
  })
  return ranges
}

function placesOf(view: IndexView, { words, prefix }: Phrase): PhrasePlace[] {
  const postingsOf = (found: readonly FoundTerm[]) => new StoredPostings(view, found)
  const places: PhrasePlace[] = phraseTerms({ words, prefix }).map(
    ({ term, offset }) => new OneWord(postingsOf(findTerm(view, term)), offset),
  )
  const last = words.length - 1
  if (!prefix) return places
  const terms = termsWith(view, words[last] ?? '', MAX_IN_PHRASE)
  return [...places, new SomeWords(terms.map((each) => new OneWord(postingsOf(each), last)))]
}

/**
 * The terms of a phrase, and how many words are before them; without a prefix at its end. Two common words in a row are one
 * place: all pages have both, but few have them together.
 */
export function phraseTerms({ words, prefix }: Pick<Phrase, 'words' | 'prefix'>) {
  const last = words.length - 1
  const pairs = (at: number) => at >= 0 && !(prefix && at === last) && isPairable(words[at] ?? '')
  const terms: { readonly term: string; readonly offset: number }[] = []
  for (let at = 0; at <= last; at++) {
    const [word = '', next = ''] = [words[at], words[at + 1]]
    if (pairs(at) && at < last && pairs(at + 1)) {
      terms.push({ term: pairTerm(word, next), offset: at++ })
    } else if (pairs(at) && pairs(at - 1)) {
      // The word before is in a pair already; this one makes another with it.
      terms.push({ term: pairTerm(words[at - 1] ?? '', word), offset: at - 1 })
    } else if (!prefix || at < last) terms.push({ term: word, offset: at })
  }
  return terms
}

/** The pages that have a word for each place. */
function commonDocs(view: IndexView, places: readonly PhrasePlace[]): DocBits {
  const groups = places.map(({ lists }) => [
    { lists: lists.map((postings) => ({ postings, links: NO_LINKS, idf: 0 })) },
  ])
  return inAllGroups(view, groups)
}

/** How often the words follow each other in a field of the page that was loaded. */
function inARow(places: readonly PhrasePlace[], field: number, starts: Starts): number {
  starts.size = 0
  places[0]?.startsIn(field, starts)
  for (let at = 1; at < places.length && starts.size > 0; at++) places[at]?.keepIn(field, starts)
  return starts.size
}
