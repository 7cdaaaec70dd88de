// Where an option was given: on the command line, or in the config file.
import type { Given } from '../options/focus-checks.ts'
import type { Args } from './args.ts'
import { CONFIG_FILE } from './sources.ts'

export function givenIn({ given }: Args): Given {
  return {
    has: (name) => given.has(name),
    placeOf: (name) => {
      const at = given.get(name)?.at
      if (at !== undefined) return { source: 'flag', at }
      return { source: 'file', at: `${CONFIG_FILE}: ${name}` }
    },
  }
}
