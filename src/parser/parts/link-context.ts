// The words around a link, up to the edges of its block: what a page says about a target besides
// the anchor text. The place of the anchor is shown by an ellipsis: `See the … for all options.`
import type { TextPieces } from './text-pieces.ts'

/** Characters on each side; some are two units long in a string. */
const REACH = 100
const NEW_LINE = 10
const SPACE = 32
const WORD = /[\p{L}\p{N}]/u

/** '' when there are no words around the anchor that lies between the two places. */
export function contextOf(text: TextPieces, from: number, to: number): string {
  const { bytes } = text
  // A blank at the anchor's end may have become the line end of its block.
  const endsBlock = bytes[to] === NEW_LINE || (to > from && bytes[to - 1] === NEW_LINE)
  const beginsBlock = from === 0 || bytes[from - 1] === NEW_LINE
  // Behind an anchor without words the next block may begin as well as its own go on.
  if (beginsBlock && (endsBlock || from === to)) return ''
  const before = beginsBlock ? '' : wordsIn(text.line(startOfReach(bytes, from), from, 2 * REACH))
  const after = endsBlock ? '' : wordsIn(text.line(to, endOfReach(bytes, to), 2 * REACH))
  if (before === '') return after === '' ? '' : `… ${after}`
  return after === '' ? `${before} …` : `${before} … ${after}`
}

/** '' for a full stop, a bar between two links and the like. */
function wordsIn(line: string): string {
  return WORD.test(line) ? line : ''
}

/** The first place before, as far as the reach and the block go, at which a word begins. */
function startOfReach(bytes: Uint8Array, from: number): number {
  let characters = 0
  let wordStart = from
  let characterStart = from
  for (let at = from - 1; at >= 0; at--) {
    const byte = bytes[at] ?? 0
    if (byte === NEW_LINE) return at + 1
    if (byte <= SPACE) wordStart = at + 1
    if ((byte & 0xc0) === 0x80) continue
    // Scripts without blanks are cut between any two characters.
    if (++characters > REACH) return wordStart === from ? characterStart : wordStart
    characterStart = at
  }
  return 0
}

/** The last place behind at which a word ends. */
function endOfReach(bytes: Uint8Array, from: number): number {
  let characters = 0
  let wordEnd = from
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === NEW_LINE) return at
    if (byte <= SPACE) wordEnd = at
    if ((byte & 0xc0) === 0x80) continue
    if (++characters > REACH) return wordEnd === from ? at : wordEnd
  }
  return bytes.length
}
