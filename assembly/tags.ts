// Reads tags with their attributes: html/html-scanner.ts is the reference.
import {
  ATTRIBUTE_BYTES,
  ATTRIBUTE_HASHES,
  ATTRIBUTE_NUMBERS,
  ELEMENT_HASHES,
  ELEMENT_NUMBERS,
  LAST_GREATER,
  NAME_BYTES,
  SEEN_IN,
  SOURCE_BASE,
  TAG_AT,
  TAG_CLOSES,
  TAG_COUNT,
  TAG_ELEMENT,
  TAG_HASH,
  VALUE_FROM,
  VALUE_TO,
} from './layout'
import { cell, get, set, setCell } from './state'

const SPACE = 32
const QUOTE = 34
const APOSTROPHE = 39
const SLASH = 47
const EQUALS = 61
const GREATER = 62
const SLOTS = 1024

export function isLetter(byte: i32): bool {
  const lower = byte | 32
  return lower >= 97 && lower <= 122
}

/** Reads the tag whose name begins at `from`; false when the end of the page cuts it off. */
export function readTag(from: i32, end: i32): bool {
  if (from > get(LAST_GREATER)) return false
  const base = <usize>get(SOURCE_BASE)
  let at = base + <usize>from
  let hash: i32 = 0
  // Ends at the last `>` at the latest, like the loops over names below.
  for (;;) {
    const byte = <i32>load<u8>(NAME_BYTES + <usize>load<u8>(at))
    if (byte === 0) break
    hash = hash * 31 + byte
    at++
  }
  set(TAG_HASH, hash)
  set(TAG_ELEMENT, numberOf(hash, ELEMENT_HASHES, ELEMENT_NUMBERS))
  set(TAG_CLOSES, 0)
  set(TAG_COUNT, get(TAG_COUNT) + 1)
  if (load<u8>(at) === <u8>GREATER) at++
  else {
    at = readAttributes(at, base + <usize>end)
    if (at === 0) return false
  }
  set(TAG_AT, <i32>(at - base))
  return true
}

function numberOf(hash: i32, hashes: usize, numbers: usize): i32 {
  let slot = (hash ^ (hash >>> 10)) & (SLOTS - 1)
  let number = <i32>load<u8>(numbers + <usize>slot)
  while (number !== 0 && cell(hashes, slot) !== hash) {
    slot = (slot + 1) & (SLOTS - 1)
    number = <i32>load<u8>(numbers + <usize>slot)
  }
  return number
}

/** Up to and behind the `>`; 0 without one. */
function readAttributes(from: usize, end: usize): usize {
  const base = <usize>get(SOURCE_BASE)
  const last = base + <usize>get(LAST_GREATER)
  let at = from
  while (at <= last) {
    const byte = <i32>load<u8>(at)
    if (isSpace(byte)) {
      at++
      continue
    }
    if (byte === GREATER) return at + 1
    if (byte === SLASH) {
      at++
      if (load<u8>(at) !== <u8>GREATER) continue
      set(TAG_CLOSES, 1)
      return at + 1
    }
    // A name may begin with `=`; from its second byte on `=` ends it.
    let hash: i32 = byte === EQUALS ? EQUALS : <i32>load<u8>(ATTRIBUTE_BYTES + <usize>byte)
    for (;;) {
      at++
      const part = <i32>load<u8>(ATTRIBUTE_BYTES + <usize>load<u8>(at))
      if (part === 0) break
      hash = hash * 31 + part
    }
    at = skipSpace(at)
    let valueFrom = at
    let valueTo = at
    if (load<u8>(at) === <u8>EQUALS) {
      at = skipSpace(at + 1)
      const quote = load<u8>(at)
      if (quote === <u8>QUOTE || quote === <u8>APOSTROPHE) {
        valueFrom = at + 1
        valueTo = find(quote, valueFrom, end)
        if (valueTo >= end) return 0
        at = valueTo + 1
      } else {
        valueFrom = at
        while (at < end && load<u8>(at) !== <u8>GREATER && !isSpace(load<u8>(at))) at++
        valueTo = at
      }
    }
    note(numberOf(hash, ATTRIBUTE_HASHES, ATTRIBUTE_NUMBERS), valueFrom - base, valueTo - base)
  }
  return 0
}

/** The first of two equal attributes counts. */
function note(attribute: i32, from: usize, to: usize): void {
  const tag = get(TAG_COUNT)
  if (attribute === 0 || cell(SEEN_IN, attribute) === tag) return
  setCell(SEEN_IN, attribute, tag)
  setCell(VALUE_FROM, attribute, <i32>from)
  setCell(VALUE_TO, attribute, <i32>to)
}

/** The first such byte from `from` on; `end` or more without one. */
function find(byte: u8, from: usize, end: usize): usize {
  const wanted = i8x16.splat(<i8>byte)
  let at = from
  while (at < end) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), wanted))
    if (found !== 0) return at + <usize>ctz(found)
    at += 16
  }
  return end
}

function isSpace(byte: i32): bool {
  return byte === SPACE || byte === 10 || byte === 9 || byte === 13 || byte === 12
}

function skipSpace(from: usize): usize {
  let at = from
  while (isSpace(<i32>load<u8>(at))) at++
  return at
}
