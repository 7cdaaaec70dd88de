// Reads everything that is stored of an HTML page, and every link, in one pass of the scanner. It follows
// the standard's tree builder only where that changes the visible text or the links; no tree is built.
import { PageNotes } from '../about/page-notes.ts'
import type { ModuleExports } from '../assembly/instantiate.ts'
import {
  AT_LINK,
  AT_LINK_END,
  AT_MARKUP,
  AT_REFERENCE,
  AT_START_TAG,
  TAG_FROM,
} from '../assembly/layout.ts'
import { Outline } from '../content/outline.ts'
import { AnchorReader, altOf, isNofollow } from '../parts/anchor-reader.ts'
import { PartReader } from '../parts/part-reader.ts'
import { TextPieces } from '../parts/text-pieces.ts'
import { withEmbeddedText } from './embedded-text.ts'
import { FallbackReader } from './fallback-reader.ts'
import { ForeignContent } from './foreign-content.ts'
import { HiddenReader } from './hidden-reader.ts'
import { ATTRIBUTE, ELEMENT, isFallback, isOutlined, TRAIT, TRAITS } from './html-names.ts'
import type { HtmlReading, ReadOptions } from './html-reading.ts'
import { HtmlScanner, MARKUP } from './html-scanner.ts'
import { MathReader } from './math-reader.ts'
import { isCodeControl, isEditLink } from './page-controls.ts'
import { PageMemory, type PageMemoryOptions } from './page-memory.ts'
import { RAW_NAMES, rawTextEnd } from './raw-text.ts'
import { ReplacedParts } from './replaced-parts.ts'
import { TextSink } from './text-sink.ts'

export type { HtmlReading } from './html-reading.ts'

const LESS = 60
const MAX_TITLE = 1024
const HTML5 = /^<!doctype\s+html\s*(?:system\s*["']about:legacy-compat["']\s*)?>$/i

/** 1 for inline elements, which are not in the outline. */
const INLINE = Uint8Array.from(TRAITS, (_, element) => (isOutlined(element) ? 0 : 1))
/** In SVG the text of these is not drawn. */
const UNDRAWN = new Set([ELEMENT.script, ELEMENT.style, ELEMENT.title, ELEMENT.desc])

export class HtmlReader {
  readonly #memory: PageMemory
  readonly #scanner: HtmlScanner
  readonly #text: TextSink
  readonly #outline: Outline
  readonly #anchors: AnchorReader
  readonly #parts: PartReader
  readonly #hidden: HiddenReader
  readonly #fallback: FallbackReader
  readonly #math: MathReader
  readonly #foreign = new ForeignContent()
  readonly #replaced = new ReplacedParts()
  #notes = new PageNotes()
  /** Reads what is plain; null when JavaScript reads everything. */
  #module: ModuleExports | null = null
  #isXml = false
  #sawTag = false

  constructor(options: PageMemoryOptions = { hasModule: true }) {
    const memory = new PageMemory(options)
    const tag = new HtmlScanner(memory)
    const text = new TextSink(memory)
    const outline = new Outline(memory, text)
    const anchors = new AnchorReader(tag, text)
    const [foreign, replaced] = [this.#foreign, this.#replaced]
    const hidden = new HiddenReader({ tag, text, outline, anchors, replaced })
    this.#memory = memory
    this.#scanner = tag
    this.#text = text
    this.#outline = outline
    this.#anchors = anchors
    this.#parts = new PartReader(tag, text, outline)
    this.#hidden = hidden
    this.#fallback = new FallbackReader({ tag, text, hidden, foreign })
    this.#math = new MathReader({ tag, text, hidden, replaced })
  }

  read(utf8: Buffer, options: ReadOptions): HtmlReading {
    const source = this.#readWhole(utf8, options)
    const pieces = new TextPieces(this.#text.bytes)
    this.#anchors.describe(pieces)
    for (const [href, rel] of this.#notes.links) this.#anchors.links.add(href, rel, isNofollow(rel))
    this.#notes.finish()
    const { latin1 } = this.#scanner
    this.#scanner.close()
    return {
      notes: this.#notes,
      links: this.#anchors.links,
      parts: this.#parts,
      text: this.#text,
      pieces,
      outline: this.#outline,
      replaced: this.#replaced,
      source,
      latin1,
      mayMark: this.#module?.mayMark ?? null,
      likenessOfLong: this.#module?.likenessOfLong ?? null,
    }
  }

  /** Reads a page, and again if it contains more than it shows; returns the source that was read. */
  #readWhole(utf8: Buffer, options: ReadOptions): Buffer {
    let source = utf8
    this.#pass(source, options)
    if (this.#hidden.streamed.isNeeded) {
      source = this.#hidden.streamed.assemble(source)
      this.#pass(source, options)
    }
    const notes = this.#notes
    const { latin1 } = this.#scanner
    const { ldTexts } = notes
    const shown = { source, latin1, text: this.#text.bytes, ldTexts }
    const whole = options.isXml ? null : withEmbeddedText(shown)
    if (whole === null) return source
    this.#pass(whole, options)
    // A text contains no metadata of the page, whatever its tags.
    this.#notes = notes
    return whole
  }

  /** Reads a whole page as written. */
  #pass(utf8: Buffer, { isXml, parts = [] }: ReadOptions): void {
    this.#open(utf8, isXml)
    this.#scanner.allowsCdata = isXml
    this.#parts.open(parts)
    this.#scan()
    this.#endLink()
    this.#hidden.close(utf8.length)
    this.#outline.close(utf8.length)
  }

  #open(utf8: Buffer, isXml: boolean): void {
    this.#isXml = isXml
    this.#memory.fit(utf8.length)
    this.#module = isXml ? null : this.#memory.load(utf8)
    this.#scanner.open(utf8)
    this.#foreign.reset()
    this.#text.open(utf8.length)
    this.#outline.open(isXml)
    this.#notes = new PageNotes()
    this.#anchors.open()
    this.#memory.inBody = false
    this.#sawTag = false
    this.#replaced.reset()
    this.#hidden.open()
    this.#fallback.open()
    this.#math.open()
  }

  #scan(): void {
    const scanner = this.#scanner
    const text = this.#text
    let from = 0
    for (;;) {
      const end = scanner.length
      const module = this.#isPlain() ? this.#module : null
      const stop = module === null ? AT_MARKUP : module.scan(from, end)
      const next =
        module === null ? this.#takeText(from, end) : (this.#memory.state[TAG_FROM] ?? end)
      if (next >= end) {
        if (!this.#leaveFallback(end)) return
        from = end
        continue
      }
      if (stop === AT_REFERENCE) {
        from = text.takeReference(scanner, next, end)
        continue
      }
      this.#markup(next, stop)
      from = scanner.at
    }
  }

  /** Nothing is open that concerns the tags in it. */
  #isPlain(): boolean {
    const isOutside = !this.#foreign.isOpen && !this.#fallback.isOpen
    return this.#sawTag && isOutside && !this.#hidden.isOpen && this.#hidden.templates === 0
  }

  #takeText(from: number, end: number): number {
    const scanner = this.#scanner
    return from >= end || scanner.bytes[from] === LESS ? from : this.#text.take(scanner, from, end)
  }

  /** What the `<` at `at` begins; a tag has been read if `stop` says so. */
  #markup(at: number, stop: number): void {
    const scanner = this.#scanner
    if (stop !== AT_MARKUP) {
      scanner.adopt()
      if (stop === AT_LINK) this.#startLink()
      else if (stop === AT_LINK_END) this.#endLink()
      else if (stop === AT_START_TAG) this.#start(at)
      else this.#end(at)
      return
    }
    scanner.at = at
    const markup = scanner.read()
    if (markup === MARKUP.startTag) this.#start(at)
    else if (markup === MARKUP.endTag) this.#end(at)
    else if (markup === MARKUP.cdata) this.#text.takeRaw(scanner, scanner.from, scanner.to)
    else if (markup === MARKUP.aside) this.#aside(at)
    else {
      this.#text.takeRaw(scanner, at, at + 1)
      scanner.at = at + 1
    }
  }

  /** Ends the fallback that ends here; false when none is open, at the end of the page. */
  #leaveFallback(at: number): boolean {
    const begun = this.#fallback.leave()
    if (begun < 0) return false
    this.#scanner.allowsCdata = this.#isXml || this.#foreign.isInnermost
    this.#math.leave(this.#foreign.depth, at)
    if (this.#anchors.isOpenSince(begun)) this.#endLink()
    return true
  }

  #aside(from: number): void {
    if (this.#sawTag || this.#notes.html5) return
    this.#notes.html5 = HTML5.test(this.#scanner.latin1.slice(from, this.#scanner.at))
  }

  #start(at: number): void {
    const scanner = this.#scanner
    const { element } = scanner
    const traits = TRAITS[element] ?? 0
    this.#sawTag = true
    if (this.#foreign.isOpen || element === ELEMENT.svg || element === ELEMENT.math) {
      if (this.#startForeign(at)) return
    }
    if (isFallback(element)) {
      if (this.#fallback.start(at, this.#isXml)) this.#outlineStart(at)
    } else if (INLINE[element] === 0) this.#outlineStart(at)
    if ((traits & TRAIT.head) === 0) this.#memory.inBody = true
    if ((traits & TRAIT.telling) !== 0 && this.#hidden.templates === 0) this.#tell(element, at)
    if (this.#hidden.isOpen) this.#hidden.startWithin(at)
    if (scanner.has(ATTRIBUTE.hidden) || (traits & TRAIT.unseen) !== 0) {
      this.#hidden.take(at, this.#isXml)
    } else if (this.#isNoText()) this.#hidden.take(at, this.#isXml)
    if ((traits & TRAIT.special) !== 0) this.#startSpecial(element, traits, at)
  }

  /** Whether the element is a copy of a formula, or a control. */
  #isNoText(): boolean {
    const scanner = this.#scanner
    if (this.#outline.inPre && isCodeControl(scanner)) return true
    return scanner.has(ATTRIBUTE.class) && (this.#math.isCopy() || isEditLink(scanner))
  }

  #outlineStart(at: number): void {
    this.#outline.start(this.#scanner, at)
    this.#text.keepsLines = this.#outline.inPre
  }

  #outlineEnd(at: number): void {
    this.#outline.end(this.#scanner, at)
    this.#text.keepsLines = this.#outline.inPre
  }

  /** False when the tag turned out to be HTML. */
  #startForeign(at: number): boolean {
    const scanner = this.#scanner
    const wasForeign = this.#foreign.isInnermost
    const { depth } = this.#foreign
    const isForeign = this.#foreign.open(scanner)
    scanner.allowsCdata = this.#isXml || this.#foreign.isInnermost
    if (!isForeign) {
      if (wasForeign) this.#hidden.leaveForeign(at)
      this.#math.leave(this.#foreign.depth, at)
      return false
    }
    this.#memory.inBody = true
    if (scanner.element === ELEMENT.math) this.#math.start(at, depth)
    if (scanner.element === ELEMENT.a && this.#hidden.templates === 0) this.#startLink()
    if (this.#hidden.isOpen) this.#hidden.startWithin(at)
    if (UNDRAWN.has(scanner.element) && !scanner.selfClosing) this.#hidden.hide(at, true)
    return true
  }

  /** Elements that change how the following content is read. */
  #startSpecial(element: number, traits: number, at: number): void {
    const scanner = this.#scanner
    if ((traits & (TRAIT.raw | TRAIT.escapable)) !== 0) this.#rawText(element, at)
    else if (element === ELEMENT.template) this.#startTemplate(at)
    else if (element === ELEMENT.dialog) {
      if (!scanner.has(ATTRIBUTE.open)) this.#hidden.take(at, this.#isXml)
    } else if (element === ELEMENT.plaintext) {
      this.#text.takeRaw(scanner, scanner.at, scanner.length)
      scanner.at = scanner.length
    }
  }

  #end(at: number): void {
    const scanner = this.#scanner
    const { element } = scanner
    const traits = TRAITS[element] ?? 0
    if (this.#foreign.isOpen) {
      this.#foreign.close(scanner)
      scanner.allowsCdata = this.#isXml || this.#foreign.isInnermost
    }
    if (this.#hidden.isOpen) this.#hidden.end(at)
    this.#math.leave(this.#foreign.depth, element === ELEMENT.math ? scanner.at : at)
    if (INLINE[element] === 0) this.#outlineEnd(at)
    if ((traits & TRAIT.special) !== 0) this.#endSpecial(element, at)
  }

  #endSpecial(element: number, at: number): void {
    if (element === ELEMENT.a) this.#endLink()
    else if (isFallback(element)) this.#fallback.end(at)
    else if (element !== ELEMENT.template) this.#parts.end(element)
    else if (this.#hidden.templates > 0) this.#hidden.templates--
  }

  /** Takes the facts of a start tag besides text. */
  #tell(element: number, at: number): void {
    const scanner = this.#scanner
    switch (element) {
      case ELEMENT.a:
        this.#startLink()
        break
      case ELEMENT.area:
        // An area of this kind is not a link.
        if (!scanner.has(ATTRIBUTE.nohref)) this.#anchors.add(ATTRIBUTE.href, altOf(scanner))
        break
      case ELEMENT.iframe:
      case ELEMENT.frame:
        this.#anchors.add(ATTRIBUTE.src, '')
        break
      case ELEMENT.img:
      case ELEMENT.image:
        this.#image(at)
        break
      case ELEMENT.meta:
        this.#notes.takeMeta(scanner)
        break
      case ELEMENT.link:
        this.#notes.takeLink(scanner, !this.#memory.inBody)
        if (this.#parts.wants.styles) this.#parts.styles.addLink(scanner)
        break
      case ELEMENT.base:
        // Browsers with scripts ignore a base in a fallback.
        if (!this.#fallback.isOpen) this.#notes.takeBase(scanner)
        break
      case ELEMENT.html:
        this.#notes.takeHtml(scanner)
        break
      default:
        this.#parts.start(element)
    }
  }

  #startLink(): void {
    this.#anchors.start()
    this.#outline.endLink()
    this.#outline.startLink()
  }

  #endLink(): void {
    this.#anchors.finish()
    this.#outline.endLink()
  }

  #image(at: number): void {
    const { wants, images } = this.#parts
    const alt = altOf(this.#scanner)
    if (alt !== '') this.#math.image(at, alt)
    if (!wants.images && !this.#anchors.lacksWords) return
    this.#anchors.takeAlt(alt)
    if (wants.images) images.add(this.#scanner, alt)
  }

  #rawText(element: number, at: number): void {
    const scanner = this.#scanner
    if (this.#isXml && scanner.selfClosing) return
    const from = scanner.at
    const to = rawTextEnd(scanner.latin1, RAW_NAMES[element] ?? '', from)
    if (element === ELEMENT.title) {
      if (this.#notes.title === '' && this.#hidden.templates === 0) {
        this.#notes.title = this.#text.aside(scanner, from, to, MAX_TITLE)
      }
    } else if (element === ELEMENT.xmp) this.#text.takeRaw(scanner, from, to)
    else if (this.#hidden.templates === 0) {
      this.#parts.code(element, from, to)
      if (element === ELEMENT.script && !this.#math.script(at, from, to)) {
        this.#notes.takeScript(scanner, from, to)
      }
    }
    scanner.at = to
  }

  /** A template is not part of the page, unless it declares a shadow tree. */
  #startTemplate(at: number): void {
    if (this.#scanner.has(ATTRIBUTE.shadowrootmode) && this.#hidden.templates === 0) return
    this.#hidden.startTemplate(at)
  }
}
