// A page's receipt as the store keeps it until the frontier has settled the page: all that a later
// scouter must be told, in the fewest bytes.
//
// Likeness u32, signals u8, the signals as float64, then the block of found links. Little endian.

export type KeptReceipt = {
  /** See Settlement.likeness and Settlement.judged. */
  readonly likeness: number
  readonly judged: readonly number[] | null
  readonly foundBlock: Uint8Array
}

const FIXED_BYTES = 5

export function encodeKept({ likeness, judged, foundBlock }: KeptReceipt): Uint8Array {
  const signals = judged ?? []
  const blockAt = FIXED_BYTES + 8 * signals.length
  const kept = new Uint8Array(blockAt + foundBlock.byteLength)
  const view = new DataView(kept.buffer)
  view.setUint32(0, likeness, true)
  view.setUint8(4, signals.length)
  for (const [at, signal] of signals.entries()) view.setFloat64(FIXED_BYTES + 8 * at, signal, true)
  kept.set(foundBlock, blockAt)
  return kept
}

/** The block is a part of what was given, not a copy. No signals come back as null. */
export function decodeKept(kept: Uint8Array): KeptReceipt {
  const view = new DataView(kept.buffer, kept.byteOffset, kept.byteLength)
  const count = view.getUint8(4)
  const judged = Array.from({ length: count }, (_, at) =>
    view.getFloat64(FIXED_BYTES + 8 * at, true),
  )
  return {
    likeness: view.getUint32(0, true),
    judged: count === 0 ? null : judged,
    foundBlock: kept.subarray(FIXED_BYTES + 8 * count),
  }
}
