// `jelajah simulate`: how its flags and the files they name become what is replayed, compared and printed.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { shown } from '../../core/errors.ts'
import type { CrawlSettings } from '../../core/job.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { Problems } from '../../options/bad-options.ts'
import { hasTopic } from '../../options/focus-checks.ts'
import { seedLines, seedUrl } from '../../options/seeds.ts'
import { readStopWordsFile, readTopicRequest, whyUnreadable } from '../../options/topic-files.ts'
import { type Args, parseArgs } from '../args.ts'
import type { Command } from '../command.ts'
import { commandLine } from '../command.ts'
import { readOptions, readSources, type Surroundings } from '../sources.ts'
import { readWorkspace, WORKSPACE_KEYS } from '../workspace-options.ts'
import type { SimulateOptions } from './run-simulate.ts'
import {
  allOrderings,
  type Budget,
  SIMULATE_OPTIONS,
  SIMULATE_OWN_OPTIONS,
  SIMULATE_TOPIC_OPTIONS,
  type SimulateChoices,
  TOPIC_OPTIONS,
} from './simulate-options.ts'
import type { NamedFile } from './subjects.ts'

const NO_PLACE = { dataDir: null }

const DEFAULT_BUDGET: Budget = { share: 0.2 }

export const command: Command = {
  usage: '[options]',
  options: SIMULATE_OPTIONS,
  more: { title: 'What is looked for, and what is right:', options: SIMULATE_TOPIC_OPTIONS },
  examples: [
    ['simulate --demo', 'a first comparison, on webs made up for it'],
    ['simulate --data ./news --topic "tea and coffee" --out report', 'with curves, as a page'],
    ['simulate --data ./web --topics topics.json --truth truth.jsonl', 'over many topics'],
    [
      'simulate --data ./web --orderings breadth-first,opic --host-policy best,fair --delay 1000',
      'under politeness, in virtual time',
    ],
    [
      'simulate --data ./web --orderings shark-search,shark-search:beta=0.5 --keywords tea',
      'the same ordering with other options',
    ],
  ],
  run: async (argv, around, out) => {
    const options = await parseSimulate(argv, around)
    return (await import('./run-simulate.ts')).runSimulate(options, out)
  },
}

export async function parseSimulate(
  argv: readonly string[],
  around: Surroundings,
): Promise<SimulateOptions> {
  const problems = new Problems()
  const args = parseArgs(argv, [...SIMULATE_OWN_OPTIONS, ...TOPIC_OPTIONS], problems)
  for (const word of args.words) {
    problems.add('flag', word, 'is one word too many; give URLs to start from with --seeds')
  }
  const sources = readSources(args, around, problems)
  // The config file is written for `crawl`: of its keys only the place counts here.
  const file = new Map([...sources.file].filter(([key]) => WORKSPACE_KEYS.includes(key)))
  const chosen = readOptions<SimulateChoices>(SIMULATE_OWN_OPTIONS, { ...sources, file }, problems)
  const about: Partial<CrawlSettings> = readOptions(
    TOPIC_OPTIONS,
    { ...sources, file: new Map() },
    problems,
  )
  refuseContradictions(args, problems)
  const demo = chosen.demo ?? []
  const workspace =
    demo.length > 0 ? NO_PLACE : readWorkspace(chosen, { sources, around, problems })
  const files = new Files(around, problems)
  const listed = await files.read('--seed-file', chosen.seedFile)
  const stopWords = () => readStopWordsFile(about.stopWords, around, problems)
  const options: SimulateOptions = {
    ...workspace,
    demo,
    crawl: chosen.crawl ?? null,
    orderings: chosen.orderings ?? allOrderings(),
    orderingsNamed: chosen.orderings !== undefined && args.given.get('orderings')?.raw !== 'all',
    hostPolicies: chosen.hostPolicies ?? ['best'],
    topic: await readTopicRequest(about, around, problems),
    topicsFile: await files.read('--topics', chosen.topics),
    // Those of one topic are a part of it.
    stopWords: hasTopic(about) ? [] : ((await stopWords()) ?? []),
    truthFile: await files.read('--truth', chosen.truth),
    seeds: [...(chosen.seeds ?? []), ...seedsIn(listed, problems)],
    budget: chosen.budget ?? DEFAULT_BUDGET,
    concurrency: chosen.concurrency ?? 1,
    perHost: chosen.perHost ?? 1,
    delayMs: chosen.delayMs ?? 0,
    deadLinks: chosen.deadLinks ?? false,
    randomSeeds: Array.from({ length: chosen.repeat ?? 1 }, (_, at) => (chosen.seed ?? 1) + at),
    out: chosen.out === undefined ? null : resolve(around.cwd, chosen.out),
    force: chosen.force ?? false,
    language: chosen.language ?? 'en',
    json: chosen.json ?? false,
    quiet: chosen.quiet ?? false,
    verbose: chosen.verbose ?? false,
    command: commandLine('simulate', ...argv),
  }
  problems.throwIfAny()
  return options
}

/** Reads the files that options name; what cannot be read is a problem. */
class Files {
  readonly #cwd: string
  readonly #problems: Problems

  constructor({ cwd }: Surroundings, problems: Problems) {
    this.#cwd = cwd
    this.#problems = problems
  }

  async read(at: string, name: string | undefined): Promise<NamedFile | null> {
    if (name === undefined) return null
    try {
      return { name, text: await readFile(resolve(this.#cwd, name), 'utf8') }
    } catch (error) {
      this.#problems.add('flag', at, `${name} ${whyUnreadable(error)}`)
      return null
    }
  }
}

function refuseContradictions({ given }: Args, problems: Problems): void {
  const ofOneTopic = ['topic', 'keywords', 'topic-model', 'examples', 'classifier']
  const ofData = ['data', 'crawl', 'seeds', 'seed-file', 'dead-links', 'truth', 'topics']
  for (const [name, others] of [
    ['topics', ofOneTopic],
    ['demo', [...ofData, ...ofOneTopic]],
  ] as const) {
    if (!given.has(name)) continue
    for (const other of others) {
      if (given.has(other)) problems.add('flag', `--${other}`, `cannot be used with --${name}`)
    }
  }
  const hasTopics = [...ofOneTopic, 'topics', 'demo'].some((name) => given.has(name))
  if (given.has('stop-words') && !hasTopics) {
    problems.add('flag', '--stop-words', 'needs a topic, --topics or --demo')
  }
  if (given.has('force') && !given.has('out')) problems.add('flag', '--force', 'is for --out only')
}

function seedsIn(file: NamedFile | null, problems: Problems): CanonicalUrl[] {
  if (file === null) return []
  return seedLines(file.text).flatMap(({ line, text }) => {
    const url = seedUrl(text)
    if (url !== null) return [url]
    problems.add('flag', `${file.name} line ${line}`, `${shown(text)} is not an http or https URL`)
    return []
  })
}
