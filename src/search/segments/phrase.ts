// The pages that have words in a row. Only pages that have all the words are looked at, and positions are read
// only where such a page is: first those of the rarest word, then of each other one as far as they may matter.
import type { Field } from '../../core/search-field.ts'
import { type DocBits, docsBetween, eachDoc } from './doc-bits.ts'
import type { IndexView } from './index-view.ts'
import { JoinedPostings } from './joined-postings.ts'
import { NO_LINKS } from './link-list.ts'
import { fieldSet, unionOf, worthIn } from './made-lists.ts'
import { inAllGroups } from './matching-docs.ts'
import { OneWord, type PhrasePlace, SomeWords, Starts } from './phrase-place.ts'
import { type PhraseSpan, type PhraseWords, phraseSpans } from './phrase-terms.ts'
import { HEAD_OF } from './postings.ts'
import {
  type ByteRange,
  type FoundTerm,
  findTerm,
  MadePostings,
  type Postings,
  StoredPostings,
} from './postings-list.ts'
import { termsWith } from './terms-with.ts'

/** The most words with a prefix that are looked up at the end of a phrase: the most common ones. */
export const MAX_IN_PHRASE = 200

type Phrase = PhraseWords & {
  readonly fields: readonly Field[] | null
}

export function phraseOf(view: IndexView, phrase: Phrase): Postings {
  const spans = phraseSpans(view, phrase)
  const last = spans.at(-1)
  if (last === undefined || !isOneTerm(last, phrase)) return walked(view, phrase, spans)
  // There the phrase is a list as that of a word.
  const found = findTerm(last.view, last.terms[0]?.term ?? '')
  const { fields } = phrase
  const tail =
    fields === null ? new StoredPostings(last.view, found) : unionOf(last.view, [found], fields)
  const head = walked(view, phrase, spans.slice(0, -1))
  return head.pages === 0 ? tail : new JoinedPostings(head, tail)
}

function isOneTerm({ terms }: PhraseSpan, { prefix }: PhraseWords): boolean {
  return terms.length === 1 && !prefix
}

/** The pages of some spans, found by the positions of the words. */
function walked(view: IndexView, phrase: Phrase, spans: readonly PhraseSpan[]): MadePostings {
  const made = new MadePostings()
  const wanted = fieldSet(phrase.fields).has.reduce(
    (mask, has, field) => mask | (Number(has) << field),
    0,
  )
  const starts = new Starts()
  for (const span of spans) {
    const places = placesIn(span, phrase)
    eachDoc(commonDocs(span, places), (doc) => {
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
  }
  return made.done(worthIn(view))
}

/** Where the positions are that a search for a phrase may read: of blocks with pages that have all its words. */
export function phrasePositions(view: IndexView, phrase: PhraseWords): ByteRange[] {
  const ranges: ByteRange[] = []
  for (const span of phraseSpans(view, phrase)) {
    if (isOneTerm(span, phrase)) continue
    const places = placesIn(span, phrase)
    const docs = commonDocs(span, places)
    for (const place of places) place.addRanges(docs, ranges)
  }
  return ranges
}

/** The rarest first. */
function placesIn({ terms, view }: PhraseSpan, { words, prefix }: PhraseWords): PhrasePlace[] {
  const postingsOf = (found: readonly FoundTerm[]) => new StoredPostings(view, found)
  const places: PhrasePlace[] = terms.map(
    ({ term, offset }) => new OneWord(postingsOf(findTerm(view, term)), offset),
  )
  if (prefix) {
    const last = words.length - 1
    const found = termsWith(view, words[last] ?? '', MAX_IN_PHRASE)
    places.push(new SomeWords(found.map((each) => new OneWord(postingsOf(each), last))))
  }
  return places.sort((a, b) => a.pages - b.pages)
}

/** The pages of a span that have a word for each place. */
function commonDocs({ view, base, end }: PhraseSpan, places: readonly PhrasePlace[]): DocBits {
  const groups = places.map(({ lists }) => [
    { lists: lists.map((postings) => ({ postings, links: NO_LINKS, idf: 0 })) },
  ])
  const isAll = base === 0 && end === view.end
  return inAllGroups(view, groups, isAll ? null : docsBetween(base, end, view.end))
}

/** How often the words follow each other in a field of the page that was loaded. */
function inARow(places: readonly PhrasePlace[], field: number, starts: Starts): number {
  starts.size = 0
  places[0]?.startsIn(field, starts)
  for (let at = 1; at < places.length && starts.size > 0; at++) places[at]?.keepIn(field, starts)
  return starts.size
}
