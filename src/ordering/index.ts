// The list of orderings. Help, API schema, dashboard and tests read it; no other file names an ordering.
import { InvalidInput } from '../core/errors.ts'
import type { OrderingRecord, PluginRecord } from '../core/plugin.ts'
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
import {
  CHANGING_FACTS,
  type OptionValues,
  type Ordering,
  type OrderingOption,
  type OrderingPreset,
  type OrderingRules,
} from './ordering.ts'
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

/** What `--ordering` takes: every ordering, each followed by its presets. */
export const ORDERING_CHOICES: readonly Ordering[] = ORDERINGS.flatMap((ordering) => [
  ordering,
  ...(ordering.presets ?? []).map((preset) => withPreset(ordering, preset)),
])

/** A preset is the same ordering with other defaults: an option that is given still wins. */
function withPreset(
  { presets: _, ...ordering }: Ordering,
  { name, about, options }: OrderingPreset,
): Ordering {
  const { options: own = [], rules } = ordering
  const isOwn = (key: string): boolean => own.some((option) => option.name === key)
  const more = Object.entries(options).filter(([key]) => !isOwn(key))
  return {
    ...ordering,
    name: `${ordering.name}:${name}`,
    about,
    options: own.map((option) => ({ ...option, default: options[option.name] ?? option.default })),
    ...(rules === undefined ? {} : { rules: { ...rules, given: Object.fromEntries(more) } }),
  }
}

export function orderingNamed(name: string): Ordering {
  const found = ORDERING_CHOICES.find((ordering) => ordering.name === name)
  if (found) return found
  const names = ORDERING_CHOICES.map((ordering) => ordering.name).join(', ')
  throw new InvalidInput('ordering', `there is no ordering "${name}"; choose one of: ${names}`)
}

/** The ordering of a crawl: one of ours, or that of one of its plug-ins. */
export function orderingOf(settings: {
  readonly ordering: string
  readonly plugins: readonly PluginRecord[]
}): Ordering {
  const records = settings.plugins.flatMap(({ ordering }) => (ordering === null ? [] : [ordering]))
  const own = records.find(({ name }) => name === settings.ordering)
  return own === undefined ? orderingNamed(settings.ordering) : described(own)
}

/**
 * What can be said of an ordering without running it. Programs that only start and watch a crawl have this; the
 * scouter and the threads of the parser load the plug-in itself.
 */
function described({ judges, rescoreOn, ...known }: OrderingRecord): Ordering {
  return {
    ...known,
    rescoreOn: CHANGING_FACTS.filter((fact) => rescoreOn.includes(fact)),
    ...(judges ? { judge: () => ({ page: () => [], link: () => [] }) } : {}),
    createScorer: () => ({ score: ({ depth }) => -depth }),
  }
}

/**
 * Every option of an ordering: as given on the command line, or its default. InvalidInput lists the options
 * that the ordering has.
 */
export function optionValues(
  { name, options = [], rules }: Ordering,
  given: Readonly<Record<string, string>>,
): OptionValues {
  const others = Object.keys(given).filter((key) => !options.some((known) => known.name === key))
  const [wanted] = others
  if (rules === undefined && wanted !== undefined) {
    const has = options.length === 0 ? 'has none' : `has: ${options.map(shown).join(', ')}`
    throw new InvalidInput('orderingOptions', `${name} has no option "${wanted}"; it ${has}`)
  }
  if (others.length > MAX_RULES) {
    throw new InvalidInput('orderingOptions', `${name} takes at most ${MAX_RULES} rules`)
  }
  const chosen = options.map((option) => [option.name, chosenValue(option, given)])
  const ruled = others.map((rule) => [rule, ruleValue(rule, rules, given)])
  return Object.fromEntries([...chosen, ...Object.entries(rules?.given ?? {}), ...ruled])
}

/** Every URL is held against all of them. */
const MAX_RULES = 100
const MAX_RULE_CHARACTERS = 100

function ruleValue(
  name: string,
  { min = 0, max = 0 }: Partial<OrderingRules> = {},
  given: Readonly<Record<string, string>>,
): number {
  if (name.length > MAX_RULE_CHARACTERS) {
    const needs = `needs a rule of at most ${MAX_RULE_CHARACTERS} characters`
    throw new InvalidInput('orderingOptions', `${needs}, not "${name.slice(0, 40)}…"`)
  }
  return chosenValue({ name, help: '', default: 0, min, max }, given)
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
