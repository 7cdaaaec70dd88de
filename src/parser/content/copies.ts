// Text that stands on a page more than once: the article again for programs that read it, a name of a
// product for the picture, the link and the screen reader, a post quoted by the next one. A reader wants it
// once. Of equal blocks the likeliest is kept, and the first of those that are as likely.
import type { Choice } from './choose-blocks.ts'
import type { Outline } from './outline.ts'

/** What is less likely is hardly chosen; looking at it costs time. */
const LEAST_LIKELY = 0.05
/** A later one has to be more likely by this much: then the first was the copy. */
const MARGIN = 0.1
const PRIME = 0x01000193
const OTHER_PRIME = 0x85ebca6b
const CASE_BIT = 32
/** Per byte: what it is to a comparison, 0 for blanks and signs. Capitals are like small letters. */
const LETTERS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isDigit = byte >= 48 && byte <= 57
  const isLetter = (byte | CASE_BIT) >= 97 && (byte | CASE_BIT) <= 122
  if (byte >= 128 || isDigit) return byte
  return isLetter ? byte | CASE_BIT : 0
})

/** Makes copies of blocks of at least so many words unlikely. */
export function leaveOutCopies(
  { probabilities, words, count }: Choice,
  { outline, bytes }: { readonly outline: Outline; readonly bytes: Uint8Array },
  minWords: number,
): void {
  const { blocks } = outline
  const kept = new Map<number, number>()
  for (let row = 0; row < count; row++) {
    const likely = probabilities[row] ?? 0
    if ((words[row] ?? 0) < minWords || likely < LEAST_LIKELY) continue
    const key = keyOf(bytes, blocks.textFrom[row] ?? 0, blocks.textTo[row] ?? 0)
    const other = kept.get(key)
    if (other === undefined || isBeside(outline, row, other)) kept.set(key, row)
    else if (likely > (probabilities[other] ?? 0) + MARGIN) {
      probabilities[other] = 0
      kept.set(key, row)
    } else probabilities[row] = 0
  }
}

/** Whether they are like paragraphs of one text: who says a thing twice in it means to. */
function isBeside({ blocks, containers }: Outline, row: number, other: number): boolean {
  const own = blocks.container[row] ?? 0
  const its = blocks.container[other] ?? 0
  const isLike = containers.signature[own] === containers.signature[its]
  return own !== its && isLike && containers.parent[own] === containers.parent[its]
}

/** Equal for equal letters and digits, whatever is between them; of 53 bits, so that no chance makes it so. */
function keyOf(bytes: Uint8Array, from: number, to: number): number {
  let low = 0x811c9dc5
  let high = 0
  for (let at = from; at < to; at++) {
    const letter = LETTERS[bytes[at] ?? 0] ?? 0
    if (letter === 0) continue
    low = Math.imul(low ^ letter, PRIME)
    high = Math.imul(high + letter, OTHER_PRIME) ^ (high >>> 15)
  }
  return (low >>> 0) * 2 ** 21 + (high >>> 11)
}
