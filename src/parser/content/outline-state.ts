// The numbers of an outline that is being read, in the memory of the page.
import {
  BLOCK_FROM,
  BLOCK_SOURCE,
  CUT,
  LAST_BREAK,
  LINK_BYTES,
  LINK_FROM,
  LINKS,
  PRES,
  ROW_CELLS,
  TOO_DEEP,
} from '../assembly/layout.ts'

export class OutlineState {
  #state: Int32Array

  constructor(state: Int32Array) {
    this.#state = state
  }

  /** The memory is another one, and everything is 0 again. */
  reset(state: Int32Array): void {
    this.#state = state
    this.tooDeep = this.pres = this.from = this.sourceFrom = 0
    this.linkBytes = this.links = this.rowCells = 0
    this.lastBreak = this.linkFrom = -1
    this.cut = false
  }

  get tooDeep(): number {
    return this.#state[TOO_DEEP] ?? 0
  }
  set tooDeep(count: number) {
    this.#state[TOO_DEEP] = count
  }

  /** Open preformatted elements. */
  get pres(): number {
    return this.#state[PRES] ?? 0
  }
  set pres(count: number) {
    this.#state[PRES] = count
  }

  /** Where the open block began, in the text and in the page. */
  get from(): number {
    return this.#state[BLOCK_FROM] ?? 0
  }
  set from(at: number) {
    this.#state[BLOCK_FROM] = at
  }

  get sourceFrom(): number {
    return this.#state[BLOCK_SOURCE] ?? 0
  }
  set sourceFrom(at: number) {
    this.#state[BLOCK_SOURCE] = at
  }

  get lastBreak(): number {
    return this.#state[LAST_BREAK] ?? 0
  }
  set lastBreak(at: number) {
    this.#state[LAST_BREAK] = at
  }

  /** Where the text of the open link began; -1 outside links. */
  get linkFrom(): number {
    return this.#state[LINK_FROM] ?? 0
  }
  set linkFrom(at: number) {
    this.#state[LINK_FROM] = at
  }

  get linkBytes(): number {
    return this.#state[LINK_BYTES] ?? 0
  }
  set linkBytes(count: number) {
    this.#state[LINK_BYTES] = count
  }

  get links(): number {
    return this.#state[LINKS] ?? 0
  }
  set links(count: number) {
    this.#state[LINKS] = count
  }

  get rowCells(): number {
    return this.#state[ROW_CELLS] ?? 0
  }
  set rowCells(count: number) {
    this.#state[ROW_CELLS] = count
  }

  /** Some of the page was beyond the limits. */
  get cut(): boolean {
    return this.#state[CUT] !== 0
  }
  set cut(isCut: boolean) {
    this.#state[CUT] = isCut ? 1 : 0
  }
}
