// Reads everything that is stored of an HTML page, and every link, in one pass of the scanner. It follows
// the standard's tree builder only where that changes the visible text or the links; no tree is built.
import type { Part } from '../../core/page.ts'
import { PageNotes } from '../about/page-notes.ts'
import { Outline } from '../content/outline.ts'
import { AnchorReader, altOf, isNofollow } from '../parts/anchor-reader.ts'
import type { LinkList } from '../parts/link-list.ts'
import { PartReader } from '../parts/part-reader.ts'
import { TextPieces } from '../parts/text-pieces.ts'
import { withEmbeddedText } from './embedded-text.ts'
import { FallbackReader } from './fallback-reader.ts'
import { ForeignContent } from './foreign-content.ts'
import { HiddenReader } from './hidden-reader.ts'
import { ATTRIBUTE, ELEMENT, isFallback, isOutlined, TRAIT, TRAITS } from './html-names.ts'
import { HtmlScanner, MARKUP } from './html-scanner.ts'
import { MathReader } from './math-reader.ts'
import { isCodeControl, isEditLink } from './page-controls.ts'
import { rawTextEnd } from './raw-text.ts'
import { ReplacedParts } from './replaced-parts.ts'
import { TextSink } from './text-sink.ts'

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
}

export type ReadOptions = {
  readonly isXml: boolean
  /** Parts to collect; none by default. */
  readonly parts?: readonly Part[]
}

const LESS = 60
const MAX_TITLE = 1024
const HTML5 = /^<!doctype\s+html\s*(?:system\s*["']about:legacy-compat["']\s*)?>$/i

/** Names by element number, for elements with raw text, whose end tag is searched. */
const RAW_NAMES: string[] = []
for (const [name, number] of Object.entries(ELEMENT)) {
  if (((TRAITS[number] ?? 0) & (TRAIT.raw | TRAIT.escapable)) !== 0) RAW_NAMES[number] = name
}
/** 1 for inline elements, which are not in the outline. */
const INLINE = Uint8Array.from(TRAITS, (_, element) => (isOutlined(element) ? 0 : 1))
/** In SVG the text of these is not drawn. */
const UNDRAWN = new Set([ELEMENT.script, ELEMENT.style, ELEMENT.title, ELEMENT.desc])

export class HtmlReader {
  readonly #scanner = new HtmlScanner()
  readonly #foreign = new ForeignContent()
  readonly #text = new TextSink()
  readonly #outline = new Outline(this.#text)
  #notes = new PageNotes()
  readonly #anchors = new AnchorReader(this.#scanner, this.#text)
  readonly #parts = new PartReader(this.#scanner, this.#text, this.#outline)
  readonly #replaced = new ReplacedParts()
  readonly #hidden = new HiddenReader({
    tag: this.#scanner,
    text: this.#text,
    outline: this.#outline,
    anchors: this.#anchors,
    replaced: this.#replaced,
  })
  readonly #fallback = new FallbackReader({
    tag: this.#scanner,
    text: this.#text,
    hidden: this.#hidden,
    foreign: this.#foreign,
  })
  readonly #math = new MathReader({
    tag: this.#scanner,
    text: this.#text,
    hidden: this.#hidden,
    replaced: this.#replaced,
  })
  #isXml = false
  #inBody = false
  #sawTag = false

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
    this.#scanner.open(utf8)
    this.#foreign.reset()
    this.#text.open(utf8.length)
    this.#outline.open(isXml)
    this.#notes = new PageNotes()
    this.#anchors.open()
    this.#inBody = false
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
      const next =
        from >= end || scanner.bytes[from] === LESS ? from : text.take(scanner, from, end)
      if (next >= end) {
        if (!this.#leaveFallback(end)) return
        from = end
        continue
      }
      scanner.at = next
      const markup = scanner.read()
      if (markup === MARKUP.startTag) this.#start(next)
      else if (markup === MARKUP.endTag) this.#end(next)
      else if (markup === MARKUP.cdata) text.takeRaw(scanner, scanner.from, scanner.to)
      else if (markup === MARKUP.aside) this.#aside(next)
      else {
        text.takeRaw(scanner, next, next + 1)
        scanner.at = next + 1
      }
      from = scanner.at
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
    if ((traits & TRAIT.head) === 0) this.#inBody = true
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
    this.#inBody = true
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
        this.#notes.takeLink(scanner, !this.#inBody)
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
