// The words in the class, id, role and itemprop of the last tag, as hashes: content/hints.ts is the reference.
import {
  C_SIGNATURE,
  C_WORD_FROM,
  C_WORD_TO,
  CLASS,
  ID,
  ITEMPROP,
  MAX_WORDS,
  ROLE,
  SOURCE_BASE,
  VALUE_FROM,
  VALUE_TO,
  WORD_COUNT,
  WORDS,
} from './layout'
import { cell, get, has, set, setCell } from './state'

const MAX_BYTES = 240
const MIN_WORD = 3
/** Later words are mostly states. */
const IN_SIGNATURE = 2

export function readHints(row: i32, element: i32): void {
  const before = get(WORD_COUNT)
  if (has(get(CLASS))) readWords(get(CLASS), before)
  if (has(get(ID))) readWords(get(ID), before)
  if (has(get(ROLE))) readWords(get(ROLE), before)
  if (has(get(ITEMPROP))) readWords(get(ITEMPROP), before)
  const count = get(WORD_COUNT)
  let signature = element
  for (let at = before; at < min(before + IN_SIGNATURE, count); at++) {
    signature = step(signature, cell(WORDS, at))
  }
  setCell(C_WORD_FROM, row, before)
  setCell(C_WORD_TO, row, count)
  setCell(C_SIGNATURE, row, signature)
}

function step(hash: i32, letter: i32): i32 {
  return ((hash * 0x01000193) ^ letter) + 0x9e37
}

/** A word ends at anything but a letter, and before a capital that follows a small letter. */
function readWords(name: i32, before: i32): void {
  const base = <usize>get(SOURCE_BASE)
  const from = cell(VALUE_FROM, name)
  const to = min(cell(VALUE_TO, name), from + MAX_BYTES)
  let count = get(WORD_COUNT)
  let hash = 0
  let length = 0
  let wasSmall = false
  for (let at = from; at <= to; at++) {
    const byte: i32 = at < to ? <i32>load<u8>(base + <usize>at) : 0
    const lower = byte | 32
    const isLetter = lower >= 97 && lower <= 122
    const isSmall = isLetter && byte === lower
    if (!isLetter || (!isSmall && wasSmall)) {
      if (length >= MIN_WORD) {
        if (count - before >= MAX_WORDS) break
        setCell(WORDS, count++, hash)
      }
      hash = 0
      length = 0
    }
    if (isLetter) {
      hash = step(hash, lower)
      length++
    }
    wasSmall = isSmall
  }
  set(WORD_COUNT, count)
}
