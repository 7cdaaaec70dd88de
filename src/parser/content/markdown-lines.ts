// Writes blocks of Markdown below each other, with the prefixes of their lists and quotes and with
// blank lines between them. A list that directly follows another gets other markers, because
// Markdown would read them as one.
import { isIndented, NODE_KIND, type PageStructure } from './page-structure.ts'

export class MarkdownLines {
  readonly #form: PageStructure
  readonly #firstNumber: (list: number) => number
  readonly #lines: string[] = []
  /** The list items and quotes around the last block, and the indentation of each. */
  #path: readonly number[] = []
  #indents: string[] = []
  /** Per list: its bullet, or the delimiter after its numbers. */
  readonly #marks = new Map<number, string>()
  #isBehindTerm = false

  /** `firstNumber` returns the first number of a list. */
  constructor(form: PageStructure, firstNumber: (list: number) => number) {
    this.#form = form
    this.#firstNumber = firstNumber
  }

  toString(): string {
    return this.#lines.join('\n')
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0
  }

  get path(): readonly number[] {
    return this.#path
  }

  /** The list items and quotes around a node, the outermost first. */
  pathOf(node: number): readonly number[] {
    const { form, kind, up } = this.#form
    const path: number[] = []
    for (let at = form[node] ?? 0; at > 0; at = form[up[at] ?? 0] ?? 0) {
      if (isIndented(kind[at] ?? 0)) path.push(at)
    }
    return path.reverse()
  }

  write(path: readonly number[], lines: readonly string[], isTerm = false): void {
    let shared = 0
    while (shared < path.length && path[shared] === this.#path[shared]) shared++
    if (this.#lines.length > 0 && !this.#isClose(path, shared)) {
      this.#lines.push(this.#indents.slice(0, shared).join('').trimEnd())
    }
    const last = this.#path[shared] ?? 0
    const starts = path
      .slice(shared)
      .map((node, place) => this.#startOf(node, place === 0 ? last : 0))
    const before = this.#indents.slice(0, shared)
    const indents = starts.map((start) =>
      start.startsWith('>') ? start : ' '.repeat(start.length),
    )
    this.#indents = [...before, ...indents]
    const indent = this.#indents.join('')
    for (const [place, line] of lines.entries()) {
      const start = place === 0 ? [...before, ...starts].join('') : indent
      this.#lines.push(line === '' ? start.trimEnd() : start + line)
    }
    this.#path = path
    this.#isBehindTerm = isTerm
  }

  /** Whether a block may be right below the last one: as the next item, or the first of a list. */
  #isClose(path: readonly number[], shared: number): boolean {
    const node = path[shared] ?? 0
    const kind = this.#form.kind[node]
    // Only a numbered list that begins with 1 may follow a line of text.
    if (path.slice(shared + 1).some((step) => !this.#mayFollowText(step))) return false
    if (kind === NODE_KIND.description && this.#isBehindTerm) return true
    if (kind !== NODE_KIND.item && kind !== NODE_KIND.description) return false
    if (this.#isNext(node, shared)) return true
    return this.#mayFollowText(node) && shared > 0 && shared === this.#path.length
  }

  #mayFollowText(node: number): boolean {
    const { kind, number, up } = this.#form
    if (kind[node] !== NODE_KIND.item || kind[up[node] ?? 0] !== NODE_KIND.numbered) return true
    return this.#numberOf(node, number[node] ?? 0) === 1
  }

  #isNext(node: number, shared: number): boolean {
    const { up } = this.#form
    const last = this.#path[shared]
    return last !== undefined && up[last] === up[node]
  }

  #startOf(node: number, last: number): string {
    const { kind, number, up } = this.#form
    if (kind[node] === NODE_KIND.quote) return '> '
    const list = up[node] ?? 0
    const mark = this.#marks.get(list) ?? this.#chooseMark(list, last)
    if (kind[list] !== NODE_KIND.numbered) return `${mark} `
    return `${this.#numberOf(node, number[node] ?? 0)}${mark} `
  }

  #numberOf(node: number, number: number): number {
    return this.#firstNumber(this.#form.up[node] ?? 0) + number - 1
  }

  /** `last` is the item before, at the same depth; 0 for none. */
  #chooseMark(list: number, last: number): string {
    const [usual, other] = this.#form.kind[list] === NODE_KIND.numbered ? ['.', ')'] : ['-', '*']
    const lastMark = this.#marks.get(this.#form.up[last] ?? 0)
    const mark = (lastMark === usual ? other : usual) ?? '-'
    this.#marks.set(list, mark)
    return mark
  }
}
