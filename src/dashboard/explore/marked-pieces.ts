// Where a text matches a query, told by offsets, turned into pieces that are shown one after the
// other: nothing of the text is ever read as markup. Offsets come from a server that may be of
// another version, so none of them is taken on trust.

export type Piece = { readonly text: string; readonly marked: boolean }

/** More marks than anybody reads. */
const MAX_MARKS = 200

export function markedPieces(text: string, marks: readonly (readonly number[])[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  const add = (to: number, marked: boolean): void => {
    if (to > at) pieces.push({ text: text.slice(at, to), marked })
    at = Math.max(at, to)
  }
  for (const [start, end] of inOrder(text, marks)) {
    add(start, false)
    add(end, true)
  }
  add(text.length, false)
  return pieces
}

function inOrder(text: string, marks: readonly (readonly number[])[]): [number, number][] {
  return marks
    .slice(0, MAX_MARKS)
    .map(([start = 0, end = 0]): [number, number] => [inText(start, text), inText(end, text)])
    .filter(([start, end]) => start < end)
    .sort(([a], [b]) => a - b)
}

/** The offset within the text, and not between the halves of one character. */
function inText(offset: number, text: string): number {
  const at = Number.isInteger(offset) ? Math.min(text.length, Math.max(0, offset)) : 0
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00
  const afterHigh = at > 0 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
  return isLow && afterHigh ? at - 1 : at
}
