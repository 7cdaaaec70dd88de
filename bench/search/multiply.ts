// Makes an index of very many pages from one of fewer: each page again and again, under other numbers and URLs.
// Words are as frequent as before, and lists as long as those of so many pages; only rare words are more common
// than they would be. Indexing a million pages takes half an hour, this a minute.
import { DatabaseSync } from 'node:sqlite'
import { u32At } from '../../src/search/segments/bytes.ts'
import {
  ChangedColumns,
  COLUMN_NAMES,
  COLUMN_PIECE,
  type ColumnName,
} from '../../src/search/segments/doc-columns.ts'
import { isLinked } from '../../src/search/segments/link-list.ts'
import {
  BLOCK,
  BlockReader,
  ENTRY,
  FIELDS_EACH,
  PostingBuffer,
} from '../../src/search/segments/postings.ts'
import { type SegmentRange, SegmentReader } from '../../src/search/segments/segment-reader.ts'
import type { SegmentWriter } from '../../src/search/segments/segment-writer.ts'
import type { TermEntry } from '../../src/search/segments/term-block.ts'
import { SegmentMerges, type SegmentMergesOptions } from '../../src/search/sqlite/segment-merges.ts'
import { SegmentTables, SegmentWrites } from '../../src/search/sqlite/segment-tables.ts'

/** Pages of a segment, about. */
const EACH = 125_000

type Source = {
  readonly reader: SegmentReader
  readonly segments: readonly SegmentRange[]
  readonly isValid: (doc: number, segment: SegmentRange) => boolean
  /** Pages are numbered below this. */
  readonly end: number
}

/** `path`: an index without pages that went. */
export function multiply(path: string, times: number): void {
  using db = new DatabaseSync(path)
  const tables = new SegmentTables(db)
  const [writes, columns] = [new SegmentWrites(db), new ChangedColumns(tables)]
  const reader = new SegmentReader(tables)
  const merges = new SegmentMerges({
    ...{ db, tables, writes, reader, columns, kind: 'pages' },
    isGone: () => false,
  })
  const row = db.prepare('SELECT * FROM search_position').get()
  const [end, pages, length] = [Number(row?.next_doc), Number(row?.pages), Number(row?.length)]
  const source = { reader, segments: merges.live(), end, isValid: () => true }
  db.exec('BEGIN')
  const links = linkSegments({ reader, end }, { db, tables, writes, columns })
  copyColumns(columns, { end, times, span: links.span })
  columns.write((key, bytes) => writes.column(key, bytes, 1_000_000))
  const together = Math.max(1, Math.round(EACH / end))
  for (let first = 0; first < times; first += together) {
    const copies = Math.min(together, times - first)
    const range = { base: first * end, end: (first + copies) * end }
    merges.add(range, length / pages, (writer) => copyTerms(source, writer, { first, copies }))
  }
  for (let first = 0; first < times; first += together) {
    const copies = Math.min(together, times - first)
    const range = { base: 1 + first * links.span, end: 1 + (first + copies) * links.span }
    links.merges.add(range, 0, (writer) => copyTerms(links, writer, { first, copies }))
  }
  for (const { id } of [...source.segments, ...links.segments]) {
    while (!writes.removeSome(id)) {}
    db.prepare('DELETE FROM segments WHERE id = ?').run(id)
  }
  db.prepare(
    'UPDATE search_position SET next_doc = ?, next_link = ?, pages = ?, length = ?, batch = ?',
  ).run(...[end * times, 1 + links.span * times, pages * times, length * times, 1_000_000])
  db.exec('COMMIT')
}

/** Segments of links, as they are before anything is copied. */
function linkSegments(
  { reader, end }: Pick<Source, 'reader' | 'end'>,
  parts: Pick<SegmentMergesOptions, 'db' | 'tables' | 'writes'> & { columns: ChangedColumns },
) {
  const merges = new SegmentMerges({ ...parts, reader, kind: 'links', isGone: () => false })
  const row = parts.db.prepare('SELECT next_link FROM search_position').get()
  const isValid = (doc: number, range: SegmentRange) =>
    isLinked(parts.columns.value('linked', doc), range)
  const segments = merges.live()
  return { reader, segments, end, isValid, merges, span: Number(row?.next_link) - 1 }
}

type Copying = { readonly end: number; readonly times: number; readonly span: number }

function copyColumns(columns: ChangedColumns, { end, times, span }: Copying): void {
  for (const name of COLUMN_NAMES) {
    for (let doc = 0; doc < end; doc++) {
      const value = columns.piece(name, Math.floor(doc / COLUMN_PIECE))[doc % COLUMN_PIECE] ?? 0
      for (let nth = 1; nth < times; nth++) {
        const more = name === 'linked' ? (value === 0 ? 0 : nth * span) : nth * end
        columns.set(name, doc + nth * end, copied(name, value, more))
      }
    }
  }
}

function copied(name: ColumnName, value: number, more: number): number {
  if (name === 'id' || name === 'urlKey' || name === 'fetched' || name === 'linked')
    return value + more
  return value
}

function copyTerms(
  { reader, segments, end, isValid }: Source,
  writer: SegmentWriter,
  { first, copies }: { readonly first: number; readonly copies: number },
): void {
  const walks = segments.map((range) => ({ range, terms: termsOf(reader, range.id) }))
  const heads = walks.map(({ terms }) => terms.next().value ?? null)
  const postings = new PostingBuffer()
  for (;;) {
    const names = heads.flatMap((head) => head?.term ?? [])
    if (names.length === 0) return
    const [term = ''] = names.sort()
    const found = heads.flatMap((head, at) =>
      head?.term === term ? [{ walk: walks[at], entry: head.entry }] : [],
    )
    postings.clear()
    for (let nth = first; nth < first + copies; nth++) {
      for (const { walk, entry } of found) {
        if (walk === undefined) continue
        const { range } = walk
        const isKept = (doc: number) => isValid(doc, range)
        take(postings, reader, { segment: range.id, entry, more: nth * end, isKept })
      }
    }
    postings.sort()
    writer.add(term, postings)
    for (const [at, head] of heads.entries()) {
      if (head?.term === term) heads[at] = walks[at]?.terms.next().value ?? null
    }
  }
}

function* termsOf(reader: SegmentReader, segment: number) {
  for (const block of reader.blocksFrom(segment, '')) {
    for (const [place, term] of block.names.entries()) yield { term, entry: block.entry(place) }
  }
}

const block = new BlockReader()

function take(
  postings: PostingBuffer,
  reader: SegmentReader,
  {
    segment,
    entry,
    more,
    isKept,
  }: { segment: number; entry: TermEntry; more: number; isKept: (doc: number) => boolean },
): void {
  const list = reader.read(segment, entry.at, entry.bytes)
  const positions =
    entry.positionBytes > 0
      ? reader.read(segment, entry.at + entry.bytes, entry.positionBytes)
      : null
  const blocks = Math.ceil(entry.pages / BLOCK)
  let [at, position] = [blocks > 1 ? blocks * ENTRY : 0, 0]
  for (let nth = 0; nth < blocks; nth++) {
    block.readAll(list, at)
    for (let page = 0; page < block.size; page++) {
      const first = page * FIELDS_EACH
      const begin = position
      if (positions !== null) {
        let left = 0
        for (let field = 0; field < FIELDS_EACH; field++) left += block.counts[first + field] ?? 0
        for (; left > 0; position++) if ((positions[position] ?? 0) < 128) left--
      }
      const doc = block.docs[page] ?? 0
      if (!isKept(doc)) continue
      const place = postings.add(doc + more)
      for (let field = 0; field < FIELDS_EACH; field++) {
        postings.counts[place * FIELDS_EACH + field] = block.counts[first + field] ?? 0
      }
      if (positions !== null) postings.positions.copy(positions, begin, position)
      postings.ends[place] = postings.positions.length
    }
    if (blocks > 1) at = u32At(list, nth * ENTRY + 4)
  }
}
