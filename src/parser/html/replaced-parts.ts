// Ranges of a page whose text differs from their source: hidden parts have none, formulas have
// their TeX. A second reading of the page skips them.

export type ReplacedPart = {
  /** Range in the page. */
  readonly from: number
  readonly to: number
  /** The formula; '' for a hidden part. */
  readonly tex: string
  /** A formula on a line of its own. */
  readonly isDisplay: boolean
}

/** Per page; further parts are read as written. */
const MAX_PARTS = 100_000

export class ReplacedParts {
  /** In page order, not nested. */
  readonly list: ReplacedPart[] = []

  reset(): void {
    this.list.length = 0
  }

  /** Marks the text between two offsets as hidden. */
  drop(from: number, to: number): void {
    this.replace({ from, to, tex: '', isDisplay: false })
  }

  replace(part: ReplacedPart): void {
    const { list } = this
    while (list.length > 0 && (list.at(-1)?.from ?? 0) >= part.from) list.pop()
    if (list.length < MAX_PARTS) list.push(part)
  }
}
