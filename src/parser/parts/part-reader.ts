// What is gathered of a page's parts while it is read: pictures, forms, scripts, style sheets, and
// what tags of tables say. Links have a reader of their own (anchor-reader.ts), because they are
// always wanted; tables and lists are read afterwards, from the outline. Nothing is gathered for a
// part that the crawl leaves out.
//
// Every part has a bound, and says in `cut` that it has reached it.
import { PARTS, type Part } from '../../core/page.ts'
import type { Outline } from '../content/outline.ts'
import { ATTRIBUTE, ELEMENT } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import { shortened, type TextSink } from '../html/text-sink.ts'
import { FormReader } from './form-reader.ts'
import { ImageList } from './image-list.ts'
import { AddressRoom, type Cells, type LinkResolver, withoutEmptyEnd } from './link-resolver.ts'
import { TableMarks } from './tables.ts'

export class PartReader {
  readonly #tag: HtmlScanner
  readonly #outline: Outline
  readonly forms: FormReader
  images = new ImageList()
  scripts = new ScriptList()
  styles = new StyleList()
  tables = new TableMarks()
  /** Which parts are wanted. */
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

  /** Begins a page of which these parts are wanted. */
  open(parts: readonly Part[]): void {
    for (const part of PARTS) this.wants[part] = parts.includes(part)
    this.images = new ImageList()
    this.scripts = new ScriptList()
    this.styles = new StyleList()
    this.tables = new TableMarks()
    this.forms.open()
  }

  /** The start tag of an element that holds, or is, something of a part. */
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

  /** A script or a style sheet that lies between the two places of the page. */
  code(element: number, from: number, to: number): void {
    if (element === ELEMENT.script) {
      if (this.wants.scripts) this.scripts.add(this.#tag, from, to)
    } else if (element === ELEMENT.style && this.wants.styles) this.styles.add(this.#tag, from, to)
  }
}

// The scripts of one page: where they come from, and how long those in the page itself are. Their
// code is not kept. JSON-LD is: it is no code but what the page says about itself.

const MAX_SCRIPTS = 500
const MAX_TYPE = 100
/** In characters; a longer one is left out, since half a JSON text is none. */
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
  /** The page had more scripts than are kept of one. */
  cut = false

  /** A `<script>`, whose text lies between the two places of the page. */
  add(tag: HtmlScanner, from: number, to: number): void {
    if (this.#written.length >= MAX_SCRIPTS) {
      this.cut = true
      return
    }
    const type = shortened(tag.value(ATTRIBUTE.type), MAX_TYPE).trim().toLowerCase()
    if (tag.has(ATTRIBUTE.src)) {
      const load = tag.has(ATTRIBUTE.async) ? 'async' : tag.has(ATTRIBUTE.defer) ? 'defer' : null
      this.#written.push([tag.value(ATTRIBUTE.src), type, load, null, null])
    } else {
      const text = type === JSON_LD ? this.#jsonLd(tag, from, to) : null
      this.#written.push([null, type, null, to - from, text])
    }
  }

  /**
   * A row is address, type ('' for JavaScript), `async` or `defer`, the length in bytes of a script
   * that stands in the page, and the text of JSON-LD.
   */
  resolve(resolver: LinkResolver): readonly Cells[] {
    const room = new AddressRoom()
    const rows: Cells[] = []
    for (const [src, ...rest] of this.#written) {
      const url = src === null ? null : resolver.resolve(src)
      if (room.take(url)) rows.push(withoutEmptyEnd([url, ...rest], 2))
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

// The style sheets of one page: where they come from, and how long those in the page itself are.

const MAX_STYLES = 500
const MAX_MEDIA = 200
const STYLESHEET = /(?:^|\s)stylesheet(?:\s|$)/i

type WrittenStyle = readonly [href: string | null, media: string | null, length: number | null]

class StyleList {
  readonly #written: WrittenStyle[] = []
  /** The page had more style sheets than are kept of one. */
  cut = false

  /** A `<link>`, if it is one to a style sheet. */
  addLink(tag: HtmlScanner): void {
    const rel = tag.value(ATTRIBUTE.rel)
    if (rel.length > MAX_MEDIA || !STYLESHEET.test(rel) || !tag.has(ATTRIBUTE.href)) return
    this.#add([tag.value(ATTRIBUTE.href), mediaOf(tag), null])
  }

  /** A `<style>`, whose text lies between the two places of the page. */
  add(tag: HtmlScanner, from: number, to: number): void {
    this.#add([null, mediaOf(tag), to - from])
  }

  /** A row is address, media query, and the length in bytes of one that stands in the page. */
  resolve(resolver: LinkResolver): readonly Cells[] {
    const room = new AddressRoom()
    const rows: Cells[] = []
    for (const [href, ...rest] of this.#written) {
      const url = href === null ? null : resolver.resolve(href)
      if (room.take(url)) rows.push(withoutEmptyEnd([url, ...rest], 1))
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
  const media = shortened(tag.value(ATTRIBUTE.media), MAX_MEDIA).trim()
  return media === '' ? null : media
}
