// What stands within and between the chosen blocks of a page besides their words.

/** How a stretch of text is marked, one bit each. */
export const MARK = {
  strong: 1,
  emphasis: 2,
  deleted: 4,
  code: 8,
  /** A formula, in TeX; in `display` it stands apart. */
  math: 32,
  display: 64,
  raised: 128,
  lowered: 256,
  /** On a button. */
  button: 512,
  /** The number of a footnote. */
  note: 1024,
} as const

/** A stretch of a block's text that is marked alike, or an image. */
export type Piece = {
  /** Of an image what stands in for it. */
  readonly text: string
  readonly marks: number
  /** As written; '' outside of links. */
  readonly href: string
  /** As written; '' for text. */
  readonly src: string
  /** Row of the cell's container; 0 outside of tables. */
  readonly cell: number
}

/** Something without words between two blocks. */
export type Between = {
  /** The block it stands before, and where it stands in the page. */
  readonly block: number
  readonly at: number
  /** An image; null for a rule. */
  readonly image: Piece | null
}

export type Inlines = {
  /** Per block that was asked for. */
  readonly pieces: ReadonlyMap<number, readonly Piece[]>
  readonly between: readonly Between[]
  /** By the id of an element: the block it begins in. */
  readonly targets: ReadonlyMap<string, number>
}
