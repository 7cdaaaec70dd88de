// Shape of each block's text: the numbers of words and sentences, the shares of digits and
// capitals, and the learned scores of its words. One loop over the bytes counts everything. It is
// long because it runs on every page and keeps its counts in local variables.
import type { WordTable } from '../content/hints.ts'
import type { BlockRows } from '../content/outline-rows.ts'

const FIRST_ROWS = 1024
/** The kind of a byte in a text. */
export const KIND = {
  // Up to `wide`: parts of words.
  other: 0,
  small: 1,
  capital: 2,
  wide: 3,
  digit: 4,
  end: 5,
  blank: 6,
  sign: 7,
}
/** The first lead byte of multi-byte characters. */
const FIRST_LEAD = 0xc0
export const KINDS = kinds()
/** Ignores case: capitals of Latin, Greek and Cyrillic differ in the same bit as those of ASCII. */
export const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < FIRST_LEAD ? byte | 32 : byte,
)
const WORD_SEED = 0x1505
const PRIME = 0x01000193
const NEW_LINE = 10
/** Separates two cells of a row (html/text-sink.ts). */
const CELL = 31
const SPACE = 32
const NO_WORD = /[^\p{L}\p{M}]+/u
const MAX_LEXICON_WORDS = 40
export const TITLE_SLOTS = 128
/** The start of a block shows its shape; the rest is assumed to be the same. */
const MAX_BYTES = 320
const MAX_TITLE_WORDS = 40

export class BlockShapes {
  /** Words; in scripts without spaces half a character counts as one. */
  words = new Float32Array(FIRST_ROWS)
  letters = new Float32Array(FIRST_ROWS)
  capitals = new Float32Array(FIRST_ROWS)
  digits = new Float32Array(FIRST_ROWS)
  /** Ends of sentences. */
  ends = new Float32Array(FIRST_ROWS)
  /** Signs of money, copyright and separators. */
  signs = new Float32Array(FIRST_ROWS)
  lines = new Float32Array(FIRST_ROWS)
  cells = new Float32Array(FIRST_ROWS)
  /** Sum of the learned scores of the words, and the number of words that have one. */
  lexicon = new Float32Array(FIRST_ROWS)
  known = new Float32Array(FIRST_ROWS)
  /** Equal for blocks of equal text, ignoring digits. */
  hash = new Int32Array(FIRST_ROWS)
  last = new Uint8Array(FIRST_ROWS)
  /** Words that also occur in the title. */
  titled = new Float32Array(FIRST_ROWS)
  readonly #title = new Int32Array(TITLE_SLOTS)
  readonly #lexicon: WordTable

  constructor(lexicon: WordTable) {
    this.#lexicon = lexicon
  }

  /** Reads all blocks; returns the number of distinct words of the title. */
  read(blocks: BlockRows, text: Uint8Array, title: string): number {
    const titleWords = readTitle(title, this.#title)
    if (this.words.length < blocks.count) this.#grow(blocks.count)
    for (let row = 0; row < blocks.count; row++) {
      const from = blocks.textFrom[row] ?? 0
      const to = blocks.textTo[row] ?? 0
      this.#readBlock(row, text, from, Math.min(to, from + MAX_BYTES))
      this.last[row] = text[to - 1] ?? 0
      if (to - from > MAX_BYTES) this.#extend(row, (to - from) / MAX_BYTES)
    }
    return titleWords
  }

  #readBlock(row: number, text: Uint8Array, from: number, to: number): void {
    let words = 0
    let wide = 0
    let letters = 0
    let capitals = 0
    let digits = 0
    let ends = 0
    let signs = 0
    let lines = 0
    let cells = 0
    let lexicon = 0
    let known = 0
    let titled = 0
    let hash = 0x811c9dc5
    let at = from
    while (at < to) {
      let byte = text[at] ?? 0
      let kind = KINDS[byte] ?? 0
      if (kind === KIND.small || kind === KIND.capital || kind === KIND.wide) {
        const start = at
        let continued = 0
        let word = WORD_SEED
        do {
          if (kind === KIND.capital) capitals++
          else if (kind === KIND.wide) wide++
          else if (kind === KIND.other) continued++
          word = (Math.imul(word, PRIME) ^ (FOLDED[byte] ?? 0)) | 0
          at++
          byte = at < to ? (text[at] ?? 0) : SPACE
          kind = KINDS[byte] ?? 0
        } while (kind <= KIND.wide)
        letters += at - start - continued
        words++
        hash = Math.imul(hash ^ word, PRIME)
        if (words > MAX_LEXICON_WORDS) continue
        if (isIn(this.#title, word)) titled++
        const score = this.#lexicon.get(word)
        if (score !== 0) {
          lexicon += score
          known++
        }
        continue
      }
      if (kind === KIND.digit) digits++
      else if (kind === KIND.end) {
        // A point within a number or an address ends no sentence.
        const next = KINDS[at + 1 < to ? (text[at + 1] ?? 0) : SPACE] ?? 0
        if (next === KIND.blank || next === KIND.other || next === KIND.wide) ends++
      } else if (kind === KIND.sign) signs++
      else if (byte === NEW_LINE) lines++
      else if (byte === CELL) cells++
      at++
    }
    this.words[row] = Math.max(words, words + wide / 2 - 1)
    this.letters[row] = letters
    this.capitals[row] = capitals
    this.digits[row] = digits
    this.ends[row] = ends
    this.signs[row] = signs
    this.lines[row] = lines
    this.cells[row] = cells
    this.lexicon[row] = lexicon
    this.known[row] = known
    this.titled[row] = titled
    this.hash[row] = hash
  }

  #extend(row: number, times: number): void {
    this.words[row] = (this.words[row] ?? 0) * times
    this.letters[row] = (this.letters[row] ?? 0) * times
    this.capitals[row] = (this.capitals[row] ?? 0) * times
    this.digits[row] = (this.digits[row] ?? 0) * times
    this.ends[row] = (this.ends[row] ?? 0) * times
    this.signs[row] = (this.signs[row] ?? 0) * times
    this.lines[row] = (this.lines[row] ?? 0) * times
    this.cells[row] = (this.cells[row] ?? 0) * times
  }

  #grow(needed: number): void {
    const rows = 2 ** Math.ceil(Math.log2(needed))
    const column = (): Float32Array<ArrayBuffer> => new Float32Array(rows)
    this.words = column()
    this.letters = column()
    this.capitals = column()
    this.digits = column()
    this.ends = column()
    this.signs = column()
    this.lines = column()
    this.cells = column()
    this.lexicon = column()
    this.known = column()
    this.titled = column()
    this.hash = new Int32Array(rows)
    this.last = new Uint8Array(rows)
  }
}

/** Writes the hashes of a title's words into a table; returns the number of distinct words. */
export function readTitle(title: string, table: Int32Array): number {
  table.fill(0)
  let count = 0
  for (const word of title.split(NO_WORD).slice(0, MAX_TITLE_WORDS)) {
    const hash = wordHash(word)
    if (word.length < 2 || isIn(table, hash)) continue
    let slot = hash & (TITLE_SLOTS - 1)
    while (table[slot] !== 0) slot = (slot + 1) & (TITLE_SLOTS - 1)
    table[slot] = hash
    count++
  }
  return count
}

function isIn(table: Int32Array, hash: number): boolean {
  let slot = hash & (TITLE_SLOTS - 1)
  while (table[slot] !== 0) {
    if (table[slot] === hash) return true
    slot = (slot + 1) & (TITLE_SLOTS - 1)
  }
  return false
}

/** The hash of a word as the loop above computes it, to fill the lexicon. */
export function wordHash(word: string): number {
  let hash = WORD_SEED
  for (const byte of Buffer.from(word.toLowerCase())) {
    hash = (Math.imul(hash, PRIME) ^ (FOLDED[byte] ?? 0)) | 0
  }
  return hash
}

function kinds(): Uint8Array {
  const list = new Uint8Array(256).fill(KIND.blank, 0, 33).fill(KIND.sign, 33, 128)
  list.fill(KIND.capital, 65, 91).fill(KIND.small, 97, 123).fill(KIND.digit, 48, 58)
  for (const byte of Buffer.from('.!?')) list[byte] = KIND.end
  for (const byte of Buffer.from(',;:')) list[byte] = KIND.blank
  for (const byte of Buffer.from('\'"()-')) list[byte] = KIND.blank
  // Bytes of multi-byte characters: lead bytes are letters, those of scripts without spaces are
  // wide. Two lead bytes begin hardly anything but signs: © »
  //
  // the first, quotes, dashes and arrows the second.
  list.fill(KIND.other, 128, FIRST_LEAD).fill(KIND.small, FIRST_LEAD, 256)
  list.fill(KIND.wide, 0xe3, 0xee)
  list[0xc2] = list[0xe2] = KIND.sign
  return list
}
