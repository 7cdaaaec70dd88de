// Collects the visible text as UTF-8 bytes: white space is collapsed, lines are kept apart and character
// references are decoded, all in the one pass that copies it. Only kept text becomes a string.
//
// A space at the end stands for the gap before the next text: a second space does not advance, a line end
// replaces it. So the copying loop has no branch that text could make unpredictable, which would cost time
// there (bench/html-scanner.ts).
import { decodeHTML } from 'entities/decode'
import { KEEPS_LINES, TEXT_AT, TEXT_FLOOR } from '../assembly/layout.ts'
import { type PageMemory, textRoom } from './page-memory.ts'

const TAB = 9
const NEW_LINE = 10
const RETURN = 13
/** Separates two cells of a row; no page can write it, because other control characters become spaces. */
const CELL = 31
const SPACE = 32
const HASH = 35
const AMPERSAND = 38
const SEMICOLON = 59
const LESS = 60
const DELETE = 127
/** The lead byte of U+0080–U+00BF: control characters, the no-break space, and signs. */
const C2 = 0xc2
const NO_BREAK = 0xa0
const SOFT_HYPHEN = 0xad
const NO_CHARACTER = 0xff

/** The copy of each byte; 0: needs a closer look. */
const COPY = Uint8Array.from({ length: 256 }, (_, byte) => byte)
COPY.fill(SPACE, 1, SPACE)
COPY[DELETE] = SPACE
for (const byte of [AMPERSAND, LESS, C2]) COPY[byte] = 0
/** The same where spaces and line ends are kept. */
const COPY_LINES = COPY.slice()
COPY_LINES[TAB] = TAB
COPY_LINES[NEW_LINE] = NEW_LINE
COPY_LINES[RETURN] = 0

/** `&CounterClockwiseContourIntegral;` is the longest. */
const MAX_REFERENCE_LENGTH = 33
const MAX_CODE_POINT = 0x10ffff
const USUAL_BYTES = 1 << 17
/** As much text is hardly equal by accident. */
const REPEATED_BYTES = 30
/** A buffer grown for one giant page is not kept. */
const MAX_KEPT_BYTES = 1 << 22

/** The page being read: its bytes, and the same as a string of one character per byte. */
export type ScannedPage = { readonly bytes: Uint8Array; readonly latin1: string }

/** A reference to a character that becomes a space. */
const CONTROL = /^[\x7f-\u00a0]$/
const LINE_END = /[\t\n\x1f\u0085\u2028\u2029]/
const LINE_ENDS = /[\t\n\x1f\u0085\u2028\u2029 ]+/g

export class TextSink {
  readonly #memory: PageMemory | null
  #state: Int32Array
  #out: Buffer

  /** In the memory of a page, or in one of its own. */
  constructor(memory: PageMemory | null = null) {
    this.#memory = memory
    this.#state = memory?.state ?? new Int32Array(KEEPS_LINES + 1)
    this.#out = memory?.text() ?? Buffer.allocUnsafeSlow(USUAL_BYTES)
  }

  /** Makes room for the text of a page of this many bytes, and drops the last one. */
  open(pageBytes: number): void {
    if (this.#memory === null) this.#makeRoom(textRoom(pageBytes))
    else if (this.#memory.state !== this.#state) {
      this.#state = this.#memory.state
      this.#out = this.#memory.text()
    }
    this.#at = 0
    this.#floor = 0
    this.keepsLines = false
  }

  #makeRoom(needed: number): void {
    const kept = this.#out.length
    if (kept < needed || kept > Math.max(needed, MAX_KEPT_BYTES)) {
      this.#out = Buffer.allocUnsafeSlow(Math.max(needed, USUAL_BYTES))
    }
  }

  get #at(): number {
    return this.#state[TEXT_AT] ?? 0
  }
  set #at(at: number) {
    this.#state[TEXT_AT] = at
  }

  /** The start of the text: a gap is only written after some text. */
  get #floor(): number {
    return this.#state[TEXT_FLOOR] ?? 0
  }
  set #floor(at: number) {
    this.#state[TEXT_FLOOR] = at
  }

  /** In preformatted text line ends and spaces are kept. */
  get keepsLines(): boolean {
    return this.#state[KEEPS_LINES] !== 0
  }
  set keepsLines(keeps: boolean) {
    this.#state[KEEPS_LINES] = keeps ? 1 : 0
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
    return visibleText(this.#string(0, this.#trimmedEnd(0)))
  }

  /** The text since the mark, as one line of at most `maxLength` characters. */
  lineSince(mark: number, maxLength: number): string {
    return this.lineBetween(mark, this.#at, maxLength)
  }

  /** The words between two offsets, as one line of at most `maxLength` characters. */
  lineBetween(mark: number, to: number, maxLength: number): string {
    const from = mark < to && isBlank(this.#out[mark]) ? mark + 1 : mark
    let end = to
    while (end > from && isBlank(this.#out[end - 1])) end--
    if (end <= from) return ''
    return truncate(inOneLine(this.#string(from, Math.min(end, from + 4 * maxLength))), maxLength)
  }

  /** Reads a text apart from the rest, as one line: a title. */
  aside(page: ScannedPage, from: number, to: number, maxLength: number): string {
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

  /** Whether the text since the mark occurred before, by samples from all over it. */
  repeatsSince(mark: number): boolean {
    const before = this.#out.subarray(0, mark)
    return [0.25, 0.5, 0.75].every((share) => {
      const from = mark + Math.floor((this.#at - mark) * share)
      return before.includes(this.#out.subarray(from, Math.min(from + REPEATED_BYTES, this.#at)))
    })
  }

  /** Removes everything from a mark on. */
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

  /** Separates two cells of a row. */
  cell(): void {
    const at = this.#at
    if (at === this.#floor || this.#out[at - 1] === NEW_LINE) return
    if (isBlank(this.#out[at - 1])) this.#out[at - 1] = CELL
    else this.#out[this.#at++] = CELL
  }

  /** The text since the mark without white space around it; the indentation of the first line is kept. */
  trimmed(mark: number, to = this.#at): { readonly textFrom: number; readonly textTo: number } {
    const out = this.#out
    let textTo = to
    while (textTo > mark && isBlank(out[textTo - 1])) textTo--
    let textFrom = mark
    for (let at = mark; at < textTo && isBlank(out[at]); at++) {
      if (out[at] !== SPACE && out[at] !== TAB) textFrom = at + 1
    }
    if (!this.keepsLines) while (textFrom < textTo && isBlank(out[textFrom])) textFrom++
    return { textFrom, textTo }
  }

  slice(from: number, to: number): string {
    return this.#string(from, to)
  }

  /** Copies text up to the next `<` and returns its offset; `to` without one. */
  take(page: ScannedPage, from: number, to: number): number {
    if (this.keepsLines) return this.#takeLines(page, from, to)
    const { bytes } = page
    const out = this.#out
    let end = this.#at
    let inGap = this.#inGap() ? 1 : 0
    let at = from
    while (at < to) {
      const byte = COPY[bytes[at] ?? 0] ?? 0
      if (byte === 0) {
        this.#at = end
        if (bytes[at] === LESS) return at
        at = this.#special(page, at, to)
        end = this.#at
        inGap = this.#inGap() ? 1 : 0
        continue
      }
      // 1 for a space: the sign bit after subtracting 33.
      const blank = (byte - 33) >>> 31
      out[end] = byte
      end += 1 - (blank & inGap)
      inGap = blank
      at++
    }
    this.#at = end
    return to
  }

  /** Copies the reference at `at`; returns where the text continues. */
  takeReference(page: ScannedPage, at: number, to: number): number {
    return this.#special(page, at, to)
  }

  #takeLines(page: ScannedPage, from: number, to: number): number {
    const { bytes } = page
    let at = from
    while (at < to) {
      const byte = COPY_LINES[bytes[at] ?? 0] ?? 0
      if (byte !== 0) {
        this.#out[this.#at++] = byte
        at++
      } else if (bytes[at] === LESS) return at
      else if (bytes[at] === RETURN) at++
      else at = this.#special(page, at, to)
    }
    return to
  }

  /** Copies text without decoding. */
  takeRaw(page: ScannedPage, from: number, to: number): void {
    const { bytes } = page
    let at = from
    while (at < to) {
      if (bytes[at] === C2) at = this.#special(page, at, to)
      else this.#put(bytes[at++] ?? 0)
    }
  }

  #inGap(): boolean {
    return this.#at === this.#floor || isBlank(this.#out[this.#at - 1])
  }

  #put(byte: number): void {
    if (byte > SPACE && byte !== DELETE) this.#out[this.#at++] = byte
    else if (this.keepsLines && byte !== 0)
      this.#out[this.#at++] = byte === TAB || byte === NEW_LINE ? byte : SPACE
    else if (byte !== 0) this.space()
  }

  /** A reference, a no-break space, a soft hyphen or a NUL; returns where the text continues. */
  #special(page: ScannedPage, at: number, to: number): number {
    const { bytes } = page
    const byte = bytes[at] ?? 0
    if (byte === AMPERSAND) return this.#reference(page, at, to)
    // For searching, a no-break space is a space, and a soft hyphen does not split a word. A NUL is
    // dropped, other control characters become spaces.
    if (byte === C2) return this.#behindC2(bytes[at + 1] ?? 0, at)
    this.#put(byte)
    return at + 1
  }

  /** Alone it becomes a byte that forms no character with any other, whatever is dropped between them. */
  #behindC2(next: number, at: number): number {
    if (next < 0x80 || next > 0xbf) this.#put(NO_CHARACTER)
    else if (next <= NO_BREAK) return this.#pass(' ', at + 2)
    else if (next === SOFT_HYPHEN) return at + 2
    else this.#put(C2)
    return at + 1
  }

  /** The most frequent references, which need no table of two thousand. */
  #reference(page: ScannedPage, at: number, to: number): number {
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

  #named({ bytes, latin1 }: ScannedPage, at: number, to: number): number {
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
    if (CONTROL.test(text)) this.space()
    else if (text !== '\u00AD') for (const byte of Buffer.from(text)) this.#put(byte)
  }

  #trimmedEnd(from: number): number {
    let end = this.#at
    while (end > from && isBlank(this.#out[end - 1])) end--
    return end
  }

  #string(from: number, to: number): string {
    return this.#out.toString('utf8', from, to)
  }
}

/** The visible text of a range: cells of a row are separated. */
export function visibleText(text: string): string {
  return text.includes('\x1f') ? text.replaceAll('\x1f', ' | ') : text
}

function inOneLine(text: string): string {
  return LINE_END.test(text) ? text.replace(LINE_ENDS, ' ') : text
}

/** Cut without leaving half a character. */
export function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const last = text.charCodeAt(maxLength - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength)
}

function isBlank(byte: number | undefined): boolean {
  return byte !== undefined && byte <= SPACE
}

function isAlphanumeric(byte: number): boolean {
  const lower = byte | 32
  return (byte >= 48 && byte <= 57) || (lower >= 97 && lower <= 122)
}

/** -1 when it is not a digit. */
function digitOf(byte: number, hex: boolean): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const lower = byte | 32
  return hex && lower >= 97 && lower <= 102 ? lower - 87 : -1
}
