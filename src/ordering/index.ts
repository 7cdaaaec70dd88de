// The list of orderings. Help, API schema, dashboard and tests read it; no other file names an ordering.
import { InvalidInput } from '../core/errors.ts'
import { adaptive } from './adaptive.ts'
import { backlinkCount } from './backlink-count.ts'
import { bestFirst } from './best-first.ts'
import { breadthFirst } from './breadth-first.ts'
import { depthFirst } from './depth-first.ts'
import { fishSearch } from './fish-search.ts'
import { hotQueue } from './hot-queue.ts'
import { linkContext } from './link-context.ts'
import { location } from './location.ts'
import { naiveBayes } from './naive-bayes.ts'
import { opic } from './opic.ts'
import type { OptionValues, Ordering, OrderingOption } from './ordering.ts'
import { pagerank } from './pagerank.ts'
import { sharkSearch } from './shark-search.ts'

export const ORDERINGS: readonly Ordering[] = [
  breadthFirst,
  depthFirst,
  backlinkCount,
  pagerank,
  opic,
  location,
  hotQueue,
  bestFirst,
  fishSearch,
  sharkSearch,
  naiveBayes,
  linkContext,
  adaptive,
]

export function orderingNamed(name: string): Ordering {
  const found = ORDERINGS.find((ordering) => ordering.name === name)
  if (found) return found
  const names = ORDERINGS.map((ordering) => ordering.name).join(', ')
  throw new InvalidInput('ordering', `there is no ordering "${name}"; choose one of: ${names}`)
}

/**
 * Every option of an ordering: as given on the command line, or its default. InvalidInput lists the options
 * that the ordering has.
 */
export function optionValues(
  { name, options = [] }: Ordering,
  given: Readonly<Record<string, string>>,
): OptionValues {
  for (const wanted of Object.keys(given)) {
    if (options.some((option) => option.name === wanted)) continue
    const has = options.length === 0 ? 'has none' : `has: ${options.map(shown).join(', ')}`
    throw new InvalidInput('orderingOptions', `${name} has no option "${wanted}"; it ${has}`)
  }
  return Object.fromEntries(options.map((option) => [option.name, chosenValue(option, given)]))
}

function chosenValue(option: OrderingOption, given: Readonly<Record<string, string>>): number {
  const text = Object.hasOwn(given, option.name) ? given[option.name]?.trim() : undefined
  if (text === undefined) return option.default
  const value = text === '' ? Number.NaN : Number(text)
  const fits = value >= option.min && value <= option.max
  if (fits && (!option.whole || Number.isInteger(value))) return value
  throw new InvalidInput('orderingOptions', `"${text}" is not ${shown(option)}`)
}

/** `beta (a number from 0 to 1)`. */
function shown({ name, whole, min, max }: OrderingOption): string {
  return `${name} (a ${whole ? 'whole number' : 'number'} from ${min} to ${max})`
}
