// Collects the parts of a page while it is read: images, forms, scripts, style sheets, and attributes of
// tables. Links have their own reader (anchor-reader.ts), because they are always needed; tables and lists
// are read afterwards, from the outline. Parts that the crawl leaves out are not collected.
//
// Every part has a limit and sets `cut` when it reaches it.
import { PARTS, type Part } from '../../core/page.ts'
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
  open(parts: readonly Part[]): void {
    for (const part of PARTS) this.wants[part] = parts.includes(part)
    this.images = new ImageList()
    this.scripts = new ScriptList()
    this.styles = new StyleList()
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

// The scripts of a page: their addresses, and the length of inline scripts. Code is not kept.
// JSON-LD is kept: it is metadata, not code.

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

class ScriptList {
  readonly #written: Written[] = []
  #jsonLdRoom = 2 * MAX_JSON_LD
  /** The page had more scripts than the limit. */
  cut = false

  /** A `<script>` with its text between two offsets of the page. */
  add(tag: HtmlScanner, from: number, to: number): void {
    if (this.#written.length >= MAX_SCRIPTS) {
      this.cut = true
      return
    }
    const type = truncate(tag.value(ATTRIBUTE.type), MAX_TYPE).trim().toLowerCase()
    if (tag.has(ATTRIBUTE.src)) {
      const load = tag.has(ATTRIBUTE.async) ? 'async' : tag.has(ATTRIBUTE.defer) ? 'defer' : null
      this.#written.push([tag.value(ATTRIBUTE.src), type, load, null, null])
    } else {
      const text = type === JSON_LD ? this.#jsonLd(tag, from, to) : null
      this.#written.push([null, type, null, to - from, text])
    }
  }

  /**
   * A row is address, type ('' for JavaScript), `async` or `defer`, the length in bytes of an
   * inline script, and the text of JSON-LD.
   */
  resolve(resolver: LinkResolver): readonly Cells[] {
    const room = new AddressBudget()
    const rows: Cells[] = []
    for (const [src, ...rest] of this.#written) {
      const url = src === null ? null : resolver.resolve(src)
      if (room.take(url)) rows.push(trimNulls([url, ...rest], 2))
      else this.cut = true
    }
    return rows
  }

  #jsonLd(tag: HtmlScanner, from: number, to: number): string | null {
    if (to - from > MAX_JSON_LD || to - from > this.#jsonLdRoom) {
      this.cut = true
      return null
    }
    this.#jsonLdRoom -= to - from
    return tag.slice(from, to).trim()
  }
}

// The style sheets of a page: their addresses, and the length of inline ones.

const MAX_STYLES = 500
const MAX_MEDIA = 200
const STYLESHEET = /(?:^|\s)stylesheet(?:\s|$)/i

type WrittenStyle = readonly [href: string | null, media: string | null, length: number | null]

class StyleList {
  readonly #written: WrittenStyle[] = []
  /** The page had more style sheets than the limit. */
  cut = false

  /** A `<link>`, if it is to a style sheet. */
  addLink(tag: HtmlScanner): void {
    const rel = tag.value(ATTRIBUTE.rel)
    if (rel.length > MAX_MEDIA || !STYLESHEET.test(rel) || !tag.has(ATTRIBUTE.href)) return
    this.#add([tag.value(ATTRIBUTE.href), mediaOf(tag), null])
  }

  /** A `<style>` with its text between two offsets of the page. */
  add(tag: HtmlScanner, from: number, to: number): void {
    this.#add([null, mediaOf(tag), to - from])
  }

  /** A row is address, media query, and the length in bytes of an inline style sheet. */
  resolve(resolver: LinkResolver): readonly Cells[] {
    const room = new AddressBudget()
    const rows: Cells[] = []
    for (const [href, ...rest] of this.#written) {
      const url = href === null ? null : resolver.resolve(href)
      if (room.take(url)) rows.push(trimNulls([url, ...rest], 1))
      else this.cut = true
    }
    return rows
  }

  #add(row: WrittenStyle): void {
    if (this.#written.length < MAX_STYLES) this.#written.push(row)
    else this.cut = true
  }
}

function mediaOf(tag: HtmlScanner): string | null {
  const media = truncate(tag.value(ATTRIBUTE.media), MAX_MEDIA).trim()
  return media === '' ? null : media
}
