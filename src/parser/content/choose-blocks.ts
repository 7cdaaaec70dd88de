// Chooses blocks by their probability of being main content. A threshold of one half would be right
// if blocks were judged one by one; people judge the text as a whole, by what is missing and by
// what is too much. The threshold with the best expected balance of the two (F1) is lower on pages
// the forest is unsure of, so it is computed for each page.
import { ELEMENT } from '../html/html-names.ts'
import type { Outline } from './outline.ts'

const STEPS = 128
/** Limits of the threshold for any page: below is noise, above is text. */
const LOWEST = 0.1
const HIGHEST = 0.5

/** The blocks of a page; only the first `count` rows are valid. */
export type BlockChoice = {
  readonly probabilities: Float32Array
  readonly words: Float32Array
  readonly count: number
  /** 1 for the blocks to keep, 0 for the others. */
  readonly chosen: Uint8Array
}

/** Sets `chosen`; returns the threshold. */
export function chooseBlocks({ probabilities, words, count, chosen }: BlockChoice): number {
  const threshold = thresholdOf(probabilities, words, count)
  for (let row = 0; row < count; row++) chosen[row] = (probabilities[row] ?? 0) >= threshold ? 1 : 0
  return threshold
}

function thresholdOf(probabilities: Float32Array, words: Float32Array, count: number): number {
  const size = new Float64Array(STEPS)
  const content = new Float64Array(STEPS)
  let all = 0
  for (let row = 0; row < count; row++) {
    const probability = probabilities[row] ?? 0
    const step = Math.min(STEPS - 1, Math.floor(probability * STEPS))
    size[step] = (size[step] ?? 0) + (words[row] ?? 0)
    content[step] = (content[step] ?? 0) + (words[row] ?? 0) * probability
    all += (words[row] ?? 0) * probability
  }
  let taken = 0
  let right = 0
  let best = 0
  let threshold = HIGHEST
  for (let step = STEPS - 1; step >= 0; step--) {
    taken += size[step] ?? 0
    right += content[step] ?? 0
    const balance = taken + all > 0 ? (2 * right) / (taken + all) : 0
    if (balance > best) {
      best = balance
      threshold = step / STEPS
    }
  }
  return Math.min(HIGHEST, Math.max(LOWEST, threshold))
}

/** Limits of a gap between two chosen blocks: blocks, their words, and the least probability of each. */
const MAX_GAP = 4
const MAX_GAP_WORDS = 60
const LEAST_LIKELY = 0.02

/**
 * Fills short gaps within the chosen text, and between the title (the row of its heading, -1
 * without one) and its start. Reference manuals are full of lines that do not look like prose but
 * belong to the text: signatures, names, values. On other pages gaps are mostly real.
 */
export function fillGaps(
  { probabilities, words, count, chosen }: BlockChoice,
  titleRow: number,
): void {
  let last = titleRow < 0 ? count : titleRow
  for (let row = 0; row < count; row++) {
    if (chosen[row] !== 1) continue
    if (row - last > 1 && isGap(probabilities, words, last + 1, row)) chosen.fill(1, last + 1, row)
    last = row
  }
}

function isGap(
  probabilities: Float32Array,
  words: Float32Array,
  from: number,
  to: number,
): boolean {
  if (to - from > MAX_GAP) return false
  let sum = 0
  for (let row = from; row < to; row++) {
    if ((probabilities[row] ?? 0) < LEAST_LIKELY) return false
    sum += words[row] ?? 0
  }
  return sum <= MAX_GAP_WORDS
}

// In a manual the tables, code and definition lists among the text belong to it, though they do not
// read like text. Those in the container with nearly all of the chosen text are added.

const TAKEN = new Set([ELEMENT.table, ELEMENT.pre, ELEMENT.dl])
/** Share of the chosen words. */
const NEARLY_ALL = 0.9
const LEAST_LIKELY_CELL = 0.02

export function addTables(
  { probabilities, words, count, chosen }: BlockChoice,
  outline: Outline,
): void {
  const { blocks, containers } = outline
  const around = containerOf(outline, totalsOf(words, count, chosen))
  for (
    let row = containers.blockFrom[around] ?? 0;
    row < (containers.blockTo[around] ?? 0);
    row++
  ) {
    if (chosen[row] === 1 || (probabilities[row] ?? 0) < LEAST_LIKELY_CELL) continue
    if (isInTable(outline, blocks.container[row] ?? 0, around)) chosen[row] = 1
  }
}

/** Chosen words before each block. */
function totalsOf(words: Float32Array, count: number, chosen: Uint8Array): Float64Array {
  const totals = new Float64Array(count + 1)
  for (let row = 0; row < count; row++) {
    totals[row + 1] = (totals[row] ?? 0) + (chosen[row] === 1 ? (words[row] ?? 0) : 0)
  }
  return totals
}

/** The deepest container with nearly all of the chosen words. */
function containerOf({ containers }: Outline, totals: Float64Array): number {
  const wanted = NEARLY_ALL * (totals.at(-1) ?? 0)
  let found = 0
  for (let row = 1; row < containers.count; row++) {
    if (containers.parent[row] !== found) continue
    const to = totals[containers.blockTo[row] ?? 0] ?? 0
    if (to - (totals[containers.blockFrom[row] ?? 0] ?? 0) >= wanted) found = row
  }
  return found
}

function isInTable({ containers }: Outline, row: number, around: number): boolean {
  let at = row
  while (at > around) {
    if (TAKEN.has(containers.element[at] ?? 0)) return true
    at = containers.parent[at] ?? 0
  }
  return false
}
