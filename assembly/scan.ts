// Reads a page up to something that needs JavaScript: plain text and plain tags are most of a page, and need
// nothing but the text and the outline. html/html-reader.ts decides what happens then, and is the reference for
// all of it.
import {
  ARIA_HIDDEN,
  AT_END,
  AT_END_TAG,
  AT_LINK,
  AT_LINK_END,
  AT_MARKUP,
  AT_REFERENCE,
  AT_START_TAG,
  CELL,
  CLASS,
  COLSPAN,
  ENDS,
  FLAG_PRE,
  HIDDEN,
  IN_BODY,
  LINK,
  OUTLINED,
  PRES,
  REPORTED,
  ROWSPAN,
  SOURCE_BASE,
  STARTS,
  STYLE,
  TAG_AT,
  TAG_ELEMENT,
  TAG_FROM,
  VALUE_FROM,
} from './layout'
import { end as endOutlined, settle, start as startOutlined } from './outline'
import { cell, flagsOf, get, has, set, traitsOf } from './state'
import { isLetter, readTag } from './tags'
import { atReference, take } from './text'

const SLASH = 47
const LESS = 60
/** See html-names.ts. */
const HEAD = 16
const GOES_ON = -1

/** Reads from an offset on; TAG_FROM is then where it stopped. */
export function scan(from: i32, end: i32): i32 {
  const base = <usize>get(SOURCE_BASE)
  let at = from
  let stop: i32 = GOES_ON
  while (stop === GOES_ON) {
    if (at < end && load<u8>(base + <usize>at) !== <u8>LESS) {
      at = take(at, end)
      if (atReference) {
        stop = AT_REFERENCE
        break
      }
    }
    if (at >= end) {
      stop = AT_END
      break
    }
    const next = <i32>load<u8>(base + <usize>at + 1)
    if (isLetter(next)) {
      stop = readTag(at + 1, end) ? startTag(at) : AT_MARKUP
    } else if (next === SLASH && isLetter(<i32>load<u8>(base + <usize>at + 2))) {
      stop = readTag(at + 2, end) ? endTag(at) : AT_MARKUP
    } else stop = AT_MARKUP
    if (stop === GOES_ON) at = get(TAG_AT)
  }
  set(TAG_FROM, at)
  return stop
}

/** What to report; GOES_ON when JavaScript need not look at it. Nothing is done for a tag that is reported. */
function startTag(at: i32): i32 {
  const element = get(TAG_ELEMENT)
  const kind = <i32>load<u8>(STARTS + <usize>element)
  if (kind === REPORTED || has(get(HIDDEN))) return AT_START_TAG
  const isInPre = get(PRES) > 0 || (flagsOf(element) & FLAG_PRE) !== 0
  if (has(get(CLASS)) && mayBeNoText(isInPre)) return AT_START_TAG
  if (kind === OUTLINED || kind === CELL) {
    if (has(get(STYLE)) || has(get(ARIA_HIDDEN))) return AT_START_TAG
    if (kind === CELL && (has(get(COLSPAN)) || has(get(ROWSPAN)))) return AT_START_TAG
    startOutlined(element, at)
    settle()
  }
  if ((traitsOf(element) & HEAD) === 0) set(IN_BODY, 1)
  return kind === LINK ? AT_LINK : GOES_ON
}

/** By the first letters of its class: a formula, a line number, a link to edit a section. */
function mayBeNoText(inPre: bool): bool {
  const value = <usize>get(SOURCE_BASE) + <usize>cell(VALUE_FROM, get(CLASS))
  const first = load<u8>(value)
  if (inPre && first === 108) return true
  const second = load<u8>(value + 1)
  if (first === 107) return second === 97
  if (first === 77) return second === 97 || second === 74
  return first === 109 && (second === 106 || second === 119)
}

function endTag(at: i32): i32 {
  const element = get(TAG_ELEMENT)
  const kind = <i32>load<u8>(ENDS + <usize>element)
  if (kind === REPORTED) return AT_END_TAG
  if (kind === OUTLINED) {
    endOutlined(element, at)
    settle()
  }
  return kind === LINK ? AT_LINK_END : GOES_ON
}
