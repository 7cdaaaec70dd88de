// Several orderings in one word, each with options of its own where they are chosen:
// `breadth-first,shark-search,shark-search:beta=0.5:delta=0.3`.
import { InvalidInput, Refused } from '../../core/errors.ts'
import { ORDERINGS, optionValues, orderingNamed } from '../../ordering/index.ts'
import type { OptionValues, Ordering } from '../../ordering/ordering.ts'

export type ChosenOrdering = {
  /** As it was written: its name, and the options that were chosen. */
  readonly name: string
  readonly ordering: Ordering
  readonly options: OptionValues
}

/** Every ordering there is, with its defaults. */
export function allOrderings(): ChosenOrdering[] {
  return ORDERINGS.map((ordering) => chosen(ordering.name))
}

/** `all`, or a list with commas; what comes twice counts once. */
export function readOrderings(written: string): ChosenOrdering[] {
  const names = written.split(',').map((name) => name.trim())
  if (names.includes('all') && names.length === 1) return allOrderings()
  const wanted = [...new Set(names.filter((name) => name !== ''))]
  if (wanted.length === 0) throw new Refused('needs names of orderings, separated by commas')
  return wanted.map(chosen)
}

function chosen(name: string): ChosenOrdering {
  const [own = '', ...pairs] = name.split(':')
  try {
    const ordering = orderingNamed(own)
    const given = Object.fromEntries(pairs.map(pairOf))
    return { name, ordering, options: optionValues(ordering, given) }
  } catch (error) {
    throw error instanceof InvalidInput ? new Refused(error.message) : error
  }
}

function pairOf(written: string): [name: string, value: string] {
  const equals = written.indexOf('=')
  if (equals > 0) return [written.slice(0, equals).trim(), written.slice(equals + 1).trim()]
  throw new Refused(`needs options as NAME=VALUE behind a colon, not "${written}"`)
}
