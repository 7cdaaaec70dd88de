// The outline of a page: containers and blocks. content/outline.ts, content/open-containers.ts and
// content/hints.ts are the reference.

import { readHints } from './hints'
import {
  B_CONTAINER,
  B_LINK_BYTES,
  B_LINKS,
  B_SOURCE_FROM,
  B_SOURCE_TO,
  B_TEXT_FROM,
  B_TEXT_TO,
  BLOCK_COUNT,
  BLOCK_FROM,
  BLOCK_SOURCE,
  C_BLOCK_FROM,
  C_BLOCK_TO,
  C_ELEMENT,
  C_HIDDEN,
  C_NAME_HASH,
  C_PARENT,
  C_SOURCE_FROM,
  C_TEXT_FROM,
  C_TEXT_TO,
  CONTAINER_COUNT,
  CUT,
  DEPTH,
  FLAG_BR,
  FLAG_BUTTON,
  FLAG_DD,
  FLAG_DT,
  FLAG_FALLBACK,
  FLAG_FORM,
  FLAG_LABEL,
  FLAG_LI,
  FLAG_P,
  FLAG_PRE,
  FLAG_ROOT,
  FLAG_SAME,
  FLAG_TABLE,
  KEEPS_LINES,
  LAST_BREAK,
  LINK_BYTES,
  LINK_FROM,
  LINKS,
  MAX_BLOCKS,
  MAX_CONTAINERS,
  MAX_DEPTH,
  OPEN_ROWS,
  PRES,
  ROW_CELLS,
  TAG_HASH,
  TEXT_AT,
  TOO_DEEP,
} from './layout'
import {
  behaviourOf,
  cell,
  flagsOf,
  get,
  openElement,
  openRow,
  rankOf,
  set,
  setCell,
  traitsOf,
} from './state'
import { line, nextCell, space, trim, trimmedFrom, trimmedTo } from './text'

/** Traits and behaviours of elements, see html-names.ts. */
const BLOCK = 1
const TABLE_CELL = 64
const IS_CONTAINER = 1
const CLOSES_P = 2
const SCOPE = 4
const LIST = 8
const TABLE_PART = 16
const HEADING = 32
/** Shorter cells are read as one row, longer ones are separate blocks. */
const MAX_CELL_BYTES = 100

export function start(element: i32, at: i32): void {
  const flags = flagsOf(element)
  if ((flags & FLAG_BR) !== 0) {
    lineBreak(at)
    return
  }
  const traits = traitsOf(element)
  const behaviour = behaviourOf(element)
  if ((traits & BLOCK) !== 0) edge(at)
  else if ((traits & TABLE_CELL) !== 0) nextTableCell(at)
  if ((behaviour & IS_CONTAINER) === 0) return
  closeImplied(element, flags, behaviour, at)
  if (get(TOO_DEEP) > 0 || get(DEPTH) === MAX_DEPTH) {
    set(TOO_DEEP, get(TOO_DEEP) + 1)
    set(CUT, 1)
  } else push(element, flags, at)
}

export function end(element: i32, at: i32): void {
  const traits = traitsOf(element)
  if ((traits & BLOCK) !== 0) edge(at)
  else if ((traits & TABLE_CELL) !== 0) space()
  if ((behaviourOf(element) & IS_CONTAINER) === 0) return
  const tooDeep = get(TOO_DEEP)
  if (tooDeep > 0) {
    set(TOO_DEEP, tooDeep - 1)
    return
  }
  const place = findOpen(element)
  if (place > 0 && place < get(DEPTH) - 1) edge(at)
  closeTo(place, at)
}

/** The edge of a block, unless lines are kept as they are. */
function edge(at: i32): void {
  line()
  if (get(PRES) === 0) flush(at)
}

/** One `<br>` is a line end within a block, two end the block. */
function lineBreak(at: i32): void {
  if (get(PRES) > 0) {
    line()
    return
  }
  const mark = get(TEXT_AT)
  const isSecond = get(LAST_BREAK) === mark && get(BLOCK_FROM) < mark
  line()
  if (isSecond) flush(at)
  set(LAST_BREAK, get(TEXT_AT))
}

/** Short cells of a row are one block. */
function nextTableCell(at: i32): void {
  const bytes = get(TEXT_AT) - get(BLOCK_FROM)
  if (get(PRES) > 0 || bytes > MAX_CELL_BYTES * get(ROW_CELLS)) edge(at)
  else nextCell()
  set(ROW_CELLS, get(ROW_CELLS) + 1)
}

function flush(at: i32): void {
  const begun = get(BLOCK_FROM)
  trim(begun)
  const from = trimmedFrom
  const to = trimmedTo
  const linkFrom = get(LINK_FROM)
  if (to > from) {
    if (linkFrom >= 0) set(LINK_BYTES, get(LINK_BYTES) + max(0, to - max(linkFrom, begun)))
    const row = get(BLOCK_COUNT)
    if (row < MAX_BLOCKS) {
      set(BLOCK_COUNT, row + 1)
      setCell(B_CONTAINER, row, openRow(get(DEPTH) - 1))
      setCell(B_TEXT_FROM, row, from)
      setCell(B_TEXT_TO, row, to)
      setCell(B_SOURCE_FROM, row, get(BLOCK_SOURCE))
      setCell(B_SOURCE_TO, row, at)
      setCell(B_LINK_BYTES, row, min(get(LINK_BYTES), to - from))
      setCell(B_LINKS, row, get(LINKS))
    } else set(CUT, 1)
  }
  set(BLOCK_FROM, get(TEXT_AT))
  set(BLOCK_SOURCE, at)
  set(LINK_BYTES, 0)
  set(LINKS, linkFrom >= 0 ? 1 : 0)
  set(ROW_CELLS, 0)
}

function push(element: i32, flags: i32, at: i32): void {
  const row = get(CONTAINER_COUNT)
  if (row >= MAX_CONTAINERS) {
    set(CUT, 1)
    set(TOO_DEEP, get(TOO_DEEP) + 1)
    return
  }
  const depth = get(DEPTH)
  const mark = get(TEXT_AT)
  const blocks = get(BLOCK_COUNT)
  set(CONTAINER_COUNT, row + 1)
  store<u8>(C_ELEMENT + <usize>row, element)
  store<u8>(C_HIDDEN + <usize>row, 0)
  setCell(C_PARENT, row, openRow(depth - 1))
  setCell(C_TEXT_FROM, row, mark)
  setCell(C_TEXT_TO, row, mark)
  setCell(C_BLOCK_FROM, row, blocks)
  setCell(C_BLOCK_TO, row, blocks)
  setCell(C_NAME_HASH, row, get(TAG_HASH))
  setCell(C_SOURCE_FROM, row, at)
  readHints(row, element)
  if ((flags & FLAG_PRE) !== 0) setPres(get(PRES) + 1)
  setCell(OPEN_ROWS, depth, row)
  set(DEPTH, depth + 1)
}

/** `keepsLines` follows when the tag has been read. */
function setPres(pres: i32): void {
  set(PRES, pres)
}

/** After each tag of the outline: in preformatted text lines are kept. */
export function settle(): void {
  set(KEEPS_LINES, get(PRES) > 0 ? 1 : 0)
}

/** Closes the container at this index of the stack and all within; nothing for 0. */
function closeTo(place: i32, at: i32): void {
  if (place <= 0) return
  while (get(DEPTH) > place) pop(at)
}

function pop(at: i32): void {
  const depth = get(DEPTH) - 1
  const row = openRow(depth)
  if ((flagsOf(<i32>load<u8>(C_ELEMENT + <usize>row)) & FLAG_PRE) !== 0) {
    line()
    flush(at)
    setPres(get(PRES) - 1)
  }
  setCell(C_TEXT_TO, row, get(TEXT_AT))
  setCell(C_BLOCK_TO, row, get(BLOCK_COUNT))
  set(DEPTH, depth)
}

/** Closes the containers that cannot stay open when an element of this name begins. */
function closeImplied(element: i32, flags: i32, behaviour: i32, at: i32): void {
  if ((behaviour & TABLE_PART) !== 0) closeTo(findTablePart(element), at)
  else if ((flags & FLAG_SAME) !== 0) closeTo(findSame(element, flags), at)
  else if ((flags & FLAG_BUTTON) !== 0) closeTo(findButton(), at)
  else if ((behaviour & HEADING) !== 0) {
    const top = get(DEPTH) - 1
    if ((behaviourOf(openElement(top)) & HEADING) !== 0) closeTo(top, at)
  }
  if ((behaviour & CLOSES_P) !== 0) closeTo(findParagraph(), at)
}

// Which of the open containers a tag closes: its index, 0 for none.

function findParagraph(): i32 {
  let place = get(DEPTH) - 1
  let open = openElement(place)
  while (place > 0 && (open === 0 || (flagsOf(open) & FLAG_LABEL) !== 0))
    open = openElement(--place)
  return (flagsOf(open) & FLAG_P) !== 0 ? place : 0
}

function findButton(): i32 {
  for (let place = get(DEPTH) - 1; place > 0; place--) {
    const open = openElement(place)
    if ((flagsOf(open) & FLAG_BUTTON) !== 0) return place
    if ((behaviourOf(open) & SCOPE) !== 0) return 0
  }
  return 0
}

/** An open `<li>` that the next one closes, and the like. */
function findSame(element: i32, flags: i32): i32 {
  const other = (flags & FLAG_DT) !== 0 ? FLAG_DD : (flags & FLAG_DD) !== 0 ? FLAG_DT : 0
  for (let place = get(DEPTH) - 1; place > 0; place--) {
    const open = openElement(place)
    if (open === element || (flagsOf(open) & other) !== 0) return place
    if ((behaviourOf(open) & (SCOPE | LIST)) !== 0) return 0
  }
  return 0
}

/** The outermost part of the innermost table that a new row, cell or section closes. */
function findTablePart(element: i32): i32 {
  const rank = rankOf(element)
  let found = 0
  for (let place = get(DEPTH) - 1; place > 0; place--) {
    const open = openElement(place)
    if ((flagsOf(open) & (FLAG_TABLE | FLAG_FALLBACK)) !== 0) return found
    const openRank = rankOf(open)
    if (openRank > 0 && openRank <= rank) found = place
  }
  return 0
}

/** The open element that an end tag closes. */
function findOpen(element: i32): i32 {
  const flags = flagsOf(element)
  if ((flags & FLAG_ROOT) !== 0) return 0
  const top = get(DEPTH) - 1
  // A form ends at its end tag, but the elements in it stay open.
  if ((flags & FLAG_FORM) !== 0) return openElement(top) === element ? top : 0
  const inTable = (flags & FLAG_TABLE) !== 0 || rankOf(element) > 0
  const isItem = (flags & FLAG_LI) !== 0
  const isFallback = (flags & FLAG_FALLBACK) !== 0
  const hash = get(TAG_HASH)
  for (let place = top; place > 0; place--) {
    if (cell(C_NAME_HASH, openRow(place)) === hash) return place
    if (isFallback) continue
    const open = openElement(place)
    const openFlags = flagsOf(open)
    if ((openFlags & FLAG_FALLBACK) !== 0) return 0
    const behaviour = behaviourOf(open)
    if (inTable ? (openFlags & FLAG_TABLE) !== 0 : (behaviour & SCOPE) !== 0) return 0
    if (isItem && (behaviour & LIST) !== 0) return 0
  }
  return 0
}
