// Finds the words of a text in place. A word is a run of letters, digits and marks, with apostrophes between
// letters. Scripts without spaces give overlapping pairs of characters, which distinguish texts far better
// than single ones and need no dictionary.
import {
  APOSTROPHE,
  BREAK,
  DENSE,
  HIGH,
  KINDS,
  kindOf,
  kindOfPair,
  MARK,
  ODD,
  PLAIN,
} from './char-kind.ts'
import { finished, HASH_START, hashText, hashUnit, MAX_WORD, type TermId } from './text.ts'

/** French, Italian and Catalan prefixes with an apostrophe: words of their own. */
const ELIDED = new Set('l d j m t s n c qu un gl all dall dell nell sull coll quell'.split(' '))
const LONGEST_ELIDED = 5

const SMALL_S = 0x73

/** One pass over a lower-cased text: `while (scanner.next())`, the word is text[start, end). */
export class WordScanner {
  readonly #text: string
  #at = 0
  start = 0
  /** At most MAX_WORD past the start; the rest of a longer word is skipped. */
  end = 0
  /** Whether the word is final: no NFKC, no invisible characters to remove. */
  plain = true
  /** The word's term id; meaningless if it is not plain. */
  hash: TermId = 0

  constructor(lowerCased: string) {
    this.#text = lowerCased
  }

  /** Advances to the next word; the common case, plain letters up to a space, is one loop. */
  next(): boolean {
    const text = this.#text
    const length = text.length
    let at = this.#at
    while (at < length) {
      let code = text.charCodeAt(at)
      const kind = KINDS[code]
      if (kind === BREAK) at++
      else if (kind === PLAIN) {
        const start = at
        let hash = HASH_START
        do {
          hash = hashUnit(hash, code)
          if (++at === length) break
          code = text.charCodeAt(at)
        } while (KINDS[code] === PLAIN)
        if (at < length && KINDS[code] !== BREAK) return this.#word(start, at)
        if (at - start > MAX_WORD) return this.#found(start, at, true, at)
        this.start = start
        this.end = at
        this.plain = true
        this.hash = finished(hash)
        this.#at = at
        return true
      } else if (this.#startsAt(at)) return true
      else at++
    }
    this.#at = length
    return false
  }

  /** Whether a word starts at a character that is not plain; if so, reads the word. */
  #startsAt(at: number): boolean {
    const kind = this.#kindAt(at)
    if (kind === DENSE) return this.#pair(at)
    return (kind === PLAIN || kind === ODD) && this.#word(at, at)
  }

  /** Reads a word with other than plain letters at or after `from`. */
  #word(start: number, from: number): true {
    const text = this.#text
    let plain = true
    let at = from
    for (; at < text.length; at++) {
      const kind = this.#kindAt(at)
      if (kind === BREAK || kind === DENSE) break
      if (kind === APOSTROPHE) {
        if (!isWordly(this.#kindAt(at + 1))) break
        if (this.#isPossessive(at)) return this.#found(start, at, plain, at + 2)
        if (this.#isElision(start, at)) break
        plain &&= text.charCodeAt(at) === 0x27
      } else if (kind !== PLAIN) {
        plain = false
        if (KINDS[text.charCodeAt(at)] === HIGH) at++
      }
    }
    return this.#found(start, at, plain, at)
  }

  /** Two characters of a script without spaces; the last of them starts the next pair. */
  #pair(start: number): true {
    const second = this.#clusterEnd(start)
    if (this.#kindAt(second) !== DENSE) return this.#foundPair(start, second, second)
    const end = this.#clusterEnd(second)
    return this.#foundPair(start, end, this.#kindAt(end) === DENSE ? second : end)
  }

  /** The end of a character and its marks. */
  #clusterEnd(start: number): number {
    let at = start + (kindOf(this.#text.charCodeAt(start)) === HIGH ? 2 : 1)
    while (this.#kindAt(at) === MARK) at++
    return at
  }

  #foundPair(start: number, end: number, next: number): true {
    let plain = true
    for (let at = start; plain && at < end; at++) plain = isFinal(this.#text.charCodeAt(at))
    return this.#found(start, end, plain, next)
  }

  #found(start: number, end: number, plain: boolean, next: number): true {
    this.start = start
    this.end = end - start > MAX_WORD ? this.#cut(start + MAX_WORD) : end
    this.plain = plain
    if (plain) this.hash = hashText(this.#text, start, this.end)
    this.#at = next
    return true
  }

  /** A position to cut at that does not split a character. */
  #cut(end: number): number {
    return kindOf(this.#text.charCodeAt(end - 1)) === HIGH ? end - 1 : end
  }

  #kindAt(at: number): number {
    if (at >= this.#text.length) return BREAK
    const code = this.#text.charCodeAt(at)
    const kind = kindOf(code)
    return kind === HIGH ? kindOfPair(code, this.#text.charCodeAt(at + 1)) : kind
  }

  #isPossessive(at: number): boolean {
    return this.#text.charCodeAt(at + 1) === SMALL_S && !isWordly(this.#kindAt(at + 2))
  }

  #isElision(start: number, at: number): boolean {
    return at - start <= LONGEST_ELIDED && ELIDED.has(this.#text.slice(start, at))
  }
}

/** Kana, the common ideographs and Thai except one vowel; NFKC may change other characters. */
function isFinal(code: number): boolean {
  return (code >= 0x3040 && code <= 0x9fff) || (code >= 0xe01 && code <= 0xe4e && code !== 0xe33)
}

function isWordly(kind: number): boolean {
  return kind > BREAK && kind <= MARK
}
