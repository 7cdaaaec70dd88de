// Lists that are made for one search from the lists of terms.
import { type Field, OWN_FIELDS } from '../../core/search-field.ts'
import { normFor, worthOf } from './bm25.ts'
import { COLUMN_PIECE } from './doc-columns.ts'
import type { IndexView } from './index-view.ts'
import { BlockReader, POSTING_FIELDS } from './postings.ts'
import { blocksIn, type FoundTerm, MadePostings } from './postings-list.ts'

/** Which fields count. */
type FieldSet = {
  readonly isAll: boolean
  readonly has: readonly boolean[]
}

export function fieldSet(fields: readonly Field[] | null): FieldSet {
  const has = POSTING_FIELDS.map((field) => fields === null || fields.includes(field))
  return { has, isAll: fields === null || OWN_FIELDS.every((field) => fields.includes(field)) }
}

/** The pages that have one of the terms in one of the fields. `found`: where the terms are, term by term. */
export function unionOf(
  view: IndexView,
  found: readonly (readonly FoundTerm[])[],
  fields: readonly Field[] | null,
): MadePostings {
  const [only] = found
  const wanted = fieldSet(fields)
  const made =
    found.length === 1 && only !== undefined
      ? ofOne(view, only, wanted)
      : ofSeveral(view, found, wanted)
  return made.done(worthIn(view))
}

/** Pages of a term come in order. */
function ofOne(view: IndexView, found: readonly FoundTerm[], wanted: FieldSet): MadePostings {
  const made = new MadePostings()
  eachBlock(view, found, wanted, ({ size, docs, texts, heads, others }) => {
    for (let nth = 0; nth < size; nth++) {
      const [text, head] = [texts[nth] ?? 0, heads[nth] ?? 0]
      if (wanted.isAll || text + head + (others[nth] ?? 0) > 0) made.add(docs[nth] ?? 0, text, head)
    }
  })
  return made
}

function ofSeveral(
  view: IndexView,
  found: readonly (readonly FoundTerm[])[],
  wanted: FieldSet,
): MadePostings {
  const { sums } = view
  sums.upTo(view.end)
  // Terms with the same beginning are neighbours in each segment.
  const inOrder = found
    .flat()
    .sort((a, b) => a.segment.id - b.segment.id || a.entry.at - b.entry.at)
  try {
    eachBlock(view, inOrder, wanted, ({ size, docs, texts, heads, others }) => {
      for (let nth = 0; nth < size; nth++) {
        const [doc, text, head] = [docs[nth] ?? 0, texts[nth] ?? 0, heads[nth] ?? 0]
        if (!wanted.isAll && text + head + (others[nth] ?? 0) === 0) continue
        sums.add(doc, text, head)
      }
    })
  } catch (error) {
    // Something cannot be read, or not yet: the next search begins with nothing.
    sums.take(() => {})
    throw error
  }
  const made = new MadePostings()
  sums.take((doc, text, head) => made.add(doc, text, head))
  return made
}

function eachBlock(
  view: IndexView,
  found: readonly FoundTerm[],
  { isAll, has }: FieldSet,
  take: (reader: BlockReader) => void,
): void {
  const reader = new BlockReader()
  for (const { segment, entry } of found) {
    const bytes = view.reader.list(segment.id, entry)
    const blocks = blocksIn(entry)
    for (let nth = 0, at = blocks.begin; nth < blocks.count; nth++, at = reader.end) {
      if (isAll) reader.read(bytes, at)
      else reader.readSome(bytes, at, has)
      take(reader)
    }
  }
}

export function worthIn(view: IndexView): (doc: number, text: number, head: number) => number {
  const { fixed, perWord, headShare } = normFor(view.length / Math.max(1, view.pages))
  let nth = -1
  let lengths: Uint32Array = new Uint32Array(0)
  return (doc, text, head) => {
    const piece = Math.floor(doc / COLUMN_PIECE)
    if (piece !== nth) {
      nth = piece
      lengths = view.columns.piece('length', piece)
    }
    const norm = fixed + perWord * (lengths[doc % COLUMN_PIECE] ?? 0)
    return worthOf(text, head, norm, headShare)
  }
}
