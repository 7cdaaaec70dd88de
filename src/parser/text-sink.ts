// Where the visible text gathers, as UTF-8 bytes: white space collapsed, lines kept apart, character
// references decoded, all in the one pass that copies it. Only what is kept becomes a string.
import { isAscii } from 'node:buffer'
import { decodeHTML } from 'entities/decode'

const PLAIN = 0
const BLANK = 1
const AMPERSAND = 2
const NUL = 3
/** The first byte of U+00A0, the no-break space, and of U+0080–U+00BF. */
const C2 = 4
const KIND = new Uint8Array(256)
for (const byte of Buffer.from(' \t\n\f\r')) KIND[byte] = BLANK
KIND[38] = AMPERSAND
KIND[0] = NUL
KIND[0xc2] = C2

const NEW_LINE = 10
const SPACE = 32
const HASH = 35
const SEMICOLON = 59
/** `&CounterClockwiseContourIntegral;` is the longest. */
const MAX_REFERENCE_LENGTH = 33
const MAX_CODE_POINT = 0x10ffff
/** Most of what pages write, without going through strings. */
const COMMON: readonly (readonly [string, string])[] = [
  ['amp;', '&'],
  ['lt;', '<'],
  ['gt;', '>'],
  ['quot;', '"'],
  ['nbsp;', ' '],
]

/** What stands between two pieces of text; the stronger wins. */
const GAP = { none: 0, space: 1, line: 2 } as const

export class TextSink {
  #out = Buffer.allocUnsafeSlow(1 << 17)
  #at = 0
  #gap: number = GAP.none
  /** Behind here gaps are written: nothing begins with one. */
  #floor = 0
  /** In preformatted text a line end stays one. */
  keepsLines = false

  /** Makes room for the text of a page of this many bytes, and forgets the last one. */
  open(pageBytes: number): void {
    // A reference grows when decoded by a fifth at most: `&nGt;` has five bytes and gives six.
    const needed = pageBytes + (pageBytes >>> 2) + 64
    if (this.#out.length < needed) this.#out = Buffer.allocUnsafeSlow(needed)
    this.#at = 0
    this.#gap = GAP.none
    this.#floor = 0
    this.keepsLines = false
  }

  /** Where the next text will begin. */
  get mark(): number {
    return this.#at
  }

  get isEmpty(): boolean {
    return this.#at === 0
  }

  /** The bytes so far: valid until the next page. */
  get bytes(): Buffer {
    return this.#out.subarray(0, this.#at)
  }

  line(): void {
    this.#gap = GAP.line
  }

  space(): void {
    if (this.#gap === GAP.none) this.#gap = GAP.space
  }

  /** Takes back everything from a mark on. */
  rewind(mark: number): void {
    this.#at = mark
    this.#gap = GAP.line
  }

  /** What came since the mark, as one line of at most `maxLength` characters. */
  lineSince(mark: number, maxLength: number): string {
    const from = this.#isGapAt(mark) ? mark + 1 : mark
    if (from >= this.#at) return ''
    const to = Math.min(this.#at, from + 4 * maxLength)
    const text = this.#string(from, to)
    const line = text.includes('\n') ? text.replaceAll('\n', ' ') : text
    return line.length <= maxLength ? line : shortened(line, maxLength)
  }

  text(): string {
    return this.#string(0, this.#at)
  }

  /** Reads a stretch of text apart from the rest, as one line: a title. */
  aside(page: Scanned, from: number, to: number, maxLength: number): string {
    const at = this.#at
    const gap = this.#gap
    const floor = this.#floor
    this.#floor = at
    this.#gap = GAP.none
    this.take(page, from, to)
    const line = this.lineSince(at, maxLength)
    this.#at = at
    this.#gap = gap
    this.#floor = floor
    return line
  }

  /** Copies text in which character references count. */
  take(page: Scanned, from: number, to: number): void {
    const { bytes } = page
    const out = this.#out
    let at = from
    while (at < to) {
      let byte = bytes[at] ?? 0
      const kind = KIND[byte]
      if (kind === PLAIN) {
        if (this.#gap !== GAP.none) this.#writeGap()
        let o = this.#at
        do {
          out[o++] = byte
          byte = bytes[++at] ?? 0
        } while (KIND[byte] === PLAIN && at < to)
        this.#at = o
      } else if (kind === BLANK) {
        this.#blank(byte)
        at++
      } else if (kind === AMPERSAND) {
        at = this.#reference(page, at, to)
      } else {
        at = this.#rare(bytes, at)
      }
    }
  }

  /** Copies text that is meant literally. */
  takeRaw(page: Scanned, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const byte = page.bytes[at] ?? 0
      if (KIND[byte] === BLANK) this.#blank(byte)
      else if (byte !== 0) this.#put(byte)
    }
  }

  #blank(byte: number): void {
    if (this.keepsLines && byte === NEW_LINE) this.#gap = GAP.line
    else if (this.#gap === GAP.none) this.#gap = GAP.space
  }

  #put(byte: number): void {
    if (this.#gap !== GAP.none) this.#writeGap()
    this.#out[this.#at++] = byte
  }

  #writeGap(): void {
    if (this.#at > this.#floor) this.#out[this.#at++] = this.#gap === GAP.line ? NEW_LINE : SPACE
    this.#gap = GAP.none
  }

  /** NUL is dropped; a no-break space is a space to whoever searches. */
  #rare(bytes: Uint8Array, at: number): number {
    if (bytes[at] === 0) return at + 1
    if (bytes[at + 1] === 0xa0) {
      this.space()
      return at + 2
    }
    this.#put(0xc2)
    return at + 1
  }

  /** Decodes the reference that the `&` may begin, and says where text goes on. */
  #reference(page: Scanned, at: number, to: number): number {
    for (const [name, character] of COMMON) {
      if (!page.latin1.startsWith(name, at + 1)) continue
      if (character === ' ') this.space()
      else this.#put(character.charCodeAt(0))
      return at + 1 + name.length
    }
    if (page.bytes[at + 1] === HASH) return this.#numeric(page.bytes, at, to)
    return this.#named(page, at, to)
  }

  #named({ bytes, latin1 }: Scanned, at: number, to: number): number {
    const limit = Math.min(to, at + MAX_REFERENCE_LENGTH)
    let end = at + 1
    while (end < limit && isAlphanumeric(bytes[end] ?? 0)) end++
    if (end < limit && bytes[end] === SEMICOLON) end++
    this.#write(end === at + 1 ? '&' : decodeHTML(latin1.slice(at, end)))
    return end
  }

  #numeric(bytes: Uint8Array, at: number, to: number): number {
    const hex = ((bytes[at + 2] ?? 0) | 32) === 120
    const first = at + (hex ? 3 : 2)
    let end = first
    let code = 0
    for (; end < to; end++) {
      const digit = digitOf(bytes[end] ?? 0, hex)
      if (digit < 0) break
      code = Math.min(code * (hex ? 16 : 10) + digit, MAX_CODE_POINT + 1)
    }
    if (end === first) {
      this.#put(38)
      return at + 1
    }
    this.#write(decodeHTML(`&#${code};`))
    return end < to && bytes[end] === SEMICOLON ? end + 1 : end
  }

  #write(text: string): void {
    for (const byte of Buffer.from(text)) {
      if (KIND[byte] === BLANK) this.#blank(byte)
      else this.#put(byte)
    }
  }

  #isGapAt(at: number): boolean {
    return at < this.#at && (this.#out[at] === SPACE || this.#out[at] === NEW_LINE)
  }

  #string(from: number, to: number): string {
    const bytes = this.#out.subarray(from, to)
    return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8')
  }
}

/** The page being read: its bytes, and the same as a string of one character per byte. */
export type Scanned = { readonly bytes: Uint8Array; readonly latin1: string }

/** Cut without leaving half a character. */
export function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const last = text.charCodeAt(maxLength - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength)
}

function isAlphanumeric(byte: number): boolean {
  const lower = byte | 32
  return (byte >= 48 && byte <= 57) || (lower >= 97 && lower <= 122)
}

/** -1 when it is no digit. */
function digitOf(byte: number, hex: boolean): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const lower = byte | 32
  return hex && lower >= 97 && lower <= 102 ? lower - 87 : -1
}
