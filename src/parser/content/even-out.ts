// Lists, tables and quotes are kept or left as wholes, more or less: a list that lacks its first entry
// is worse than none. What the forest says of one of their blocks is drawn towards what it says of all.
import { ELEMENT } from '../html/html-names.ts'
import type { Outline } from './outline.ts'

const WHOLES = new Set([ELEMENT.ul, ELEMENT.ol, ELEMENT.dl, ELEMENT.table, ELEMENT.blockquote])
/** Larger ones are no lists in a text but the page's own structure: its posts, its shelves. */
const MAX_BLOCKS = 40
const MAX_WORDS_PER_BLOCK = 30
/** How far a block is drawn, of the whole way. */
const DRAWN = 0.75
/** The same for what stands in the same place of each post, and how many containers tell a place. */
const DRAWN_IN_POSTS = 0.6
const LEVELS = 3
const MAX_WEIGHT = 40

export function evenOut(probabilities: Float32Array, words: Float32Array, outline: Outline): void {
  const { blocks } = outline
  const isLayout = layouts(outline)
  let row = 0
  while (row < blocks.count) {
    const whole = wholeAround(outline, row)
    if (whole < 0 || isLayout[whole] === 1) {
      row++
      continue
    }
    // A whole within is a whole of its own: only what lies before and behind it is this one's.
    const from = row
    row++
    while (row < blocks.count && wholeAround(outline, row) === whole) row++
    draw(probabilities, words, from, row)
  }
}

/** 1 for containers that a page, or a part of one, is laid out by: a text with a heading stands in them. */
function layouts({ containers }: Outline): Uint8Array {
  const { element, parent, count } = containers
  const isLayout = new Uint8Array(count)
  for (let row = 1; row < count; row++) {
    const own = element[row] ?? 0
    if (own < ELEMENT.h1 || own > ELEMENT.h6) continue
    for (let up = parent[row] ?? 0; up > 0 && isLayout[up] === 0; up = parent[up] ?? 0) {
      isLayout[up] = 1
    }
  }
  return isLayout
}

/** The innermost list, table or quote around a block; -1 for none. */
function wholeAround({ blocks, containers }: Outline, row: number): number {
  let at = blocks.container[row] ?? 0
  while (at > 0) {
    if (WHOLES.has(containers.element[at] ?? 0)) return at
    at = containers.parent[at] ?? 0
  }
  return -1
}

function draw(probabilities: Float32Array, words: Float32Array, from: number, to: number): void {
  let sum = 0
  let all = 0
  for (let row = from; row < to; row++) {
    const weight = (words[row] ?? 0) + 1
    sum += weight * (probabilities[row] ?? 0)
    all += weight
  }
  if (to - from > MAX_BLOCKS || all > (MAX_WORDS_PER_BLOCK + 1) * (to - from)) return
  for (let row = from; row < to; row++) {
    probabilities[row] = (1 - DRAWN) * (probabilities[row] ?? 0) + DRAWN * (sum / all)
  }
}

/**
 * What stands in the same place of each post of a thread is kept or left together, more or less: a short
 * answer is as much of a post as a long one, and a rank is none though one may read like a sentence.
 */
export function evenOutPosts(
  probabilities: Float32Array,
  words: Float32Array,
  outline: Outline,
): void {
  const { count } = outline.blocks
  const places = new Map<number, { count: number; sum: number; all: number }>()
  for (let row = 0; row < count; row++) {
    const key = placeOf(outline, row)
    const place = places.get(key) ?? { count: 0, sum: 0, all: 0 }
    const weight = Math.min(words[row] ?? 0, MAX_WEIGHT) + 1
    places.set(key, place)
    place.count++
    place.sum += weight * (probabilities[row] ?? 0)
    place.all += weight
  }
  for (let row = 0; row < count; row++) {
    const place = places.get(placeOf(outline, row))
    if (place === undefined || place.count < 2) continue
    const mean = place.sum / place.all
    probabilities[row] = (1 - DRAWN_IN_POSTS) * (probabilities[row] ?? 0) + DRAWN_IN_POSTS * mean
  }
}

/** Equal for blocks in containers of the same names. */
function placeOf({ blocks, containers }: Outline, row: number): number {
  let at = blocks.container[row] ?? 0
  let key = 0
  for (let level = 0; level < LEVELS && at > 0; level++) {
    key = (Math.imul(key, 31) + Math.imul(containers.signature[at] ?? 0, 0x9e3779b1)) | 0
    at = containers.parent[at] ?? 0
  }
  return key
}
