// In a manual the tables, code and lists of terms among the text belong to it, though nothing in them
// reads like text: those in the container that holds nearly all that was chosen are taken in.
import { ELEMENT } from '../html/html-names.ts'
import type { Choice } from './choose-blocks.ts'
import type { Outline } from './outline.ts'

const TAKEN = new Set([ELEMENT.table, ELEMENT.pre, ELEMENT.dl])
/** Of the chosen words. */
const NEARLY_ALL = 0.9
const LEAST_LIKELY = 0.02

export function takeInTables(
  { probabilities, words, count, chosen }: Choice,
  outline: Outline,
): void {
  const { blocks, containers } = outline
  const around = containerOf(outline, totalsOf(words, count, chosen))
  for (
    let row = containers.blockFrom[around] ?? 0;
    row < (containers.blockTo[around] ?? 0);
    row++
  ) {
    if (chosen[row] === 1 || (probabilities[row] ?? 0) < LEAST_LIKELY) continue
    if (standsInTable(outline, blocks.container[row] ?? 0, around)) chosen[row] = 1
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

/** The deepest container that holds nearly all of it. */
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

function standsInTable({ containers }: Outline, row: number, around: number): boolean {
  let at = row
  while (at > around) {
    if (TAKEN.has(containers.element[at] ?? 0)) return true
    at = containers.parent[at] ?? 0
  }
  return false
}
