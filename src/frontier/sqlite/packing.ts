// Numbers in blobs, little endian, as they are in memory on every machine Node runs on.

export function packNumbers(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(numbers).buffer)
}

export function unpackNumbers(blob: Uint8Array): number[] {
  return Array.from(new Float64Array(aligned(blob)))
}

export function packIds(ids: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(ids).buffer)
}

export function unpackIds(blob: Uint8Array): Uint32Array {
  return new Uint32Array(aligned(blob))
}

/** A buffer that starts where the blob does: typed arrays need it. */
export function aligned(blob: Uint8Array): ArrayBuffer {
  const bytes = new Uint8Array(blob.byteLength)
  bytes.set(blob)
  return bytes.buffer
}
