// The runs of words in a text, which say how it is put together where single words only say what
// it is about. lib/near-equal.ts compares two texts that are both at hand; this is for what has to
// be remembered in a few bytes.
import { hashText, mixed } from './hash-text.ts'
import { finalForm, lowerCased } from './tokens.ts'
import { WordScanner } from './word-scanner.ts'

/** Words in a row; four tell texts of one site apart whose menus and phrases are the same. */
const SHINGLE_WORDS = 4
/** Words of a text that count; a page's nature is settled long before. */
const MAX_WORDS = 50_000

/** Takes one shingle as 64 bits in two numbers. */
export type ShingleVisit = (hi: number, lo: number) => void

/** All runs of four words in their order; a shorter text is one run, an empty one none. */
export function eachShingle(text: string, visit: ShingleVisit): void {
  const lower = lowerCased(text)
  const scanner = new WordScanner(lower)
  let [first, second, third, last] = [0, 0, 0, 0]
  let count = 0
  while (count < MAX_WORDS && scanner.next()) {
    first = second
    second = third
    third = last
    last = scanner.plain
      ? scanner.hash
      : hashText(finalForm(lower.slice(scanner.start, scanner.end)))
    if (++count >= SHINGLE_WORDS) visitRun(first, second, third, last, visit)
  }
  if (count > 0 && count < SHINGLE_WORDS) visitRun(first, second, third, last, visit)
}

/** Two independent hashes of the same run: different factors, odd, without a pattern. */
function visitRun(a: number, b: number, c: number, d: number, visit: ShingleVisit): void {
  const hi = Math.imul(a, 0x9e3779b1) + Math.imul(b, 0x85ebca77) + Math.imul(c, 0xc2b2ae3d) + d
  const lo = Math.imul(a, 0x27d4eb2f) + Math.imul(b, 0x165667b1) + Math.imul(c, 0x2545f491) - d
  visit(mixed(hi), mixed(lo))
}
