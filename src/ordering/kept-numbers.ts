// What an ordering learned, as bytes for `save` and back for `load`: numbers, or several parts in one.

const BYTES_EACH = 8

export function keepNumbers(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(numbers).buffer)
}

/** Null when these bytes are not so many finite numbers. */
export function keptNumbers(bytes: Uint8Array, count: number): readonly number[] | null {
  if (bytes.byteLength !== count * BYTES_EACH) return null
  // Copied: what a database hands out may lie at any offset, and numbers may not.
  const numbers = [...new Float64Array(bytes.slice().buffer)]
  return numbers.every(Number.isFinite) ? numbers : null
}

const WORD_BYTES = 4

/** Parts one after the other, behind what they are and how long each is. */
export function joined(format: number, parts: readonly Uint8Array[]): Uint8Array {
  const head = new Uint8Array(WORD_BYTES * (2 + parts.length))
  const words = new DataView(head.buffer)
  words.setUint32(0, format)
  words.setUint32(WORD_BYTES, parts.length)
  for (const [at, part] of parts.entries()) words.setUint32(WORD_BYTES * (2 + at), part.length)
  return new Uint8Array(Buffer.concat([head, ...parts]))
}

/** Null when these bytes are of another format, or cut off. */
export function parted(format: number, bytes: Uint8Array): readonly Uint8Array[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.byteLength < 2 * WORD_BYTES || view.getUint32(0) !== format) return null
  const count = view.getUint32(WORD_BYTES)
  let at = WORD_BYTES * (2 + count)
  if (at > bytes.byteLength) return null
  const parts: Uint8Array[] = []
  for (let part = 0; part < count; part++) {
    const end = at + view.getUint32(WORD_BYTES * (2 + part))
    parts.push(bytes.subarray(at, end))
    at = end
  }
  return at === bytes.byteLength ? parts : null
}
