// The memory of the WebAssembly module (assembly/): learned tables, trained forests, the outline of one page,
// and the columns that the module makes of it. Its room is fixed when it is created; a page that needs more
// gets a larger one. All addresses and all constants are in a table at address 0, for the module to read.
import { CLASSES } from '../content/page-kinds.ts'
import type { Forest } from '../forest/forest.ts'
import { ELEMENT } from '../html/html-names.ts'
import { FEATURES } from './block-features.ts'
import { FOLDED, KIND, KINDS, TITLE_SLOTS } from './block-shapes.ts'
import { ELEMENT_BITS, PATH_ELEMENTS } from './container-facts.ts'
import { HINT_GROUPS } from './hint-words.ts'
import { MODULE } from './module.ts'
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

/** Rows and bytes that fit. */
export type Room = {
  readonly blocks: number
  readonly containers: number
  readonly words: number
  readonly textBytes: number
}

type Exports = {
  /** Fills the columns, and the part of the page's row that depends on the outline. */
  readonly read: (blocks: number, containers: number, titleWords: number) => void
  /** Writes one number into all rows of a column. */
  readonly fill: (feature: number, blocks: number, value: number) => void
  /** Sums up the leaves: of each block, and of the page in each forest of kinds. */
  readonly scoreBlocks: (blocks: number) => void
  readonly scoreKinds: () => void
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
  ...(['kindLeaves', 'kindSums', 'kindDepth'] as const),
]
type Slot = (typeof SLOTS)[number]

/** The module keeps its own few numbers below this address. */
const FIRST_ADDRESS = 4096
const PAGE_BYTES = 65_536
/** Columns a power of two apart would compete for the same lines of the cache. */
const STRIDE_PADDING = 64
const ELEMENT_NUMBERS = 256
/** Bytes of a row in the tables of hashes that the module builds. */
const LARGEST_ENTRY = 32
/** The module sends blocks down trees of exactly this depth. */
const BLOCK_DEPTH = 6

let compiled: WebAssembly.Module | null = null

export class ModelMemory {
  readonly room: Room
  readonly run: Exports
  readonly #buffer: ArrayBuffer
  readonly #address = new Map<Slot, number>()
  #end = FIRST_ADDRESS

  constructor(room: Room, model: Model) {
    this.room = room
    compiled ??= new WebAssembly.Module(Buffer.from(MODULE, 'base64'))
    const instance = new WebAssembly.Instance(compiled)
    // The types are those of assembly/index.ts.
    const { memory, ...run } = instance.exports as Exports & { memory: WebAssembly.Memory }
    this.run = run
    this.#reserve(model)
    memory.grow(Math.ceil(this.#end / PAGE_BYTES))
    this.#buffer = memory.buffer
    this.#write(model)
  }

  int32(slot: Slot, length: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.#buffer, this.#address.get(slot) ?? 0, length)
  }

  uint8(slot: Slot, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer, this.#address.get(slot) ?? 0, length)
  }

  /** The column of a feature. */
  column(feature: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.#buffer, this.#columnAddress(feature), this.room.blocks)
  }

  /** The row of the page. */
  page(): Float32Array<ArrayBuffer> {
    const address = this.#address.get('page') ?? 0
    return new Float32Array(this.#buffer, address, PAGE_FEATURES.length)
  }

  #reserve({ lexicon, hints, blockForest, kindForests }: Model): void {
    const { blocks, containers, words, textBytes } = this.room
    const trees = kindForests.reduce((sum, { depths }) => sum + depths.length, 0)
    const depth = depthOf(kindForests)
    this.#take(lexicon.pairs.byteLength, ['lexicon'])
    this.#take(hints.pairs.byteLength, ['hints'])
    this.#take(4 * TITLE_SLOTS, ['title'])
    this.#take(ELEMENT_NUMBERS, ['kind', 'folded', 'ownColumn'])
    this.#take(4 * ELEMENT_NUMBERS, ['pathBit'])
    this.#take(8 * ELEMENT_NUMBERS, ['counts', 'inside'])
    this.#take(4 * PAGE_FEATURES.length, ['page'])
    this.#take(blockForest.depths.length * 8 * BLOCK_DEPTH, ['trees'])
    this.#take(blockForest.depths.length * (2 << BLOCK_DEPTH), ['leaves'])
    this.#take(trees * 8 * depth, ['kindTrees'])
    this.#take(trees * (2 << depth), ['kindLeaves'])
    this.#take(4 * kindForests.length, ['kindTreeCount', 'kindSums'])
    this.#take(4 * blocks, ['blockContainer', 'blockFrom', 'blockTo', 'blockLinkBytes'])
    this.#take(4 * blocks, ['blockLinks', 'hash', 'slotOf', 'sums'])
    this.#take(8 * (blocks + 1), ['totalWords', 'totalGood', 'totalBytes', 'totalLinks'])
    this.#take(containers, ['element', 'hidden'])
    this.#take(4 * containers, ['parent', 'firstBlock', 'lastBlock', 'firstWord', 'lastWord'])
    this.#take(4 * containers, ['signature', 'pathElements', 'pathHints', 'ownHints', 'depth'])
    this.#take(4 * containers, ['nearScore', 'sumScore', 'minScore', 'maxScore', 'ownGroup'])
    this.#take(4 * containers, ['group', 'groupCount'])
    this.#take(8 * containers, ['groupWords', 'groupGood'])
    this.#take(4 * words, ['words'])
    this.#take(4 * LARGEST_ENTRY * Math.max(blocks, containers), ['slots'])
    this.#take((FEATURES.length + CLASSES.length) * this.#stride, ['columns'])
    this.#take(textBytes, ['text'])
  }

  /** So many bytes for each. */
  #take(bytes: number, slots: readonly Slot[]): void {
    for (const slot of slots) {
      this.#address.set(slot, this.#end)
      this.#end += (bytes + 63) & ~63
    }
  }

  get #stride(): number {
    return 4 * this.room.blocks + STRIDE_PADDING
  }

  #columnAddress(feature: number): number {
    return (this.#address.get('columns') ?? 0) + feature * this.#stride
  }

  #write(model: Model): void {
    const { lexicon, hints, blockForest, kindForests } = model
    this.int32('lexicon', lexicon.pairs.length).set(lexicon.pairs)
    this.int32('hints', hints.pairs.length).set(hints.pairs)
    this.uint8('kind', KINDS.length).set(KINDS)
    this.uint8('folded', FOLDED.length).set(FOLDED)
    this.uint8('ownColumn', OWN_FEATURE.length).set(OWN_FEATURE)
    this.int32('pathBit', ELEMENT_BITS.length).set(ELEMENT_BITS)
    const counts = new BigUint64Array(
      this.#buffer,
      this.#address.get('counts') ?? 0,
      ELEMENT_NUMBERS,
    )
    counts.set(BigUint64Array.from(KINDS, (_, byte) => countsOf(byte)))
    this.#writeForest(blockForest, BLOCK_DEPTH, {
      ...{ tree: this.#address.get('trees') ?? 0, leaf: this.#address.get('leaves') ?? 0 },
      addressOf: (feature) => this.#columnAddress(feature),
    })
    let tree = this.#address.get('kindTrees') ?? 0
    let leaf = this.#address.get('kindLeaves') ?? 0
    const depth = depthOf(kindForests)
    for (const forest of kindForests) {
      this.#writeForest(forest, depth, { tree, leaf, addressOf: (feature) => 4 * feature })
      tree += forest.depths.length * 8 * depth
      leaf += forest.depths.length * (2 << depth)
    }
    const treeCounts = kindForests.map(({ depths }) => depths.length)
    this.int32('kindTreeCount', kindForests.length).set(treeCounts)
    this.#writeTable(model)
  }

  #writeTable({ lexicon, hints, blockForest, kindForests }: Model): void {
    const { h1, li, td, th, p, pre, div } = ELEMENT
    const constants: Partial<Record<Slot, number>> = {
      ...{ h1, li, td, th, p, pre, div, noise: NOISE },
      ...{ lexiconMask: lexicon.mask, hintsMask: hints.mask, stride: this.#stride },
      ...{ hintGroups: HINT_GROUPS.length, pathBits: PATH_ELEMENTS.length },
      ...{ treeCount: blockForest.depths.length, kindCount: kindForests.length },
      kindDepth: depthOf(kindForests),
    }
    const table = new Int32Array(this.#buffer, 0, SLOTS.length)
    for (const [at, slot] of SLOTS.entries()) {
      table[at] = constants[slot] ?? this.#address.get(slot) ?? 0
    }
  }

  /** Pads all trees to one depth: the answer to an added question is never yes. */
  #writeForest(
    { depths, features, thresholds, leaves }: Forest,
    depth: number,
    to: { tree: number; leaf: number; addressOf: (feature: number) => number },
  ): void {
    const view = new DataView(this.#buffer)
    let question = 0
    let leaf = 0
    depths.forEach((levels, tree) => {
      const at = to.tree + tree * depth * 8
      for (let level = 0; level < depth; level++) {
        const asked = level >= depth - levels
        const feature = asked ? (features[question] ?? 0) : 0
        const threshold = asked ? (thresholds[question] ?? 0) : Number.POSITIVE_INFINITY
        view.setUint32(at + level * 4, to.addressOf(feature), true)
        view.setFloat32(at + (depth + level) * 4, threshold, true)
        if (asked) question++
      }
      for (let i = 0; i < 1 << levels; i++) {
        view.setInt16(to.leaf + tree * (2 << depth) + i * 2, leaves[leaf++] ?? 0, true)
      }
    })
  }
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
