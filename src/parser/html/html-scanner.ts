// Scans HTML markup as the standard's tokeniser does, without building anything. The scanner is at a `<`
// and reports what begins there; the reader (html-reader.ts) decides what to do with it, which text matters
// and whether raw text follows.
//
// It works on UTF-8 bytes. The same bytes are kept as a string of one character each, because a search in a
// string is the fastest search there is. Each byte is looked at a fixed number of times for any page: no
// nesting, no backtracking, no recursion.
//
// The tree builder is left out. Raw text and foreign content depend on it, so the reader reports them.
import { isAscii } from 'node:buffer'
import { decodeHTMLAttribute } from 'entities/decode'
import {
  LAST_GREATER,
  SEEN_IN,
  TAG_AT,
  TAG_CLOSES,
  TAG_COUNT,
  TAG_ELEMENT,
  TAG_HASH,
  VALUE_FROM,
  VALUE_TO,
} from '../assembly/layout.ts'
import {
  ATTRIBUTE_BYTE,
  ATTRIBUTE_COUNT,
  attributeNumber,
  elementNumber,
  hashStep,
  NAME_BYTE,
} from './html-names.ts'
import type { PageMemory } from './page-memory.ts'

/** What a `<` begins. */
export const MARKUP = {
  /** Nothing: it is a character of the text. */
  none: 0,
  startTag: 1,
  endTag: 2,
  /** A comment, a declaration, an instruction: skipped. */
  aside: 3,
  /** Text between `from` and `to` without markup. */
  cdata: 4,
} as const
export type Markup = (typeof MARKUP)[keyof typeof MARKUP]

const TAB = 9
const NEW_LINE = 10
const FORM_FEED = 12
const RETURN = 13
const SPACE = 32
const BANG = 33
const QUOTE = 34
const APOSTROPHE = 39
const HYPHEN = 45
const SLASH = 47
const EQUALS = 61
const GREATER = 62
const QUESTION = 63

export class HtmlScanner {
  bytes: Buffer = Buffer.alloc(0)
  /** The bytes, one character each. */
  latin1 = ''
  length = 0
  /** The position of the scan, after the last item read. */
  at = 0
  /** The number of the tag's name (see html-names.ts), and the hash of any name. */
  element = 0
  nameHash = 0
  selfClosing = false
  /** Range of a `cdata` item. */
  from = 0
  to = 0
  /** CDATA sections are text only in foreign content and in XML. */
  allowsCdata = false

  #isAscii = true
  /** The whole page while only a part of it is read; null otherwise. */
  #whole: { readonly latin1: string; readonly lastGreater: number } | null = null
  /** No tag can end after this offset. */
  #lastGreater = -1
  readonly #memory: PageMemory | null
  #state: Int32Array
  #seenIn = new Int32Array(ATTRIBUTE_COUNT)
  /** The range of each attribute's value, if the tag has it. */
  valueFrom = new Int32Array(ATTRIBUTE_COUNT)
  valueTo = new Int32Array(ATTRIBUTE_COUNT)

  /** In the memory of a page, or in one of its own. */
  constructor(memory: PageMemory | null = null) {
    this.#memory = memory
    this.#state = new Int32Array(TAG_COUNT + 1)
  }

  open(utf8: Buffer): void {
    const memory = this.#memory
    if (memory !== null && memory.state !== this.#state) this.#view(memory)
    this.bytes = utf8
    this.latin1 = utf8.toString('latin1')
    this.length = utf8.length
    this.at = 0
    this.allowsCdata = false
    this.#isAscii = isAscii(utf8)
    this.#lastGreater = utf8.lastIndexOf(GREATER)
    this.#state[LAST_GREATER] = this.#lastGreater
    this.#state[TAG_COUNT] = 0
    this.#seenIn.fill(0)
    this.#whole = null
  }

  #view({ buffer, state }: PageMemory): void {
    this.#state = state
    this.#seenIn = new Int32Array(buffer, SEEN_IN, ATTRIBUTE_COUNT)
    this.valueFrom = new Int32Array(buffer, VALUE_FROM, ATTRIBUTE_COUNT)
    this.valueTo = new Int32Array(buffer, VALUE_TO, ATTRIBUTE_COUNT)
  }

  /** Takes over the tag that the WebAssembly module has read. */
  adopt(): void {
    const state = this.#state
    this.at = state[TAG_AT] ?? 0
    this.element = state[TAG_ELEMENT] ?? 0
    this.nameHash = state[TAG_HASH] ?? 0
    this.selfClosing = state[TAG_CLOSES] !== 0
  }

  /** Continues as if the page ended at `end`, until `release`. */
  confine(end: number): void {
    this.#whole ??= { latin1: this.latin1, lastGreater: this.#lastGreater }
    this.latin1 = this.latin1.slice(0, end)
    this.length = end
    this.#lastGreater = this.latin1.lastIndexOf('>')
  }

  release(): void {
    if (this.#whole === null) return
    this.latin1 = this.#whole.latin1
    this.length = this.bytes.length
    this.#lastGreater = this.#whole.lastGreater
    this.#whole = null
  }

  close(): void {
    this.bytes = Buffer.alloc(0)
    this.latin1 = ''
    this.#whole = null
  }

  /** Reads what the `<` at `at` begins, and moves behind it unless it is nothing. */
  read(): Markup {
    const start = this.at
    const next = this.#byte(start + 1)
    if (isLetter(next)) return this.#tag(start + 1, MARKUP.startTag)
    if (next === SLASH) {
      const letter = this.#byte(start + 2)
      if (isLetter(letter)) return this.#tag(start + 2, MARKUP.endTag)
      return start + 2 >= this.length ? MARKUP.none : this.#skipTo(start + 2)
    }
    if (next === BANG) return this.#declaration(start + 2)
    if (next === QUESTION) return this.#skipTo(start + 1)
    return MARKUP.none
  }

  /** Whether the attribute is present, with or without a value. */
  has(attribute: number): boolean {
    return this.#seenIn[attribute] === this.#tagCount
  }

  /** The attribute's value with character references decoded; '' when it is missing. */
  value(attribute: number): string {
    if (this.#seenIn[attribute] !== this.#tagCount) return ''
    const from = this.valueFrom[attribute] ?? 0
    const to = this.valueTo[attribute] ?? 0
    const text = this.slice(from, to)
    return text.includes('&') ? decodeHTMLAttribute(text) : text
  }

  /** A range of the page as a decoded string; NUL becomes U+FFFD as in the standard. */
  slice(from: number, to: number): string {
    const text =
      this.#isAscii || this.#isAsciiWithin(from, to)
        ? this.latin1.slice(from, to)
        : this.bytes.toString('utf8', from, to)
    return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
  }

  get #tagCount(): number {
    return this.#state[TAG_COUNT] ?? 0
  }

  #byte(at: number): number {
    return at < this.length ? (this.bytes[at] ?? 0) : 0
  }

  #isAsciiWithin(from: number, to: number): boolean {
    const { bytes } = this
    let all = 0
    for (let at = from; at < to; at++) all |= bytes[at] ?? 0
    return all < 128
  }

  #end(): Markup {
    this.at = this.length
    return MARKUP.aside
  }

  #skipTo(from: number): Markup {
    const end = this.latin1.indexOf('>', from)
    this.at = end < 0 ? this.length : end + 1
    return MARKUP.aside
  }

  #declaration(at: number): Markup {
    if (this.#byte(at) === HYPHEN && this.#byte(at + 1) === HYPHEN) return this.#comment(at + 2)
    if (!this.allowsCdata || !this.latin1.startsWith('[CDATA[', at)) return this.#skipTo(at)
    const end = this.latin1.indexOf(']]>', at + 7)
    this.from = at + 7
    this.to = end < 0 ? this.length : end
    this.at = end < 0 ? this.length : end + 3
    return MARKUP.cdata
  }

  /** Ends at `-->` or `--!>`; `<!-->` and `<!--->` are complete. */
  #comment(from: number): Markup {
    if (this.#byte(from) === GREATER) return this.#skipTo(from)
    if (this.#byte(from) === HYPHEN && this.#byte(from + 1) === GREATER) return this.#skipTo(from)
    const { latin1 } = this
    let at = latin1.indexOf('--', from)
    while (at >= 0) {
      const next = this.#byte(at + 2)
      if (next === GREATER || (next === BANG && this.#byte(at + 3) === GREATER)) {
        return this.#skipTo(at + 2)
      }
      at = latin1.indexOf('--', at + 1)
    }
    return this.#end()
  }

  /** A tag that is cut off by the end of the page is no tag: the rest of the page is dropped with it. */
  #tag(from: number, kind: Markup): Markup {
    if (from > this.#lastGreater) return this.#end()
    const { bytes } = this
    let at = from
    let hash = 0
    // Both loops end at the last `>` at the latest.
    for (;;) {
      const byte = NAME_BYTE[bytes[at] ?? 0] ?? 0
      if (byte === 0) break
      hash = hashStep(hash, byte)
      at++
    }
    this.nameHash = hash
    this.element = elementNumber(hash)
    this.selfClosing = false
    this.#state[TAG_COUNT] = this.#tagCount + 1
    this.at = bytes[at] === GREATER ? at + 1 : this.#attributes(at)
    return this.at > this.length ? this.#end() : kind
  }

  /** Reads attributes up to and including the `>`. Returns an offset beyond the page without one. */
  #attributes(from: number): number {
    const { bytes, latin1 } = this
    const last = this.#lastGreater
    let at = from
    while (at <= last) {
      let byte = bytes[at] ?? 0
      if (isSpace(byte)) {
        at++
        continue
      }
      if (byte === GREATER) return at + 1
      if (byte === SLASH) {
        at++
        if (bytes[at] !== GREATER) continue
        this.selfClosing = true
        return at + 1
      }
      // A name may begin with `=`; from its second byte on `=` ends it.
      let hash = hashStep(0, byte === EQUALS ? EQUALS : (ATTRIBUTE_BYTE[byte] ?? 0))
      for (;;) {
        at++
        const part = ATTRIBUTE_BYTE[bytes[at] ?? 0] ?? 0
        if (part === 0) break
        hash = hashStep(hash, part)
      }
      at = skipSpace(bytes, at)
      let valueFrom = at
      let valueTo = at
      if (bytes[at] === EQUALS) {
        at = skipSpace(bytes, at + 1)
        byte = bytes[at] ?? 0
        if (byte === QUOTE || byte === APOSTROPHE) {
          valueFrom = at + 1
          valueTo = latin1.indexOf(byte === QUOTE ? '"' : "'", valueFrom)
          if (valueTo < 0) break
          at = valueTo + 1
        } else {
          valueFrom = at
          while (byte !== GREATER && !isSpace(byte)) byte = bytes[++at] ?? GREATER
          valueTo = at
        }
      }
      this.#note(attributeNumber(hash), valueFrom, valueTo)
    }
    return this.length + 1
  }

  /** The first of two equal attributes counts. */
  #note(attribute: number, from: number, to: number): void {
    if (attribute === 0 || this.#seenIn[attribute] === this.#tagCount) return
    this.#seenIn[attribute] = this.#tagCount
    this.valueFrom[attribute] = from
    this.valueTo[attribute] = to
  }
}

function isLetter(byte: number): boolean {
  const lower = byte | 32
  return lower >= 97 && lower <= 122
}

function isSpace(byte: number): boolean {
  return (
    byte === SPACE || byte === NEW_LINE || byte === TAB || byte === RETURN || byte === FORM_FEED
  )
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (isSpace(bytes[at] ?? 0)) at++
  return at
}
