// The pages about which links say a word. Segments of links may have the same page several times: only the one
// that was written last is valid.
import { LINK_FIXED, LINK_PER_WEIGHT, LINK_SHARE } from '../link-texts.ts'
import { NO_COMMON_WORDS } from './common-words.ts'
import { COLUMN_PIECE } from './doc-columns.ts'
import type { IndexView } from './index-view.ts'
import { BlockReader } from './postings.ts'
import type { Postings } from './postings-list.ts'
import type { SegmentRange } from './segment-reader.ts'

/** True if a segment has what was written last. `number`: of the column `linked`. */
export function isLinked(number: number, { base, end }: SegmentRange): boolean {
  return number >= base && number < end
}

/** What a word is worth that links say about a page, but for its rarity. */
function linkWorth(count: number, weight: number): number {
  return (LINK_SHARE * count) / (count + LINK_FIXED + LINK_PER_WEIGHT * weight)
}

/** In the order of pages. */
export type LinkList = {
  readonly docs: Int32Array
  readonly worths: Float64Array
}

export const NO_LINKS: LinkList = { docs: new Int32Array(0), worths: new Float64Array(0) }

/** One segment of links as if it were all. Its range is one of the sequence: any page may be in it. */
export function viewOfLinks(view: IndexView, segment: IndexView['links'][number]): IndexView {
  return { ...view, segments: [{ ...segment, base: 0, end: view.end }], common: NO_COMMON_WORDS }
}

/** `listOf`: what one segment of links has. */
export function linkList(view: IndexView, listOf: (one: IndexView) => Postings): LinkList {
  const found: { readonly doc: number; readonly count: number }[][] = []
  for (const segment of view.links) {
    const postings = listOf(viewOfLinks(view, segment))
    if (postings.pages > 0) found.push(validIn(view, segment, postings))
  }
  const all = found.length === 1 ? (found[0] ?? []) : found.flat().sort((a, b) => a.doc - b.doc)
  if (all.length === 0) return NO_LINKS
  const docs = Int32Array.from(all, ({ doc }) => doc)
  const worths = Float64Array.from(all, ({ doc, count }) =>
    linkWorth(count, view.columns.value('linkWeight', doc)),
  )
  return { docs, worths }
}

function validIn(view: IndexView, segment: SegmentRange, postings: Postings) {
  const reader = new BlockReader()
  const { docs, heads } = reader
  const valid: { readonly doc: number; readonly count: number }[] = []
  let piece = -1
  let linked: Uint32Array = NO_NUMBERS
  for (let block = 0; block < postings.lasts.length; block++) {
    postings.read(block, reader)
    for (let nth = 0; nth < reader.size; nth++) {
      const doc = docs[nth] ?? 0
      if (Math.floor(doc / COLUMN_PIECE) !== piece) {
        piece = Math.floor(doc / COLUMN_PIECE)
        linked = view.columns.piece('linked', piece)
      }
      if (!isLinked(linked[doc % COLUMN_PIECE] ?? 0, segment)) continue
      valid.push({ doc, count: heads[nth] ?? 0 })
    }
  }
  return valid
}

const NO_NUMBERS = new Uint32Array(0)

/** A walk through such a list, in the order of pages. */
export class LinkWalk {
  readonly list: LinkList
  at = 0

  constructor(list: LinkList) {
    this.list = list
  }

  /** The first page that is not before `doc`; `none` if there is none. Pages are asked for in ascending order. */
  nextFrom(doc: number, none: number): number {
    const { docs } = this.list
    let { at } = this
    let step = 1
    while (at + step < docs.length && (docs[at + step] ?? 0) < doc) {
      at += step
      step *= 2
    }
    while (at < docs.length && (docs[at] ?? 0) < doc) {
      step = Math.max(1, step >> 1)
      if (at + step < docs.length && (docs[at + step] ?? 0) < doc) at += step
      else if (step === 1) at++
    }
    this.at = at
    return docs[at] ?? none
  }

  /** The most that a page from `from` to `to` is worth. */
  mostIn(from: number, to: number): number {
    const { docs, worths } = this.list
    let most = 0
    this.nextFrom(from, 0)
    for (let at = this.at; at < docs.length && (docs[at] ?? 0) <= to; at++) {
      most = Math.max(most, worths[at] ?? 0)
    }
    return most
  }
}
