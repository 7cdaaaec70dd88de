// The rules that options name or carry, read and checked before a crawl begins.
import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type FieldRules, MAX_RULES_BYTES } from '../core/field-rules.ts'
import { showBytes } from '../lib/format.ts'
import type { Problems } from '../options/bad-options.ts'
import { whyUnreadable } from '../options/topic-files.ts'
import { decodeFieldRules, problemText } from './decode-rules.ts'

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

const SPACE = /\s/

/**
 * The number of the line of the value at a path such as `rules[0].fields[2].name`, or of the last part
 * there is, so that messages can name it.
 */
export function lineOf(json: string, path: string): number {
  const steps = [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, place, name = '']) =>
    place === undefined ? name : Number(place),
  )
  const walker = new Walker(json)
  for (const step of steps) if (!walker.enter(step)) break
  return json.slice(0, walker.at).split('\n').length
}

/** Walks over a text that is known to be JSON. */
class Walker {
  readonly #text: string
  at = 0

  constructor(text: string) {
    this.#text = text.replace(/^\ufeff/, ' ')
    this.#skipSpace()
  }

  /** Goes to an entry of the object or array that begins here; false, and no further, without such an entry. */
  enter(step: string | number): boolean {
    const opening = this.#text[this.at]
    if (opening !== (typeof step === 'number' ? '[' : '{')) return false
    const from = this.at++
    for (let index = 0; ; index++) {
      this.#skipSpace()
      if (this.#text[this.at] === ']' || this.#text[this.at] === '}') break
      const isHere = typeof step === 'number' ? index === step : this.#key() === step
      if (isHere) return true
      this.#skipValue()
      this.#skipSpace()
      if (this.#text[this.at] !== ',') break
      this.at++
    }
    this.at = from
    return false
  }

  #key(): unknown {
    const from = this.at
    this.#skipString()
    const key: unknown = JSON.parse(this.#text.slice(from, this.at))
    this.#skipSpace()
    this.at++
    this.#skipSpace()
    return key
  }

  #skipValue(): void {
    let depth = 0
    for (; this.at < this.#text.length; this.at++) {
      const sign = this.#text[this.at] ?? ''
      if (sign === '"') {
        this.#skipString()
        this.at--
      } else if (sign === '{' || sign === '[') depth++
      else if (depth === 0 && (sign === ',' || sign === '}' || sign === ']')) return
      else if (sign === '}' || sign === ']') depth--
    }
  }

  #skipString(): void {
    for (this.at++; this.at < this.#text.length && this.#text[this.at] !== '"'; this.at++) {
      if (this.#text[this.at] === '\\') this.at++
    }
    this.at++
  }

  #skipSpace(): void {
    while (SPACE.test(this.#text[this.at] ?? '')) this.at++
  }
}
