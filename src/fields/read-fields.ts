// The rules that options name or carry, read and checked before a crawl begins.
import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type FieldRules, MAX_RULES_BYTES } from '../core/field-rules.ts'
import { showBytes } from '../lib/format.ts'
import type { Problems } from '../options/bad-options.ts'
import { whyUnreadable } from '../options/topic-files.ts'
import { decodeFieldRules, problemText } from './decode-rules.ts'
import { lineOf } from './json-places.ts'

const AT = '--fields'

/** Null: none were given, or something is wrong with them, which is a problem then. */
export async function readFields(
  chosen: FieldRules | null | undefined,
  cwd: string,
  problems: Problems,
): Promise<FieldRules | null> {
  if (!chosen) return null
  const { given } = chosen
  if (given === undefined) return chosen
  if (typeof given === 'string') return readFieldsFile(given, cwd, problems)
  const { rules, problems: found } = decodeFieldRules(given)
  for (const problem of found) problems.add('flag', AT, problemText(problem))
  return found.length === 0 ? rules : null
}

async function readFieldsFile(
  file: string,
  cwd: string,
  problems: Problems,
): Promise<FieldRules | null> {
  const text = await readSmall(resolve(cwd, file))
  if (typeof text !== 'string') {
    problems.add('flag', AT, `${file} ${text.problem}`)
    return null
  }
  let raw: unknown
  try {
    raw = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\s+/g, ' ') : ''
    problems.add('flag', AT, `${file} is not JSON: ${why}`)
    return null
  }
  const { rules, problems: found } = decodeFieldRules(raw)
  for (const problem of found) {
    problems.add('flag', AT, `${file}:${lineOf(text, problem.at)}: ${problemText(problem)}`)
  }
  return found.length === 0 ? rules : null
}

async function readSmall(path: string): Promise<string | { readonly problem: string }> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) return { problem: 'is a folder, not a file' }
    if (found.size > MAX_RULES_BYTES) {
      return { problem: `is larger than ${showBytes(MAX_RULES_BYTES)}` }
    }
    const bytes = await readFile(path)
    return isUtf8(bytes) ? bytes.toString('utf8') : { problem: 'is not UTF-8 text' }
  } catch (error) {
    return { problem: whyUnreadable(error) }
  }
}
