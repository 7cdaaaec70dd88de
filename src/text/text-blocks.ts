// Splits a text into its blocks: paragraphs, with empty lines between them, and their lines. Each has a key
// that ignores differences in spaces.
import { hashText, mixed } from './text.ts'

export type TextLine = {
  readonly start: number
  /** The start of the next line. */
  readonly end: number
  /** Length without spaces at both ends, with runs of spaces counted as one. */
  readonly chars: number
  readonly key: number
}

export type TextBlock = {
  readonly start: number
  /** The start of the next block: the empty lines behind a block belong to it. */
  readonly end: number
  readonly chars: number
  readonly key: number
  readonly lines: readonly TextLine[]
}

/** Shifts the first hash above the bits of the second in a key. */
const LOW = 0x200000
const SPACE = 0x20
const NEWLINE = 0x0a

/** Makes the blocks of one site differ from those of another; for `blocksOf`. */
export function siteSeed(site: string): number {
  return hashText(site)
}

/** The blocks of a text in order; keys depend on the site. */
export function blocksOf(text: string, seed: number): readonly TextBlock[] {
  const blocks: TextBlock[] = []
  let lines: TextLine[] = []
  let start = 0
  for (let at = 0; at < text.length; ) {
    const line = lineAt(text, at, seed)
    at = line.end
    if (line.chars > 0) {
      lines.push(line)
    } else if (lines.length > 0) {
      const end = afterEmptyLines(text, line.end)
      blocks.push(blockOf(lines, start, end, seed))
      lines = []
      start = end
      at = end
    }
  }
  if (lines.length > 0) blocks.push(blockOf(lines, start, text.length, seed))
  return blocks
}

function blockOf(lines: readonly TextLine[], start: number, end: number, seed: number): TextBlock {
  let [hi, lo] = [~seed, Math.imul(seed, 0x9e3779b1)]
  let chars = lines.length - 1
  for (const line of lines) {
    chars += line.chars
    hi = higher(hi, Math.floor(line.key / LOW))
    lo = lower(lower(lo, line.key % LOW), Math.floor(line.key / LOW))
  }
  return { start, end, chars, lines, key: keyOf(hi, lo) }
}

function lineAt(text: string, start: number, seed: number): TextLine {
  let [hi, lo] = [seed, ~seed]
  let chars = 0
  let gap = false
  let at = start
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === NEWLINE) break
    if (isSpace(code)) {
      gap = chars > 0
      continue
    }
    if (gap) {
      hi = higher(hi, SPACE)
      lo = lower(lo, SPACE)
      chars++
      gap = false
    }
    hi = higher(hi, code)
    lo = lower(lo, code)
    chars++
  }
  return { start, end: Math.min(at + 1, text.length), chars, key: keyOf(hi, lo) }
}

function afterEmptyLines(text: string, from: number): number {
  let end = from
  for (let at = from; at < text.length && isSpace(text.charCodeAt(at)); at++) {
    if (text.charCodeAt(at) === NEWLINE) end = at + 1
  }
  return end
}

function isSpace(code: number): boolean {
  return code <= SPACE || code === 0xa0 || code === 0x3000 || code === 0xfeff
}

function higher(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

function lower(hash: number, code: number): number {
  return Math.imul((hash << 5) ^ (hash >>> 27) ^ code, 0x85ebca6b)
}

/** Two hashes as one 53-bit number, so that no two of a million blocks have the same key. */
function keyOf(hi: number, lo: number): number {
  return (mixed(hi) >>> 0) * LOW + (mixed(lo) >>> 11)
}
