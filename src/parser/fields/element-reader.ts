// Reads the elements of a page into a table, with the parser's own scanner. Elements nest as in a browser: html,
// head, body and tbody are there even if nobody wrote them, and paragraphs, entries and cells end where the standard
// ends them. Three things of the standard are left out: formatting that is closed in another order than it was
// opened stays where it is, elements that do not belong into a table come after it instead of before it, and
// the content of a template is no part of the page.
import { ForeignContent } from '../html/foreign-content.ts'
import { ATTRIBUTE, ELEMENT, TRAIT, TRAITS } from '../html/html-names.ts'
import { HtmlScanner, MARKUP } from '../html/html-scanner.ts'
import { RAW_NAMES, rawTextEnd } from '../html/raw-text.ts'
import {
  BUTTON_SCOPE,
  ENDS_PARAGRAPH,
  FORMATTING,
  HEADING,
  IN_TABLE_FRAME,
  isBlank,
  isRaw,
  LIST_SCOPE,
  NAMES,
  PASSED,
  ROW_GROUP,
  RUBY,
  SCOPE,
  SECTION,
  SPECIAL,
  TABLE_FRAME,
  TABLE_PARTS,
} from './element-rules.ts'
import { AFTER_BREAK, ElementTable, TEXT } from './element-table.ts'
import { OpenElements } from './open-elements.ts'

const NONE = -1

export class ElementReader {
  readonly table = new ElementTable()
  readonly scanner = new HtmlScanner()
  readonly #foreign = new ForeignContent()
  readonly #open = new OpenElements(this.table, this.#foreign)
  #templates = 0
  #template = NONE
  #head = NONE
  #body = NONE
  #isXml = false
  /** Without a document type: then a table does not end a paragraph. */
  #isQuirky = true
  #breaks = false

  /** Valid until the next page is read. */
  read(source: Buffer, isXml: boolean): ElementTable {
    const { scanner, table } = this
    table.reset()
    scanner.open(source)
    scanner.allowsCdata = isXml
    this.#foreign.reset()
    this.#open.reset()
    this.#templates = 0
    this.#head = this.#body = this.#template = NONE
    this.#isXml = isXml
    this.#isQuirky = true
    this.#breaks = false
    if (!isXml) this.#open.push(this.#imply(NONE, ELEMENT.html, NAMES.html, 0), false)
    this.#scan(source.length)
    if (!isXml && this.#body === NONE) this.#openBody(source.length)
    this.#open.popTo(0, source.length)
    return table
  }

  #scan(end: number): void {
    const { scanner } = this
    for (let from = 0; from < end; from = scanner.at) {
      const found = scanner.latin1.indexOf('<', from)
      const next = found < 0 ? end : found
      if (next > from) this.#text(from, next, TEXT.plain)
      if (next >= end || this.table.isCut) return
      scanner.at = next
      const markup = scanner.read()
      if (markup === MARKUP.startTag) this.#start(next)
      else if (markup === MARKUP.endTag) this.#end(next)
      else if (markup === MARKUP.cdata) this.#text(scanner.from, scanner.to, TEXT.raw)
      else if (markup === MARKUP.aside) this.#aside(next)
      else {
        this.#text(next, next + 1, TEXT.raw)
        scanner.at = next + 1
      }
    }
  }

  #aside(from: number): void {
    if (this.#head !== NONE || !this.#isQuirky) return
    this.#isQuirky = !/^<!doctype\b/i.test(this.scanner.latin1.slice(from, from + 10))
  }

  #text(from: number, to: number, kind: number): void {
    if (this.#templates > 0) return
    const isOutside = !this.#isXml && this.#body === NONE
    if (isOutside && isBlank(this.scanner.bytes, from, to)) return
    if (isOutside) this.#openBody(from)
    this.table.addText(from, to, kind + (this.#breaks ? AFTER_BREAK : 0))
    this.#breaks = false
  }

  #start(at: number): void {
    const { scanner } = this
    const { element } = scanner
    const traits = TRAITS[element] ?? 0
    if ((traits & (TRAIT.block | TRAIT.cell)) !== 0) this.#breaks = true
    if (this.#templates > 0) {
      if (element === ELEMENT.template) this.#templates++
      else if (isRaw(traits)) this.#skipRaw(element)
    } else if (this.#isXml) this.#startXml(at)
    else if (this.#startForeign(at)) return
    else if (this.#body !== NONE || !this.#startOutside(at, traits)) this.#startInBody(at, traits)
  }

  #startXml(at: number): void {
    const id = this.#insert(this.#open.top, at)
    if (!this.scanner.selfClosing) this.#open.push(id, false)
  }

  /** True when the element is SVG or MathML. */
  #startForeign(at: number): boolean {
    const { scanner } = this
    const { element } = scanner
    const begins = element === ELEMENT.svg || element === ELEMENT.math
    if (!begins && !this.#foreign.isOpen) return false
    if (this.#body === NONE) this.#openBody(at)
    const { depth } = this.#foreign
    const isForeign = this.#foreign.open(scanner)
    scanner.allowsCdata = this.#foreign.isOpen && this.#foreign.isInnermost
    if (!isForeign) {
      this.#open.leaveForeign(at)
      return false
    }
    const id = this.#insert(this.#open.top, at)
    if (this.#foreign.depth > depth) this.#open.push(id, true)
    return true
  }

  /** Before the body; false when the element begins it. */
  #startOutside(at: number, traits: number): boolean {
    const { element } = this.scanner
    if (element === ELEMENT.html) {
      this.#adopt(0, at)
      return true
    }
    if (element === ELEMENT.head) {
      if (this.#head === NONE) this.#openHead(at, this.scanner.at)
      return true
    }
    if (element === ELEMENT.body) {
      this.#openBody(at)
      this.#adopt(this.#body, at)
      return true
    }
    if ((traits & TRAIT.head) === 0) {
      this.#openBody(at)
      return false
    }
    if (this.#head === NONE) this.#openHead(at, at)
    // After the head, such an element still belongs to it.
    const parent = this.#open.depth > 1 ? this.#open.top : this.#head
    this.#place(this.#insert(parent, at), traits)
    return true
  }

  #startInBody(at: number, traits: number): void {
    const { element } = this.scanner
    if (element === ELEMENT.html || element === ELEMENT.head || element === ELEMENT.body) return
    if (TABLE_PARTS[element] === 1) {
      this.#startTablePart(at)
      return
    }
    this.#closeBefore(element, at)
    if (element === ELEMENT.form && this.#open.has(element)) return
    this.#place(this.#insert(this.#parentFor(element), at), traits)
  }

  /** Ends what the start tag of this element ends. */
  #closeBefore(element: number, at: number): void {
    if (element === ELEMENT.li) this.#closeEntry(at, element, element)
    else if (element === ELEMENT.dd || element === ELEMENT.dt) {
      this.#closeEntry(at, ELEMENT.dd, ELEMENT.dt)
    } else if (element === ELEMENT.button) this.#open.closeIn(SCOPE, element, at)
    else if (element === ELEMENT.option || element === ELEMENT.optgroup) {
      if (this.#open.topElement === ELEMENT.option) this.#open.pop(at)
      if (element === ELEMENT.optgroup && this.#open.topElement === element) {
        this.#open.pop(at)
      }
    } else if (element === ELEMENT.a) this.#closeFormatting(at)
    else if (RUBY[element] === 1 && this.#open.find(SCOPE, ELEMENT.ruby) >= 0)
      this.#open.closeImplied(at)
    const staysIn = element === ELEMENT.table && this.#isQuirky
    if (ENDS_PARAGRAPH[element] === 1 && !staysIn) this.#open.closeIn(BUTTON_SCOPE, ELEMENT.p, at)
    if (HEADING[element] === 1 && HEADING[this.#open.topElement] === 1) this.#open.pop(at)
  }

  #closeEntry(at: number, one: number, other: number): void {
    if (this.#open.has(one) || this.#open.has(other)) {
      for (let depth = this.#open.depth - 1; depth > 0; depth--) {
        const element = this.#open.elementAt(depth)
        if (element === one || element === other) {
          this.#open.popTo(depth, at)
          break
        }
        if (SPECIAL[element] === 1 && PASSED[element] === 0) break
      }
    }
    this.#open.closeIn(BUTTON_SCOPE, ELEMENT.p, at)
  }

  #startTablePart(at: number): void {
    const { element } = this.scanner
    const table = this.#open.table()
    if (table < 0) return
    const group = ROW_GROUP[this.#open.elementAt(table + 1)] === 1 ? table + 1 : NONE
    const isCell = element === ELEMENT.td || element === ELEMENT.th
    if (element !== ELEMENT.tr && !isCell) {
      const isInColumns = element === ELEMENT.col && this.#open.topElement === ELEMENT.colgroup
      if (!isInColumns) this.#open.popTo(table + 1, at)
      if (element === ELEMENT.col && !isInColumns)
        this.#pushImplied(ELEMENT.colgroup, NAMES.colgroup, at)
    } else {
      const hasRow = isCell && group >= 0 && this.#open.elementAt(group + 1) === ELEMENT.tr
      const row = hasRow ? group + 1 : NONE
      this.#open.popTo(1 + (row >= 0 ? row : group >= 0 ? group : table), at)
      if (group < 0) this.#pushImplied(ELEMENT.tbody, NAMES.tbody, at)
      if (isCell && row < 0) this.#pushImplied(ELEMENT.tr, NAMES.tr, at)
    }
    this.#place(this.#insert(this.#open.top, at), TRAITS[element] ?? 0)
  }

  /** Where the element goes: beside the table if it does not belong into one. */
  #parentFor(element: number): number {
    if (this.#open.topElement === ELEMENT.colgroup) this.#open.pop(this.scanner.at)
    if (TABLE_FRAME[this.#open.topElement] === 0 || IN_TABLE_FRAME[element] === 1)
      return this.#open.top
    const table = this.#open.table()
    return table > 0 ? this.#open.at(table - 1) : this.#open.top
  }

  /** After an element was inserted: opens it, or reads its text. */
  #place(id: number, traits: number): void {
    const { scanner } = this
    const { element } = scanner
    if (id < 0 || (traits & TRAIT.empty) !== 0) return
    if (isRaw(traits)) {
      const from = scanner.at
      this.#skipRaw(element)
      const isText = (traits & TRAIT.escapable) !== 0
      const kind = isText ? TEXT.plain : element === ELEMENT.xmp ? TEXT.raw : TEXT.hidden
      if (scanner.at > from) this.table.addText(from, scanner.at, kind + AFTER_BREAK)
      this.#breaks = true
      this.table.close(id, scanner.at)
    } else if (element === ELEMENT.template && !scanner.has(ATTRIBUTE.shadowrootmode)) {
      this.#templates = 1
      this.#template = id
    } else if (element === ELEMENT.plaintext) {
      this.#open.push(id, false)
      this.#text(scanner.at, scanner.length, TEXT.raw)
      scanner.at = scanner.length
    } else this.#open.push(id, false)
  }

  #end(at: number): void {
    const { scanner } = this
    const { element } = scanner
    if (((TRAITS[element] ?? 0) & (TRAIT.block | TRAIT.cell)) !== 0) this.#breaks = true
    if (this.#templates > 0) {
      if (element !== ELEMENT.template) return
      this.#templates--
      if (this.#templates === 0) this.table.close(this.#template, at)
      return
    }
    if (this.#foreign.isOpen) {
      const closed = this.#foreign.close(scanner)
      scanner.allowsCdata = this.#isXml || (this.#foreign.isOpen && this.#foreign.isInnermost)
      this.#open.leaveForeign(at)
      if (closed) return
    }
    if (this.#isXml) this.#endOther(at, false)
    else if (this.#body === NONE) this.#endOutside(at)
    else this.#endInBody(at)
  }

  #endOutside(at: number): void {
    const { element } = this.scanner
    if (element === ELEMENT.head && this.#head !== NONE) this.#open.popTo(1, at)
    else if (element === ELEMENT.br || element === ELEMENT.body) this.#openBody(at)
    else if (this.#open.depth > 1) this.#endOther(at, true)
  }

  #endInBody(at: number): void {
    const { element } = this.scanner
    if (element === ELEMENT.body || element === ELEMENT.html) return
    if (element === ELEMENT.p) {
      if (this.#open.find(BUTTON_SCOPE, element) < 0) this.#pushImplied(element, NAMES.p, at)
      this.#open.closeIn(BUTTON_SCOPE, element, at)
    } else if (element === ELEMENT.br) this.#imply(this.#open.top, element, NAMES.br, at)
    else if (element === ELEMENT.li) this.#open.closeIn(LIST_SCOPE, element, at)
    else if (HEADING[element] === 1) this.#closeHeading(at)
    else if (TABLE_PARTS[element] === 1 || element === ELEMENT.table)
      this.#endTablePart(element, at)
    else if (SECTION[element] === 1 || element === ELEMENT.dd || element === ELEMENT.dt) {
      this.#open.closeIn(SCOPE, element, at)
    } else this.#endOther(at, true)
  }

  #closeHeading(at: number): void {
    for (let depth = this.#open.depth - 1; depth > 0; depth--) {
      const element = this.#open.elementAt(depth)
      if (HEADING[element] === 1) this.#open.popTo(depth, at)
      if (HEADING[element] === 1 || SCOPE[element] === 1) return
    }
  }

  #endTablePart(element: number, at: number): void {
    if (!this.#open.has(element)) return
    const table = this.#open.table()
    if (table < 0) return
    if (element === ELEMENT.table) {
      this.#open.popTo(table, at)
      return
    }
    for (let depth = this.#open.depth - 1; depth > table; depth--) {
      if (this.#open.elementAt(depth) === element) {
        this.#open.popTo(depth, at)
        return
      }
    }
  }

  /** `stopsAtSpecial`: an element of another kind between keeps it from closing anything. */
  #endOther(at: number, stopsAtSpecial: boolean): void {
    const { nameHash } = this.scanner
    for (let depth = this.#open.depth - 1; depth >= (this.#isXml ? 0 : 1); depth--) {
      const id = this.#open.at(depth)
      if (this.table.name[id] === nameHash) {
        this.#open.popTo(depth, at)
        return
      }
      if (stopsAtSpecial && SPECIAL[this.#open.elementAt(depth)] === 1) return
    }
  }

  /** A link cannot be in a link. */
  #closeFormatting(at: number): void {
    if (!this.#open.has(ELEMENT.a)) return
    for (let depth = this.#open.depth - 1; depth > 0; depth--) {
      const element = this.#open.elementAt(depth)
      if (element === ELEMENT.a) this.#open.popTo(depth, at)
      if (element === ELEMENT.a || FORMATTING[element] === 0) return
    }
  }

  #openHead(at: number, to: number): void {
    const tag = { name: NAMES.head, element: ELEMENT.head, from: at, to }
    this.#head = this.table.add(this.#open.top, tag)
    this.#open.push(this.#head, false)
  }

  #openBody(at: number): void {
    this.#open.popTo(1, at)
    if (this.#head === NONE) {
      this.#openHead(at, at)
      this.#open.popTo(1, at)
    }
    this.#body = this.#imply(this.#open.top, ELEMENT.body, NAMES.body, at)
    this.#open.push(this.#body, false)
  }

  /** The element was there already; this is its tag. */
  #adopt(id: number, at: number): void {
    const { table } = this
    if (table.tagTo[id] !== table.tagFrom[id]) return
    table.tagFrom[id] = at
    table.tagTo[id] = this.scanner.at
  }

  #imply(parent: number, element: number, name: number, at: number): number {
    return this.table.add(parent, { name, element, from: at, to: at })
  }

  #pushImplied(element: number, name: number, at: number): void {
    this.#open.push(this.#imply(this.#open.top, element, name, at), false)
  }

  #insert(parent: number, from: number): number {
    const { nameHash: name, element, at: to } = this.scanner
    return this.table.add(parent, { name, element, from, to })
  }

  #skipRaw(element: number): void {
    const { scanner } = this
    if (this.#isXml && scanner.selfClosing) return
    scanner.at = rawTextEnd(scanner.latin1, RAW_NAMES[element] ?? '', scanner.at)
  }
}
