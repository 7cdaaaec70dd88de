// What searches in an index of very many made-up pages share: the pages, their links, and queries of each kind.
import type { SearchedPage } from '../../src/core/page.ts'
import { givenTexts } from '../../src/search/link-texts.ts'
import type { SearchReader } from '../../src/search/search-index.ts'
import { madeUpPage, usualRank, wordAt } from './made-up-pages.ts'

export const BATCH = 500

/** Pages from `first` to at most `all`. */
export function batchFrom(first: number, all: number): SearchedPage[] {
  const count = Math.min(BATCH, all - first + 1)
  return Array.from({ length: count }, (_, nth) => madeUpPage(first + nth))
}

/** Each page links to five others, by words of their titles. */
export function givenBy(pages: readonly SearchedPage[], all: number) {
  return new Map(
    pages.map((page) => {
      const links = [3, 21, 51, 333, 4002].map((step) => {
        const { url, title } = madeUpPage(1 + ((page.id + step) % all))
        return { url, anchor: title.split(' ').slice(0, 2).join(' '), rel: '' }
      })
      return [page.id, givenTexts(page, links)] as const
    }),
  )
}

/** Queries over made-up pages from 1 to `all`. */
export function kindsOf(
  random: () => number,
  all: number,
): readonly (readonly [string, () => string])[] {
  const some = () => madeUpPage(1 + Math.floor(random() * all))
  const titleWords = (count: number) => {
    const words: string[] = []
    while (words.length < count) words.push(...some().title.split(' '))
    return words.slice(0, count).join(' ')
  }
  const inARow = (count: number) => {
    const words = some().contentText.split(' ')
    const at = Math.floor(random() * (words.length - count))
    return `"${words.slice(at, at + count).join(' ')}"`
  }
  const usual = () => wordAt(usualRank(random))
  const common = () => wordAt(30 + Math.floor(random() * 70))
  const stop = () => wordAt(Math.floor(random() * 10))
  const several = (count: number, next: () => string) =>
    Array.from({ length: count }, next).join(' ')
  return [
    ['one word of a title', () => titleWords(1)],
    ['two words of a title', () => titleWords(2)],
    ['four words of titles', () => titleWords(4)],
    ['eight words of titles', () => titleWords(8)],
    ['eight words of texts', () => several(8, usual)],
    ['one common word', common],
    ['two common words', () => several(2, common)],
    ['four common words', () => several(4, common)],
    ['eight common words', () => several(8, common)],
    ['one stop word', stop],
    ['three stop words', () => several(3, stop)],
    ['prefix of three letters', () => `${titleWords(1).slice(0, 3)}*`],
    ['two prefixes of three letters', () => titleWords(2).replaceAll(/(\w{3})\w*/g, '$1*')],
    ['phrase of two words', () => inARow(2)],
    ['phrase of four words', () => inARow(4)],
    ['phrase of two common words', () => `"${several(2, common)}"`],
    ['phrase of two stop words', () => `"${several(2, stop)}"`],
    ['one of three common words', () => several(3, common).replaceAll(' ', ' OR ')],
    ['a common word in titles', () => `title:${common()}`],
  ]
}

export function asked(reader: SearchReader, text: string) {
  return reader.query({ text, limit: 10, offset: 0 })
}

/** p50/p95/max. */
export function shown(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
  return `${at(0.5)}/${at(0.95)}/${at(1)}`
}
