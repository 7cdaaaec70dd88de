// Checks what a program gives to a workspace. Types hold only where a compiler looks: a filter with a typing error
// would otherwise find nothing, or everything, and nobody would know.
import { InvalidInput, Refused, shown } from '../core/errors.ts'
import { nearest } from '../lib/edit-steps.ts'
import { keyName } from '../options/option.ts'
import { sinceTime } from '../options/values.ts'

/** What a value must be; null if it is that. */
type Check = (value: unknown) => string | null
export type Checks = Readonly<Record<string, Check>>

const must =
  (what: string, fits: (value: unknown) => boolean): Check =>
  (value) =>
    fits(value) ? null : `needs ${what}, not ${shown(value)}`

export const text = must('a text', (value) => typeof value === 'string')
export const truth = must('true or false', (value) => typeof value === 'boolean')
export const onlyTrue = must('true, or nothing', (value) => value === true)
export const anything = must('', () => true)
export const crawlChoice = must(
  'the number or the name of a crawl',
  (value) => typeof value === 'string' || Number.isSafeInteger(value),
)
export const relevance = must(
  'a number from 0 to 1',
  (value) => typeof value === 'number' && value >= 0 && value <= 1,
)

export function count(least: number): Check {
  const isWhole = (value: unknown) => Number.isSafeInteger(value) || value === Infinity
  return must(
    `a whole number of at least ${least}`,
    (value) => isWhole(value) && Number(value) >= least,
  )
}

export function oneOf(known: readonly string[]): Check {
  return must(`one of ${known.join(', ')}`, (value) => known.some((one) => one === value))
}

export function someOf(known: readonly string[]): Check {
  const isKnown = (value: unknown) => known.some((one) => one === value)
  return must(
    `a list of ${known.join(', ')}`,
    (value) => Array.isArray(value) && value.every(isKnown),
  )
}

export function time(value: unknown): string | null {
  if (typeof value !== 'string') return text(value)
  try {
    sinceTime(value, Date.now())
    return null
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
}

/** Throws `InvalidInput` for the first field that is unknown or wrong. */
export function checkFields(given: unknown, checks: Checks, at = 'options'): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new InvalidInput(at, `needs an object, not ${shown(given)}`)
  }
  for (const [name, value] of Object.entries(given)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    if (check === undefined) {
      const meant = nearest(name.slice(0, 40), Object.keys(checks))
      throw new InvalidInput(
        name,
        `there is no such option${meant === null ? '' : `; did you mean ${meant}?`}`,
      )
    }
    const problem = value === undefined ? null : check(value)
    if (problem !== null) throw new InvalidInput(name, problem)
  }
}

export function checkValue(at: string, value: unknown, check: Check): void {
  const problem = check(value)
  if (problem !== null) throw new InvalidInput(at, problem)
}

/** Errors that commands share name a flag; here it has the name of an option. */
export async function namingOptions<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof InvalidInput) || !error.at.startsWith('--')) throw error
    throw new InvalidInput(keyName(error.at.slice(2)), error.message)
  }
}
