// Rows as bytes. A value begins with a byte that tells its kind, or is a small number itself:
//
//   0–159    the number                        200 null
//   161–167  a number of 1–7 bytes             201 float64        202 float32
//   171–177  the same, negative                203 bytes, with their length before them
//   208–247  a text of 0–39 bytes              204 a longer text, with its length before it
//   248–250  a text that begins as PREFIXES, with the length of the rest before it
//
// Numbers are little endian, lengths are LEB128.
import type { Row, RowValue } from '../storage.ts'

const SMALL = 160
const NEGATIVE = 170
const NULL = 200
const DOUBLE = 201
const FLOAT = 202
const BYTES = 203
const TEXT = 204
const SHORT_TEXT = 208
const LONGEST_SHORT = 39
const PREFIXED = 248
const PREFIXES = ['https://www.', 'https://', 'http://'] as const

const SLAB_BYTES = 1 << 16
/** A value other than a text or bytes, with its kind. */
const LARGEST_NUMBER = 9
const narrow = new Float32Array(1)

/** Packs rows, many of them into one buffer. */
export class RowPacker {
  #slab = Buffer.allocUnsafe(SLAB_BYTES)
  #at = 0

  /** The values from `from` on. */
  pack(row: Row, from = 0): Buffer {
    this.#makeRoom(row, from)
    const begin = this.#at
    for (let at = from; at < row.length; at++) this.#value(row[at] ?? null)
    return this.#slab.subarray(begin, this.#at)
  }

  #makeRoom(row: Row, from: number): void {
    let most = 0
    for (let at = from; at < row.length; at++) {
      const value = row[at]
      // A UTF-16 unit has at most three bytes of UTF-8.
      if (typeof value === 'string') most += 3 * value.length
      else if (value instanceof Uint8Array) most += value.length
      most += LARGEST_NUMBER
    }
    if (this.#at + most <= this.#slab.length) return
    this.#slab = Buffer.allocUnsafe(Math.max(SLAB_BYTES, most))
    this.#at = 0
  }

  #value(value: RowValue): void {
    if (typeof value === 'number') this.#number(value)
    else if (typeof value === 'string') this.#text(value)
    else if (value === null) this.#slab[this.#at++] = NULL
    else {
      this.#slab[this.#at++] = BYTES
      this.#length(value.length)
      this.#slab.set(value, this.#at)
      this.#at += value.length
    }
  }

  #number(value: number): void {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) this.#fraction(value)
    else if (value >= 0 && value < SMALL) this.#slab[this.#at++] = value
    else this.#whole(value)
  }

  #whole(value: number): void {
    const kind = this.#at++
    let rest = Math.abs(value)
    while (rest > 0) {
      this.#slab[this.#at++] = rest % 256
      rest = Math.floor(rest / 256)
    }
    this.#slab[kind] = (value < 0 ? NEGATIVE : SMALL) + this.#at - kind - 1
  }

  #fraction(value: number): void {
    narrow[0] = value
    if (narrow[0] === value) {
      this.#slab[this.#at++] = FLOAT
      this.#at = this.#slab.writeFloatLE(value, this.#at)
    } else {
      this.#slab[this.#at++] = DOUBLE
      this.#at = this.#slab.writeDoubleLE(value, this.#at)
    }
  }

  #text(text: string): void {
    const prefix = text.length > 7 ? PREFIXES.findIndex((each) => text.startsWith(each)) : -1
    const rest = prefix < 0 ? text : text.slice(PREFIXES[prefix]?.length)
    const bytes = Buffer.byteLength(rest)
    if (prefix >= 0) this.#slab[this.#at++] = PREFIXED + prefix
    else if (bytes <= LONGEST_SHORT) this.#slab[this.#at++] = SHORT_TEXT + bytes
    else this.#slab[this.#at++] = TEXT
    if (prefix >= 0 || bytes > LONGEST_SHORT) this.#length(bytes)
    this.#at += this.#slab.write(rest, this.#at, bytes === rest.length ? 'latin1' : 'utf8')
  }

  #length(length: number): void {
    let rest = length
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#slab[this.#at++] = (rest % 128) + 128
    this.#slab[this.#at++] = rest
  }
}

/** The values of a packed row, after those that are known already. */
export function unpackRow(bytes: Buffer, known: Row = []): RowValue[] {
  const values = [...known]
  for (let at = 0; at < bytes.length; ) at = unpackValue(bytes, at, values)
  return values
}

/** Returns where the next value begins. */
function unpackValue(bytes: Buffer, at: number, values: RowValue[]): number {
  const kind = bytes[at] ?? NULL
  const from = at + 1
  if (kind < SMALL) {
    values.push(kind)
    return from
  }
  if (kind < NULL) {
    const isNegative = kind > NEGATIVE
    const end = from + kind - (isNegative ? NEGATIVE : SMALL)
    let value = 0
    for (let each = end - 1; each >= from; each--) value = value * 256 + (bytes[each] ?? 0)
    values.push(isNegative ? -value : value)
    return end
  }
  if (kind === NULL) {
    values.push(null)
    return from
  }
  if (kind === DOUBLE || kind === FLOAT) {
    values.push(kind === DOUBLE ? bytes.readDoubleLE(from) : bytes.readFloatLE(from))
    return from + (kind === DOUBLE ? 8 : 4)
  }
  if (kind >= SHORT_TEXT && kind < PREFIXED) {
    const end = from + kind - SHORT_TEXT
    values.push(textOf(bytes, from, end))
    return end
  }
  return unpackLong(bytes, at, values)
}

/** Bytes, or a text, with their length before them. */
function unpackLong(bytes: Buffer, at: number, values: RowValue[]): number {
  const kind = bytes[at] ?? NULL
  let [from, length] = [at + 1, 0]
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[from++] ?? 0
    length += (byte & 127) * factor
    if (byte < 128) break
  }
  const end = from + length
  if (kind === BYTES) values.push(Uint8Array.from(bytes.subarray(from, end)))
  else values.push((PREFIXES[kind - PREFIXED] ?? '') + textOf(bytes, from, end))
  return end
}

function textOf(bytes: Buffer, from: number, end: number): string {
  return from === end ? '' : bytes.toString('utf8', from, end)
}
