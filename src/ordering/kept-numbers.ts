// The few numbers that an ordering learned, as bytes for `save` and back for `load`.

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
