// BM25, once over a whole page and once over its head, as docs/SEARCH.md has it.
import { HEAD_IN_PAGE, HEAD_SHARE } from '../page-columns.ts'

const K1 = 1.2
const B = 0.75
/** No page is worth more. */
export const MOST_WORTH = 1 + HEAD_SHARE

/** Never 0: a word that most pages have still tells a little. */
export function idfOf(pages: number, having: number): number {
  return Math.log(1 + (pages - having + 0.5) / (having + 0.5)) * (K1 + 1)
}

/** How much the length of a page divides by: `fixed + perWord * length`; and the share of its head. */
export type Norm = { readonly fixed: number; readonly perWord: number; readonly headShare: number }

export function normFor(meanLength: number, headShare: number = HEAD_SHARE): Norm {
  return { fixed: K1 * (1 - B), perWord: (K1 * B) / Math.max(1, meanLength), headShare }
}

/** The worth of a word in a page, but for its rarity. It grows with each of them but `norm`. */
export function worthOf(text: number, head: number, norm: number, headShare: number): number {
  if (head === 0) return text / (text + norm)
  const all = text + HEAD_IN_PAGE * head
  return all / (all + norm) + (headShare * head) / (head + norm)
}
