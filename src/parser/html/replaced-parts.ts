// Stretches of a page whose text is another than what is written there: parts that are not shown have
// none, formulas have their TeX. Whoever reads the page a second time passes over them.

export type ReplacedPart = {
  /** Where it lies in the page. */
  readonly from: number
  readonly to: number
  /** The formula it is; '' when it is not shown. */
  readonly tex: string
  /** Of a formula: it stands apart from the text. */
  readonly isDisplay: boolean
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
    this.replace({ from, to, tex: '', isDisplay: false })
  }

  replace(part: ReplacedPart): void {
    const { list } = this
    while (list.length > 0 && (list.at(-1)?.from ?? 0) >= part.from) list.pop()
    if (list.length < MAX_PARTS) list.push(part)
  }
}
