// One glob without braces as a machine that is in several places of the pattern at once: it reads
// the text once and never goes back. Places are bits, so a step costs a few operations per 32
// characters of pattern, whatever the wildcards.

export interface Matcher {
  /** For ASCII text; anything else matches wildcards only. */
  matches(text: string): boolean
}

/** The pattern taken apart: characters to read, and what may be skipped before each, and at the end. */
type Tokens = { readonly chars: number[]; readonly skips: Set<Skip>[] }
type Skip = 'in-folder' | 'anything' | 'folders'

const ANY_CHAR = -1
const SLASH = 0x2f
const QUESTION_MARK = 0x3f

export function compileMatcher(glob: string): Matcher {
  const prefix = /^[^*?]*/.exec(glob)?.[0] ?? ''
  const rest = glob.slice(prefix.length)
  if (rest === '') return { matches: (text) => text === prefix }
  // `…/**` is what most people write, and needs no machine.
  if (rest === '**') return { matches: (text) => text.startsWith(prefix) }
  const machine = new Machine(readTokens(rest, prefix === '' || prefix.endsWith('/')))
  return { matches: (text) => text.startsWith(prefix) && machine.accepts(text, prefix.length) }
}

function readTokens(glob: string, startsFolder: boolean): Tokens {
  const chars: number[] = []
  const skips = [new Set<Skip>()]
  const read = (char: number) => {
    chars.push(char)
    skips.push(new Set())
  }
  for (const [piece] of glob.matchAll(/\*\*+\/?|./gs)) {
    const skip = skips.at(-1)
    const opensFolder = chars.length === 0 ? startsFolder : chars.at(-1) === SLASH
    if (piece === '?') read(ANY_CHAR)
    else if (!piece.startsWith('*')) read(piece.charCodeAt(0))
    else if (piece === '*') skip?.add('in-folder')
    else if (!piece.endsWith('/')) skip?.add('anything')
    else if (opensFolder && !skip?.has('in-folder') && !skip?.has('anything')) skip?.add('folders')
    else {
      skip?.add('anything')
      read(SLASH)
    }
  }
  return { chars, skips }
}

class Machine {
  readonly #words: number
  /** Place `n` is after the n-th character; the last one accepts. */
  readonly #last: number
  /** By character code, then by word: the places where it may be read. */
  readonly #reads: Int32Array
  readonly #readsAny: Int32Array
  readonly #skipsInFolder: Int32Array
  readonly #skipsAnything: Int32Array
  readonly #skipsFolders: Int32Array
  /** Where the machine is now, and which of its places are inside folders being skipped. */
  readonly #places: Int32Array
  readonly #insideFolders: Int32Array

  constructor({ chars, skips }: Tokens) {
    this.#last = chars.length
    this.#words = (this.#last >> 5) + 1
    const bits = (places: Iterable<number>) => bitSet(this.#words, places)
    const skipping = (kind: Skip) => bits(skips.keys().filter((place) => skips[place]?.has(kind)))
    this.#reads = new Int32Array(128 * this.#words)
    for (const [place, code] of chars.entries()) {
      if (code >= 0 && code < 128) setBit(this.#reads, code * this.#words * 32 + place)
    }
    this.#readsAny = bits(chars.keys().filter((place) => chars[place] === ANY_CHAR))
    this.#skipsInFolder = skipping('in-folder')
    this.#skipsAnything = skipping('anything')
    this.#skipsFolders = skipping('folders')
    this.#places = bits([])
    this.#insideFolders = bits([])
  }

  accepts(text: string, start: number): boolean {
    this.#places.fill(0)
    this.#places[0] = 1
    this.#insideFolders.fill(0)
    let inQuery = false
    for (let i = start; i < text.length; i++) {
      const code = text.charCodeAt(i)
      // In a query a slash is a character like any other.
      if (code === QUESTION_MARK) inQuery = true
      if (!this.#read(code, code === SLASH && !inQuery)) return false
    }
    return hasBit(this.#places, this.#last)
  }

  /** Reads one character; `ends`: it ends a folder. False when no place is left. */
  #read(code: number, ends: boolean): boolean {
    let carry = 0
    let alive = 0
    const reads = code < 128 ? code * this.#words : -1
    for (let word = 0; word < this.#words; word++) {
      const here = at(this.#places, word)
      const inside = at(this.#insideFolders, word) | (here & at(this.#skipsFolders, word))
      const any = ends ? 0 : at(this.#readsAny, word)
      const read = here & ((reads < 0 ? 0 : at(this.#reads, reads + word)) | any)
      const skips = at(this.#skipsAnything, word) | (ends ? 0 : at(this.#skipsInFolder, word))
      const next = (read << 1) | carry | (here & skips) | (ends ? inside : 0)
      carry = read >>> 31
      this.#places[word] = next
      this.#insideFolders[word] = inside
      alive |= next | inside
    }
    return alive !== 0
  }
}

function at(words: Int32Array, index: number): number {
  return words[index] ?? 0
}

function bitSet(words: number, places: Iterable<number>): Int32Array {
  const set = new Int32Array(words)
  for (const place of places) setBit(set, place)
  return set
}

function setBit(set: Int32Array, place: number): void {
  set[place >> 5] = at(set, place >> 5) | (1 << (place & 31))
}

function hasBit(set: Int32Array, place: number): boolean {
  return (at(set, place >> 5) & (1 << (place & 31))) !== 0
}
