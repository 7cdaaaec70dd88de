// A 32-bit hash of UTF-16 text, computed in place without a substring: FNV-1a over code units, then mixed so
// that all bits are good.
import type { TermId } from './text.ts'

export const HASH_START = 0x811c9dc5 | 0

/** The hash of text[start, end). */
export function hashText(text: string, start = 0, end = text.length): TermId {
  let hash = HASH_START
  for (let at = start; at < end; at++) hash = hashUnit(hash, text.charCodeAt(at))
  return finished(hash)
}

/** Adds one code unit to an unfinished hash. */
export function hashUnit(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

/** Finishes a hash: never 0, which tables use for an empty slot. */
export function finished(hash: number): TermId {
  return mixed(hash) || 1
}

/** Spreads a number over all 32 bits: the finaliser of MurmurHash3. */
export function mixed(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}
