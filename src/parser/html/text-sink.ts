// Where the visible text gathers, as UTF-8 bytes: white space collapsed, lines kept apart, character
// references decoded, all in the one pass that copies it. Only what is kept becomes a string.
//
// A blank that was written last stands for the gap before whatever comes next: a second blank does
// not move on, a line end replaces it. The copying loop therefore has no branch that text could
// make unpredictable, which is what costs time there (bench/html-scanner.ts).
import { decodeHTML } from 'entities/decode'

const NEW_LINE = 10
const SPACE = 32
const HASH = 35
const AMPERSAND = 38
const SEMICOLON = 59
const LESS = 60
/** The first byte of U+0080–U+00BF, the no-break space among them. */
const C2 = 0xc2
const NO_BREAK = 0xa0

/** What a byte is copied as; 0: look closer. */
const COPY = Uint8Array.from({ length: 256 }, (_, byte) => byte)
COPY.fill(SPACE, 1, SPACE)
for (const byte of [AMPERSAND, LESS, C2]) COPY[byte] = 0
/** The same where line ends stay. */
const COPY_LINES = COPY.slice()
COPY_LINES[NEW_LINE] = 0

/** `&CounterClockwiseContourIntegral;` is the longest. */
const MAX_REFERENCE_LENGTH = 33
const MAX_CODE_POINT = 0x10ffff
const USUAL_BYTES = 1 << 17
/** A buffer that one giant page needed is not kept for the others. */
const MAX_KEPT_BYTES = 1 << 22

/** The page being read: its bytes, and the same as a string of one character per byte. */
export type Scanned = { readonly bytes: Uint8Array; readonly latin1: string }

export class TextSink {
  #out = Buffer.allocUnsafeSlow(USUAL_BYTES)
  #at = 0
  /** Where text begins: a gap is only written behind something. */
  #floor = 0
  /** In preformatted text a line end stays one. */
  keepsLines = false

  /** Makes room for the text of a page of this many bytes, and forgets the last one. */
  open(pageBytes: number): void {
    // A reference grows when decoded by a fifth at most: `&nGt;` has five bytes and gives six.
    const needed = pageBytes + (pageBytes >>> 2) + 64
    const kept = this.#out.length
    if (kept < needed || kept > Math.max(needed, MAX_KEPT_BYTES)) {
      this.#out = Buffer.allocUnsafeSlow(Math.max(needed, USUAL_BYTES))
    }
    this.#at = 0
    this.#floor = 0
    this.keepsLines = false
  }

  /** Where the next text will begin. */
  get mark(): number {
    return this.#at
  }

  /** The text so far; valid until the next page. */
  get bytes(): Buffer {
    return this.#out.subarray(0, this.#trimmedEnd(0))
  }

  text(): string {
    return this.#string(0, this.#trimmedEnd(0))
  }

  /** What came since the mark, as one line of at most `maxLength` characters. */
  lineSince(mark: number, maxLength: number): string {
    const from = mark < this.#at && isBlank(this.#out[mark]) ? mark + 1 : mark
    const end = this.#trimmedEnd(from)
    if (end <= from) return ''
    const text = this.#string(from, Math.min(end, from + 4 * maxLength))
    const line = text.includes('\n') ? text.replaceAll('\n', ' ') : text
    return line.length <= maxLength ? line : shortened(line, maxLength)
  }

  /** Reads a stretch of text apart from the rest, as one line: a title. */
  aside(page: Scanned, from: number, to: number, maxLength: number): string {
    const at = this.#at
    const floor = this.#floor
    this.#floor = at
    let next = this.take(page, from, to)
    while (next < to) next = this.take(page, this.#pass('<', next + 1), to)
    const line = this.lineSince(at, maxLength)
    this.#at = at
    this.#floor = floor
    return line
  }

  /** Takes back everything from a mark on. */
  rewind(mark: number): void {
    this.#at = mark
  }

  space(): void {
    if (!this.#inGap()) this.#out[this.#at++] = SPACE
  }

  line(): void {
    const at = this.#at
    if (at === this.#floor) return
    if (isBlank(this.#out[at - 1])) this.#out[at - 1] = NEW_LINE
    else this.#out[this.#at++] = NEW_LINE
  }

  /** Copies text up to the next `<` and says where that is; `to` when there is none before. */
  take(page: Scanned, from: number, to: number): number {
    const { bytes } = page
    const copy = this.keepsLines ? COPY_LINES : COPY
    const out = this.#out
    let end = this.#at
    let inGap = this.#inGap() ? 1 : 0
    let at = from
    while (at < to) {
      const byte = copy[bytes[at] ?? 0] ?? 0
      if (byte === 0) {
        this.#at = end
        if (bytes[at] === LESS) return at
        at = this.#special(page, at, to)
        end = this.#at
        inGap = this.#inGap() ? 1 : 0
        continue
      }
      // 1 for a blank: the sign of what is left of it when 33 are taken away.
      const blank = (byte - 33) >>> 31
      out[end] = byte
      end += 1 - (blank & inGap)
      inGap = blank
      at++
    }
    this.#at = end
    return to
  }

  /** Copies text that is meant literally. */
  takeRaw({ bytes }: Scanned, from: number, to: number): void {
    for (let at = from; at < to; at++) this.#put(bytes[at] ?? 0)
  }

  #inGap(): boolean {
    return this.#at === this.#floor || isBlank(this.#out[this.#at - 1])
  }

  #put(byte: number): void {
    if (byte > SPACE) this.#out[this.#at++] = byte
    else if (byte === NEW_LINE && this.keepsLines) this.line()
    else if (byte !== 0) this.space()
  }

  /** A reference, a kept line end, a no-break space or a NUL; says where text goes on. */
  #special(page: Scanned, at: number, to: number): number {
    const { bytes } = page
    const byte = bytes[at] ?? 0
    if (byte === AMPERSAND) return this.#reference(page, at, to)
    // To whoever searches a no-break space is a space. A NUL is dropped.
    if (byte === C2 && bytes[at + 1] === NO_BREAK) return this.#pass(' ', at + 2)
    this.#put(byte)
    return at + 1
  }

  /** Most references are these; they need no table of two thousand. */
  #reference(page: Scanned, at: number, to: number): number {
    const { bytes, latin1 } = page
    switch (bytes[at + 1]) {
      case HASH:
        return this.#numeric(bytes, at, to)
      case 97: // a
        return latin1.startsWith('mp;', at + 2)
          ? this.#pass('&', at + 5)
          : this.#named(page, at, to)
      case 103: // g
        return latin1.startsWith('t;', at + 2) ? this.#pass('>', at + 4) : this.#named(page, at, to)
      case 108: // l
        return latin1.startsWith('t;', at + 2) ? this.#pass('<', at + 4) : this.#named(page, at, to)
      case 110: // n
        return latin1.startsWith('bsp;', at + 2)
          ? this.#pass(' ', at + 6)
          : this.#named(page, at, to)
      case 113: // q
        return latin1.startsWith('uot;', at + 2)
          ? this.#pass('"', at + 6)
          : this.#named(page, at, to)
      default:
        return this.#named(page, at, to)
    }
  }

  #pass(character: string, next: number): number {
    this.#put(character.charCodeAt(0))
    return next
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
    if (end === first) return this.#pass('&', at + 1)
    if (code > SPACE && code < 127) this.#put(code)
    else this.#write(decodeHTML(`&#${code};`))
    return end < to && bytes[end] === SEMICOLON ? end + 1 : end
  }

  #write(text: string): void {
    if (text === '\u00A0') this.space()
    else for (const byte of Buffer.from(text)) this.#put(byte)
  }

  #trimmedEnd(from: number): number {
    return this.#at > from && isBlank(this.#out[this.#at - 1]) ? this.#at - 1 : this.#at
  }

  #string(from: number, to: number): string {
    return this.#out.toString('utf8', from, to)
  }
}

/** Cut without leaving half a character. */
export function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const last = text.charCodeAt(maxLength - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength)
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === NEW_LINE
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
