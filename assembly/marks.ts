// A quick test of a range of the page for the words that mark dates and authors (MAY_MARK in about/line-marks.ts).
// It may also find what is none, for which a look at the tags is the answer: `\r` counts as a hyphen here, and
// the first six letters as the word, also across the end of the range.
import { SOURCE_BASE } from './layout'
import { get } from './state'

/** The case of a letter is one bit. */
const SMALL = 0x20
const SMALL_WORD: u64 = 0x202020202020

/** Whether a range of the source may have such a word; behind the page there is room to look at. */
export function mayMark(from: i32, to: i32): bool {
  const base = <usize>get(SOURCE_BASE)
  const end = base + <usize>to
  const small = i8x16.splat(<i8>SMALL)
  for (let at = base + <usize>from; at < end; at += 16) {
    const first = v128.or(v128.load(at), small)
    const second = v128.or(v128.load(at + 1), small)
    let found = i8x16.bitmask(startsIn(first, second))
    while (found !== 0) {
      const word = at + <usize>ctz(found)
      if (word >= end) return false
      if (isMark(load<u64>(word) | SMALL_WORD)) return true
      found &= found - 1
    }
  }
  return false
}

/** By the first two letters. */
function startsIn(first: v128, second: v128): v128 {
  // ti, ta
  let all = v128.and(is(first, 0x74), v128.or(is(second, 0x69), is(second, 0x61)))
  // da
  all = v128.or(all, v128.and(is(first, 0x64), is(second, 0x61)))
  // pu, po, pe
  all = v128.or(
    all,
    v128.and(
      is(first, 0x70),
      v128.or(v128.or(is(second, 0x75), is(second, 0x6f)), is(second, 0x65)),
    ),
  )
  // up, us
  all = v128.or(all, v128.and(is(first, 0x75), v128.or(is(second, 0x70), is(second, 0x73))))
  // wa, wr
  all = v128.or(all, v128.and(is(first, 0x77), v128.or(is(second, 0x61), is(second, 0x72))))
  // fe
  all = v128.or(all, v128.and(is(first, 0x66), is(second, 0x65)))
  // -m
  all = v128.or(all, v128.and(is(first, 0x2d), is(second, 0x6d)))
  // au
  all = v128.or(all, v128.and(is(first, 0x61), is(second, 0x75)))
  // by
  all = v128.or(all, v128.and(is(first, 0x62), is(second, 0x79)))
  // re
  all = v128.or(all, v128.and(is(first, 0x72), is(second, 0x65)))
  // cr
  all = v128.or(all, v128.and(is(first, 0x63), is(second, 0x72)))
  return all
}

function is(letters: v128, letter: i32): v128 {
  return i8x16.eq(letters, i8x16.splat(<i8>letter))
}

/** By up to six letters, in the order of memory. */
function isMark(letters: u64): bool {
  const four = <u32>letters
  const five = letters & 0xffffffffff
  const six = letters & 0xffffffffffff
  // time, date, publ, auth, user
  if (four === 0x656d6974) return true
  if (four === 0x65746164) return true
  if (four === 0x6c627570) return true
  if (four === 0x68747561) return true
  if (four === 0x72657375) return true
  // updat, waktu, datum, fecha, -meta, autor
  if (five === 0x7461647075) return true
  if (five === 0x75746b6177) return true
  if (five === 0x6d75746164) return true
  if (five === 0x6168636566) return true
  if (five === 0x6174656d2d) return true
  if (five === 0x726f747561) return true
  // posted, tangga, byline, by-lin, writer, penuli, report, creato
  if (six === 0x646574736f70) return true
  if (six === 0x6167676e6174) return true
  if (six === 0x656e696c7962) return true
  if (six === 0x6e696c2d7962) return true
  if (six === 0x726574697277) return true
  if (six === 0x696c756e6570) return true
  if (six === 0x74726f706572) return true
  if (six === 0x6f7461657263) return true
  return false
}
