// The same seeds go on with a crawl only on the same options: what two different questions brought cannot
// be told apart afterwards. Options that say how a crawl is run (speed, network, limits and budgets) may
// differ from run to run; those that say what it is about, and what is kept of it, may not. A lower
// `--min-relevance` or `--min-terms`, or another `--language`, may: what was refused for it is fetched again.
import { InvalidInput } from '../core/errors.ts'
import type { CrawlSettings, JobRecord } from '../core/job.ts'

const FLAGS = {
  scope: 'scope',
  include: 'include',
  exclude: 'exclude',
  stripParams: 'strip-params',
  followActions: 'follow-actions',
  ordering: 'ordering',
  orderingOptions: 'ordering-option',
  hostPolicy: 'host-policy',
  buffer: 'buffer',
  eager: 'eager',
  topic: 'topic',
  keywords: 'keywords',
  examples: 'examples',
  classifier: 'classifier',
  stopWords: 'stop-words',
  parts: 'parts',
  keepHtml: 'keep-html',
  ignoreRobots: 'ignore-robots',
  sitemaps: 'no-sitemaps',
} as const satisfies Partial<Record<keyof CrawlSettings, string>>

type Compared = keyof typeof FLAGS

/** Of which of these options the two have different ones, as `--scope domain → any`. */
export function differencesOf(before: CrawlSettings, now: CrawlSettings): readonly string[] {
  const names = Object.keys(FLAGS) as Compared[]
  return names
    .filter((name) => meaning(before[name]) !== meaning(now[name]))
    .map((name) => `--${FLAGS[name]}  ${given(name, before)} → ${given(name, now)}`)
}

/** `differs`: not empty. */
export function otherOptions({ id }: JobRecord, differs: readonly string[]): InvalidInput {
  const message = [
    `crawl ${id} began with other options:`,
    ...differs.map((line) => `  ${line}`),
    'Give the same options to go on with it, --fresh to start anew, or --name NAME to have both.',
  ]
  return new InvalidInput(`crawl ${id}`, message.join('\n').replace(`crawl ${id} `, 'it '))
}

/** Of no list among these options the order means anything. */
function meaning(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify([...new Set(value)].sort())
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return JSON.stringify(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

function given(name: Compared, settings: CrawlSettings): string {
  return shown(name === 'sitemaps' ? !settings.sitemaps : settings[name])
}

function shown(value: unknown): string {
  if (value === null || value === '') return '(none)'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.join(',')
  if (typeof value !== 'object') return String(value)
  const pairs = Object.entries(value).map(([name, one]) => `${name}=${one}`)
  return pairs.length === 0 ? '(none)' : pairs.join(',')
}
