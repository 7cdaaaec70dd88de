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
import { type Model, ModelMemory, type Slot } from './model-memory.ts'
import { PAGE_FEATURES, type PageSigns, writeSigns } from './page-facts.ts'

export type TrainedForests = { readonly blocks: Forest; readonly kinds: readonly Forest[] }

/** A memory grown for one giant page is not kept. */
const MAX_KEPT_BYTES = 1 << 25

type Reading = Pick<HtmlReading, 'outline' | 'text'>

export class PageModel {
  readonly #model: Model
  #memory: ModelMemory
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
    this.#memory = new ModelMemory(this.#model)
  }

  /** The number of blocks. */
  get count(): number {
    return this.#count
  }

  /** The column of a feature, valid until the next page. */
  column(feature: number): Float32Array<ArrayBuffer> {
    return this.#memory.column(feature, this.#count)
  }

  /** The row of the page: PAGE_FEATURES. */
  get page(): Float32Array<ArrayBuffer> {
    const at = this.#memory.address('page') >> 2
    return this.#memory.float32.subarray(at, at + PAGE_FEATURES.length)
  }

  read({ outline, text }: Reading, title: string, signs: PageSigns): void {
    const { bytes } = text
    const { blocks, containers } = outline
    if (this.#memory.size > MAX_KEPT_BYTES) this.#memory = new ModelMemory(this.#model)
    const memory = this.#memory
    this.#count = blocks.count
    memory.layOut({
      blocks: blocks.count,
      containers: containers.count,
      words: containers.wordCount,
      textBytes: bytes.length,
    })
    this.#copyBlocks(blocks)
    this.#copyContainers(containers)
    memory.uint8.set(bytes, memory.address('text'))
    const titleAt = memory.address('title') >> 2
    const titleWords = readTitle(title, memory.int32.subarray(titleAt, titleAt + TITLE_SLOTS))
    memory.run.read(blocks.count, containers.count, titleWords)
    writeSigns(signs, this.page)
  }

  /** Writes the probability of each kind's forest into `out`. */
  scoreKinds(out: Float32Array): void {
    const memory = this.#memory
    memory.run.scoreKinds()
    const sumsAt = memory.address('kindSums') >> 2
    for (const [at, { bias, scale }] of this.#model.kindForests.entries()) {
      out[at] = probability(bias + scale * (memory.int32[sumsAt + at] ?? 0))
    }
  }

  /** Writes the probability of each block into `out`, given those of the page's classes. */
  scoreBlocks(classes: ArrayLike<number>, out: Float32Array): void {
    const { run, int32 } = this.#memory
    for (let at = 0; at < CLASSES.length; at++) {
      run.fill(FEATURES.length + at, this.#count, classes[at] ?? 0)
    }
    run.scoreBlocks(this.#count)
    const sumsAt = this.#memory.address('sums') >> 2
    const { bias, scale } = this.#model.blockForest
    for (let row = 0; row < this.#count; row++) {
      out[row] = probability(bias + scale * (int32[sumsAt + row] ?? 0))
    }
  }

  #copyBlocks(blocks: Outline['blocks']): void {
    const { count } = blocks
    this.#copy(blocks.container, count, 'blockContainer')
    this.#copy(blocks.textFrom, count, 'blockFrom')
    this.#copy(blocks.textTo, count, 'blockTo')
    this.#copy(blocks.linkBytes, count, 'blockLinkBytes')
    this.#copy(blocks.links, count, 'blockLinks')
  }

  #copyContainers(containers: Outline['containers']): void {
    const { count, wordCount } = containers
    const memory = this.#memory
    memory.uint8.set(containers.element.subarray(0, count), memory.address('element'))
    memory.uint8.set(containers.hidden.subarray(0, count), memory.address('hidden'))
    this.#copy(containers.parent, count, 'parent')
    this.#copy(containers.blockFrom, count, 'firstBlock')
    this.#copy(containers.blockTo, count, 'lastBlock')
    this.#copy(containers.wordFrom, count, 'firstWord')
    this.#copy(containers.wordTo, count, 'lastWord')
    this.#copy(containers.signature, count, 'signature')
    this.#copy(containers.words, wordCount, 'words')
  }

  #copy(column: Int32Array, count: number, slot: Slot): void {
    this.#memory.int32.set(column.subarray(0, count), this.#memory.address(slot) >> 2)
  }
}

function probability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds))
}
