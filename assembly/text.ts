// The text of a page, copied from its source: the hot part of html/text-sink.ts, which is the reference. Sixteen
// bytes are looked at together; they are copied up to the first that is no plain character.
import { KEEPS_LINES, SOURCE_BASE, TEXT_AT, TEXT_BASE, TEXT_FLOOR } from './layout'
import { get, set } from './state'

const TAB = 9
const NEW_LINE = 10
const RETURN = 13
const CELL = 31
const SPACE = 32
const QUOTE = 34
const HASH = 35
const AMPERSAND = 38
const SEMICOLON = 59
const LESS = 60
const GREATER = 62
const DELETE = 127
const C2 = 0xc2
const NO_BREAK = 0xa0
const SOFT_HYPHEN = 0xad
const NO_CHARACTER = 0xff
/** Decimal digits of a plain character. */
const MAX_DIGITS = 6

/** The last text ended at a reference that is not decoded here. */
export let atReference: bool = false
/** Where the text is written. */
let out: usize = 0

/** Copies text up to the next `<`, or up to a reference that is not decoded here; returns its offset. */
export function take(from: i32, end: i32): i32 {
  const base = <usize>get(SOURCE_BASE)
  const text = <usize>get(TEXT_BASE)
  out = text + <usize>get(TEXT_AT)
  atReference = false
  const at =
    get(KEEPS_LINES) !== 0
      ? takeLines(base + <usize>from, base + <usize>end)
      : takeWords(base + <usize>from, base + <usize>end, text + <usize>get(TEXT_FLOOR))
  set(TEXT_AT, <i32>(out - text))
  return <i32>(at - base)
}

/** A `<` stands behind the page, so that every copy ends there. */
function takeWords(from: usize, end: usize, floor: usize): usize {
  let at = from
  let gap: i32 = out === floor || load<u8>(out - 1) <= <u8>SPACE ? 1 : 0
  while (at < end) {
    const bytes = v128.load(at)
    v128.store(out, bytes)
    const spaces = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(<i8>SPACE)))
    const odd = i8x16.bitmask(v128.or(i8x16.lt_u(bytes, i8x16.splat(<i8>SPACE)), signs(bytes)))
    const stops = odd | (spaces & ((spaces << 1) | gap))
    if (stops === 0) {
      at += 16
      out += 16
      gap = spaces >> 15
      continue
    }
    const plain = ctz(stops)
    at += <usize>plain
    out += <usize>plain
    if (plain > 0) gap = (spaces >> (plain - 1)) & 1
    const byte = <i32>load<u8>(at)
    if (byte === LESS) break
    if (byte === AMPERSAND) {
      const next = reference(at, end)
      if (next === 0) {
        atReference = true
        break
      }
      at = next
      if (character === SPACE) gap = putGap(gap)
      else gap = put(character)
    } else if (byte === C2) {
      const next = <i32>load<u8>(at + 1)
      at++
      if (next < 0x80 || next > 0xbf) gap = put(NO_CHARACTER)
      else if (next <= NO_BREAK) {
        at++
        gap = putGap(gap)
      } else if (next === SOFT_HYPHEN) at++
      else gap = put(C2)
    } else {
      at++
      // A NUL is dropped.
      if (byte !== 0) gap = putGap(gap)
    }
  }
  return at
}

function takeLines(from: usize, end: usize): usize {
  let at = from
  while (at < end) {
    const bytes = v128.load(at)
    v128.store(out, bytes)
    const isKept = v128.or(
      i8x16.eq(bytes, i8x16.splat(<i8>NEW_LINE)),
      i8x16.eq(bytes, i8x16.splat(<i8>TAB)),
    )
    const isControl = v128.andnot(i8x16.lt_u(bytes, i8x16.splat(<i8>SPACE)), isKept)
    const stops = i8x16.bitmask(v128.or(isControl, signs(bytes)))
    if (stops === 0) {
      at += 16
      out += 16
      continue
    }
    const plain = <usize>ctz(stops)
    at += plain
    out += plain
    const byte = <i32>load<u8>(at)
    if (byte === LESS) break
    if (byte === AMPERSAND) {
      const next = reference(at, end)
      if (next === 0) {
        atReference = true
        break
      }
      at = next
      put(character)
    } else if (byte === C2) {
      const next = <i32>load<u8>(at + 1)
      at++
      if (next < 0x80 || next > 0xbf) put(NO_CHARACTER)
      else if (next <= NO_BREAK) {
        at++
        put(SPACE)
      } else if (next === SOFT_HYPHEN) at++
      else put(C2)
    } else {
      at++
      if (byte !== 0 && byte !== RETURN) put(SPACE)
    }
  }
  return at
}

/** `<`, `&`, DEL, and the first byte of U+0080–U+00BF. */
function signs(bytes: v128): v128 {
  return v128.or(
    v128.or(i8x16.eq(bytes, i8x16.splat(<i8>LESS)), i8x16.eq(bytes, i8x16.splat(<i8>AMPERSAND))),
    v128.or(i8x16.eq(bytes, i8x16.splat(<i8>DELETE)), i8x16.eq(bytes, i8x16.splat(<i8>C2))),
  )
}

function put(byte: i32): i32 {
  store<u8>(out++, byte)
  return 0
}

/** A second space does not advance. */
function putGap(gap: i32): i32 {
  store<u8>(out, SPACE)
  out += <usize>(1 - gap)
  return 1
}

/** What the last reference stands for. */
let character: i32 = 0

/** The end of a frequent reference; 0 for any other. Behind the page there is room to look at. */
function reference(at: usize, end: usize): usize {
  const first = <i32>load<u8>(at + 1)
  if (first === HASH) return numeric(at + 2, end)
  const next = load<u32>(at + 1)
  // `lt;` and `gt;`
  if ((next & 0xffffff) === 0x3b746c) return decoded(LESS, at + 4)
  if ((next & 0xffffff) === 0x3b7467) return decoded(GREATER, at + 4)
  // `amp;`
  if (next === 0x3b706d61) return decoded(AMPERSAND, at + 5)
  if (load<u8>(at + 5) !== <u8>SEMICOLON) return 0
  // `quot;` and `nbsp;`
  if (next === 0x746f7571) return decoded(QUOTE, at + 6)
  if (next === 0x7073626e) return decoded(SPACE, at + 6)
  return 0
}

function decoded(byte: i32, next: usize): usize {
  character = byte
  return next
}

/** A decimal number of a plain character, with its semicolon. */
function numeric(from: usize, end: usize): usize {
  let code: i32 = 0
  let at = from
  while (at < end && at < from + MAX_DIGITS) {
    const digit = <i32>load<u8>(at) - 48
    if (digit < 0 || digit > 9) break
    code = 10 * code + digit
    at++
  }
  if (at === from || at >= end || load<u8>(at) !== <u8>SEMICOLON) return 0
  return code > SPACE && code < DELETE ? decoded(code, at + 1) : 0
}

/** Ends the line, if there is any text on it. */
export function line(): void {
  separate(NEW_LINE)
}

export function space(): void {
  const text = <usize>get(TEXT_BASE)
  const at = get(TEXT_AT)
  if (at === get(TEXT_FLOOR) || load<u8>(text + <usize>at - 1) <= <u8>SPACE) return
  store<u8>(text + <usize>at, SPACE)
  set(TEXT_AT, at + 1)
}

/** Separates two cells of a row. */
export function nextCell(): void {
  const at = get(TEXT_AT)
  if (at === get(TEXT_FLOOR)) return
  if (load<u8>(<usize>get(TEXT_BASE) + <usize>at - 1) === <u8>NEW_LINE) return
  separate(CELL)
}

/** Instead of the white space at the end, if there is any. */
function separate(byte: i32): void {
  const at = get(TEXT_AT)
  if (at === get(TEXT_FLOOR)) return
  const end = <usize>get(TEXT_BASE) + <usize>at
  if (load<u8>(end - 1) <= <u8>SPACE) store<u8>(end - 1, byte)
  else {
    store<u8>(end, byte)
    set(TEXT_AT, at + 1)
  }
}

/** The text since a mark without white space around it; the indentation of the first line is kept. */
export let trimmedFrom: i32 = 0
export let trimmedTo: i32 = 0

export function trim(mark: i32): void {
  const text = <usize>get(TEXT_BASE)
  let to = get(TEXT_AT)
  while (to > mark && load<u8>(text + <usize>to - 1) <= <u8>SPACE) to--
  let from = mark
  if (get(KEEPS_LINES) === 0) {
    while (from < to && load<u8>(text + <usize>from) <= <u8>SPACE) from++
  } else {
    for (let at = mark; at < to; at++) {
      const byte = load<u8>(text + <usize>at)
      if (byte > <u8>SPACE) break
      if (byte !== <u8>SPACE && byte !== <u8>TAB) from = at + 1
    }
  }
  trimmedFrom = from
  trimmedTo = to
}
