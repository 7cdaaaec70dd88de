// `jelajah crawl`: its flags, and how argv, the environment and the config file become the options of a crawl.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { shown } from '../../core/errors.ts'
import { isModulePath } from '../../core/plugin.ts'
import { mayBePrivate } from '../../core/private-access.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import type { WorkspaceChoice } from '../../core/workspace-url.ts'
import { isServerUrl } from '../../core/workspace-url.ts'
import { Problems, type Source } from '../../options/bad-options.ts'
import { checkFocus, chosenOrdering, topicWarnings } from '../../options/focus-checks.ts'
import { flag, list, type Option, type OptionInfo, text } from '../../options/option.ts'
import { type CrawlChoices, crawlOptions, optionsIn } from '../../options/options.ts'
import { hasCredentials, isLoopback, seedLines, seedUrl } from '../../options/seeds.ts'
import { settingsFrom } from '../../options/settings.ts'
import type { TopicRequest } from '../../options/topic-request.ts'
import { ORDERING_CHOICES } from '../../ordering/index.ts'
import { parseArgs } from '../args.ts'
import type { Command } from '../command.ts'
import { JSON_OUTPUT, QUIET, VERBOSE } from '../common-options.ts'
import {
  givenIn,
  readOptions,
  readSources,
  refuseUnknownKeys,
  type Sources,
  type Surroundings,
} from '../sources.ts'
import { readWorkspace, WORKSPACE_OPTIONS } from '../workspace-options.ts'
import { REFRESH_OPTIONS, type RefreshFlags, readRefresh } from './refresh-options.ts'
import type { CrawlOptions } from './run-crawl.ts'

type RunChoices = Pick<CrawlOptions, 'fresh' | 'index' | 'dryRun' | 'json' | 'quiet' | 'verbose'> &
  WorkspaceChoice &
  RefreshFlags & {
    readonly name: string
    readonly seedFile: string
    readonly seeds: readonly string[]
  }

const RUN_OPTIONS: readonly Option<RunChoices>[] = [
  ...WORKSPACE_OPTIONS,
  text({
    name: 'name',
    default: 'its seeds',
    help: 'name of the crawl; the same name continues the newest crawl of that name',
  }),
  flag({
    name: 'fresh',
    help: 'start a new crawl of that name, which then means the new one; the old one keeps its number',
  }),
  ...REFRESH_OPTIONS,
  text({
    name: 'seed-file',
    value: 'FILE',
    help: 'a file with a seed per line; - reads stdin',
  }),
  flag({
    name: 'index',
    help: 'keep the search index up to date meanwhile, in a process of low priority',
  }),
  flag({
    name: 'dry-run',
    help: 'check all of it and show the words a topic looks for, with their weights; fetch nothing',
  }),
  JSON_OUTPUT,
  QUIET,
  VERBOSE,
]

/** Not a flag: on the command line seeds are plain words. */
const SEEDS: Option<RunChoices> = list({
  name: 'seeds',
  aliases: ['urls'],
  env: 'CRAWLER_START_URLS',
  help: '',
  to: (seeds) => ({ seeds }),
})

const SETTINGS = crawlOptions(ORDERING_CHOICES)
const CRAWL_FLAGS = [...SETTINGS, ...RUN_OPTIONS]
/** As help shows them: what only a focused crawl has stands below the rest. */
const FOCUS_FLAGS: readonly OptionInfo[] = [...optionsIn('topic'), ...optionsIn('harvest')]
const PLAIN_FLAGS: readonly OptionInfo[] = CRAWL_FLAGS.filter(
  ({ name }) => !FOCUS_FLAGS.some((focus) => focus.name === name),
)

export const command: Command = {
  usage: '<seed…> [options]',
  options: PLAIN_FLAGS,
  more: { title: 'What it is about, and when it has enough:', options: FOCUS_FLAGS },
  others: [SEEDS],
  examples: [
    ['crawl https://example.com --max-pages 100 --contact you@example.com', 'one site'],
    ['crawl a.org b.org c.org --host-policy fair', 'three sites, an equal share of each'],
    ['crawl --seed-file seeds.txt --duration 3600 --json', 'an hour, summary as JSON'],
    ['crawl https://example.com --refresh', 'later: what changed there, went and came'],
    [
      'crawl a.org --scope any --ordering adaptive --topic "solar power at home" --max-hot 500',
      'roam from a site for 500 pages about something',
    ],
  ],
  run: async (argv, around, out) => {
    const options = await parseCrawl(argv, { ...around, checkTopic })
    if (options.dryRun) return (await import('./dry-run.ts')).runDry(options, out)
    return (await import('./run-crawl.ts')).runCrawl(options, out)
  },
}

type CrawlSurroundings = Surroundings & {
  readonly readStdin: () => Promise<string>
  /** Says what is wrong with a topic as far as that can be told before pages are fetched. */
  readonly checkTopic: (request: TopicRequest, problems: Problems) => void | Promise<void>
}

/** A crawl without a topic loads nothing for it. */
async function checkTopic(request: TopicRequest, problems: Problems): Promise<void> {
  const topics = await import('../../crawl/topic-source.ts')
  topics.checkTopic(request, problems)
}

export async function parseCrawl(
  argv: readonly string[],
  surroundings: CrawlSurroundings,
): Promise<CrawlOptions> {
  const problems = new Problems()
  const args = parseArgs(argv, CRAWL_FLAGS, problems)
  const sources = readSources(args, surroundings, problems)
  refuseUnknownKeys(sources, [...CRAWL_FLAGS, SEEDS], problems)
  const run = readOptions(RUN_OPTIONS, sources, problems)
  const refresh = readRefresh(run, { options: SETTINGS, sources }, problems)
  const read = readOptions(SETTINGS, sources, problems)
  const chosen = await withFiles(read, surroundings, problems)
  const topic = refresh === null ? await readTopic(chosen, sources, surroundings, problems) : null
  const workspace = readWorkspace(run, { sources, around: surroundings, problems })
  if (isServerUrl(workspace.dataDir) && (chosen.keepBest ?? null) !== null) {
    const { source, at } = givenIn(sources).locationOf('keep-best')
    problems.add(source, at, 'works for crawls in a folder only, not in a database')
  }
  const seeds = new SeedList(problems)
  for (const word of args.words) seeds.addTyped('flag', 'seed', word)
  if (run.seedFile !== undefined) await seeds.addFile(run.seedFile, surroundings)
  // Which crawl is refreshed is asked for in other words, too.
  if (seeds.empty && refresh === null) {
    const elsewhere = readOptions([SEEDS], sources, problems).seeds ?? []
    const { source, at } = givenIn(sources).locationOf('seeds')
    // The user has not typed what a .env of this folder sets.
    const isTyped = source === 'environment' && !sources.dotenv?.has(at)
    for (const seed of elsewhere) {
      if (isTyped) seeds.addTyped(source, at, seed)
      else seeds.add(source, at, seed)
    }
  }
  // A config file that cannot be read may have them.
  const mayHaveSeeds = problems.all.some(({ source }) => source === 'file')
  if (seeds.empty && refresh === null && !mayHaveSeeds) {
    const example = 'such as jelajah crawl https://example.com'
    problems.add('flag', 'seed', `give at least one URL to start from, ${example}`)
  }
  if (refresh !== null && run.dryRun === true) {
    problems.add('flag', '--dry-run', 'shows a crawl that begins, not one that is gone over again')
  }
  problems.throwIfAny()
  return {
    seeds: seeds.urls,
    settings: {
      ...settingsFrom(chosen, surroundings.cores, chosenOrdering(chosen).focused),
      typedHosts: seeds.typedHosts,
    },
    topic,
    ...workspace,
    name: run.name ?? null,
    fresh: run.fresh ?? false,
    refresh,
    index: run.index ?? false,
    dryRun: run.dryRun ?? false,
    json: run.json ?? false,
    quiet: run.quiet ?? false,
    verbose: run.verbose ?? false,
    warnings: [...warningsFor(chosen, seeds.urls), ...topicWarnings(chosen), ...seeds.warnings],
  }
}

/** Plug-ins and rules for fields, read and checked. */
async function withFiles(
  chosen: Partial<CrawlChoices>,
  { cwd }: CrawlSurroundings,
  problems: Problems,
): Promise<Partial<CrawlChoices>> {
  const { ordering = '', plugins = [], fields } = chosen
  const read = fields
    ? {
        ...chosen,
        fields: await (await import('../../fields/read-fields.ts')).readFields(
          fields,
          cwd,
          problems,
        ),
      }
    : chosen
  if (plugins.length === 0 && !isModulePath(ordering)) return read
  return (await import('../../plugin/read-plugins.ts')).readPlugins(read, cwd, problems)
}

async function readTopic(
  chosen: Partial<CrawlChoices>,
  sources: Sources,
  { cwd, checkTopic }: CrawlSurroundings,
  problems: Problems,
): Promise<TopicRequest | null> {
  checkFocus(chosen, givenIn(sources), problems)
  const { readTopicRequest } = await import('../../options/topic-files.ts')
  const topic = await readTopicRequest(chosen, { cwd }, problems)
  if (topic !== null) await checkTopic(topic, problems)
  return topic
}

class SeedList {
  readonly #problems: Problems
  readonly #urls = new Set<CanonicalUrl>()
  readonly #withCredentials = new Set<CanonicalUrl>()
  readonly #typedHosts = new Set<string>()
  #given = 0

  constructor(problems: Problems) {
    this.#problems = problems
  }

  get empty(): boolean {
    return this.#given === 0
  }

  get urls(): readonly CanonicalUrl[] {
    return [...this.#urls]
  }

  get typedHosts(): readonly string[] {
    return [...this.#typedHosts]
  }

  get warnings(): readonly string[] {
    return [...this.#withCredentials].map(
      (url) => `${url}: the user name and password of this seed are not used.`,
    )
  }

  /** A seed that the user wrote down for this very command. */
  addTyped(source: Source, at: string, written: string): void {
    const url = this.add(source, at, written)
    if (url !== null && mayBePrivate(url)) this.#typedHosts.add(hostOf(url))
  }

  add(source: Source, at: string, written: string): CanonicalUrl | null {
    this.#given++
    const url = seedUrl(written)
    if (url !== null) {
      this.#urls.add(url)
      if (hasCredentials(written)) this.#withCredentials.add(url)
    } else this.#problems.add(source, at, `${shown(written)} is not an http or https URL`)
    return url
  }

  async addFile(
    path: string,
    { cwd, readStdin }: { readonly cwd: string; readonly readStdin: () => Promise<string> },
  ): Promise<void> {
    const before = this.#given
    try {
      const file = path === '-' ? await readStdin() : await readFile(resolve(cwd, path), 'utf8')
      for (const { line, text } of seedLines(file)) {
        this.add('flag', `${path === '-' ? 'stdin' : path} line ${line}`, text)
      }
      if (this.#given === before) this.#problems.add('flag', '--seed-file', `${path} has no seed`)
    } catch (error) {
      const { whyUnreadable } = await import('../../options/topic-files.ts')
      this.#problems.add('flag', '--seed-file', `${path} ${whyUnreadable(error)}`)
    }
    // The problem with the file is reported; that no seed is left need not be.
    this.#given++
  }
}

function warningsFor(
  chosen: Partial<CrawlChoices>,
  seeds: readonly CanonicalUrl[],
): readonly string[] {
  const warnings: string[] = []
  const abroad = seeds.some((seed) => !isLoopback(seed))
  if (abroad && chosen.contact === undefined && chosen.userAgent === undefined) {
    warnings.push(
      'no contact given: sites cannot tell whom to ask about this crawl. ' +
        'Set --contact or JELAJAH_CONTACT to an address or a URL.',
    )
  }
  if (abroad && chosen.ignoreRobots === true) {
    warnings.push('robots.txt is ignored: do this on sites of your own only.')
  }
  if (chosen.insecureTls === true) {
    warnings.push('certificates are not checked: anybody on the way can change the pages.')
  }
  return warnings
}
