import { lay, type Matches } from './common-runs.ts'

/** All words of a page, numbered; block `i` has those from `starts[i]` to `starts[i + 1]`. */
export type PageWords = { readonly words: Int32Array; readonly starts: Int32Array }

/** How far from matched words, in page and truth, a whole block may be looked for. */
const NEAR = 200
/** Longer blocks have runs of their own. */
const MOST_WORDS = 12

/**
 * Lays whole blocks of few words that the truth has, at the free place nearest to what the matched
 * words around the block would have. Where nothing at all is matched the truth is short or strange,
 * and a block may be anywhere in its beginning.
 */
export function placeShortBlocks(page: PageWords, truth: Int32Array, matches: Matches): void {
  const anywhere = matches.ofLeft.every((place) => place === -1) ? [0] : []
  for (let block = 0; block + 1 < page.starts.length; block++) {
    const left = page.starts[block] ?? 0
    const length = (page.starts[block + 1] ?? 0) - left
    if (length === 0 || length > MOST_WORDS || !free(matches.ofLeft, left, length)) continue
    const words = page.words.subarray(left, left + length)
    const places = [...expected(left, length, matches), ...anywhere]
    const right = freePlace(words, truth, matches, places)
    if (right !== null) lay({ left, right, length }, matches)
  }
}

function free(ofText: Int32Array, from: number, length: number): boolean {
  for (let i = from; i < from + length; i++) if (ofText[i] !== -1) return false
  return true
}

/** Where in the truth the block should begin, by the nearest matched words before and behind it. */
function expected(left: number, length: number, { ofLeft }: Matches): number[] {
  const places: number[] = []
  for (let gap = 1; gap <= NEAR; gap++) {
    const before = ofLeft[left - gap] ?? -1
    if (before < 0) continue
    places.push(before + 1)
    break
  }
  for (let gap = 0; gap < NEAR; gap++) {
    const behind = ofLeft[left + length + gap] ?? -1
    if (behind < 0) continue
    places.push(behind - length)
    break
  }
  return places
}

function freePlace(
  words: Int32Array,
  truth: Int32Array,
  { ofRight }: Matches,
  places: readonly number[],
): number | null {
  for (let away = 0; away <= NEAR; away++) {
    for (const place of places) {
      for (const at of away === 0 ? [place] : [place + away, place - away]) {
        if (isAt(words, truth, at) && free(ofRight, at, words.length)) return at
      }
    }
  }
  return null
}

function isAt(words: Int32Array, truth: Int32Array, at: number): boolean {
  for (let i = 0; i < words.length; i++) {
    if ((words[i] ?? -1) < 0 || words[i] !== truth[at + i]) return false
  }
  return true
}
