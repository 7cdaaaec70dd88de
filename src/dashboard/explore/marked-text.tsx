// A text with the places that match a query marked.
import { visible } from '../web-text.ts'
import { markedPieces } from './marked-pieces.ts'

/** Longer than any snippet or title that is meant to be read. */
const MOST = 600

export function MarkedText({
  text,
  marks,
}: {
  readonly text: string
  readonly marks: readonly (readonly number[])[]
}) {
  const pieces = markedPieces(text.slice(0, MOST), marks)
  return (
    <bdi class="web-text">
      {pieces.map((piece, at) =>
        piece.marked ? <mark key={at}>{visible(piece.text)}</mark> : visible(piece.text, MOST),
      )}
      {text.length > MOST && '…'}
    </bdi>
  )
}
