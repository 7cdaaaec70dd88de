// The words of a page as PostgreSQL vectors, in text form.
//
// A sign before a word names its column. So a word can be looked up in one column, or in all of them, without
// reading the vectors. Labels (A to D) give the weight. The same holds for stems, which have vectors of their
// own, so a prefix search finds no stem.
//
// A vector holds at most 16,383 positions, 255 positions of one word, and a megabyte. Longer pages are cut
// into parts. Each part repeats the last words before it, so that phrases are found across a cut. Repeated
// words have a label of nearly no weight, and so has the host, which weighs nothing.
import type { OwnField } from '../../core/search-field.ts'
import { type PageColumns, STEMS_OF } from '../page-columns.ts'
import { MAX_PHRASE_WORDS } from '../query.ts'

export const SIGNS: Readonly<Record<OwnField, string>> = {
  title: '!',
  keywords: '#',
  description: '$',
  url: '/',
  host: '@',
  text: '',
}

type Label = 'A' | 'B' | 'C' | 'D'

const LABELS: Readonly<Record<OwnField, Label>> = {
  ...{ title: 'A', keywords: 'B', description: 'B', url: 'B', host: 'C', text: 'D' },
}
/** The order of fields in a vector. */
const ORDER: readonly OwnField[] = ['title', 'keywords', 'description', 'url', 'host', 'text']

const MAX_PLACES = 16_000
const MAX_EACH = 250
/** Keeps below one megabyte; a character takes at most four bytes. */
const MAX_CHARS = 200_000

/** One of the two is empty if the page has fewer parts of it. */
type PagePart = { readonly words: string; readonly stems: string }

/** Nearly all pages have one part. */
export function pageParts(columns: PageColumns): PagePart[] {
  const [words, stems] = [new Parts(MAX_PHRASE_WORDS - 1), new Parts(0)]
  for (const field of ORDER) {
    words.take(columns[field], SIGNS[field], LABELS[field])
    const column = STEMS_OF[field]
    if (column !== undefined) stems.take(columns[column], SIGNS[field], LABELS[field])
  }
  const [ofWords, ofStems] = [words.done(), stems.done()]
  const length = Math.max(ofWords.length, ofStems.length)
  return Array.from({ length }, (_, at) => ({ words: ofWords[at] ?? '', stems: ofStems[at] ?? '' }))
}

type Places = { text: string; count: number }

class Parts {
  readonly #repeated: number
  readonly #done: string[] = []
  #lexemes = new Map<string, Places>()
  #place = 0
  #chars = 0

  constructor(repeated: number) {
    this.#repeated = repeated
  }

  take(words: readonly string[], sign: string, label: Label): void {
    for (const [at, word] of words.entries()) {
      if (this.#isFull(sign + word)) {
        this.#cut()
        const before = words.slice(Math.max(0, at - this.#repeated), at)
        for (const repeated of before) this.#add(sign + repeated, 'C')
      }
      this.#add(sign + word, label)
    }
  }

  done(): string[] {
    this.#cut()
    return this.#done
  }

  #isFull(lexeme: string): boolean {
    if (this.#place >= MAX_PLACES || this.#chars >= MAX_CHARS) return true
    return (this.#lexemes.get(lexeme)?.count ?? 0) >= MAX_EACH
  }

  #add(lexeme: string, label: Label): void {
    const place = `${++this.#place}${label === 'D' ? '' : label}`
    const known = this.#lexemes.get(lexeme)
    if (known === undefined) {
      this.#chars += lexeme.length + 4
      this.#lexemes.set(lexeme, { text: place, count: 1 })
    } else {
      known.text += `,${place}`
      known.count++
    }
  }

  #cut(): void {
    const entries = [...this.#lexemes].map(([lexeme, { text }]) => `${quoted(lexeme)}:${text}`)
    this.#done.push(entries.join(' '))
    this.#lexemes = new Map()
    this.#place = 0
    this.#chars = 0
  }
}

/** Quotes a lexeme for a vector or a query. Words contain no backslash. */
export function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll("'", "''")}'`
}
