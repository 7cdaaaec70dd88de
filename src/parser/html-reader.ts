// One pass over an HTML page: everything that is stored of it and every link, taken as the scanner
// comes by. Of what the standard's tree builder does only that matters here which changes the
// text that is shown or the links there are; nothing is built and nothing nests.
import { ForeignContent } from './foreign-content.ts'
import { HiddenContent } from './hidden-content.ts'
import { ATTRIBUTE, ELEMENT, TRAIT, TRAITS } from './html-names.ts'
import { HtmlScanner, MARKUP } from './html-scanner.ts'
import { ImageList } from './image-list.ts'
import { LinkList } from './link-list.ts'
import { PageNotes, relOf, tidied } from './page-notes.ts'
import { shortened, TextSink } from './text-sink.ts'

/** A page as written: nothing resolved, nothing judged. */
export type HtmlReading = {
  readonly notes: PageNotes
  readonly links: LinkList
  readonly images: ImageList
  /** The visible text; valid until the next page is read. */
  readonly text: TextSink
}

export type ReadOptions = { readonly isXml: boolean; readonly wantsImages: boolean }

const LESS = 60
const MAX_TITLE = 1024
const MAX_ANCHOR = 300
const MAX_ALT = 300
/** A shorter `<noscript>` only asks for JavaScript; a longer one holds the page's text. */
const MIN_NOSCRIPT_BYTES = 250
const NOFOLLOW = /(?:^| )nofollow(?: |$)/
const HTML5 = /^<!doctype\s+html\s*(?:system\s*["']about:legacy-compat["']\s*)?>$/i

/** Names by element number, of those whose end tag has to be looked for in raw text. */
const RAW_NAMES: string[] = []
for (const [name, number] of Object.entries(ELEMENT)) {
  if (((TRAITS[number] ?? 0) & (TRAIT.raw | TRAIT.escapable)) !== 0) RAW_NAMES[number] = name
}
/** In SVG these hold words that are not drawn. */
const UNDRAWN = new Set([ELEMENT.script, ELEMENT.style, ELEMENT.title, ELEMENT.desc])

export class HtmlReader {
  readonly #scanner = new HtmlScanner()
  readonly #foreign = new ForeignContent()
  readonly #hidden = new HiddenContent()
  readonly #text = new TextSink()
  #notes = new PageNotes()
  #links = new LinkList()
  #images = new ImageList()
  #isXml = false
  #wantsImages = true
  #inBody = false
  #sawTag = false
  /** Open templates: what is in them is no part of the page. */
  #templates = 0
  /** The link whose anchor text is being read, by its place in the list; -1 for none. */
  #link = -1
  #linkMark = 0
  #linkAlt = ''
  /** Where the hidden text began that is being read. */
  #hiddenMark = 0
  /** Where the text of the open `<noscript>` began; -1 outside. */
  #noscriptMark = -1

  read(utf8: Buffer, { isXml, wantsImages }: ReadOptions): HtmlReading {
    this.#open(utf8)
    this.#isXml = isXml
    this.#scanner.allowsCdata = isXml
    this.#wantsImages = wantsImages
    this.#scan()
    this.#finishLink()
    if (this.#hidden.isOpen) this.#text.rewind(this.#hiddenMark)
    for (const [href, rel] of this.#notes.links) this.#links.add(href, rel, isNofollow(rel))
    this.#notes.finish()
    this.#scanner.close()
    return { notes: this.#notes, links: this.#links, images: this.#images, text: this.#text }
  }

  #open(utf8: Buffer): void {
    this.#scanner.open(utf8)
    this.#foreign.reset()
    this.#text.open(utf8.length)
    this.#notes = new PageNotes()
    this.#links = new LinkList()
    this.#images = new ImageList()
    this.#inBody = false
    this.#sawTag = false
    this.#templates = 0
    this.#link = -1
    this.#hidden.reset()
    this.#noscriptMark = -1
  }

  #scan(): void {
    const scanner = this.#scanner
    const text = this.#text
    const end = scanner.length
    let from = 0
    while (from < end) {
      const next = scanner.bytes[from] === LESS ? from : text.take(scanner, from, end)
      if (next === end) return
      scanner.at = next
      const markup = scanner.read()
      if (markup === MARKUP.startTag) this.#start()
      else if (markup === MARKUP.endTag) this.#end()
      else if (markup === MARKUP.cdata) text.takeRaw(scanner, scanner.from, scanner.to)
      else if (markup === MARKUP.aside) this.#aside(next)
      else {
        text.takeRaw(scanner, next, next + 1)
        scanner.at = next + 1
      }
      from = scanner.at
    }
  }

  #aside(from: number): void {
    if (this.#sawTag || this.#notes.html5) return
    this.#notes.html5 = HTML5.test(this.#scanner.latin1.slice(from, this.#scanner.at))
  }

  #start(): void {
    const scanner = this.#scanner
    const { element } = scanner
    const traits = TRAITS[element] ?? 0
    this.#sawTag = true
    if (this.#foreign.isOpen || element === ELEMENT.svg || element === ELEMENT.math) {
      if (this.#startForeign()) return
    }
    if ((traits & TRAIT.block) !== 0) this.#text.line()
    else if ((traits & TRAIT.cell) !== 0) this.#text.space()
    if ((traits & TRAIT.head) === 0) this.#inBody = true
    if ((traits & TRAIT.telling) !== 0 && this.#templates === 0) this.#tell(element)
    if (this.#hidden.isOpen) this.#startWithinHidden()
    else if (scanner.has(ATTRIBUTE.hidden) || (traits & TRAIT.unseen) !== 0) this.#maybeHide()
    if ((traits & TRAIT.special) !== 0) this.#startSpecial(element, traits)
  }

  /** False when the tag turned out to be HTML after all. */
  #startForeign(): boolean {
    const scanner = this.#scanner
    const isForeign = this.#foreign.open(scanner)
    scanner.allowsCdata = this.#isXml || this.#foreign.isInnermost
    if (!isForeign) return false
    this.#inBody = true
    if (scanner.element === ELEMENT.a && this.#templates === 0) this.#startLink()
    if (this.#hidden.isOpen) this.#startWithinHidden()
    else if (UNDRAWN.has(scanner.element) && !scanner.selfClosing) this.#hide()
    return true
  }

  /** Elements that change how what follows is read. */
  #startSpecial(element: number, traits: number): void {
    const scanner = this.#scanner
    if ((traits & (TRAIT.raw | TRAIT.escapable)) !== 0) this.#rawText(element)
    else if (element === ELEMENT.template) this.#startTemplate()
    else if (element === ELEMENT.noscript) {
      if (this.#noscriptMark < 0) this.#noscriptMark = this.#text.mark
    } else if (element === ELEMENT.pre || element === ELEMENT.listing) this.#text.keepsLines = true
    else if (element === ELEMENT.dialog) {
      if (!scanner.has(ATTRIBUTE.open)) this.#maybeHide()
    } else if (element === ELEMENT.plaintext) {
      this.#text.takeRaw(scanner, scanner.at, scanner.length)
      scanner.at = scanner.length
    }
  }

  #end(): void {
    const scanner = this.#scanner
    const { element } = scanner
    const traits = TRAITS[element] ?? 0
    if (this.#foreign.isOpen) {
      this.#foreign.close(scanner)
      scanner.allowsCdata = this.#isXml || this.#foreign.isInnermost
    }
    if ((traits & TRAIT.block) !== 0) this.#text.line()
    else if ((traits & TRAIT.cell) !== 0) this.#text.space()
    if ((traits & TRAIT.special) !== 0) this.#endSpecial(element)
    if (this.#hidden.isOpen && this.#hidden.end(scanner)) this.#dropSince(this.#hiddenMark)
  }

  #endSpecial(element: number): void {
    if (element === ELEMENT.a) this.#finishLink()
    else if (element === ELEMENT.pre || element === ELEMENT.listing) this.#text.keepsLines = false
    else if (element === ELEMENT.noscript) this.#endNoscript()
    else if (element === ELEMENT.template && this.#templates > 0) this.#templates--
  }

  /** What a start tag says besides text. */
  #tell(element: number): void {
    const scanner = this.#scanner
    switch (element) {
      case ELEMENT.a:
        this.#startLink()
        break
      case ELEMENT.area:
        this.#addLink(ATTRIBUTE.href, this.#alt())
        break
      case ELEMENT.iframe:
      case ELEMENT.frame:
        this.#addLink(ATTRIBUTE.src, '')
        break
      case ELEMENT.img:
      case ELEMENT.image:
        this.#image()
        break
      case ELEMENT.meta:
        this.#notes.takeMeta(scanner)
        break
      case ELEMENT.link:
        this.#notes.takeLink(scanner, !this.#inBody)
        break
      case ELEMENT.base:
        this.#notes.takeBase(scanner)
        break
      case ELEMENT.html:
        this.#notes.takeHtml(scanner)
        break
    }
  }

  #startLink(): void {
    const scanner = this.#scanner
    this.#finishLink()
    const attribute = scanner.has(ATTRIBUTE.href) ? ATTRIBUTE.href : ATTRIBUTE['xlink:href']
    if (!scanner.has(attribute)) return
    const place = this.#addLink(attribute, '')
    if (place < 0 || scanner.selfClosing || !this.#links.lacksAnchor(place)) return
    this.#link = place
    this.#linkMark = this.#text.mark
    this.#linkAlt = ''
  }

  #addLink(attribute: number, anchor: string): number {
    const scanner = this.#scanner
    if (!scanner.has(attribute)) return -1
    const rel = relOf(scanner)
    const place = this.#links.add(scanner.value(attribute), rel, isNofollow(rel))
    if (anchor !== '' && place >= 0 && this.#links.lacksAnchor(place)) {
      this.#links.setAnchor(place, anchor)
    }
    return place
  }

  #finishLink(): void {
    if (this.#link < 0) return
    const words = this.#text.lineSince(this.#linkMark, MAX_ANCHOR)
    this.#links.setAnchor(this.#link, words === '' ? this.#linkAlt : words)
    this.#link = -1
  }

  #image(): void {
    const inLink = this.#link >= 0 && this.#linkAlt === ''
    if (!inLink && !this.#wantsImages) return
    const alt = this.#alt()
    if (inLink) this.#linkAlt = alt
    if (this.#wantsImages) this.#images.add(this.#scanner, alt)
  }

  #alt(): string {
    const alt = this.#scanner.value(ATTRIBUTE.alt)
    return alt === '' ? '' : shortened(tidied(alt.slice(0, 4 * MAX_ALT)), MAX_ALT)
  }

  #rawText(element: number): void {
    const scanner = this.#scanner
    if (this.#isXml && scanner.selfClosing) return
    const from = scanner.at
    const to = scanner.rawTextEnd(RAW_NAMES[element] ?? '')
    if (element === ELEMENT.title) {
      if (this.#notes.title === '' && this.#templates === 0) {
        this.#notes.title = this.#text.aside(scanner, from, to, MAX_TITLE)
      }
    } else if (element === ELEMENT.xmp) this.#text.takeRaw(scanner, from, to)
    scanner.at = to
  }

  /** A template is no part of the page, unless it is declared to be an element's shadow tree. */
  #startTemplate(): void {
    if (this.#scanner.has(ATTRIBUTE.shadowrootmode) && this.#templates === 0) return
    this.#templates++
    if (!this.#hidden.isOpen) this.#hide()
  }

  #endNoscript(): void {
    const mark = this.#noscriptMark
    this.#noscriptMark = -1
    if (mark >= 0 && this.#text.mark - mark < MIN_NOSCRIPT_BYTES) this.#dropSince(mark)
  }

  #maybeHide(): void {
    const { element, selfClosing } = this.#scanner
    if (element === ELEMENT.body || element === ELEMENT.html) return
    if (((TRAITS[element] ?? 0) & TRAIT.empty) !== 0 || (this.#isXml && selfClosing)) return
    if (this.#scanner.value(ATTRIBUTE.hidden).toLowerCase() === 'until-found') return
    this.#hide()
  }

  #hide(): void {
    this.#hidden.begin(this.#scanner)
    this.#hiddenMark = this.#text.mark
  }

  #startWithinHidden(): void {
    if (!this.#hidden.start(this.#scanner)) return
    this.#dropSince(this.#hiddenMark)
    this.#text.line()
  }

  /** Takes text back; a link that began in it keeps its words. */
  #dropSince(mark: number): void {
    if (this.#link >= 0 && this.#linkMark >= mark) this.#finishLink()
    this.#text.rewind(mark)
  }
}

function isNofollow(rel: string): boolean {
  return rel !== '' && NOFOLLOW.test(rel)
}
