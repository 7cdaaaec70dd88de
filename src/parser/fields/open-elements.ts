// The elements that are open at a place of the page, the outermost first.
import type { ForeignContent } from '../html/foreign-content.ts'
import { ELEMENT } from '../html/html-names.ts'
import { IMPLIED } from './element-rules.ts'
import type { ElementTable } from './element-table.ts'

/** As in a browser: deeper elements become siblings. */
const MAX_DEPTH = 512
const NONE = -1

export class OpenElements {
  readonly #table: ElementTable
  readonly #foreign: ForeignContent
  readonly #stack = new Int32Array(MAX_DEPTH)
  readonly #isForeign = new Uint8Array(MAX_DEPTH)
  /** How many of each name are open. */
  readonly #counts = new Int32Array(256)
  #foreignCount = 0
  depth = 0

  constructor(table: ElementTable, foreign: ForeignContent) {
    this.#table = table
    this.#foreign = foreign
  }

  reset(): void {
    this.depth = 0
    this.#foreignCount = 0
    this.#counts.fill(0)
  }

  has(element: number): boolean {
    return (this.#counts[element] ?? 0) > 0
  }

  /** The row of an open element; -1 if none is so deep. */
  at(depth: number): number {
    return depth >= 0 && depth < this.depth ? (this.#stack[depth] ?? NONE) : NONE
  }

  get top(): number {
    return this.at(this.depth - 1)
  }

  get topElement(): number {
    return this.elementAt(this.depth - 1)
  }

  /** The number of its name; 0 in SVG and MathML, where names have no meaning here. */
  elementAt(depth: number): number {
    const id = this.at(depth)
    return id < 0 || this.#isForeign[depth] === 1 ? 0 : (this.#table.element[id] ?? 0)
  }

  /** The depth of the innermost element of that name; -1 if there is none up to the end of the scope. */
  find(scope: Uint8Array, wanted: number): number {
    if (!this.has(wanted)) return NONE
    for (let depth = this.depth - 1; depth > 0; depth--) {
      const element = this.elementAt(depth)
      if (element === wanted) return depth
      if (scope[element] === 1) return NONE
    }
    return NONE
  }

  /** The depth of the innermost table; -1 if there is none. */
  table(): number {
    if (!this.has(ELEMENT.table)) return NONE
    let depth = this.depth - 1
    while (depth > 0 && this.elementAt(depth) !== ELEMENT.table) depth--
    return depth > 0 ? depth : NONE
  }

  push(id: number, isForeign: boolean): void {
    if (id < 0 || this.depth >= MAX_DEPTH) return
    this.#stack[this.depth] = id
    this.#isForeign[this.depth] = Number(isForeign)
    this.#foreignCount += Number(isForeign)
    this.depth++
    this.#count(id, 1)
  }

  pop(at: number): void {
    this.popTo(this.depth - 1, at)
  }

  popTo(depth: number, at: number): void {
    while (this.depth > depth) {
      this.depth--
      const id = this.#stack[this.depth] ?? 0
      this.#table.close(id, at)
      this.#foreignCount -= this.#isForeign[this.depth] ?? 0
      this.#count(id, -1)
    }
    this.#foreign.cutTo(this.#foreignCount)
  }

  closeIn(scope: Uint8Array, element: number, at: number): void {
    const depth = this.find(scope, element)
    if (depth > 0) this.popTo(depth, at)
  }

  /** Closes elements whose end tags may be left out. */
  closeImplied(at: number): void {
    while (IMPLIED[this.topElement] === 1) this.pop(at)
  }

  /** Closes what is no SVG or MathML any more. */
  leaveForeign(at: number): void {
    let [depth, left] = [this.depth, this.#foreignCount]
    while (left > this.#foreign.depth) {
      depth--
      left -= this.#isForeign[depth] ?? 0
    }
    this.popTo(depth, at)
  }

  #count(id: number, by: number): void {
    const element = this.#table.element[id] ?? 0
    this.#counts[element] = (this.#counts[element] ?? 0) + by
  }
}
