// `{a,b}` in globs: one pattern becomes several without braces.
import { InvalidInput } from './errors.ts'

// Of all patterns together: matching takes time in proportion.
const MAX_EXPANDED = 4096

/** All patterns that a pattern with braces stands for, in the order they are written. */
export function expandBraces(pattern: string, at: string): string[] {
  const reader = { pattern, position: 0, at }
  const texts = readSequence(reader, 0)
  if (reader.position < pattern.length) {
    throw new InvalidInput(at, `the glob "${pattern}" closes a brace that is not open`)
  }
  return texts
}

type Reader = { readonly pattern: string; position: number; readonly at: string }

function readSequence(reader: Reader, depth: number): string[] {
  let texts = ['']
  for (;;) {
    const char = reader.pattern[reader.position]
    if (char === undefined || char === '}' || (char === ',' && depth > 0)) return texts
    reader.position += 1
    texts = joinAll(texts, char === '{' ? readChoice(reader, depth + 1) : [char], reader)
  }
}

function readChoice(reader: Reader, depth: number): string[] {
  const choices: string[] = []
  for (;;) {
    choices.push(...readSequence(reader, depth))
    const end = reader.pattern[reader.position]
    if (end === undefined) {
      throw new InvalidInput(reader.at, `the glob "${reader.pattern}" leaves a brace open`)
    }
    reader.position += 1
    if (end === '}') return choices
  }
}

function joinAll(heads: readonly string[], tails: readonly string[], reader: Reader): string[] {
  const texts = heads.flatMap((head) => tails.map((tail) => head + tail))
  if (texts.reduce((sum, text) => sum + text.length, 0) > MAX_EXPANDED) {
    throw new InvalidInput(reader.at, `the glob "${reader.pattern}" has too many alternatives`)
  }
  return texts
}
