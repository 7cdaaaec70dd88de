// BM25, once over the text of a page and once over its head, as docs/SEARCH.md has it.
import { HEAD_SHARE } from '../page-columns.ts'

const K1 = 1.2
const B = 0.75
/** Of a word that most pages have. */
const LEAST_IDF = 1e-6
/** No page is worth more. */
export const MOST_WORTH = 1 + HEAD_SHARE

export function idfOf(pages: number, having: number): number {
  const idf = Math.log((pages - having + 0.5) / (having + 0.5))
  return (idf > 0 ? idf : LEAST_IDF) * (K1 + 1)
}

/** How much the length of a page divides by: `fixed + perWord * length`; and the share of its head. */
export type Norm = { readonly fixed: number; readonly perWord: number; readonly headShare: number }

export function normFor(meanLength: number, headShare: number = HEAD_SHARE): Norm {
  return { fixed: K1 * (1 - B), perWord: (K1 * B) / Math.max(1, meanLength), headShare }
}

/** The worth of a word in a page, but for its rarity. */
export function worthOf(text: number, head: number, norm: number, headShare: number): number {
  const inText = text / (text + norm)
  return head === 0 ? inText : inText + (headShare * head) / (head + norm)
}
