// The parts of a page as they are stored: JSON texts, each encoded once.
import type { PageParts, Part, StoredPart } from '../../core/page.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { Outline } from '../content/outline.ts'
import { ELEMENT, flagsOf } from '../html/html-names.ts'
import type { HtmlReading } from '../html/html-reader.ts'
import type { LinkRow } from './link-list.ts'
import type { LinkResolver } from './link-resolver.ts'
import { TableReader } from './tables.ts'
import type { TextPieces } from './text-pieces.ts'

type TakePartsOptions = {
  readonly reading: HtmlReading
  readonly page: CanonicalUrl
  readonly resolver: LinkResolver
  /** The resolved links of the page, which are needed with or without their part. */
  readonly links: readonly LinkRow[]
}

/** `cut`: parts of which the page had more than the limit. */
export type TakenParts = { readonly parts: PageParts; readonly cut: readonly StoredPart[] }

/** Takes the parts that the page was read for. */
export function takeParts({ reading, page, resolver, links }: TakePartsOptions): TakenParts {
  const { outline, pieces } = reading
  const { wants, images, forms, scripts, styles, tables } = reading.parts
  const parts: { [Key in Part]?: string } = {}
  const cut: Part[] = []
  const take = (part: Part, rows: readonly unknown[], isCut: boolean): void => {
    parts[part] = rows.length === 0 ? '[]' : JSON.stringify(rows)
    if (isCut) cut.push(part)
  }
  if (wants.links) take('links', links, reading.links.cut)
  if (wants.images) take('images', images.resolve(resolver), images.cut)
  if (wants.tables) {
    const reader = new TableReader(outline, tables, pieces)
    take('tables', reader.read(), reader.cut || outline.cut)
  }
  if (wants.forms) take('forms', forms.resolve(resolver, page), forms.cut)
  if (wants.lists) {
    const reader = new ListReader(outline, pieces)
    take('lists', reader.read(), reader.cut || outline.cut)
  }
  if (wants.scripts) take('scripts', scripts.resolve(resolver), scripts.cut)
  if (wants.styles) take('styles', styles.resolve(resolver), styles.cut)
  return { parts, cut }
}

/** Per page. */
const MAX_LISTS = 500
const MAX_ENTRIES = 5000
const MAX_CHARACTERS = 200_000
const MAX_ENTRY = 300
/** From this share of link text on, a list is a list of links. */
const LINKS_SHARE = 0.9

const LIST_KINDS = ['ul', 'ol', 'dl'] as const
type ListKind = (typeof LIST_KINDS)[number]

/**
 * A row of the `lists` part: kind, depth in other lists (from 0), whether it is a list of links,
 * and its entries. An entry of a `dl` is a term followed by its descriptions.
 */
type ListRow = readonly [
  kind: ListKind,
  depth: number,
  links: boolean,
  entries: readonly ListEntry[],
]
type ListEntry = string | readonly string[]

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

/**
 * The lists of a page, read from its outline: bulleted, numbered, and definition lists. A list within an
 * entry is a row of its own, one level deeper; the entry keeps the words before it.
 */
class ListReader {
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
    // Index -1 of an array would be looked up by name.
    const outer = within < 0 ? undefined : this.#lists[within]
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
