// The text of elements: that of the whole page is made once, with white space collapsed, and an element's is a part
// of it. Scripts and styles have none, but theirs can be read as it stands.
import { decodeHTML } from 'entities/decode'
import type { HtmlScanner } from '../html/html-scanner.ts'
import { AFTER_BREAK, type ElementTable, TEXT } from './element-table.ts'

const SPACES = /[ \t\n\f\r\u00a0]+/g
/** Places where a text is found that are remembered. */
const MAX_FOUND = 100_000

export class ElementText {
  readonly #table: ElementTable
  readonly #scanner: HtmlScanner
  #whole: string | null = null
  /** By number of the text: where it begins in the whole. */
  #starts = new Int32Array(0)
  readonly #found = new Map<string, readonly number[]>()

  constructor(table: ElementTable, scanner: HtmlScanner) {
    this.#table = table
    this.#scanner = scanner
  }

  /** Another page is in the table. */
  forget(): void {
    this.#whole = null
    this.#found.clear()
  }

  /** The text of an element on one line, at most so many characters of it. */
  of(element: number, max: number): string {
    const [from, to] = this.#rangeOf(element)
    const text = this.#text.slice(from, Math.min(to, from + max + 1))
    return text.trim().slice(0, max)
  }

  /** Whether the text of an element contains this. */
  contains(element: number, wanted: string): boolean {
    const [from, to] = this.#rangeOf(element)
    const places = this.#placesOf(wanted)
    const next = places[firstFrom(places, from)]
    return next !== undefined && next + wanted.length <= to
  }

  /** What is written between the tags. */
  source(element: number, max: number): string {
    const from = this.#table.tagTo[element] ?? 0
    const to = this.#table.contentTo[element] ?? 0
    // A character has four bytes at most.
    return this.#scanner.slice(from, Math.min(to, from + 4 * max)).slice(0, max)
  }

  get #text(): string {
    this.#whole ??= this.#read()
    return this.#whole
  }

  #rangeOf(element: number): readonly [from: number, to: number] {
    const whole = this.#text
    const { textFrom, textTo, texts } = this.#table
    const startOf = (text: number) => (text < texts ? (this.#starts[text] ?? 0) : whole.length)
    return [startOf(textFrom[element] ?? 0), startOf(textTo[element] ?? 0)]
  }

  #read(): string {
    const { from, to, kind, texts } = this.#table
    if (this.#starts.length < texts) this.#starts = new Int32Array(2 * texts)
    const pieces: string[] = []
    let length = 0
    let endsInSpace: boolean = true
    for (let text = 0; text < texts; text++) {
      this.#starts[text] = length
      const how = (kind[text] ?? 0) & ~AFTER_BREAK
      const isAfterBreak = ((kind[text] ?? 0) & AFTER_BREAK) !== 0
      const written = how === TEXT.hidden ? '' : this.#scanner.slice(from[text] ?? 0, to[text] ?? 0)
      const decoded = how === TEXT.plain && written.includes('&') ? decodeHTML(written) : written
      const line = (isAfterBreak ? ` ${decoded}` : decoded).replace(SPACES, ' ')
      const piece: string = endsInSpace && line.startsWith(' ') ? line.slice(1) : line
      if (piece === '') continue
      pieces.push(piece)
      length += piece.length
      endsInSpace = piece.endsWith(' ')
    }
    return pieces.join('')
  }

  #placesOf(wanted: string): readonly number[] {
    const known = this.#found.get(wanted)
    if (known !== undefined) return known
    const places: number[] = []
    const whole = this.#text
    for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
      places.push(at)
      if (places.length >= MAX_FOUND) break
    }
    this.#found.set(wanted, places)
    return places
  }
}

/** The index of the first number that is not smaller. */
function firstFrom(sorted: readonly number[], least: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}
