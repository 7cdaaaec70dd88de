// `<noscript>` and `<noframes>`: content for browsers without scripts or frames. Other browsers
// read them as plain text up to the first end tag of that name, so no element that begins in them
// reaches beyond it. Here they are read as markup within the same bounds, for their links and for
// pages that have their text nowhere else.
import type { ForeignContent } from './foreign-content.ts'
import type { HiddenMark, HiddenReader } from './hidden-reader.ts'
import { ELEMENT } from './html-names.ts'
import type { HtmlScanner } from './html-scanner.ts'
import { rawTextEnd } from './raw-text.ts'
import type { TextSink } from './text-sink.ts'

/** A shorter one only asks for JavaScript; a longer one contains the page's text. */
const MIN_BYTES = 250
/** Per page; each comparison searches all the text before. */
const MAX_COMPARED = 16

type FallbackSources = {
  readonly tag: HtmlScanner
  readonly text: TextSink
  readonly hidden: HiddenReader
  readonly foreign: ForeignContent
}

export class FallbackReader {
  readonly #tag: HtmlScanner
  readonly #text: TextSink
  readonly #hidden: HiddenReader
  readonly #foreign: ForeignContent
  /** The open element; 0 for none. */
  #element = 0
  #isConfined = false
  #mark: HiddenMark | null = null
  #foreignDepth = 0
  /** No further end tag of that name follows. */
  #isLast = { noscript: false, noframes: false }
  /** The number of long ones. */
  #count = 0

  constructor({ tag, text, hidden, foreign }: FallbackSources) {
    this.#tag = tag
    this.#text = text
    this.#hidden = hidden
    this.#foreign = foreign
  }

  open(): void {
    this.#element = 0
    this.#isConfined = false
    this.#mark = null
    this.#isLast = { noscript: false, noframes: false }
    this.#count = 0
  }

  get isOpen(): boolean {
    return this.#element !== 0
  }

  /** The start tag at `at` was just read; false when the element has no end tag and is ignored. */
  start(at: number, isXml: boolean): boolean {
    if (this.#element !== 0) return true
    if (!isXml && !this.#confine()) return false
    this.#element = this.#tag.element
    this.#mark = this.#hidden.mark(at)
    return true
  }

  #confine(): boolean {
    const tag = this.#tag
    const name = tag.element === ELEMENT.noscript ? 'noscript' : 'noframes'
    if (this.#isLast[name]) return false
    const end = rawTextEnd(tag.latin1, name, tag.at)
    if (end === tag.length) {
      this.#isLast[name] = true
      return false
    }
    tag.confine(end)
    this.#isConfined = true
    this.#foreignDepth = this.#foreign.depth
    this.#hidden.fence()
    return true
  }

  /** Closes everything that was opened in it; returns where it began, -1 when none is open. */
  leave(): number {
    if (!this.#isConfined) return -1
    const { length } = this.#tag
    this.#isConfined = false
    this.#tag.release()
    this.#foreign.cutTo(this.#foreignDepth)
    this.#hidden.unfence(length)
    return this.#mark?.at ?? 0
  }

  /** The end tag at `at` was just read. */
  end(at: number): void {
    const mark = this.#mark
    if (this.#tag.element !== this.#element) return
    this.#element = 0
    this.#mark = null
    if (mark !== null && !this.#isTextOfPage(mark.text)) this.#hidden.dropSince(mark, at)
  }

  /** Otherwise it is a notice, or repeats text above it. */
  #isTextOfPage(mark: number): boolean {
    if (this.#text.mark - mark < MIN_BYTES) return false
    return ++this.#count > MAX_COMPARED || !this.#text.repeatsSince(mark)
  }
}
