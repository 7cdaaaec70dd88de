// Pieces of a page's text, by their offset in the text sink. Most are short and plain ASCII; these
// are sliced from one string without decoding anything again.
import { truncate } from '../html/text-sink.ts'

const SPACE = 32
const LINE_ENDS = /[\t\n\x1f ]+/g

export class TextPieces {
  /** The text as in the sink: bytes up to 32 are white space. */
  readonly bytes: Buffer
  /** Some piece was cut at its limit; the caller resets it. */
  cut = false
  readonly #latin1: string

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.#latin1 = bytes.toString('latin1')
  }

  /** The words of a piece as one line of at most `maxLength` characters. */
  line(from: number, to: number, maxLength: number): string {
    const { bytes } = this
    let start = from
    let end = Math.min(to, bytes.length)
    while (start < end && (bytes[start] ?? 0) <= SPACE) start++
    while (end > start && (bytes[end - 1] ?? 0) <= SPACE) end--
    if (end - start <= maxLength) return end > start ? this.#slice(start, end) : ''
    return this.#cutLine(start, end, maxLength)
  }

  /** A piece as it is. */
  slice(from: number, to: number): string {
    const { bytes } = this
    let all = 0
    for (let at = from; at < to; at++) all |= bytes[at] ?? 0
    return all < 128 ? this.#latin1.slice(from, to) : bytes.toString('utf8', from, to)
  }

  /** The start of a piece with more bytes than the allowed characters. */
  #cutLine(from: number, to: number, maxLength: number): string {
    const { bytes } = this
    const end = to - from > 4 * maxLength ? characterStart(bytes, from + 4 * maxLength) : to
    const line = this.#slice(from, end)
    if (end === to && line.length <= maxLength) return line
    this.cut = true
    return truncate(line, maxLength)
  }

  /** One pass over the bytes decides how to decode them. */
  #slice(from: number, to: number): string {
    const { bytes } = this
    let all = 0
    let below = 0
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0
      all |= byte
      below |= byte - SPACE
    }
    const text = all < 128 ? this.#latin1.slice(from, to) : bytes.toString('utf8', from, to)
    return below < 0 ? text.replace(LINE_ENDS, ' ') : text
  }
}

/** The offset, or the start of the character it is in the middle of. */
function characterStart(bytes: Uint8Array, place: number): number {
  let at = place
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at--
  return at
}
