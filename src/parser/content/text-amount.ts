// How much text a part of a page has: in all, in links, and in blocks of whole sentences.
import type { BlockRows } from './outline-rows.ts'

/** In bytes; a shorter block may be a label or a button. */
const MIN_PROSE = 100

export type TextAmount = {
  readonly textBytes: number
  readonly linkBytes: number
  readonly proseBytes: number
}

/** Of the blocks whose text begins behind a mark, and of one that is still being read. */
export function amountOf(
  { linkBytes, textFrom, textTo, count }: BlockRows,
  mark: number,
  open: Omit<TextAmount, 'proseBytes'>,
): TextAmount {
  const amount = { textBytes: 0, linkBytes: 0, proseBytes: 0 }
  addBlock(amount, open.textBytes, open.linkBytes)
  for (let row = count - 1; row >= 0 && (textFrom[row] ?? 0) >= mark; row--) {
    addBlock(amount, (textTo[row] ?? 0) - (textFrom[row] ?? 0), linkBytes[row] ?? 0)
  }
  return amount
}

function addBlock(
  amount: { -readonly [Key in keyof TextAmount]: number },
  textBytes: number,
  linkBytes: number,
): void {
  amount.textBytes += textBytes
  amount.linkBytes += linkBytes
  if (textBytes >= MIN_PROSE && 4 * linkBytes < textBytes) amount.proseBytes += textBytes
}
