// The arrays of an outline: one row per container, one per block. They grow to the largest page of
// a thread and are reused for the next page.

type Column = Int32Array | Uint8Array
const FIRST_ROWS = 1024

function grown<Kind extends Column>(column: Kind, make: (length: number) => Kind): Kind {
  const larger = make(2 * column.length)
  larger.set(column)
  return larger
}

const int32 = (length: number): Int32Array => new Int32Array(length)
const uint8 = (length: number): Uint8Array => new Uint8Array(length)

export class ContainerRows {
  count = 0
  /** The element's number (html-names.ts); 0 for any other name. */
  element = uint8(FIRST_ROWS)
  nameHash = int32(FIRST_ROWS)
  /** Row of its parent; -1 for the page. */
  parent = int32(FIRST_ROWS)
  /** Its range in the text sink. */
  textFrom = int32(FIRST_ROWS)
  textTo = int32(FIRST_ROWS)
  /** Its blocks, without the end of the range. */
  blockFrom = int32(FIRST_ROWS)
  blockTo = int32(FIRST_ROWS)
  /** Offset of its start tag in the page. */
  sourceFrom = int32(FIRST_ROWS)
  /** The words of its class, id and role, as hashes in `words`. */
  wordFrom = int32(FIRST_ROWS)
  wordTo = int32(FIRST_ROWS)
  /** Equal for containers of the same name and the same first classes. */
  signature = int32(FIRST_ROWS)
  /** 1 when its tag says that it is hidden. */
  hidden = uint8(FIRST_ROWS)
  words = int32(4 * FIRST_ROWS)
  wordCount = 0

  clear(): void {
    this.count = 0
    this.wordCount = 0
  }

  add(element: number, parent: number, textFrom: number, blockFrom: number): number {
    if (this.count === this.element.length) this.#grow()
    const row = this.count++
    this.element[row] = element
    this.parent[row] = parent
    this.textFrom[row] = this.textTo[row] = textFrom
    this.blockFrom[row] = this.blockTo[row] = blockFrom
    this.nameHash[row] = 0
    this.sourceFrom[row] = 0
    this.wordFrom[row] = this.wordTo[row] = this.wordCount
    this.signature[row] = element
    this.hidden[row] = 0
    return row
  }

  addWord(hash: number): void {
    if (this.wordCount === this.words.length) this.words = grown(this.words, int32)
    this.words[this.wordCount++] = hash
    this.wordTo[this.count - 1] = this.wordCount
  }

  #grow(): void {
    this.element = grown(this.element, uint8)
    this.nameHash = grown(this.nameHash, int32)
    this.parent = grown(this.parent, int32)
    this.textFrom = grown(this.textFrom, int32)
    this.textTo = grown(this.textTo, int32)
    this.blockFrom = grown(this.blockFrom, int32)
    this.blockTo = grown(this.blockTo, int32)
    this.sourceFrom = grown(this.sourceFrom, int32)
    this.wordFrom = grown(this.wordFrom, int32)
    this.wordTo = grown(this.wordTo, int32)
    this.signature = grown(this.signature, int32)
    this.hidden = grown(this.hidden, uint8)
  }
}

export class BlockRows {
  count = 0
  /** Row of its innermost container. */
  container = int32(FIRST_ROWS)
  /** Its range in the text sink, without white space around it. */
  textFrom = int32(FIRST_ROWS)
  textTo = int32(FIRST_ROWS)
  /** Its range in the page. */
  sourceFrom = int32(FIRST_ROWS)
  sourceTo = int32(FIRST_ROWS)
  /** The bytes of its text inside links, and the number of links. */
  linkBytes = int32(FIRST_ROWS)
  links = int32(FIRST_ROWS)

  clear(): void {
    this.count = 0
  }

  add(container: number, textFrom: number, textTo: number): number {
    if (this.count === this.container.length) this.#grow()
    const row = this.count++
    this.container[row] = container
    this.textFrom[row] = textFrom
    this.textTo[row] = textTo
    return row
  }

  #grow(): void {
    this.container = grown(this.container, int32)
    this.textFrom = grown(this.textFrom, int32)
    this.textTo = grown(this.textTo, int32)
    this.sourceFrom = grown(this.sourceFrom, int32)
    this.sourceTo = grown(this.sourceTo, int32)
    this.linkBytes = grown(this.linkBytes, int32)
    this.links = grown(this.links, int32)
  }
}

// Amounts of text in a part of a page: total, in links, and in blocks of whole sentences.

/** In bytes; a shorter block may be a label or a button. */
const MIN_PROSE = 100

export type TextAmount = {
  readonly textBytes: number
  readonly linkBytes: number
  readonly proseBytes: number
}

/** Sums the blocks whose text begins after a mark, and the open one. */
export function amountOf(
  { linkBytes, textFrom, textTo, count }: BlockRows,
  mark: number,
  open: Omit<TextAmount, 'proseBytes'>,
): TextAmount {
  const amount = { textBytes: 0, linkBytes: 0, proseBytes: 0 }
  addBlock(amount, open.textBytes, open.linkBytes)
  for (let row = count - 1; row >= 0 && (textFrom[row] ?? 0) >= mark; row--) {
    addBlock(amount, (textTo[row] ?? 0) - (textFrom[row] ?? 0), linkBytes[row] ?? 0)
  }
  return amount
}

function addBlock(
  amount: { -readonly [Key in keyof TextAmount]: number },
  textBytes: number,
  linkBytes: number,
): void {
  amount.textBytes += textBytes
  amount.linkBytes += linkBytes
  if (textBytes >= MIN_PROSE && 4 * linkBytes < textBytes) amount.proseBytes += textBytes
}
