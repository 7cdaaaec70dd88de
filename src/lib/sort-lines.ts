// Sorts the lines of a file that need not fit into memory: parts are sorted and written to files, then
// merged. Lines are compared by their bytes, like `LC_ALL=C sort`; they are plain ASCII and not empty.
import { createReadStream } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readLines } from './read-lines.ts'
import { byOrder } from './sorted.ts'

/** Characters of lines in memory at once. */
const PIECE_CHARS = 32 * 1024 * 1024
/** Files merged at once; if there are more parts, they are merged in several passes. */
const MAX_SIDE_BY_SIDE = 64
/** Longer lines are cut. */
const MAX_LINE_BYTES = 1024 * 1024

type SortOptions = {
  readonly from: string
  /** A folder for the parts, which are removed afterwards. */
  readonly work: string
  readonly pieceChars?: number
  readonly maxSideBySide?: number
}

export async function* sortedLines(options: SortOptions): AsyncGenerator<string> {
  const { work, maxSideBySide = MAX_SIDE_BY_SIDE } = options
  let pieces = await sortedPieces(options)
  for (let made = pieces.length; pieces.length > maxSideBySide; made++) {
    const path = pieceAt(work, made)
    const together = pieces.slice(0, maxSideBySide)
    await writeFile(path, withEnds(merged(together)))
    await removeAll(together)
    pieces = [...pieces.slice(maxSideBySide), path]
  }
  yield* merged(pieces)
  await removeAll(pieces)
}

async function sortedPieces(options: SortOptions): Promise<string[]> {
  const { from, work, pieceChars = PIECE_CHARS } = options
  const pieces: string[] = []
  let lines: string[] = []
  let chars = 0
  const putAside = async () => {
    if (lines.length === 0) return
    const path = pieceAt(work, pieces.length)
    await writeFile(path, withEnds(lines.sort(byOrder)))
    pieces.push(path)
    lines = []
    chars = 0
  }
  for await (const line of linesOf(from)) {
    lines.push(line)
    chars += line.length
    if (chars >= pieceChars) await putAside()
  }
  await putAside()
  return pieces
}

async function* merged(paths: readonly string[]): AsyncGenerator<string> {
  const heads: { line: string; readonly rest: AsyncIterator<string> }[] = []
  for (const path of paths) {
    const rest = linesOf(path)
    const first = await rest.next()
    if (first.done !== true) heads.push({ line: first.value, rest })
  }
  while (heads.length > 0) {
    const least = heads.reduce((a, b) => (b.line < a.line ? b : a))
    yield least.line
    const next = await least.rest.next()
    if (next.done === true) heads.splice(heads.indexOf(least), 1)
    else least.line = next.value
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  for await (const { bytes } of readLines(createReadStream(path), MAX_LINE_BYTES)) {
    yield bytes.toString('latin1')
  }
}

async function* withEnds(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let piece = ''
  for await (const line of lines) {
    piece += `${line}\n`
    if (piece.length >= 65_536) {
      yield piece
      piece = ''
    }
  }
  yield piece
}

function pieceAt(work: string, number: number): string {
  return join(work, `sorted-${number}`)
}

async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true })
}
