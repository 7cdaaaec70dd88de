// The list of orderings. Help, API schema, dashboard and tests read it; nothing else names one.
import { InvalidInput } from '../core/errors.ts'
import { breadthFirst } from './breadth-first.ts'
import { depthFirst } from './depth-first.ts'
import type { Ordering } from './ordering.ts'

export const ORDERINGS: readonly Ordering[] = [breadthFirst, depthFirst]

export function orderingNamed(name: string): Ordering {
  const found = ORDERINGS.find((ordering) => ordering.name === name)
  if (found) return found
  const names = ORDERINGS.map((ordering) => ordering.name).join(', ')
  throw new InvalidInput('ordering', `there is no ordering "${name}"; choose one of: ${names}`)
}
