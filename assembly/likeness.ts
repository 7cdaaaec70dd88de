// A hash of the text that is equal for near copies: `likenessOfLong` in page-fields.ts, which is the reference.
import { TEXT_BASE } from './layout'
import { get } from './state'

const START: u32 = 0x811c9dc5
const PRIME: u32 = 0x01000193
const SPACE: u32 = 32

/** Of so many bytes of the text that was read last; 0 is not replaced. */
export function likenessOfLong(bytes: i32): u32 {
  const base = <usize>get(TEXT_BASE)
  const end = base + <usize>bytes
  let hash = START
  let before = START
  /** Letters or digits since the last word. */
  let isWord = false
  let hasDigit = false
  for (let at = base; at < end; at++) {
    const byte = <u32>load<u8>(at)
    if (byte >= 128 || (byte | 32) - 97 < 26) {
      hash = (hash ^ byte) * PRIME
      isWord = true
    } else if (byte - 48 < 10) {
      hasDigit = true
      isWord = true
    } else if (isWord) {
      hash = hasDigit ? before : (hash ^ SPACE) * PRIME
      before = hash
      isWord = false
      hasDigit = false
    }
  }
  return hasDigit ? before : hash
}
