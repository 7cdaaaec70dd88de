// The elements of one page as rows of numbers, in the order of their start tags, and the pieces of text between
// tags. Selectors are matched against it. It is made only for pages that have fields, and reused from page to page.
//
// The numbers of elements and of texts are limited. What is beyond the limit is left out, and `isCut` says so.

/** Far more than any page for people has. */
const MAX_ELEMENTS = 100_000
const MAX_TEXTS = 200_000
const FIRST_SIZE = 2048

/** How a piece of text is read. */
export const TEXT = {
  /** Visible, with character references. */
  plain: 0,
  /** Visible, as it stands. */
  raw: 1,
  /** The text of a script or a style, which is not for people. */
  hidden: 2,
} as const
/** Added to the kind: a line ends before this piece. */
export const AFTER_BREAK = 4

const COLUMNS = [
  'parent',
  'previous',
  'lastChild',
  'children',
  'place',
  'name',
  'element',
  'tagFrom',
  'tagTo',
  'contentTo',
  'textFrom',
  'textTo',
] as const
type Column = (typeof COLUMNS)[number]

export class ElementTable {
  count = 0
  texts = 0
  isCut = false
  /** By number of the element; -1 for none. */
  parent = new Int32Array(0)
  previous = new Int32Array(0)
  lastChild = new Int32Array(0)
  /** How many elements are its children. */
  children = new Int32Array(0)
  /** Among the elements of its parent, from 1. */
  place = new Int32Array(0)
  /** The hash of its name, and the number of a known one. */
  name = new Int32Array(0)
  element = new Int32Array(0)
  /** The start tag in the source; equal for an element that only the rules of HTML put there. */
  tagFrom = new Int32Array(0)
  tagTo = new Int32Array(0)
  /** Where its content ends in the source. */
  contentTo = new Int32Array(0)
  /** The pieces of text in it. */
  textFrom = new Int32Array(0)
  textTo = new Int32Array(0)
  /** By number of the text: its range in the source, and its kind. */
  from = new Int32Array(0)
  to = new Int32Array(0)
  kind = new Uint8Array(0)

  reset(): void {
    this.count = 0
    this.texts = 0
    this.isCut = false
  }

  /** The number of the new element; -1 when there are too many. */
  add(parent: number, tag: { name: number; element: number; from: number; to: number }): number {
    const id = this.count
    if (id >= MAX_ELEMENTS) {
      this.isCut = true
      return -1
    }
    if (id >= this.parent.length) this.#growElements()
    this.count++
    this.parent[id] = parent
    this.previous[id] = parent < 0 ? -1 : (this.lastChild[parent] ?? -1)
    this.lastChild[id] = -1
    this.children[id] = 0
    this.place[id] = 1
    if (parent >= 0) {
      const place = (this.children[parent] ?? 0) + 1
      this.place[id] = place
      this.children[parent] = place
      this.lastChild[parent] = id
    }
    this.name[id] = tag.name
    this.element[id] = tag.element
    this.tagFrom[id] = tag.from
    this.tagTo[id] = tag.to
    this.contentTo[id] = tag.to
    this.textFrom[id] = this.texts
    this.textTo[id] = this.texts
    return id
  }

  addText(from: number, to: number, kind: number): void {
    const last = this.texts - 1
    // A `<` that begins no tag divides a text.
    if (last >= 0 && this.to[last] === from && this.kind[last] === kind && kind < AFTER_BREAK) {
      this.to[last] = to
      return
    }
    if (this.texts >= MAX_TEXTS) {
      this.isCut = true
      return
    }
    if (this.texts >= this.from.length) this.#growTexts()
    this.from[this.texts] = from
    this.to[this.texts] = to
    this.kind[this.texts] = kind
    this.texts++
  }

  close(id: number, at: number): void {
    this.contentTo[id] = at
    this.textTo[id] = this.texts
  }

  #growElements(): void {
    const size = Math.max(FIRST_SIZE, 2 * this.parent.length)
    for (const column of COLUMNS) this[column] = grown(this[column], size)
  }

  #growTexts(): void {
    const size = Math.max(FIRST_SIZE, 2 * this.from.length)
    this.from = grown(this.from, size)
    this.to = grown(this.to, size)
    const kind = new Uint8Array(size)
    kind.set(this.kind)
    this.kind = kind
  }
}

function grown(column: ElementTable[Column], size: number): ElementTable[Column] {
  const larger = new Int32Array(size)
  larger.set(column)
  return larger
}
