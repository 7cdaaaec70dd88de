// What a reader of HTML returns.
import type { PartChoice } from '../../core/page.ts'
import type { PageNotes } from '../about/page-notes.ts'
import type { Outline } from '../content/outline.ts'
import type { LinkList } from '../parts/link-list.ts'
import type { PartReader } from '../parts/part-reader.ts'
import type { TextPieces } from '../parts/text-pieces.ts'
import type { ReplacedParts } from './replaced-parts.ts'
import type { TextSink } from './text-sink.ts'

/** For a range of the page that was read last. */
export type MarkTest = (from: number, to: number) => number

/** A page as written: nothing is resolved or judged. */
export type HtmlReading = {
  readonly notes: PageNotes
  readonly links: LinkList
  /** The other requested parts. */
  readonly parts: PartReader
  /** The visible text; valid until the next page is read. */
  readonly text: TextSink
  readonly pieces: TextPieces
  /** The same text as blocks, with their containers; valid as long. */
  readonly outline: Outline
  /** Ranges of the page that have no text, or another text. */
  readonly replaced: ReplacedParts
  /** The page as it was read; offsets in the outline refer to it. */
  readonly source: Buffer
  /** The same, one character per byte. */
  readonly latin1: string
  /** Not 0 when a range of the page may mark a date or an author; null when only the tags tell. */
  readonly mayMark: MarkTest | null
  /** The hash of near copies of so many bytes of the text, as page-fields.ts has it; null when that computes it. */
  readonly likenessOfLong: ((bytes: number) => number) | null
}

export type ReadOptions = {
  readonly isXml: boolean
  /** Parts to collect; none by default. */
  readonly parts?: readonly PartChoice[]
}
