// The memory of the WebAssembly module (assembly/): learned tables and trained forests, and behind them the
// outline of one page and the columns that the module makes of it. A page is laid out as tightly as it can be:
// its hundred columns then fit the processor's nearer caches. All addresses and all constants are in a table at
// address 0, for the module to read.
import { instantiate, type ModuleExports } from '../assembly/instantiate.ts'
import { CLASSES } from '../content/page-kinds.ts'
import type { Forest } from '../forest/forest.ts'
import { ELEMENT } from '../html/html-names.ts'
import { FEATURES } from './block-features.ts'
import { FOLDED, KIND, KINDS, TITLE_SLOTS } from './block-shapes.ts'
import { ELEMENT_BITS, PATH_ELEMENTS } from './container-facts.ts'
import { HINT_GROUPS } from './hint-words.ts'
import { PAGE_FEATURES } from './page-facts.ts'
import { NOISE, OWN_FEATURE } from './position-features.ts'

export type Model = {
  readonly lexicon: HashTable
  readonly hints: HashTable
  readonly blockForest: Forest
  readonly kindForests: readonly Forest[]
}

/** Pairs of a hash and its value, open addressing (content/hints.ts). */
export type HashTable = { readonly pairs: Int32Array; readonly mask: number }

/** The numbers of rows and bytes of a page. */
export type PageSize = {
  readonly blocks: number
  readonly containers: number
  readonly words: number
  readonly textBytes: number
}

/** In the order of assembly/memory.ts. */
const SLOTS = [
  ...(['blockContainer', 'blockFrom', 'blockTo', 'blockLinkBytes', 'blockLinks'] as const),
  ...(['element', 'parent', 'firstBlock', 'lastBlock', 'firstWord', 'lastWord'] as const),
  ...(['signature', 'hidden', 'words', 'text', 'title', 'lexicon', 'lexiconMask'] as const),
  ...(['hints', 'hintsMask', 'kind', 'folded', 'counts', 'pathBit', 'ownColumn'] as const),
  ...(['pathElements', 'pathHints', 'ownHints', 'depth', 'nearScore', 'sumScore'] as const),
  ...(['minScore', 'maxScore', 'ownGroup', 'group', 'groupCount', 'groupWords'] as const),
  ...(['groupGood', 'totalWords', 'totalGood', 'totalBytes', 'totalLinks', 'hash'] as const),
  ...(['slots', 'slotOf', 'columns', 'stride', 'page', 'inside', 'h1', 'li', 'td'] as const),
  ...(['th', 'p', 'pre', 'div', 'noise', 'hintGroups', 'pathBits', 'trees'] as const),
  ...(['treeCount', 'leaves', 'sums', 'kindTrees', 'kindCount', 'kindTreeCount'] as const),
  ...(['kindLeaves', 'kindSums', 'kindDepth', 'filter'] as const),
]
export type Slot = (typeof SLOTS)[number]

const SLOT_OF = new Map(SLOTS.map((name, at) => [name, at]))
const slotOf = (name: Slot): number => SLOT_OF.get(name) ?? 0
const slotsOf = (...names: Slot[]): number[] => names.map(slotOf)
const BLOCK_INTS = slotsOf('blockContainer', 'blockFrom', 'blockTo', 'blockLinkBytes').concat(
  slotsOf('blockLinks', 'hash', 'slotOf', 'sums'),
)
const TOTALS = slotsOf('totalWords', 'totalGood', 'totalBytes', 'totalLinks')
const CONTAINER_BYTES = slotsOf('element', 'hidden')
const CONTAINER_INTS = slotsOf('parent', 'firstBlock', 'lastBlock', 'firstWord', 'lastWord').concat(
  slotsOf('signature', 'pathElements', 'pathHints', 'ownHints', 'depth', 'nearScore', 'sumScore'),
  slotsOf('minScore', 'maxScore', 'ownGroup', 'group', 'groupCount'),
)
const GROUP_SUMS = slotsOf('groupWords', 'groupGood')
const [WORDS = 0, TABLES = 0, COLUMNS = 0, TEXT = 0] = slotsOf('words', 'slots', 'columns', 'text')
const STRIDE = slotOf('stride')

/** The module keeps its own few numbers below this address. */
const FIRST_ADDRESS = 4096
const MEMORY_PAGE = 65_536
const COLUMN_COUNT = FEATURES.length + CLASSES.length
/** Columns a power of two apart would compete for the same lines of the cache. */
const STRIDE_PADDING = 16
const BYTE_VALUES = 256
const FILTER_BITS = 1 << 16
const FILTER_SPREAD = 0x9e3779b1
/** Bytes of a row in the tables of hashes that the module builds, which have up to four rows per key. */
const LARGEST_ENTRY = 32
/** The module sends blocks down trees of exactly this depth. */
const BLOCK_DEPTH = 6

export class ModelMemory {
  readonly run: ModuleExports
  /** The whole memory. */
  int32: Int32Array
  uint8: Uint8Array
  float32: Float32Array<ArrayBuffer>
  /** Where the part for the pages begins. */
  readonly #pageAt: number
  #end = FIRST_ADDRESS

  constructor(model: Model) {
    this.run = instantiate()
    const { buffer } = this.run.memory
    this.int32 = new Int32Array(buffer)
    this.uint8 = new Uint8Array(buffer)
    this.float32 = new Float32Array(buffer)
    this.#writeTables(model)
    this.#writeForests(model)
    this.#writeConstants(model)
    this.#take(4 * PAGE_FEATURES.length, slotsOf('page'))
    this.#take(4 * TITLE_SLOTS, slotsOf('title'))
    this.#take(8 * BYTE_VALUES, slotsOf('inside'))
    this.#take(4 * model.kindForests.length, slotsOf('kindSums'))
    this.#fit()
    this.#pageAt = this.#end
  }

  /** Its size in bytes. */
  get size(): number {
    return this.uint8.length
  }

  /** Where the number or the bytes of a slot are. */
  address(slot: Slot): number {
    return this.int32[slotOf(slot)] ?? 0
  }

  /** The column of a feature, until the next page is laid out. */
  column(feature: number, blocks: number): Float32Array<ArrayBuffer> {
    const address = (this.int32[COLUMNS] ?? 0) + feature * (this.int32[STRIDE] ?? 0)
    return this.float32.subarray(address >> 2, (address >> 2) + blocks)
  }

  /** Makes room for a page of this size in the place of the last one. */
  layOut({ blocks, containers, words, textBytes }: PageSize): void {
    const stride = ((4 * blocks + 63) & ~63) + STRIDE_PADDING
    this.#end = this.#pageAt
    this.#take(4 * blocks, BLOCK_INTS)
    this.#take(8 * (blocks + 1), TOTALS)
    this.#take(containers, CONTAINER_BYTES)
    this.#take(4 * containers, CONTAINER_INTS)
    this.#take(8 * containers, GROUP_SUMS)
    this.#takeOne(4 * words, WORDS)
    this.#takeOne(COLUMN_COUNT * stride, COLUMNS)
    // One byte behind the text is written, too.
    this.#takeOne(textBytes + 1, TEXT)
    this.#takeOne(4 * LARGEST_ENTRY * (Math.max(blocks, containers) + 8), TABLES)
    this.#fit()
    this.int32[STRIDE] = stride
  }

  /** So many bytes for each. */
  #take(bytes: number, slots: readonly number[]): void {
    for (let at = 0; at < slots.length; at++) this.#takeOne(bytes, slots[at] ?? 0)
  }

  #takeOne(bytes: number, slot: number): void {
    this.int32[slot] = this.#end
    this.#end += (bytes + 15) & ~15
  }

  #fit(): void {
    const missing = this.#end - this.uint8.length
    if (missing <= 0) return
    this.run.memory.grow(Math.ceil(missing / MEMORY_PAGE))
    const { buffer } = this.run.memory
    this.int32 = new Int32Array(buffer)
    this.uint8 = new Uint8Array(buffer)
    this.float32 = new Float32Array(buffer)
  }

  #writeTables({ lexicon, hints }: Model): void {
    this.#put('lexicon', lexicon.pairs)
    this.#put('hints', hints.pairs)
    this.#put('kind', KINDS)
    this.#put('folded', FOLDED)
    this.#put('ownColumn', OWN_FEATURE)
    this.#put('pathBit', ELEMENT_BITS)
    this.#put(
      'counts',
      BigUint64Array.from(KINDS, (_, byte) => countsOf(byte)),
    )
    const filter = new Uint8Array(FILTER_BITS >> 3)
    for (let at = 0; at < lexicon.pairs.length; at += 2) {
      if (lexicon.pairs[at + 1] === 0) continue
      const bit = Math.imul(lexicon.pairs[at] ?? 0, FILTER_SPREAD) >>> 16
      filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7))
    }
    this.#put('filter', filter)
  }

  #writeForests({ blockForest, kindForests }: Model): void {
    const { trees, leaves } = padded(blockForest, BLOCK_DEPTH, 1)
    this.#put('trees', trees)
    this.#put('leaves', leaves)
    const depth = depthOf(kindForests)
    const kinds = kindForests.map((forest) => padded(forest, depth, 4))
    this.#put('kindTrees', Buffer.concat(kinds.map((kind) => kind.trees)))
    this.#put('kindLeaves', Buffer.concat(kinds.map((kind) => kind.leaves)))
    this.#put(
      'kindTreeCount',
      Int32Array.from(kindForests, ({ depths }) => depths.length),
    )
  }

  #writeConstants({ lexicon, hints, blockForest, kindForests }: Model): void {
    const { h1, li, td, th, p, pre, div } = ELEMENT
    const constants: Partial<Record<Slot, number>> = {
      ...{ h1, li, td, th, p, pre, div, noise: NOISE },
      ...{ lexiconMask: lexicon.mask, hintsMask: hints.mask },
      ...{ hintGroups: HINT_GROUPS.length, pathBits: PATH_ELEMENTS.length },
      ...{ treeCount: blockForest.depths.length, kindCount: kindForests.length },
      kindDepth: depthOf(kindForests),
    }
    for (const [at, slot] of SLOTS.entries()) {
      const constant = constants[slot]
      if (constant !== undefined) this.int32[at] = constant
    }
  }

  /** Keeps a table for good. */
  #put(slot: Slot, table: Uint8Array | Int32Array | BigUint64Array): void {
    this.#takeOne(table.byteLength, slotOf(slot))
    this.#fit()
    const bytes = new Uint8Array(table.buffer, table.byteOffset, table.byteLength)
    this.uint8.set(bytes, this.address(slot))
  }
}

/**
 * The trees of a forest, all padded to one depth: the answer to an added question is never yes. A tree is the
 * features it asks for, `times` each, and then its thresholds.
 */
function padded(
  { depths, features, thresholds, leaves }: Forest,
  depth: number,
  times: number,
): { readonly trees: Uint8Array; readonly leaves: Uint8Array } {
  const trees = new Uint32Array(2 * depth * depths.length)
  const limits = new Float32Array(trees.buffer)
  const values = new Int16Array(depths.length << depth)
  let question = 0
  let leaf = 0
  for (let tree = 0; tree < depths.length; tree++) {
    const levels = depths[tree] ?? 0
    const at = 2 * depth * tree
    const from = at + depth - levels
    limits.fill(Number.POSITIVE_INFINITY, at + depth, from + depth)
    limits.set(thresholds.subarray(question, question + levels), from + depth)
    for (let level = 0; level < levels; level++, question++) {
      trees[from + level] = times * (features[question] ?? 0)
    }
    values.set(leaves.subarray(leaf, leaf + (1 << levels)), tree << depth)
    leaf += 1 << levels
  }
  return { trees: new Uint8Array(trees.buffer), leaves: new Uint8Array(values.buffer) }
}

function depthOf(forests: readonly Forest[]): number {
  return Math.max(1, ...forests.flatMap(({ depths }) => [...depths]))
}

/** What a byte adds to six counts of ten bits: letters, capitals, wide letters, digits, signs, line ends. */
function countsOf(byte: number): bigint {
  const kind = KINDS[byte]
  const isLetter = kind === KIND.small || kind === KIND.capital || kind === KIND.wide
  const added = [
    isLetter,
    kind === KIND.capital,
    kind === KIND.wide,
    kind === KIND.digit,
    kind === KIND.sign,
    byte === 10,
  ]
  return added.reduce((sum, isOne, at) => sum | (BigInt(isOne) << BigInt(10 * at)), 0n)
}
