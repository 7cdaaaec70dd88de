// Lists, tables and quotes are more or less kept or dropped as wholes: a list without its first entry is
// worse than none. So the probability of each of their blocks is drawn towards their average.
import { ELEMENT } from '../html/html-names.ts'
import type { Outline } from './outline.ts'

const WHOLES = new Set([ELEMENT.ul, ELEMENT.ol, ELEMENT.dl, ELEMENT.table, ELEMENT.blockquote])
/** Larger ones are not lists in a text but the structure of the page: its posts, its entries. */
const MAX_BLOCKS = 40
const MAX_WORDS_PER_BLOCK = 30
/** How far a block is drawn, 0 to 1. */
const DRAWN = 0.75
/**
 * The same for blocks at the same place of each post, and the number of containers that identify a place.
 */
const DRAWN_IN_POSTS = 0.6
const LEVELS = 3
const MAX_WEIGHT = 40

export function smoothLists(
  probabilities: Float32Array,
  words: Float32Array,
  outline: Outline,
): void {
  const { blocks } = outline
  const isLayout = layouts(outline)
  let row = 0
  while (row < blocks.count) {
    const whole = wholeAround(outline, row)
    if (whole < 0 || isLayout[whole] === 1) {
      row++
      continue
    }
    // A nested whole is separate: only the blocks before and after it belong to this one.
    const from = row
    row++
    while (row < blocks.count && wholeAround(outline, row) === whole) row++
    draw(probabilities, words, from, row)
  }
}

/** 1 for layout containers: they contain text with a heading. */
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
 * Blocks at the same place of each post of a thread are more or less kept or dropped together: a short
 * answer is part of a post like a long one, and a user's rank is not, though it may read like a sentence.
 */
export function smoothPosts(
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
