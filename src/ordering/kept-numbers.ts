// Encodes an ordering's learned state as bytes for `save`, and decodes it for `load`: numbers, or several
// parts.

const BYTES_EACH = 8

export function keepNumbers(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(numbers).buffer)
}

/** Null unless the bytes are exactly `count` finite numbers. */
export function keptNumbers(bytes: Uint8Array, count: number): readonly number[] | null {
  if (bytes.byteLength !== count * BYTES_EACH) return null
  // Copied: a database may return bytes at any offset, but Float64Array needs an aligned one.
  const numbers = [...new Float64Array(bytes.slice().buffer)]
  return numbers.every(Number.isFinite) ? numbers : null
}

const WORD_BYTES = 4

/** Concatenates parts behind a header with the format and the length of each. */
export function joined(format: number, parts: readonly Uint8Array[]): Uint8Array {
  const head = new Uint8Array(WORD_BYTES * (2 + parts.length))
  const words = new DataView(head.buffer)
  words.setUint32(0, format)
  words.setUint32(WORD_BYTES, parts.length)
  for (const [at, part] of parts.entries()) words.setUint32(WORD_BYTES * (2 + at), part.length)
  return new Uint8Array(Buffer.concat([head, ...parts]))
}

/** Null if the bytes are truncated or of another format. */
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
