// Collects the parts of a page while it is read: images, forms, scripts, style sheets, and attributes of
// tables. Links have their own reader (anchor-reader.ts), because they are always needed; tables and lists
// are read afterwards, from the outline. Parts that the crawl leaves out are not collected.
//
// Every part has a limit and sets `cut` when it reaches it.
import { PARTS, type Part, type PartChoice } from '../../core/page.ts'
import type { Outline } from '../content/outline.ts'
import { ATTRIBUTE, ELEMENT } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import { type TextSink, truncate } from '../html/text-sink.ts'
import { FormReader } from './form-reader.ts'
import { ImageList } from './image-list.ts'
import { AddressBudget, type Cells, type LinkResolver, trimNulls } from './link-resolver.ts'
import { TableAttributes } from './tables.ts'

export class PartReader {
  readonly #tag: HtmlScanner
  readonly #outline: Outline
  readonly forms: FormReader
  images = new ImageList()
  scripts = new ScriptList()
  styles = new StyleList()
  tables = new TableAttributes()
  readonly wants: Record<Part, boolean> = {
    links: false,
    images: false,
    tables: false,
    forms: false,
    lists: false,
    scripts: false,
    styles: false,
  }

  constructor(tag: HtmlScanner, text: TextSink, outline: Outline) {
    this.#tag = tag
    this.#outline = outline
    this.forms = new FormReader(tag, text)
  }

  /** Begins a page with its wanted parts. */
  open(parts: readonly PartChoice[]): void {
    for (const part of PARTS) this.wants[part] = parts.includes(part)
    this.images = new ImageList()
    this.scripts = new ScriptList(parts.includes('scripts=text') ? new CodeBudget() : null)
    this.styles = new StyleList(parts.includes('styles=text') ? new CodeBudget() : null)
    this.tables = new TableAttributes()
    this.forms.open()
  }

  /** The start tag of an element that belongs to a part. */
  start(element: number): void {
    switch (element) {
      case ELEMENT.td:
      case ELEMENT.th:
      case ELEMENT.table:
        if (this.wants.tables) this.tables.take(this.#tag, this.#outline)
        break
      case ELEMENT.picture:
        this.images.startPicture()
        break
      case ELEMENT.source:
        if (this.wants.images) this.images.addSource(this.#tag)
        break
      default:
        if (this.wants.forms) this.forms.start(element)
    }
  }

  end(element: number): void {
    if (element === ELEMENT.picture) this.images.endPicture()
    else if (this.wants.forms) this.forms.end(element)
  }

  /** A script or a style sheet between two offsets of the page. */
  code(element: number, from: number, to: number): void {
    if (element === ELEMENT.script) {
      if (this.wants.scripts) this.scripts.add(this.#tag, from, to)
    } else if (element === ELEMENT.style && this.wants.styles) this.styles.add(this.#tag, from, to)
  }
}

const MAX_CODE = 1 << 16
const MAX_CODE_OF_PAGE = 1 << 19

/** Code in the page, if the crawl keeps it. In bytes: of one script or sheet, and of all of a page. */
class CodeBudget {
  #room = MAX_CODE_OF_PAGE
  /** Something was cut. */
  cut = false

  /** The text between two offsets of the page, or its beginning. */
  take(tag: HtmlScanner, from: number, to: number): string {
    const end = Math.min(to, from + MAX_CODE, from + this.#room)
    this.cut ||= end < to
    this.#room -= end - from
    // A letter that is cut in two is left out.
    const text = tag.slice(from, end)
    return (end < to ? text.replace(/\uFFFD$/, '') : text).trim()
  }
}

const MAX_SCRIPTS = 500
const MAX_TYPE = 100
/** In characters; a longer text is left out, because half a JSON text is invalid. */
const MAX_JSON_LD = 1 << 15
const JSON_LD = 'application/ld+json'

type Written = readonly [
  src: string | null,
  type: string,
  load: string | null,
  length: number | null,
  text: string | null,
]

/**
 * The scripts of a page: their addresses, and the length of inline scripts. Code is kept only on request.
 * JSON-LD is kept: it is metadata, not code.
 */
class ScriptList {
  readonly #written: Written[] = []
  readonly #code: CodeBudget | null
  #jsonLdRoom = 2 * MAX_JSON_LD
  #isCut = false

  constructor(code: CodeBudget | null = null) {
    this.#code = code
  }

  /** The page had more scripts than the limit. */
  get cut(): boolean {
    return this.#isCut || this.#code?.cut === true
  }

  /** A `<script>` with its text between two offsets of the page. */
  add(tag: HtmlScanner, from: number, to: number): void {
    if (this.#written.length >= MAX_SCRIPTS) {
      this.#isCut = true
      return
    }
    const type = truncate(tag.value(ATTRIBUTE.type), MAX_TYPE).trim().toLowerCase()
    if (tag.has(ATTRIBUTE.src)) {
      const load = tag.has(ATTRIBUTE.async) ? 'async' : tag.has(ATTRIBUTE.defer) ? 'defer' : null
      this.#written.push([tag.value(ATTRIBUTE.src), type, load, null, null])
    } else {
      const isCode = type !== JSON_LD
      const text = isCode ? this.#codeOf(tag, from, to) : this.#jsonLd(tag, from, to)
      this.#written.push([null, type, null, to - from, text])
    }
  }

  /**
   * A row is address, type ('' for JavaScript), `async` or `defer`, the length in bytes of an
   * inline script, and the text of JSON-LD, or of code if the crawl keeps it.
   */
  resolve(resolver: LinkResolver): readonly Cells[] {
    const room = new AddressBudget()
    const rows: Cells[] = []
    for (const [src, ...rest] of this.#written) {
      const url = src === null ? null : resolver.resolve(src)
      if (room.take(url)) rows.push(trimNulls([url, ...rest], 2))
      else this.#isCut = true
    }
    return rows
  }

  #codeOf(tag: HtmlScanner, from: number, to: number): string | null {
    return this.#code?.take(tag, from, to) ?? null
  }

  #jsonLd(tag: HtmlScanner, from: number, to: number): string | null {
    if (to - from > MAX_JSON_LD || to - from > this.#jsonLdRoom) {
      this.#isCut = true
      return null
    }
    this.#jsonLdRoom -= to - from
    return tag.slice(from, to).trim()
  }
}

const MAX_STYLES = 500
const MAX_MEDIA = 200
const STYLESHEET = /(?:^|\s)stylesheet(?:\s|$)/i

type WrittenStyle = readonly [
  href: string | null,
  media: string | null,
  length: number | null,
  text: string | null,
]

/** The style sheets of a page: their addresses, and the length of inline ones, with their text on request. */
class StyleList {
  readonly #written: WrittenStyle[] = []
  readonly #code: CodeBudget | null
  #isCut = false

  constructor(code: CodeBudget | null = null) {
    this.#code = code
  }

  /** The page had more style sheets than the limit. */
  get cut(): boolean {
    return this.#isCut || this.#code?.cut === true
  }

  /** A `<link>`, if it is to a style sheet. */
  addLink(tag: HtmlScanner): void {
    const rel = tag.value(ATTRIBUTE.rel)
    if (rel.length > MAX_MEDIA || !STYLESHEET.test(rel) || !tag.has(ATTRIBUTE.href)) return
    this.#add([tag.value(ATTRIBUTE.href), mediaOf(tag), null, null])
  }

  /** A `<style>` with its text between two offsets of the page. */
  add(tag: HtmlScanner, from: number, to: number): void {
    this.#add([null, mediaOf(tag), to - from, this.#code?.take(tag, from, to) ?? null])
  }

  /** A row is address, media query, the length in bytes of an inline style sheet, and its text if kept. */
  resolve(resolver: LinkResolver): readonly Cells[] {
    const room = new AddressBudget()
    const rows: Cells[] = []
    for (const [href, ...rest] of this.#written) {
      const url = href === null ? null : resolver.resolve(href)
      if (room.take(url)) rows.push(trimNulls([url, ...rest], 1))
      else this.#isCut = true
    }
    return rows
  }

  #add(row: WrittenStyle): void {
    if (this.#written.length < MAX_STYLES) this.#written.push(row)
    else this.#isCut = true
  }
}

function mediaOf(tag: HtmlScanner): string | null {
  const media = truncate(tag.value(ATTRIBUTE.media), MAX_MEDIA).trim()
  return media === '' ? null : media
}
