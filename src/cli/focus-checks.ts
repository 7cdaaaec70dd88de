// What does not fit together among the options of a focused crawl: said before anything starts, each
// with the flags that would mend it.
import { InvalidInput } from '../core/errors.ts'
import type { CrawlChoices } from '../core/options.ts'
import { DEFAULT_SETTINGS } from '../core/settings.ts'
import { optionValues, orderingNamed } from '../ordering/index.ts'
import type { Ordering } from '../ordering/ordering.ts'
import type { Args } from './args.ts'
import type { Problems, Source } from './bad-options.ts'
import { CONFIG_FILE } from './sources.ts'

export type Chosen = Partial<CrawlChoices>

const TOPIC_FLAGS = '--topic, --keywords, --examples or --classifier'

/** Where an option was given: on the command line, or in the config file. */
type Place = { readonly source: Source; readonly at: string }

export function placeOf(name: string, { given }: Args): Place {
  const at = given.get(name)?.at
  if (at !== undefined) return { source: 'flag', at }
  return { source: 'file', at: `${CONFIG_FILE}: ${name}` }
}

/** True when it was said what the crawl is about. */
export function hasTopic({ topic, keywords, examples, classifier }: Chosen): boolean {
  return [topic, keywords, examples, classifier].some((part) => part !== undefined)
}

/** The ordering that was chosen, whether or not by name. */
export function chosenOrdering({ ordering = DEFAULT_SETTINGS.ordering }: Chosen): Ordering {
  return orderingNamed(ordering)
}

export function checkFocus(chosen: Chosen, args: Args, problems: Problems): void {
  const refuse = (name: string, message: string): void => {
    const { source, at } = placeOf(name, args)
    problems.add(source, at, message)
  }
  checkOrdering(chosen, args, problems)
  if (chosen.classifier !== undefined) {
    if (chosen.examples !== undefined) {
      refuse('classifier', 'cannot be used with --examples: train a model with them, or leave one')
    }
    if (chosen.keywords !== undefined) {
      refuse('keywords', 'cannot be used with --classifier: the model knows its words')
    }
  }
  if (hasTopic(chosen)) return
  for (const [name, what] of needing(chosen)) refuse(name, `${what}: give ${TOPIC_FLAGS}`)
}

function checkOrdering(chosen: Chosen, args: Args, problems: Problems): void {
  // One that was given and is not known was a problem before; its options cannot be told.
  if (chosen.ordering === undefined && args.given.has('ordering')) return
  const ordering = chosenOrdering(chosen)
  if (ordering.focused === true && !hasTopic(chosen)) {
    const { source, at } = placeOf('ordering', args)
    problems.add(
      source,
      at,
      `${ordering.name} needs to know what the crawl is about: give ${TOPIC_FLAGS}`,
    )
  }
  const { orderingOptions } = chosen
  if (orderingOptions === undefined) return
  const { source, at } = placeOf('ordering-option', args)
  problems.try(source, () => {
    try {
      optionValues(ordering, orderingOptions)
    } catch (error) {
      throw error instanceof InvalidInput ? new InvalidInput(at, error.message) : error
    }
  })
}

/** Options that mean nothing in a crawl without a topic, with what each would need one for. */
function needing(chosen: Chosen): [name: string, what: string][] {
  const weights = chosen.importance
  const byImportance = weights !== undefined
  const named: [name: string, what: string | false][] = [
    ['min-relevance', chosen.minRelevance !== undefined && 'needs a topic to be relevant to'],
    ['harvest-floor', chosen.harvestFloor !== undefined && 'needs a topic to harvest'],
    ['harvest-window', chosen.harvestWindow !== undefined && 'needs a topic to harvest'],
    ['max-hot', chosen.maxHot !== undefined && !byImportance && NEEDS_HOT],
    ['hot-threshold', chosen.hotThreshold !== undefined && !byImportance && NEEDS_HOT],
    ['importance', byImportance && (weights.similarity ?? 0) > 0 && 'needs a topic for similarity'],
  ]
  return named.filter((entry): entry is [string, string] => entry[1] !== false)
}

const NEEDS_HOT = 'needs a topic, or --importance, to know what is hot'
