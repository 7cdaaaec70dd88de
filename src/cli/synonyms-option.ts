// `--synonyms FILE`, for commands that search.
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Problems } from '../options/bad-options.ts'
import { type Option, text } from '../options/option.ts'
import { parseSynonyms, Synonyms } from '../search/synonyms.ts'

const MAX_BYTES = 4 * 2 ** 20
/** How many wrong lines a message names. */
const MAX_TOLD = 20

export type SynonymsChoice = {
  /** As it was written. */
  readonly synonyms: string
}

export const SYNONYMS: Option<SynonymsChoice> = text({
  name: 'synonyms',
  value: 'FILE',
  help: 'words that stand for each other, line by line: "car, auto", or "colour => color"',
})

/** Null if none were asked for. Every line that is wrong becomes a problem. */
export function readSynonyms(
  { synonyms: file }: Partial<SynonymsChoice>,
  cwd: string,
  problems: Problems,
): Synonyms | null {
  if (file === undefined) return null
  const content = contentOf(resolve(cwd, file), problems)
  if (content === null) return null
  const { rules, bad } = parseSynonyms(content)
  for (const { line, message } of bad.slice(0, MAX_TOLD)) {
    problems.add('flag', `--synonyms: line ${line}`, message)
  }
  if (bad.length > MAX_TOLD) {
    problems.add('flag', '--synonyms', `has ${bad.length - MAX_TOLD} more lines that are wrong`)
  }
  return new Synonyms(rules)
}

function contentOf(path: string, problems: Problems): string | null {
  try {
    const { size } = statSync(path)
    if (size <= MAX_BYTES) return readFileSync(path, 'utf8')
    problems.add('flag', '--synonyms', `${path} is larger than 4 MiB`)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    problems.add('flag', '--synonyms', `cannot be read: ${why}`)
  }
  return null
}
