// The lists of a page, read from its outline: bulleted, numbered, and definition lists. A list
// within an entry is a row of its own, one level deeper; the entry keeps the words before it.
import type { Outline } from '../content/outline.ts'
import { ELEMENT, flagsOf } from '../html/html-names.ts'
import type { TextPieces } from './text-pieces.ts'

/** Per page. */
const MAX_LISTS = 500
const MAX_ENTRIES = 5000
const MAX_CHARACTERS = 200_000
const MAX_ENTRY = 300
/** From this share of link text on, a list is a list of links. */
const LINKS_SHARE = 0.9

export const LIST_KINDS = ['ul', 'ol', 'dl'] as const
export type ListKind = (typeof LIST_KINDS)[number]

/**
 * A row of the `lists` part: kind, depth in other lists (from 0), whether it is a list of links,
 * and its entries. An entry of a `dl` is a term followed by its descriptions.
 */
export type ListRow = readonly [
  kind: ListKind,
  depth: number,
  links: boolean,
  entries: readonly ListEntry[],
]
export type ListEntry = string | readonly string[]

type List = {
  readonly kind: ListKind
  readonly depth: number
  readonly links: boolean
  readonly entries: (string | string[])[]
  /** Index of the entry added last; -1 for none. */
  last: number
}

const KIND_OF = new Map<number, ListKind>([
  [ELEMENT.ul, 'ul'],
  [ELEMENT.menu, 'ul'],
  [ELEMENT.dir, 'ul'],
  [ELEMENT.ol, 'ol'],
  [ELEMENT.dl, 'dl'],
])
const IS_LIST = flagsOf([...KIND_OF.keys()])
const IS_ENTRY = flagsOf([ELEMENT.li, ELEMENT.dt, ELEMENT.dd])

export class ListReader {
  readonly #outline: Outline
  readonly #text: TextPieces
  readonly #lists: List[] = []
  /** Per entry: its list, its element, and where its words are. */
  readonly #listOf: number[] = []
  readonly #nameOf: number[] = []
  readonly #from: number[] = []
  readonly #to: number[] = []
  /** Some lists or entries are left out. */
  cut = false

  constructor(outline: Outline, text: TextPieces) {
    this.#outline = outline
    this.#text = text
  }

  read(): readonly ListRow[] {
    this.#gather()
    this.#fill()
    const rows: ListRow[] = []
    for (const { kind, depth, links, entries } of this.#lists) {
      if (entries.length > 0) rows.push([kind, depth, links, entries])
    }
    return rows
  }

  #gather(): void {
    const { count, element, parent } = this.#outline.containers
    // The innermost list around each container; -1 for none.
    const around = new Int32Array(count).fill(-1)
    for (let row = 1; row < count; row++) {
      const name = element[row] ?? 0
      const list = around[parent[row] ?? 0] ?? -1
      around[row] = IS_LIST[name] === 1 ? this.#addList(row, name, list) : list
      if (IS_ENTRY[name] === 1 && list >= 0) this.#addEntry(row, name, list)
    }
  }

  #addList(row: number, name: number, within: number): number {
    const { textFrom } = this.#outline.containers
    const outer = this.#lists[within]
    if (outer !== undefined && outer.last >= 0) {
      this.#to[outer.last] = Math.min(this.#to[outer.last] ?? 0, textFrom[row] ?? 0)
    }
    if (this.#lists.length >= MAX_LISTS) {
      this.cut = true
      return within
    }
    this.#lists.push({
      kind: KIND_OF.get(name) ?? 'ul',
      depth: outer === undefined ? 0 : outer.depth + 1,
      links: this.#isOfLinks(row),
      entries: [],
      last: -1,
    })
    return this.#lists.length - 1
  }

  #addEntry(row: number, name: number, at: number): void {
    const { textFrom, textTo } = this.#outline.containers
    const list = this.#lists[at]
    if (list === undefined) return
    if (this.#from.length >= MAX_ENTRIES) {
      this.cut = true
      return
    }
    list.last = this.#from.length
    this.#listOf.push(at)
    this.#nameOf.push(name)
    this.#from.push(textFrom[row] ?? 0)
    this.#to.push(textTo[row] ?? 0)
  }

  #isOfLinks(row: number): boolean {
    const { containers, blocks } = this.#outline
    const end = containers.blockTo[row] ?? 0
    let links = 0
    let all = 0
    for (let at = containers.blockFrom[row] ?? 0; at < end; at++) {
      links += blocks.linkBytes[at] ?? 0
      all += (blocks.textTo[at] ?? 0) - (blocks.textFrom[at] ?? 0)
    }
    return all > 0 && links >= LINKS_SHARE * all
  }

  #fill(): void {
    let room = MAX_CHARACTERS
    for (let at = 0; at < this.#from.length; at++) {
      const list = this.#lists[this.#listOf[at] ?? -1]
      const words = this.#text.line(this.#from[at] ?? 0, this.#to[at] ?? 0, MAX_ENTRY)
      room -= words.length
      if (list === undefined || words === '') continue
      if (room < 0) {
        this.cut = true
        return
      }
      if (list.kind !== 'dl') list.entries.push(words)
      else describe(list.entries, words, this.#nameOf[at] === ELEMENT.dd)
    }
  }
}

/** Adds a term, or a description of the last term. */
function describe(entries: (string | string[])[], words: string, isDescription: boolean): void {
  const last = entries.at(-1)
  if (isDescription && Array.isArray(last)) last.push(words)
  else entries.push(isDescription ? ['', words] : [words])
}
