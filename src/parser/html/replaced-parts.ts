// Stretches of a page whose text is another than what is written there: parts that are not shown have
// none. Whoever reads the page a second time passes over them.

export type ReplacedPart = {
  /** Where it lies in the page. */
  readonly from: number
  readonly to: number
}

/** Of one page; what comes after is read as it is written. */
const MAX_PARTS = 100_000

export class ReplacedParts {
  /** In the order of the page, none within another. */
  readonly list: ReplacedPart[] = []

  reset(): void {
    this.list.length = 0
  }

  /** The text between the two places is not shown. */
  drop(from: number, to: number): void {
    const { list } = this
    while (list.length > 0 && (list.at(-1)?.from ?? 0) >= from) list.pop()
    if (list.length < MAX_PARTS) list.push({ from, to })
  }
}
