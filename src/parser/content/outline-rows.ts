// The columns of an outline: one row per container, one per block, in the memory of the page.
import {
  B_CONTAINER,
  B_LINK_BYTES,
  B_LINKS,
  B_SOURCE_FROM,
  B_SOURCE_TO,
  B_TEXT_FROM,
  B_TEXT_TO,
  BLOCK_COUNT,
  C_BLOCK_FROM,
  C_BLOCK_TO,
  C_ELEMENT,
  C_HIDDEN,
  C_NAME_HASH,
  C_PARENT,
  C_SIGNATURE,
  C_SOURCE_FROM,
  C_TEXT_FROM,
  C_TEXT_TO,
  C_WORD_FROM,
  C_WORD_TO,
  CONTAINER_COUNT,
  MAX_BLOCKS,
  MAX_CONTAINERS,
  MAX_WORDS,
  WORD_COUNT,
  WORDS,
} from '../assembly/layout.ts'
import type { PageMemory } from '../html/page-memory.ts'

const NO_BYTES = new Uint8Array(0)
const NO_INTS = new Int32Array(0)

export class ContainerRows {
  /** The element's number (html-names.ts); 0 for any other name. */
  element = NO_BYTES
  nameHash = NO_INTS
  /** Row of its parent; -1 for the page. */
  parent = NO_INTS
  /** Its range in the text sink. */
  textFrom = NO_INTS
  textTo = NO_INTS
  /** Its blocks, without the end of the range. */
  blockFrom = NO_INTS
  blockTo = NO_INTS
  /** Offset of its start tag in the page. */
  sourceFrom = NO_INTS
  /** The words of its class, id and role, as hashes in `words`. */
  wordFrom = NO_INTS
  wordTo = NO_INTS
  /** Equal for containers of the same name and the same first classes. */
  signature = NO_INTS
  /** 1 when its tag says that it is hidden. */
  hidden = NO_BYTES
  words = NO_INTS
  #state = NO_INTS

  constructor(memory: PageMemory) {
    this.open(memory)
  }

  get count(): number {
    return this.#state[CONTAINER_COUNT] ?? 0
  }
  set count(count: number) {
    this.#state[CONTAINER_COUNT] = count
  }

  get wordCount(): number {
    return this.#state[WORD_COUNT] ?? 0
  }
  set wordCount(count: number) {
    this.#state[WORD_COUNT] = count
  }

  /** Begins a page: no rows. */
  open(memory: PageMemory): void {
    if (memory.state !== this.#state) this.#view(memory)
    this.count = 0
    this.wordCount = 0
  }

  /** There are fewer than MAX_CONTAINERS rows. */
  add(element: number, parent: number, textFrom: number, blockFrom: number): number {
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

  /** The row has fewer than MAX_WORDS words. */
  addWord(hash: number): void {
    this.words[this.wordCount++] = hash
    this.wordTo[this.count - 1] = this.wordCount
  }

  #view({ buffer, state }: PageMemory): void {
    const ints = (address: number): Int32Array<ArrayBuffer> =>
      new Int32Array(buffer, address, MAX_CONTAINERS)
    this.#state = state
    this.element = new Uint8Array(buffer, C_ELEMENT, MAX_CONTAINERS)
    this.hidden = new Uint8Array(buffer, C_HIDDEN, MAX_CONTAINERS)
    this.nameHash = ints(C_NAME_HASH)
    this.parent = ints(C_PARENT)
    this.textFrom = ints(C_TEXT_FROM)
    this.textTo = ints(C_TEXT_TO)
    this.blockFrom = ints(C_BLOCK_FROM)
    this.blockTo = ints(C_BLOCK_TO)
    this.sourceFrom = ints(C_SOURCE_FROM)
    this.wordFrom = ints(C_WORD_FROM)
    this.wordTo = ints(C_WORD_TO)
    this.signature = ints(C_SIGNATURE)
    this.words = new Int32Array(buffer, WORDS, MAX_WORDS * MAX_CONTAINERS)
  }
}

export class BlockRows {
  /** Row of its innermost container. */
  container = NO_INTS
  /** Its range in the text sink, without white space around it. */
  textFrom = NO_INTS
  textTo = NO_INTS
  /** Its range in the page. */
  sourceFrom = NO_INTS
  sourceTo = NO_INTS
  /** The bytes of its text inside links, and the number of links. */
  linkBytes = NO_INTS
  links = NO_INTS
  #state = NO_INTS

  constructor(memory: PageMemory) {
    this.open(memory)
  }

  get count(): number {
    return this.#state[BLOCK_COUNT] ?? 0
  }
  set count(count: number) {
    this.#state[BLOCK_COUNT] = count
  }

  /** Begins a page: no rows. */
  open(memory: PageMemory): void {
    if (memory.state !== this.#state) this.#view(memory)
    this.count = 0
  }

  /** There are fewer than MAX_BLOCKS rows. */
  add(container: number, textFrom: number, textTo: number): number {
    const row = this.count++
    this.container[row] = container
    this.textFrom[row] = textFrom
    this.textTo[row] = textTo
    return row
  }

  #view({ buffer, state }: PageMemory): void {
    const ints = (address: number): Int32Array<ArrayBuffer> =>
      new Int32Array(buffer, address, MAX_BLOCKS)
    this.#state = state
    this.container = ints(B_CONTAINER)
    this.textFrom = ints(B_TEXT_FROM)
    this.textTo = ints(B_TEXT_TO)
    this.sourceFrom = ints(B_SOURCE_FROM)
    this.sourceTo = ints(B_SOURCE_TO)
    this.linkBytes = ints(B_LINK_BYTES)
    this.links = ints(B_LINKS)
  }
}

/** In bytes; a shorter block may be a label or a button. */
const MIN_PROSE = 100

export type TextAmount = {
  readonly textBytes: number
  readonly linkBytes: number
  readonly proseBytes: number
}

/**
 * Sums the blocks whose text begins after a mark, and the open one.
 *
 * Amounts of text in a part of a page: total, in links, and in blocks of whole sentences.
 */
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
