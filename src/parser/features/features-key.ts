import { hash } from 'node:crypto'
import { CLASSES } from '../content/kinds.ts'
import { FEATURES } from './block-features.ts'
import { PAGE_FEATURES } from './page-facts.ts'

/** Changes with every name and every place in the lists a model knows by heart. */
export function featuresKey(): string {
  const names = [FEATURES, PAGE_FEATURES, CLASSES].map((list) => list.join(' ')).join('\n')
  return hash('sha256', names, 'hex').slice(0, 16)
}
