// The memory that a page is read into: the numbers of the reading, the rows of the outline, the text, and a copy of
// the source for the WebAssembly module. JavaScript and the module work on the same memory, one after the other, so
// that either can go on where the other has stopped. Addresses: assembly/layout.ts.
import { instantiate, type ModuleExports } from '../assembly/instantiate.ts'
import * as layout from '../assembly/layout.ts'
import {
  ATTRIBUTE,
  ATTRIBUTE_BYTE,
  ATTRIBUTE_SLOTS,
  BEHAVIOUR,
  CLOSED_BY_SAME,
  ELEMENT,
  ELEMENT_SLOTS,
  isFallback,
  isOutlined,
  isPre,
  NAME_BYTE,
  TABLE_RANK,
  TRAIT,
  TRAITS,
} from './html-names.ts'

const MEMORY_PAGE = 65_536
const STATE_SLOTS = 64
/** Pages up to this size need no larger memory. */
const USUAL_BYTES = 1 << 17
/** A memory grown for one giant page is not kept, and such a page is not copied. */
const MAX_KEPT_BYTES = 1 << 22
/** The module reads and writes sixteen bytes at once. */
const SLACK = 64
const LESS = 60

export type PageMemoryOptions = {
  /** With the WebAssembly module; without it, JavaScript reads everything. */
  readonly hasModule: boolean
}

export class PageMemory {
  buffer: ArrayBuffer = new ArrayBuffer(0)
  state = new Int32Array(STATE_SLOTS)
  readonly #hasModule: boolean
  #module: ModuleExports | null = null

  constructor({ hasModule }: PageMemoryOptions) {
    this.#hasModule = hasModule
    this.#renew(sizeFor(USUAL_BYTES))
  }

  /** The page had a tag that cannot be in its head. */
  get inBody(): boolean {
    return this.state[layout.IN_BODY] !== 0
  }
  set inBody(isIn: boolean) {
    this.state[layout.IN_BODY] = isIn ? 1 : 0
  }

  /** The memory from the text on. */
  text(): Buffer {
    return Buffer.from(this.buffer, layout.PAGE_AT)
  }

  /** Makes room for a page; `buffer` and `state` may be others then. */
  fit(pageBytes: number): void {
    const needed = sizeFor(pageBytes)
    const kept = this.buffer.byteLength
    if (kept > Math.max(needed, sizeFor(MAX_KEPT_BYTES))) this.#renew(needed)
    else if (kept < needed) this.#grow(needed)
  }

  /** Copies a page for the module, and returns it; null when the page is too large, or there is no module. */
  load(source: Buffer): ModuleExports | null {
    const module = this.#module
    if (module === null || source.length > MAX_KEPT_BYTES) return null
    const at = sourceAt(source.length)
    const room = new Uint8Array(this.buffer, at, source.length + SLACK)
    room.set(source)
    // Ends every search for one.
    room[source.length] = LESS
    this.state[layout.SOURCE_BASE] = at
    this.state[layout.TEXT_BASE] = layout.PAGE_AT
    return module
  }

  #grow(bytes: number): void {
    const memory = this.#module?.memory
    if (memory === undefined) {
      this.#renew(bytes)
      return
    }
    memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / MEMORY_PAGE))
    this.#view(memory.buffer)
  }

  #renew(bytes: number): void {
    if (!this.#hasModule) {
      this.#view(new ArrayBuffer(bytes))
      return
    }
    this.#module = instantiate()
    this.#grow(bytes)
    writeTables(this.buffer)
  }

  #view(buffer: ArrayBuffer): void {
    this.buffer = buffer
    this.state = new Int32Array(buffer, layout.STATE, STATE_SLOTS)
  }
}

/** A decoded reference is at most a fifth longer: `&nGt;` has five bytes and gives six. */
export function textRoom(pageBytes: number): number {
  return pageBytes + (pageBytes >>> 2) + SLACK
}

function sourceAt(pageBytes: number): number {
  return (layout.PAGE_AT + textRoom(pageBytes) + SLACK) & ~(SLACK - 1)
}

function sizeFor(pageBytes: number): number {
  const source = pageBytes > MAX_KEPT_BYTES ? 0 : pageBytes
  return sourceAt(pageBytes) + source + SLACK
}

/** The tables that the module reads; what it does with a tag by itself is in STARTS and ENDS. */
function writeTables(buffer: ArrayBuffer): void {
  const bytes = new Uint8Array(buffer)
  const put = (table: Uint8Array | Uint16Array | Int32Array, address: number): void =>
    bytes.set(new Uint8Array(table.buffer, table.byteOffset, table.byteLength), address)
  put(NAME_BYTE, layout.NAME_BYTES)
  put(ATTRIBUTE_BYTE, layout.ATTRIBUTE_BYTES)
  put(BEHAVIOUR, layout.BEHAVIOURS)
  put(TABLE_RANK, layout.RANKS)
  put(TRAITS, layout.TRAITS)
  put(ELEMENT_SLOTS.hashes, layout.ELEMENT_HASHES)
  put(ELEMENT_SLOTS.numbers, layout.ELEMENT_NUMBERS)
  put(ATTRIBUTE_SLOTS.hashes, layout.ATTRIBUTE_HASHES)
  put(ATTRIBUTE_SLOTS.numbers, layout.ATTRIBUTE_NUMBERS)
  put(
    Uint8Array.from(TRAITS, (_, element) => startOf(element)),
    layout.STARTS,
  )
  put(
    Uint8Array.from(TRAITS, (_, element) => endOf(element)),
    layout.ENDS,
  )
  put(flags(), layout.FLAGS)
  const state = new Int32Array(buffer, layout.STATE, STATE_SLOTS)
  for (const [slot, attribute] of ASKED) state[slot] = attribute
}

const ASKED = [
  [layout.CLASS, ATTRIBUTE.class],
  [layout.ID, ATTRIBUTE.id],
  [layout.ROLE, ATTRIBUTE.role],
  [layout.ITEMPROP, ATTRIBUTE.itemprop],
  [layout.HIDDEN, ATTRIBUTE.hidden],
  [layout.STYLE, ATTRIBUTE.style],
  [layout.ARIA_HIDDEN, ATTRIBUTE['aria-hidden']],
  [layout.COLSPAN, ATTRIBUTE.colspan],
  [layout.ROWSPAN, ATTRIBUTE.rowspan],
] as const

const FLAGS = [
  [layout.FLAG_BR, ELEMENT.br],
  [layout.FLAG_TABLE, ELEMENT.table],
  [layout.FLAG_FORM, ELEMENT.form],
  [layout.FLAG_P, ELEMENT.p],
  [layout.FLAG_LI, ELEMENT.li],
  [layout.FLAG_DT, ELEMENT.dt],
  [layout.FLAG_DD, ELEMENT.dd],
  [layout.FLAG_BUTTON, ELEMENT.button],
  [layout.FLAG_LABEL, ELEMENT.label],
  [layout.FLAG_ROOT, ELEMENT.body],
  [layout.FLAG_ROOT, ELEMENT.html],
] as const

function flags(): Uint16Array {
  return Uint16Array.from(TRAITS, (_, element) => {
    let own = 0
    for (const [flag, named] of FLAGS) if (named === element) own |= flag
    if (isPre(element)) own |= layout.FLAG_PRE
    if (isFallback(element)) own |= layout.FLAG_FALLBACK
    return CLOSED_BY_SAME.has(element) ? own | layout.FLAG_SAME : own
  })
}

/** What the reader does for a start tag besides the outline needs JavaScript. */
function startOf(element: number): number {
  const traits = TRAITS[element] ?? 0
  if (element === ELEMENT.td || element === ELEMENT.th) return layout.CELL
  if (element === ELEMENT.a) return layout.LINK
  const { telling, special, unseen } = TRAIT
  const isReported = (traits & (telling | unseen)) !== 0 || isFallback(element)
  if (isReported || ((traits & special) !== 0 && !isPre(element))) return layout.REPORTED
  if (element === ELEMENT.svg || element === ELEMENT.math) return layout.REPORTED
  return isOutlined(element) ? layout.OUTLINED : layout.INLINE
}

function endOf(element: number): number {
  const traits = TRAITS[element] ?? 0
  if (element === ELEMENT.a) return layout.LINK
  if ((traits & TRAIT.special) !== 0 && !isPre(element)) return layout.REPORTED
  return isOutlined(element) ? layout.OUTLINED : layout.INLINE
}
