// Which pages match a query, as bits, without scores. Lists of few pages are read first; of the others only the blocks
// that have a page which is left.
import { addTo, allDocs, countOf, type DocBits, eachDoc, hasSome, noDocs } from './doc-bits.ts'
import type { Filter } from './filter.ts'
import type { IndexView } from './index-view.ts'
import type { LinkList } from './link-list.ts'
import { BlockReader } from './postings.ts'
import type { Postings } from './postings-list.ts'

/** A page counts by the first of these lists that has it. */
export type Alternatives = {
  readonly lists: readonly ScoredList[]
}
export type ScoredList = {
  readonly postings: Postings
  /** Pages about which links say the same; what that is worth is added. */
  readonly links: LinkList
  readonly idf: number
}
/** A page must be in one of them. */
export type Group = readonly Alternatives[]

export type Wanted = {
  /** A page must match all of them. */
  readonly groups: readonly Group[]
  /** Pages that match get a score for them, too. */
  readonly light: Group
  readonly none: readonly Postings[]
  readonly filter: Filter
}

export function matchingDocs(view: IndexView, { groups, none, filter }: Wanted): DocBits {
  const reader = new BlockReader()
  const docs = groups.length > 0 ? inAllGroups(view, groups) : allDocs(view.end)
  for (const postings of none) {
    const having = noDocs(view.end)
    addDocs(having, postings, { left: docs, looked: countOf(docs), reader })
    for (let at = 0; at < docs.length; at++) docs[at] = (docs[at] ?? 0) & ~(having[at] ?? 0)
  }
  if (view.gone > 0 || !filter.isOpen) {
    eachDoc(docs, (doc) => {
      if (!filter.allows(doc)) docs[doc >>> 5] = (docs[doc >>> 5] ?? 0) & ~(1 << (doc & 31))
    })
  }
  return docs
}

/** The pages that each of some groups has, of which there is one at least. `within`: only these; null: all. */
export function inAllGroups(
  view: IndexView,
  groups: readonly Group[],
  within: DocBits | null = null,
): DocBits {
  const reader = new BlockReader()
  let left = within
  let looked = within === null ? view.end : countOf(within)
  for (const group of rarestFirst(groups)) {
    const having = noDocs(view.end)
    for (const { lists } of group) {
      for (const { postings, links } of lists) {
        addDocs(having, postings, { left, looked, reader })
        addTo(having, links.docs, links.docs.length)
      }
    }
    if (left !== null) keepCommon(having, left)
    left = having
    looked = countOf(left)
    if (looked === 0) break
  }
  return left ?? noDocs(view.end)
}

export function rarestFirst(groups: readonly Group[]): Group[] {
  return groups.toSorted((a, b) => pagesOf(a) - pagesOf(b))
}

function pagesOf(group: Group): number {
  let pages = 0
  for (const { lists } of group)
    for (const { postings, links } of lists) pages += postings.pages + links.docs.length
  return pages
}

type Adding = {
  readonly left: DocBits | null
  /** Their number. */
  readonly looked: number
  readonly reader: BlockReader
}

/** Adds the pages of a list; those that are not left may be missing. */
function addDocs(docs: DocBits, postings: Postings, { left, looked, reader }: Adding): void {
  const bits = postings.bitsFor(looked)
  if (bits !== null) {
    for (let at = 0; at < docs.length; at++) docs[at] = (docs[at] ?? 0) | (bits[at] ?? 0)
    return
  }
  const { lasts } = postings
  for (let block = 0, from = 0; block < lasts.length; block++) {
    const last = lasts[block] ?? 0
    if (left === null || hasSome(left, from, last)) {
      postings.readDocs(block, reader)
      addTo(docs, reader.docs, reader.size)
    }
    from = last + 1
  }
}

function keepCommon(bits: DocBits, others: DocBits): void {
  for (let at = 0; at < bits.length; at++) bits[at] = (bits[at] ?? 0) & (others[at] ?? 0)
}
