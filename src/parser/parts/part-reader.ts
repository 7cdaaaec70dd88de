// What is gathered of a page's parts while it is read: pictures, forms, scripts, style sheets, and
// what tags of tables say. Links have a reader of their own (anchor-reader.ts), because they are
// always wanted; tables and lists are read afterwards, from the outline. Nothing is gathered for a
// part that the crawl leaves out.
//
// Every part has a bound, and says in `cut` that it has reached it.
import { PARTS, type Part } from '../../core/page.ts'
import type { Outline } from '../content/outline.ts'
import { ELEMENT } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import type { TextSink } from '../html/text-sink.ts'
import { FormReader } from './form-reader.ts'
import { ImageList } from './image-list.ts'
import { ScriptList } from './script-list.ts'
import { StyleList } from './style-list.ts'
import { TableMarks } from './table-marks.ts'

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
