// The words in an element's class, id, role and itemprop: `entry-content`, `postBody`, `site_footer`. They are
// no standard, but people name things for what they are, so they say more about a block than its
// element does. Kept as hashes; what a word means is learned (see training/).
import { ATTRIBUTE } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import type { ContainerRows } from './outline-rows.ts'

/** Of one attribute; utility classes can go on for kilobytes and say nothing. */
const MAX_BYTES = 240
const MAX_WORDS = 24
/** Shorter pieces are made by build tools. */
const MIN_WORD = 3

/** Reads the words of the tag into the row that was added last. */
export function readHints(tag: HtmlScanner, containers: ContainerRows): void {
  const before = containers.wordCount
  if (tag.has(ATTRIBUTE.class)) readWords(tag, ATTRIBUTE.class, containers, before)
  if (tag.has(ATTRIBUTE.id)) readWords(tag, ATTRIBUTE.id, containers, before)
  if (tag.has(ATTRIBUTE.role)) readWords(tag, ATTRIBUTE.role, containers, before)
  if (tag.has(ATTRIBUTE.itemprop)) readWords(tag, ATTRIBUTE.itemprop, containers, before)
  const row = containers.count - 1
  // Later words are mostly states: `post odd unread`.
  for (let at = before; at < Math.min(before + 2, containers.wordCount); at++) {
    containers.signature[row] = step(containers.signature[row] ?? 0, containers.words[at] ?? 0)
  }
  if (isHidden(tag)) containers.hidden[row] = 1
}

const NOT_SHOWN = /display\s*:\s*none|visibility\s*:\s*hidden/i

function isHidden(tag: HtmlScanner): boolean {
  if (tag.has(ATTRIBUTE['aria-hidden']) && tag.value(ATTRIBUTE['aria-hidden']) === 'true')
    return true
  if (!tag.has(ATTRIBUTE.style)) return false
  const from = tag.valueFrom[ATTRIBUTE.style] ?? 0
  const to = Math.min(tag.valueTo[ATTRIBUTE.style] ?? 0, from + MAX_BYTES)
  return NOT_SHOWN.test(tag.latin1.slice(from, to))
}

/** The hash of a word, letter by letter; words of all containers are compared by it. */
export function hintHash(word: string): number {
  let hash = 0
  for (let at = 0; at < word.length; at++) hash = step(hash, word.charCodeAt(at))
  return hash
}

function step(hash: number, letter: number): number {
  return ((Math.imul(hash, 0x01000193) ^ letter) + 0x9e37) | 0
}

/** A word ends at anything but a letter, and before a capital behind a small letter. */
function readWords(
  { bytes, valueFrom, valueTo }: HtmlScanner,
  attribute: number,
  containers: ContainerRows,
  before: number,
): void {
  const from = valueFrom[attribute] ?? 0
  const to = Math.min(valueTo[attribute] ?? 0, from + MAX_BYTES)
  let hash = 0
  let length = 0
  let wasSmall = false
  for (let at = from; at <= to; at++) {
    const byte = at < to ? (bytes[at] ?? 0) : 0
    const lower = byte | 32
    const isLetter = lower >= 97 && lower <= 122
    const isSmall = isLetter && byte === lower
    if (!isLetter || (!isSmall && wasSmall)) {
      if (length >= MIN_WORD) {
        if (containers.wordCount - before >= MAX_WORDS) return
        containers.addWord(hash)
      }
      hash = 0
      length = 0
    }
    if (isLetter) {
      hash = step(hash, lower)
      length++
    }
    wasSmall = isSmall
  }
}

// A small fixed set of words with a number each, looked up by hash. Open addressing in typed arrays: a
// few thousand look-ups per page must cost next to nothing.

export class WordTable {
  readonly #keys: Int32Array
  readonly #values: Int32Array
  readonly #mask: number

  /** Of a word given twice the values are or-ed; a value of 0 is the same as not being there. */
  constructor(entries: Iterable<readonly [hash: number, value: number]>) {
    const list = [...entries]
    const size = 2 ** Math.ceil(Math.log2(Math.max(16, 3 * list.length)))
    this.#keys = new Int32Array(size)
    this.#values = new Int32Array(size)
    this.#mask = size - 1
    for (const [hash, value] of list) this.#put(hash, value)
  }

  /** 0 when the word is not in the table. */
  get(hash: number): number {
    const keys = this.#keys
    const values = this.#values
    let slot = (hash ^ (hash >>> 15)) & this.#mask
    while (values[slot] !== 0 && keys[slot] !== hash) slot = (slot + 1) & this.#mask
    return values[slot] ?? 0
  }

  #put(hash: number, value: number): void {
    let slot = (hash ^ (hash >>> 15)) & this.#mask
    while (this.#values[slot] !== 0 && this.#keys[slot] !== hash) slot = (slot + 1) & this.#mask
    this.#keys[slot] = hash
    this.#values[slot] = (this.#values[slot] ?? 0) | value
  }
}
