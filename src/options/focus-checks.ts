// Checks that the options of a focused crawl fit together, before anything starts. Each problem names the
// flags that solve it.
import { InvalidInput, shown } from '../core/errors.ts'
import { weightsWhileCrawling } from '../core/importance.ts'
import { optionValues, orderingOf } from '../ordering/index.ts'
import type { Ordering } from '../ordering/ordering.ts'
import type { Location, Problems } from './bad-options.ts'
import { DEFAULT_SETTINGS } from './settings.ts'
import type { CrawlChoices } from './table.ts'

export type Chosen = Partial<CrawlChoices>

const TOPIC_NAMES = ['topic', 'keywords', 'topic-model', 'examples', 'classifier']
const TOPIC_FLAGS = '--topic, --keywords, --topic-model, --examples or --classifier'

/** What was given, by option name, and where. */
export type Given = {
  readonly has: (name: string) => boolean
  readonly locationOf: (name: string) => Location
}

/** True when the options name a topic. */
export function hasTopic({ topic, keywords, topicModel, examples, classifier }: Chosen): boolean {
  return [topic, keywords, topicModel, examples, classifier].some((part) => part !== undefined)
}

/** The ordering that was chosen, or the default. */
export function chosenOrdering(chosen: Chosen): Ordering {
  const { ordering = DEFAULT_SETTINGS.ordering, plugins = [] } = chosen
  return orderingOf({ ordering, plugins })
}

export function checkFocus(chosen: Chosen, given: Given, problems: Problems): void {
  const refuse = (name: string, message: string): void => {
    const { source, at } = given.locationOf(name)
    problems.add(source, at, message)
  }
  checkOrdering(chosen, given, problems)
  const idle = eagerForNothing(chosen)
  if (idle !== null && isKnown(chosen, given)) refuse('eager', idle)
  if (chosen.classifier !== undefined) {
    if (chosen.examples !== undefined) {
      refuse('classifier', 'cannot be used with --examples: train a model with them, or leave one')
    }
    if (chosen.keywords !== undefined) {
      refuse('keywords', 'cannot be used with --classifier: the model knows its words')
    }
    if (chosen.stopWords !== undefined) {
      refuse('stop-words', 'cannot be used with --classifier: give them to jelajah train')
    }
  }
  if (chosen.topicModel !== undefined) {
    for (const [name, value] of besideReady(chosen)) {
      if (value !== undefined) refuse(name, 'cannot be used with --topic-model: leave one of them')
    }
  }
  for (const [name, what] of againstKeepBest(chosen)) refuse(name, what)
  if (triesTopic(chosen, given)) return
  for (const [name, what] of needing(chosen)) refuse(name, `${what}: give ${TOPIC_FLAGS}`)
}

/** What a ready topic leaves no room for: its model knows its words and labels. */
function besideReady(chosen: Chosen): [name: string, value: unknown][] {
  const { topic, keywords, examples, classifier, stopWords } = chosen
  return Object.entries({ topic, keywords, examples, classifier, 'stop-words': stopWords })
}

/** Also true for a topic that could not be read: that is a problem of its own, and none is missing. */
function triesTopic(chosen: Chosen, given: Given): boolean {
  const isJudged = chosen.plugins?.some(({ hooks }) => hooks.includes('judge')) ?? false
  return isJudged || hasTopic(chosen) || TOPIC_NAMES.some((name) => given.has(name))
}

/** False for an unknown ordering: that is a problem of its own, and nothing can be checked against it. */
function isKnown({ ordering }: Chosen, given: Given): boolean {
  return ordering !== undefined || !given.has('ordering')
}

/** --eager has an effect only on crawls that wait for better URLs. */
function eagerForNothing(chosen: Chosen): string | null {
  if (chosen.eager !== true) return null
  const { name, focused = false } = chosenOrdering(chosen)
  if (!focused) return `does nothing with ${name}: only focused orderings wait for better URLs`
  const { hostPolicy = 'best' } = chosen
  if (hostPolicy === 'best') return null
  return `does nothing with --host-policy ${hostPolicy}: only best waits for better URLs`
}

/** One word that is more likely a file than what a crawl is about. */
const FILE_NAME = /^(?:(?:@|\.?\/)\S+|\S+\.(?:txt|md|json|html|csv))$/i

/** Warnings about a topic that is valid but has less effect than the user may expect. */
export function topicWarnings(chosen: Chosen): readonly string[] {
  const { name, focused = false } = chosenOrdering(chosen)
  const { topic } = chosen
  const warnings: string[] = []
  if (topic && FILE_NAME.test(topic)) {
    warnings.push(
      `--topic takes words; ${shown(topic)} looks like a file: --examples FILE takes one, of pages on and off topic.`,
    )
  }
  if (!focused && hasTopic(chosen)) {
    const what = `${name} judges pages by the topic, but does not look for more of them`
    warnings.push(`${what}: --ordering adaptive does.`)
  }
  return warnings
}

function checkOrdering(chosen: Chosen, given: Given, problems: Problems): void {
  if (!isKnown(chosen, given)) return
  const ordering = chosenOrdering(chosen)
  if (ordering.focused === true && !triesTopic(chosen, given)) {
    const { source, at } = given.locationOf('ordering')
    problems.add(
      source,
      at,
      `${ordering.name} needs to know what the crawl is about: give ${TOPIC_FLAGS}`,
    )
  }
  const { orderingOptions } = chosen
  if (orderingOptions === undefined) return
  const { source, at } = given.locationOf('ordering-option')
  problems.try(source, () => {
    try {
      optionValues(ordering, orderingOptions)
    } catch (error) {
      throw error instanceof InvalidInput ? new InvalidInput(at, error.message) : error
    }
  })
}

/** Options that a crawl that keeps only its best pages cannot have, and why. */
export function againstKeepBest(chosen: Chosen): [name: string, what: string][] {
  const { keepBest, importance = {}, scouters = 1, parserThreads = 1, parts } = chosen
  if (keepBest === undefined || keepBest === null) return []
  const { backlinks } = weightsWhileCrawling({ importance }, true)
  const named: [name: string, what: string | false][] = [
    ['importance', (importance.pagerank ?? 0) > 0 && NO_LIVE_RANK],
    ['scouters', scouters > 1 && `${ONE_STORES}: leave it away`],
    ['parser-threads', parserThreads > 1 && `${ONE_STORES}: leave it away`],
    ['keep-best', backlinks > 0 && parts?.includes('links') === false && NEEDS_LINKS],
  ]
  return named.filter((entry): entry is [string, string] => entry[1] !== false)
}

const NO_LIVE_RANK =
  'cannot have pagerank with --keep-best, since it is not known while a crawl runs: give similarity, backlinks or location'
const ONE_STORES = 'cannot be more than 1 with --keep-best, which drops pages in order'
const NEEDS_LINKS =
  'counts links to pages: keep the part links, or give --importance without backlinks'

/** Options that have no effect without a topic, and why. */
function needing(chosen: Chosen): [name: string, what: string][] {
  const weights = chosen.importance
  const byImportance = weights !== undefined
  const named: [name: string, what: string | false][] = [
    ['min-relevance', chosen.minRelevance !== undefined && 'needs a topic to be relevant to'],
    ['stop-words', chosen.stopWords !== undefined && 'needs a topic of which they say nothing'],
    ['harvest-floor', chosen.harvestFloor !== undefined && 'needs a topic to harvest'],
    ['harvest-window', chosen.harvestWindow !== undefined && 'needs a topic to harvest'],
    ['max-hot', chosen.maxHot !== undefined && !byImportance && NEEDS_HOT],
    ['hot-threshold', chosen.hotThreshold !== undefined && !byImportance && NEEDS_HOT],
    ['importance', byImportance && (weights.similarity ?? 0) > 0 && 'needs a topic for similarity'],
  ]
  return named.filter((entry): entry is [string, string] => entry[1] !== false)
}

const NEEDS_HOT = 'needs a topic, or --importance, to know what is hot'
