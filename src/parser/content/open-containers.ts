// The open containers while a page is read, the outermost first, and which of them a tag closes.
// Indexes count from the root at 0, which nothing closes: 0 also means that there is none.
import { DEPTH, MAX_DEPTH, OPEN_ROWS } from '../assembly/layout.ts'
import { BEHAVIOUR, ELEMENT, isFallback, LIST, SCOPE, TABLE_RANK } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import type { PageMemory } from '../html/page-memory.ts'
import type { ContainerRows } from './outline-rows.ts'

export class OpenContainers {
  /** Rows of the containers; those from `depth` on are closed. */
  rows: Int32Array
  #state: Int32Array
  readonly #containers: ContainerRows

  constructor({ buffer, state }: PageMemory, containers: ContainerRows) {
    this.rows = new Int32Array(buffer, OPEN_ROWS, MAX_DEPTH)
    this.#state = state
    this.#containers = containers
  }

  /** Begins a page: none is open. */
  open({ buffer, state }: PageMemory): void {
    if (state !== this.#state) this.rows = new Int32Array(buffer, OPEN_ROWS, MAX_DEPTH)
    this.#state = state
    this.depth = 0
  }

  get depth(): number {
    return this.#state[DEPTH] ?? 0
  }
  set depth(depth: number) {
    this.#state[DEPTH] = depth
  }

  push(row: number): void {
    this.rows[this.depth++] = row
  }

  get innermost(): number {
    return this.rows[this.depth - 1] ?? 0
  }

  get isInTable(): boolean {
    for (let place = this.depth - 1; place > 0; place--) {
      if (this.elementAt(place) === ELEMENT.table) return true
    }
    return false
  }

  elementAt(place: number): number {
    return this.#containers.element[this.rows[place] ?? 0] ?? 0
  }

  findForm(from = this.depth - 1): number {
    let place = from
    while (place > 0 && this.elementAt(place) !== ELEMENT.form) place--
    return place
  }

  findParagraph(): number {
    let place = this.depth - 1
    while (place > 0 && mayBeInline(this.elementAt(place))) place--
    return this.elementAt(place) === ELEMENT.p ? place : 0
  }

  /** Buttons do not nest. */
  findButton(): number {
    for (let place = this.depth - 1; place > 0; place--) {
      const open = this.elementAt(place)
      if (open === ELEMENT.button) return place
      if (((BEHAVIOUR[open] ?? 0) & SCOPE) !== 0) return 0
    }
    return 0
  }

  /** An open `<li>` that the next one closes, and the like. */
  findSame(element: number): number {
    const other =
      element === ELEMENT.dt ? ELEMENT.dd : element === ELEMENT.dd ? ELEMENT.dt : element
    for (let place = this.depth - 1; place > 0; place--) {
      const open = this.elementAt(place)
      if (open === element || open === other) return place
      if (((BEHAVIOUR[open] ?? 0) & (SCOPE | LIST)) !== 0) return 0
    }
    return 0
  }

  /** The outermost part of the innermost table that a new row, cell or section closes. */
  findTablePart(element: number): number {
    const rank = TABLE_RANK[element] ?? 0
    let found = 0
    for (let place = this.depth - 1; place > 0; place--) {
      const open = this.elementAt(place)
      if (open === ELEMENT.table || isFallback(open)) return found
      const openRank = TABLE_RANK[open] ?? 0
      if (openRank > 0 && openRank <= rank) found = place
    }
    return 0
  }

  findOpen(tag: HtmlScanner): number {
    const { element, nameHash } = tag
    if (element === ELEMENT.body || element === ELEMENT.html) return 0
    const top = this.depth - 1
    // A form ends at its end tag, but the elements in it stay open.
    if (element === ELEMENT.form) return this.elementAt(top) === element ? top : 0
    const inTable = element === ELEMENT.table || (TABLE_RANK[element] ?? 0) > 0
    const isItem = element === ELEMENT.li
    for (let place = top; place > 0; place--) {
      if (this.#containers.nameHash[this.rows[place] ?? 0] === nameHash) return place
      if (isFallback(element)) continue
      if (isFallback(this.elementAt(place))) return 0
      const behaviour = BEHAVIOUR[this.elementAt(place)] ?? 0
      if (inTable ? this.elementAt(place) === ELEMENT.table : (behaviour & SCOPE) !== 0) return 0
      if (isItem && (behaviour & LIST) !== 0) return 0
    }
    return 0
  }
}

function mayBeInline(element: number): boolean {
  return element === 0 || element === ELEMENT.label
}
