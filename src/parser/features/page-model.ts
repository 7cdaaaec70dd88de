// The parser's view of a page in numbers: it copies the outline into the memory of the WebAssembly module, which
// fills the columns and asks the forests. `PageColumns` (block-features.ts) computes the same columns in plain
// JavaScript; training reads those, and a test compares both, number by number.
import { WordTable } from '../content/hints.ts'
import type { Outline } from '../content/outline.ts'
import { CLASSES } from '../content/page-kinds.ts'
import type { Forest } from '../forest/forest.ts'
import type { HtmlReading } from '../html/html-reader.ts'
import { FEATURES, hintTable, type LearnedWords } from './block-features.ts'
import { readTitle, TITLE_SLOTS } from './block-shapes.ts'
import { type Model, ModelMemory, type Room } from './model-memory.ts'
import { PAGE_FEATURES, type PageSigns, writeSigns } from './page-facts.ts'

export type TrainedForests = { readonly blocks: Forest; readonly kinds: readonly Forest[] }

const FIRST_ROOM: Room = { blocks: 1024, containers: 2048, words: 4096, textBytes: 1 << 17 }
/** Room made for one giant text is not kept. */
const MAX_KEPT_TEXT_BYTES = 1 << 22

const BLOCK_SLOTS = [
  'blockContainer',
  'blockFrom',
  'blockTo',
  'blockLinkBytes',
  'blockLinks',
] as const
const CONTAINER_SLOTS = [
  'parent',
  'firstBlock',
  'lastBlock',
  'firstWord',
  'lastWord',
  'signature',
] as const

type Reading = Pick<HtmlReading, 'outline' | 'text'>

export class PageModel {
  readonly #model: Model
  #pages: PageInMemory
  #count = 0

  constructor({ hints, lexicon }: LearnedWords, { blocks, kinds }: TrainedForests) {
    this.#model = {
      lexicon: new WordTable(lexicon).pairs(),
      hints: hintTable(hints).pairs(),
      blockForest: blocks,
      kindForests: kinds,
    }
    if (blocks.featureCount !== FEATURES.length + CLASSES.length) {
      throw new Error(`the forest of the blocks needs ${blocks.featureCount} columns`)
    }
    if (kinds.some(({ featureCount }) => featureCount !== PAGE_FEATURES.length)) {
      throw new Error('the forests of the kinds need other columns')
    }
    this.#pages = new PageInMemory(FIRST_ROOM, this.#model)
  }

  /** The number of blocks. */
  get count(): number {
    return this.#count
  }

  /** The column of a feature; only the first `count` rows are valid, and only until the next page. */
  column(feature: number): Float32Array<ArrayBuffer> {
    return this.#pages.columns[feature] ?? new Float32Array(0)
  }

  /** The row of the page: PAGE_FEATURES. */
  get page(): Float32Array<ArrayBuffer> {
    return this.#pages.page
  }

  read({ outline, text }: Reading, title: string, signs: PageSigns): void {
    const { bytes } = text
    this.#count = outline.blocks.count
    this.#fit(outline, bytes.length)
    const pages = this.#pages
    pages.copy(outline, bytes)
    const titleWords = readTitle(title, pages.title)
    pages.memory.run.read(this.#count, outline.containers.count, titleWords)
    writeSigns(signs, pages.page)
  }

  /** Writes the probability of each kind's forest into `out`. */
  scoreKinds(out: Float32Array): void {
    const { memory, kindSums } = this.#pages
    memory.run.scoreKinds()
    for (const [at, { bias, scale }] of this.#model.kindForests.entries()) {
      out[at] = probability(bias + scale * (kindSums[at] ?? 0))
    }
  }

  /** Writes the probability of each block into `out`, given those of the page's classes. */
  scoreBlocks(classes: ArrayLike<number>, out: Float32Array): void {
    const { memory, sums } = this.#pages
    for (let at = 0; at < CLASSES.length; at++) {
      memory.run.fill(FEATURES.length + at, this.#count, classes[at] ?? 0)
    }
    memory.run.scoreBlocks(this.#count)
    const { bias, scale } = this.#model.blockForest
    for (let row = 0; row < this.#count; row++) {
      out[row] = probability(bias + scale * (sums[row] ?? 0))
    }
  }

  #fit({ blocks, containers }: Outline, textBytes: number): void {
    const { room } = this.#pages.memory
    const isEnough =
      blocks.count <= room.blocks &&
      containers.count <= room.containers &&
      containers.wordCount <= room.words &&
      textBytes <= room.textBytes
    if (isEnough && Math.max(room.textBytes >> 1, textBytes) <= MAX_KEPT_TEXT_BYTES) return
    const needed: Room = {
      blocks: Math.max(room.blocks, roomFor(blocks.count)),
      containers: Math.max(room.containers, roomFor(containers.count)),
      words: Math.max(room.words, roomFor(containers.wordCount)),
      textBytes: Math.max(FIRST_ROOM.textBytes, roomFor(textBytes)),
    }
    this.#pages = new PageInMemory(needed, this.#model)
  }
}

function roomFor(needed: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, needed)))
}

function probability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds))
}

/** Views of the memory: created once, because a view per page and column would cost more than the copies. */
class PageInMemory {
  readonly memory: ModelMemory
  readonly title: Int32Array
  readonly columns: readonly Float32Array<ArrayBuffer>[]
  readonly page: Float32Array<ArrayBuffer>
  readonly sums: Int32Array
  readonly kindSums: Int32Array
  readonly #blocks: readonly Int32Array[]
  readonly #containers: readonly Int32Array[]
  readonly #element: Uint8Array
  readonly #hidden: Uint8Array
  readonly #words: Int32Array
  readonly #text: Uint8Array

  constructor(room: Room, model: Model) {
    const memory = new ModelMemory(room, model)
    this.memory = memory
    this.title = memory.int32('title', TITLE_SLOTS)
    this.columns = Array.from({ length: FEATURES.length + CLASSES.length }, (_, feature) =>
      memory.column(feature),
    )
    this.page = memory.page()
    this.sums = memory.int32('sums', room.blocks)
    this.kindSums = memory.int32('kindSums', model.kindForests.length)
    this.#blocks = BLOCK_SLOTS.map((slot) => memory.int32(slot, room.blocks))
    this.#containers = CONTAINER_SLOTS.map((slot) => memory.int32(slot, room.containers))
    this.#element = memory.uint8('element', room.containers)
    this.#hidden = memory.uint8('hidden', room.containers)
    this.#words = memory.int32('words', room.words)
    this.#text = memory.uint8('text', room.textBytes)
  }

  copy({ blocks, containers }: Outline, text: Uint8Array): void {
    const { count } = blocks
    const [own, from, to, linkBytes, links] = this.#blocks
    own?.set(blocks.container.subarray(0, count))
    from?.set(blocks.textFrom.subarray(0, count))
    to?.set(blocks.textTo.subarray(0, count))
    linkBytes?.set(blocks.linkBytes.subarray(0, count))
    links?.set(blocks.links.subarray(0, count))
    const rows = containers.count
    const [parent, firstBlock, lastBlock, firstWord, lastWord, signature] = this.#containers
    parent?.set(containers.parent.subarray(0, rows))
    firstBlock?.set(containers.blockFrom.subarray(0, rows))
    lastBlock?.set(containers.blockTo.subarray(0, rows))
    firstWord?.set(containers.wordFrom.subarray(0, rows))
    lastWord?.set(containers.wordTo.subarray(0, rows))
    signature?.set(containers.signature.subarray(0, rows))
    this.#element.set(containers.element.subarray(0, rows))
    this.#hidden.set(containers.hidden.subarray(0, rows))
    this.#words.set(containers.words.subarray(0, containers.wordCount))
    this.#text.set(text)
  }
}
