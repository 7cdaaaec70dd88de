// Formulas. A page often contains one two or three times: as MathML for screen readers, as TeX for copying,
// and drawn in pieces. The text gets it once, as TeX where that is known:
//
// - `<math>`, with the TeX of its annotation or its `alttext`: plain, Wikipedia's, LaTeXML's, MathJax 3's
// - KaTeX: the same; the drawing after it is skipped
// - MathJax 2: `<script type="math/tex">`; the drawing and the preview before it are skipped
// - images of formulas whose `alt` is the TeX
import type { HiddenMark, HiddenReader } from './hidden-reader.ts'
import { ATTRIBUTE } from './html-names.ts'
import type { HtmlScanner } from './html-scanner.ts'
import { MathText, tidyTex } from './math-text.ts'
import type { ReplacedParts } from './replaced-parts.ts'
import type { TextSink } from './text-sink.ts'

const CAPITAL_M = 77
const SMALL_K = 107
const SMALL_M = 109
/** For a class or an address. */
const MAX_NAMES = 240
const TEX_IMAGE_CLASS = /(?:^|\s)(?:latex|tex|mwe-math-fallback-image[\w-]*)(?:\s|$)/
const TEX_IMAGE_SRC =
  /latex\.php\?|[?&]latex=|codecogs\.com\/|\/media\/math\/render\/|mathtex\.cgi|mimetex\.cgi/
/** A `<math>` with more markup is not a formula. */
const MAX_BYTES = 256 * 1024
const DISPLAY = /mode\s*=\s*display/i

type MathSources = {
  readonly tag: HtmlScanner
  readonly text: TextSink
  readonly hidden: HiddenReader
  readonly replaced: ReplacedParts
}

export class MathReader {
  readonly #tag: HtmlScanner
  readonly #text: TextSink
  readonly #hidden: HiddenReader
  readonly #replaced: ReplacedParts
  readonly #math = new MathText()
  /** The open `<math>`: its position, its depth, and its attributes. */
  #mark: HiddenMark | null = null
  #depth = 0
  #alt = ''
  #isDisplay = false
  /** The last formula, and the position in the text after it; -1 before the first one. */
  #last = ''
  #behind = -1
  /** Whether the page has formulas in scripts, or for screen readers; null when unknown. */
  #hasScripts: boolean | null = null
  #hasAssistive: boolean | null = null

  constructor({ tag, text, hidden, replaced }: MathSources) {
    this.#tag = tag
    this.#text = text
    this.#hidden = hidden
    this.#replaced = replaced
  }

  open(): void {
    this.#mark = null
    this.#behind = -1
    this.#hasScripts = null
    this.#hasAssistive = null
  }

  /** The start tag of a `<math>` in HTML, at `at`; `depth`: number of foreign elements around it. */
  start(at: number, depth: number): void {
    const tag = this.#tag
    if (this.#mark !== null || this.#hidden.isHidden || tag.selfClosing) return
    this.#mark = this.#hidden.mark(at)
    this.#depth = depth
    this.#alt = tag.value(ATTRIBUTE.alttext)
    this.#isDisplay = tag.value(ATTRIBUTE.display).toLowerCase() === 'block'
  }

  /** Foreign elements ended, up to this depth, at an offset of the page: the formula may have ended. */
  leave(depth: number, at: number): void {
    const mark = this.#mark
    if (mark === null || depth > this.#depth) return
    this.#mark = null
    // An unclosed tag: the content it swallowed is not a formula.
    const holdsBlocks = this.#hidden.mark(at).containers > mark.containers
    if (holdsBlocks || at - mark.from > MAX_BYTES) return
    const tex = this.#math.read(this.#tag.bytes.subarray(mark.from, at), this.#alt)
    this.#hidden.dropSince(mark, at)
    this.#write(tex, { from: mark.from, to: at, isDisplay: this.#isDisplay })
  }

  /** A script at `at` with its text between two offsets; false when it is not a formula. */
  script(at: number, from: number, to: number): boolean {
    const tag = this.#tag
    const type = tag.value(ATTRIBUTE.type)
    if (!type.startsWith('math/') || this.#hidden.isHidden || to - from > MAX_BYTES) return false
    const written = tag.bytes.subarray(from, to)
    const isMathml = type.startsWith('math/mml')
    const tex = isMathml ? this.#math.read(written, '') : tidyTex(written.toString())
    this.#write(tex, { from: at, to, isDisplay: DISPLAY.test(type) })
    return true
  }

  /** An image at `at`; false when it shows no formula. */
  image(at: number, alt: string): boolean {
    const tag = this.#tag
    const isFormula =
      TEX_IMAGE_CLASS.test(this.#names(ATTRIBUTE.class)) ||
      TEX_IMAGE_SRC.test(this.#names(ATTRIBUTE.src))
    if (!isFormula || alt === '' || this.#hidden.isHidden) return false
    const tex = tidyTex(tag.value(ATTRIBUTE.alt))
    const isCopy = this.#isRightBehind && tex === this.#last
    if (isCopy) this.#replaced.drop(at, tag.at)
    else this.#write(tex, { from: at, to: tag.at, isDisplay: false })
    return true
  }

  /** Whether the tag begins a copy of a formula. Called for every tag with a class. */
  isCopy(): boolean {
    const tag = this.#tag
    const first = tag.bytes[tag.valueFrom[ATTRIBUTE.class] ?? 0]
    if (first === SMALL_K) return this.#is('katex-html') && this.#isRightBehind
    if (first === CAPITAL_M) {
      if (this.#is('MathJax_Preview') || this.#is('MJX_Assistive')) return this.#inScripts
      return this.#is('MathJax') && (this.#inScripts || this.#isDrawnTwice)
    }
    if (first !== SMALL_M || !this.#is('mjx-')) return false
    return this.#inScripts ? this.#is('mjx-chtml') : this.#isDrawnTwice
  }

  /** No words have come since the last formula. */
  get #isRightBehind(): boolean {
    const { mark } = this.#text
    return this.#behind >= 0 && mark >= this.#behind && this.#text.lineSince(this.#behind, 1) === ''
  }

  /** The parts that MathJax draws, which are hidden from screen readers. */
  get #isDrawnTwice(): boolean {
    const tag = this.#tag
    if (!tag.has(ATTRIBUTE['aria-hidden'])) return false
    this.#hasAssistive ??= /mjx[-_]assistive/i.test(tag.latin1)
    return this.#hasAssistive
  }

  get #inScripts(): boolean {
    this.#hasScripts ??= /<script[^>]{1,200}math\/(?:tex|mml|asciimath)/i.test(this.#tag.latin1)
    return this.#hasScripts
  }

  #is(start: string): boolean {
    const { latin1, valueFrom } = this.#tag
    return latin1.startsWith(start, valueFrom[ATTRIBUTE.class] ?? 0)
  }

  #names(attribute: number): string {
    const { latin1, valueFrom, valueTo } = this.#tag
    if (!this.#tag.has(attribute)) return ''
    const from = valueFrom[attribute] ?? 0
    return latin1.slice(from, Math.min(valueTo[attribute] ?? 0, from + MAX_NAMES))
  }

  #write(
    tex: string,
    part: { readonly from: number; readonly to: number; readonly isDisplay: boolean },
  ): void {
    this.#replaced.replace({ ...part, tex })
    const bytes = Buffer.from(tex)
    this.#text.takeRaw({ bytes, latin1: '' }, 0, bytes.length)
    this.#last = tex
    this.#behind = this.#text.mark
  }
}
