// The options of `jelajah simulate`, in the order of its help.
import { HOST_POLICIES, type HostPolicyName } from '../../core/crawl-terms.ts'
import { InvalidInput, Refused, shown } from '../../core/errors.ts'
import { LANGUAGES } from '../../core/languages.ts'
import { isModulePath } from '../../core/plugin.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { type ChosenBy, choice, flag, grant, list, number, text } from '../../options/option.ts'
import { optionsIn } from '../../options/options.ts'
import { seedUrl } from '../../options/seeds.ts'
import { ORDERING_CHOICES, ORDERINGS, optionValues, orderingNamed } from '../../ordering/index.ts'
import type { OptionValues, Ordering } from '../../ordering/ordering.ts'
import { SAMPLE_NAMES, type SampleName } from '../../simulate/sample/sample-names.ts'
import { CRAWL, JSON_OUTPUT, QUIET, VERBOSE } from '../common-options.ts'
import { STORE_OPTIONS } from '../workspace-options.ts'

/** A share of the reachable pages, above 0 up to 1, or a number of them. */
export type Budget = { readonly share: number } | { readonly pages: number }

const REPLAYED = [
  ...STORE_OPTIONS,
  CRAWL,
  grant({
    name: 'demo',
    value: 'WEB',
    help:
      'replay small webs made up for the purpose, with topics and truth: needs no data; all of them, or ' +
      `only =WEB: ${SAMPLE_NAMES.join(', ')}`,
    takesWord: (word) => SAMPLE_NAMES.some((name) => name === word),
    to: (named) => ({ demo: samplesOf(named) }),
  }),
  list({
    name: 'seeds',
    value: 'URL',
    default: 'those of the topic, else of the crawl',
    help: 'where to start',
    to: (urls) => ({ seeds: urls.map(seedOf) }),
  }),
  text({
    name: 'seed-file',
    value: 'FILE',
    help: 'a file with such a URL per line',
  }),
  flag({
    name: 'dead-links',
    help:
      'links to URLs that failed in the crawl cost a fetch, too; those to copies of a page, and to ' +
      'redirects, always count as links to the page itself',
  }),
] as const

const COMPARED = [
  text({
    name: 'orderings',
    value: 'A,B:K=V',
    default: 'all that can run',
    help: 'which to compare; options of an ordering stand behind colons; all means all',
    to: (written) => ({ orderings: readOrderings(written) }),
  }),
  text({
    name: 'host-policy',
    value: 'P,P',
    default: 'best: one queue over all hosts, as in the papers',
    help: `${HOST_POLICIES.join(', ')}; several are compared with each other`,
    to: (written) => ({ hostPolicies: policiesOf(written) }),
  }),
  text({
    name: 'budget',
    value: 'N|N%',
    default: '20%',
    help: 'fetches of each replay: a share of the pages that can be reached, or a number',
    to: (written) => ({ budget: budgetOf(written) }),
  }),
  number({
    name: 'concurrency',
    min: 1,
    max: 10_000,
    default: '1',
    help: 'requests in flight: so many URLs are chosen before the first of them teaches anything',
  }),
  number({
    name: 'per-host',
    min: 1,
    max: 10_000,
    default: '1',
    help: 'requests in flight to one host',
  }),
  number({
    name: 'delay',
    value: 'MS',
    min: 0,
    max: 86_400_000,
    default: '0: no politeness, time stands still',
    help: 'gap between requests to one host, in virtual time; a fetch then takes as long as it did',
    to: (delayMs) => ({ delayMs }),
  }),
  number({
    name: 'seed',
    min: 0,
    max: 4_294_967_295,
    default: '1',
    help: 'for whatever is random: the same number, the same result',
  }),
  number({
    name: 'repeat',
    min: 1,
    max: 1000,
    default: '1',
    help: 'replays of each, with that seed and those after it',
  }),
] as const

const JUDGED = [
  text({
    name: 'topics',
    value: 'FILE',
    help:
      'many topics at once: JSON, an array of objects with id, description, keywords, seeds, ' +
      'examples_pos, examples_neg (URLs of the crawl)',
  }),
  text({
    name: 'truth',
    value: 'FILE',
    default: 'the topic itself is the judge',
    help: 'which pages are relevant: JSON lines with url and topics (names or ids)',
  }),
] as const

const SHOWN = [
  text({
    name: 'out',
    value: 'FOLDER',
    help: 'write report.html, with curves, and report.json there',
  }),
  flag({ name: 'force', help: 'write over an older report' }),
  choice({
    name: 'language',
    choices: LANGUAGES,
    default: 'en',
    help: 'of the report',
    // One of a crawl's pages need not be one of reports.
    ignoresVariable: (text) => !LANGUAGES.some((known) => known === text),
  }),
  { ...JSON_OUTPUT, help: 'print the comparison as JSON instead of a table' },
  QUIET,
  { ...VERBOSE, help: 'also the figures for each topic' },
] as const

/** What is looked for, as in a crawl. */
export const TOPIC_OPTIONS = optionsIn('topic')
export const SIMULATE_OWN_OPTIONS = [...REPLAYED, ...COMPARED, ...JUDGED, ...SHOWN] as const
export type SimulateChoices = ChosenBy<typeof SIMULATE_OWN_OPTIONS>
export const SIMULATE_OPTIONS = [...REPLAYED, ...COMPARED, ...SHOWN]
export const SIMULATE_TOPIC_OPTIONS = [...TOPIC_OPTIONS, ...JUDGED]

function samplesOf(named: boolean | readonly string[]): readonly SampleName[] {
  if (typeof named === 'boolean') return named ? SAMPLE_NAMES : []
  const words = named.flatMap((text) => text.split(',')).map((word) => word.trim())
  const unknown = words.find((word) => !SAMPLE_NAMES.some((name) => name === word))
  if (unknown !== undefined) {
    throw new Refused(`needs any of ${SAMPLE_NAMES.join(', ')}, not ${shown(unknown)}`)
  }
  return SAMPLE_NAMES.filter((name) => words.includes(name))
}

function seedOf(written: string): CanonicalUrl {
  const url = seedUrl(written)
  if (url === null) throw new Refused(`needs http or https URLs, not ${shown(written)}`)
  return url
}

function policiesOf(written: string): HostPolicyName[] {
  const names = [...new Set(written.split(',').map((name) => name.trim()))]
  return names.map((name) => {
    const policy = HOST_POLICIES.find((known) => known === name)
    if (policy !== undefined) return policy
    throw new Refused(`needs any of ${HOST_POLICIES.join(', ')}, not ${shown(name)}`)
  })
}

function budgetOf(written: string): Budget {
  const [, digits = '', percent] = /^(\d{1,12}(?:\.\d{1,6})?) ?(%?)$/.exec(written) ?? []
  const value = Number(digits)
  if (percent === '%' && value > 0 && value <= 100) return { share: value / 100 }
  if (percent === '' && Number.isInteger(value) && value > 0) return { pages: value }
  throw new Refused(`needs a share such as 20% or a number of pages, not ${shown(written)}`)
}

export type ChosenOrdering = {
  /** As it was written: its name, and the options that were chosen. */
  readonly name: string
  readonly ordering: Ordering
  readonly options: OptionValues
}

const ONLY_OURS =
  'a replay runs the orderings of Jelajah; one in a file is for crawl, and compared by two crawls'

/** Every ordering there is, with its defaults. */
export function allOrderings(): ChosenOrdering[] {
  return ORDERINGS.map((ordering) => chosen(ordering.name))
}

/**
 * `all`, or a list with commas, each with a preset or options of its own behind colons:
 * `breadth-first,hot-queue:cho,shark-search:beta=0.5:delta=0.3`. What comes twice counts once.
 */
export function readOrderings(written: string): ChosenOrdering[] {
  const names = written.split(',').map((name) => name.trim())
  if (names.includes('all') && names.length === 1) return allOrderings()
  const wanted = [...new Set(names.filter((name) => name !== ''))]
  if (wanted.length === 0) throw new Refused('needs names of orderings, separated by commas')
  return wanted.map(chosen)
}

function chosen(name: string): ChosenOrdering {
  if (isModulePath(name)) throw new Refused(`${shown(name)} is a file: ${ONLY_OURS}`)
  const [own = '', first = '', ...rest] = name.split(':')
  const hasPreset = ORDERING_CHOICES.some((known) => known.name === `${own}:${first}`)
  const pairs = first === '' || hasPreset ? rest : [first, ...rest]
  try {
    const ordering = orderingNamed(hasPreset ? `${own}:${first}` : own)
    const given = Object.fromEntries(pairs.map(pairOf))
    return { name, ordering, options: optionValues(ordering, given) }
  } catch (error) {
    throw error instanceof InvalidInput ? new Refused(error.message) : error
  }
}

function pairOf(written: string): [name: string, value: string] {
  const equals = written.indexOf('=')
  if (equals > 0) return [written.slice(0, equals).trim(), written.slice(equals + 1).trim()]
  throw new Refused(`needs a preset, or options as NAME=VALUE, behind a colon, not "${written}"`)
}
