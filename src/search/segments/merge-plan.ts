// Which segments are merged: eight neighbours of about the same size become one, so an index has few segments, and
// each posting is copied a few times.
import { normFor, worthOf } from './bm25.ts'
import type { DocColumns } from './doc-columns.ts'
import type { Worth } from './postings.ts'
import type { SegmentRange } from './segment-reader.ts'

/** Words of pages, or of the texts of links about them. */
export type SegmentKind = 'pages' | 'links'

/** So many neighbours are merged. */
export const NEIGHBOURS = 8
const SMALLEST = 64

/** The first neighbours to merge, of the smallest size that has enough of them; null if none has. */
export function neighbours(
  segments: readonly SegmentRange[],
  busy: ReadonlySet<number>,
): readonly SegmentRange[] | null {
  const sizes = segments.map(({ base, end }) => sizeOf(end - base))
  const largest = Math.max(0, ...sizes)
  for (let size = 0; size <= largest; size++) {
    let run: SegmentRange[] = []
    for (const [at, segment] of segments.entries()) {
      if (busy.has(segment.id) || (sizes[at] ?? 0) > size) run = []
      else run.push(segment)
      if (run.length === NEIGHBOURS) return run
    }
  }
  return null
}

/** 0 for the smallest; each next is eight times as large. */
function sizeOf(pages: number): number {
  return Math.max(0, Math.floor(Math.log(pages / SMALLEST) / Math.log(NEIGHBOURS)) + 1)
}

/** Blocks tell their worth by the mean length of now; `StoredPostings` corrects it later. */
export function worthBy(columns: DocColumns, meanLength: number): Worth {
  const { fixed, perWord, headShare } = normFor(meanLength)
  return (doc, text, head) =>
    worthOf(text, head, fixed + perWord * columns.value('length', doc), headShare)
}
