// What a simulation is about: topics with their examples looked up in the crawl, where each starts, and
// which pages are right.
import { InvalidInput, shown } from '../../core/errors.ts'
import type { CrawlSettings, JobRecord } from '../../core/job.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { topicLeft } from '../../crawl/crawl-topic.ts'
import { type FoundExamples, findExamples, requestedTopic } from '../../experiment/world-topic.ts'
import type { TopicRequest } from '../../options/topic-request.ts'
import type { Subject } from '../../simulate/comparison.ts'
import { JudgedTexts } from '../../simulate/page-links.ts'
import type { ReplayWorld } from '../../simulate/replay-world.ts'
import type { JudgedBy } from '../../simulate/summary.ts'
import { readTopics, type TopicEntry } from '../../simulate/topics-file.ts'
import { readTruth, type TruthFile, truthFor } from '../../simulate/truth-file.ts'
import { buildTopic } from '../../topic/build-topic.ts'
import { openTopic } from '../../topic/open-topic.ts'
import type { Topic } from '../../topic/topic.ts'

/** A file the command line names, read in. */
export type NamedFile = { readonly name: string; readonly text: string }

type Subjects = {
  readonly subjects: readonly Subject[]
  readonly judgedBy: JudgedBy
  /** What the user should hear. */
  readonly warnings: readonly string[]
}

/** One topic before the truth about it is known. */
type Wanted = {
  readonly name: string
  readonly topic: Topic | null
  readonly seeds: readonly CanonicalUrl[]
  readonly examples: readonly number[]
}

/** What the command line says the simulation is about. */
export type About = {
  readonly topic: TopicRequest | null
  readonly topicsFile: NamedFile | null
  /** The user's own, for the topics of the file. */
  readonly stopWords: readonly string[]
  readonly truthFile: NamedFile | null
  /** Empty: those of the topic, else of the crawl. */
  readonly seeds: readonly CanonicalUrl[]
}

export async function findSubjects(
  options: About,
  world: ReplayWorld,
  job: Pick<JobRecord, 'seeds' | 'topic' | 'settings'>,
): Promise<Subjects> {
  const warnings: string[] = []
  const truth = options.truthFile === null ? null : truthIn(options.truthFile, world, warnings)
  noteStrays('--seeds', options.seeds, { world, warnings })
  const choice = new TopicChoice(options.topicsFile !== null, warnings)
  const wanted = await topicsIn(options, world, job, { truth, choice })
  const judgedBy = judgeOf(options, world, wanted, truth)
  const subjects: Subject[] = []
  for (const { name, topic, seeds, examples } of wanted) {
    await choice.take(name, async () => {
      const starts = startsFor(name, [options.seeds, seeds, job.seeds], world)
      const relevant = await relevantPages({ name, topic, truth, judgedBy }, world)
      const facts = { topic: name, world, seeds: starts, examples, relevant }
      subjects.push({ topic, seeds: starts, truth: truthFor(facts) })
    })
  }
  choice.refuseNone(options.topicsFile?.name ?? '', subjects.length)
  return { subjects, judgedBy, warnings }
}

async function topicsIn(
  { topic: request, topicsFile, seeds, stopWords }: About,
  world: ReplayWorld,
  job: Pick<JobRecord, 'topic' | 'settings'>,
  { truth, choice }: { readonly truth: TruthFile | null; readonly choice: TopicChoice },
): Promise<Wanted[]> {
  if (topicsFile !== null)
    return listedTopics({ file: topicsFile, seeds, stopWords }, world, job, choice)
  if (request !== null) {
    const found = await findExamples(request.examples?.pages ?? NO_EXAMPLES, world)
    noteLost(request.examples?.file ?? '', found, choice.warnings)
    const { words, keywords, ready = [] } = request
    const topic = requestedTopic(request, found, job.settings)
    const name =
      words ||
      [...keywords, ...ready].join(', ') ||
      (request.examples ?? request.model)?.file ||
      'topic'
    return [{ name, topic, seeds: [], examples: found.pages }]
  }
  const left = await topicLeft(job)
  if (left !== null) {
    const topic = openTopic(left, job.settings)
    return [
      { name: job.settings.topic || 'the topic of the crawl', topic, seeds: [], examples: [] },
    ]
  }
  const names = truth === null ? ['no topic'] : [...truth.topics.keys()]
  return names.map((name) => ({ name, topic: null, seeds: [], examples: [] }))
}

const NO_EXAMPLES = { positive: [], negative: [] }

async function listedTopics(
  given: { readonly file: NamedFile } & Pick<About, 'seeds' | 'stopWords'>,
  world: ReplayWorld,
  { settings }: Pick<JobRecord, 'settings'>,
  choice: TopicChoice,
): Promise<Wanted[]> {
  const wanted: Wanted[] = []
  for (const entry of readTopics(given.file.text, given.file.name)) {
    const { id, seeds } = entry
    const byUrl = (url: CanonicalUrl) => ({ kind: 'url', url }) as const
    const listed = { positive: entry.positive.map(byUrl), negative: entry.negative.map(byUrl) }
    const found = await findExamples(listed, world)
    noteBad(entry, world, { found, warnings: choice.warnings })
    await choice.take(id, async () => {
      if (given.seeds.length === 0) refuseBadSeeds(entry)
      const topic = listedTopic({ ...entry, stopWords: given.stopWords }, found, settings)
      wanted.push({ name: id, topic, seeds, examples: found.pages })
    })
  }
  return wanted
}

/** InvalidInput when none is left of those that were given. */
function noteLost(name: string, { lost, given }: FoundExamples, warnings: string[]): void {
  if (lost.length === 0) return
  const which = `${lost.length} of ${given} examples of ${name} are no pages of this crawl`
  if (lost.length === given) throw new InvalidInput('--examples', `${which}, such as ${lost[0]}`)
  warnings.push(`${which}, such as ${lost[0]}`)
}

function truthIn({ name, text }: NamedFile, world: ReplayWorld, warnings: string[]): TruthFile {
  const truth = readTruth(text, name, world)
  if (truth.known === 0) {
    throw new InvalidInput('--truth', `none of the ${truth.lines} URLs in ${name} is in this crawl`)
  }
  if (truth.topics.size === 0) throw new InvalidInput('--truth', `${name} names no topic`)
  const unjudged = truth.lines - truth.known
  if (unjudged > 0) {
    const such = truth.unknown.length > 0 ? `, such as ${truth.unknown.join(', ')}` : ''
    warnings.push(`${unjudged} of ${truth.lines} URLs in ${name} are no pages of this crawl${such}`)
  }
  return truth
}

function judgeOf(
  { topic, topicsFile }: About,
  { hot }: ReplayWorld,
  wanted: readonly Wanted[],
  truth: TruthFile | null,
): JudgedBy {
  if (truth !== null) return 'truth'
  if (wanted.every((each) => each.topic === null)) return 'nobody'
  return topic === null && topicsFile === null && hot !== null ? 'crawl' : 'topic'
}

type Judged = Pick<Wanted, 'name' | 'topic'> & {
  readonly truth: TruthFile | null
  readonly judgedBy: JudgedBy
}

async function relevantPages(
  { name, topic, truth, judgedBy }: Judged,
  world: ReplayWorld,
): Promise<Uint8Array | null> {
  if (truth !== null) return truth.topics.get(name) ?? onlyTopic(truth, name)
  if (judgedBy === 'crawl') return world.hot
  return topic === null ? null : judgedHot(topic, world)
}

/** The one topic of a truth is meant whatever it is called. */
function onlyTopic({ topics }: TruthFile, name: string): Uint8Array {
  const names = [...topics.keys()]
  const only = names.length === 1 ? topics.get(names[0] ?? '') : undefined
  if (only !== undefined) return only
  const known = names.join(', ')
  throw new InvalidInput('--truth', `it says nothing about "${name}", only about: ${known}`)
}

async function judgedHot(topic: Topic, world: ReplayWorld): Promise<Uint8Array> {
  const texts = new JudgedTexts(topic, world)
  const hot = new Uint8Array(world.pages)
  for (let page = 0; page < world.alive; page++) hot[page] = (await texts.of(page)).hot ? 1 : 0
  return hot
}

/** The first list that has any; InvalidInput when none of it is in the crawl. */
function startsFor(
  name: string,
  lists: readonly (readonly CanonicalUrl[])[],
  world: ReplayWorld,
): number[] {
  const urls = lists.find((list) => list.length > 0) ?? []
  const pages = urls.flatMap((url) => (isPage(world, url) ? (world.find(url) ?? []) : []))
  if (pages.length > 0) return [...new Set(pages)]
  const shown = urls.slice(0, 3).join(', ')
  throw new InvalidInput('--seeds', `${name}: none of its seeds is in this crawl: ${shown}`)
}

type TopicSettings = Pick<CrawlSettings, 'hotThreshold'>

type ListedTopic = TopicEntry & { readonly stopWords: readonly string[] }

/** One of a file of topics. Without a page on topic its words alone must do. */
function listedTopic(
  { description: words, keywords, stopWords }: ListedTopic,
  { positive, ...found }: FoundExamples,
  settings: TopicSettings,
): Topic {
  const negative = positive.length > 0 ? found.negative : []
  const source = { words, keywords, positive, negative, model: null, language: '', stopWords }
  return openTopic(buildTopic(source), settings)
}

const REASONS_SHOWN = 5
const URLS_SHOWN = 3

/** A topic of a file that cannot be used is named and left out. The only topic must be right. */
class TopicChoice {
  readonly warnings: string[]
  readonly #isListed: boolean
  readonly #leftOut: string[] = []

  constructor(isListed: boolean, warnings: string[]) {
    this.#isListed = isListed
    this.warnings = warnings
  }

  async take(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(this.#isListed && error instanceof InvalidInput)) throw error
      const field = ['--topics', '--seeds'].includes(error.at) ? '' : `${error.at}: `
      const why = `${name}: ${field}${error.message.replace(`${name}: `, '')}`
      this.#leftOut.push(why)
      this.warnings.push(`topic left out: ${why}`)
    }
  }

  refuseNone(file: string, left: number): void {
    if (!this.#isListed || left > 0) return
    const lines = this.#leftOut.slice(0, REASONS_SHOWN)
    const more = this.#leftOut.length - lines.length
    if (more > 0) lines.push(`and ${more} more`)
    const none = [`none of the topics in ${file} can be used`, ...lines]
    throw new InvalidInput('--topics', none.join('\n--topics: '))
  }
}

/** Seeds of the crawl are no substitute for those that were meant. */
function refuseBadSeeds({ seeds, bad }: TopicEntry): void {
  if (seeds.length > 0 || !bad.some(({ field }) => field === 'seeds')) return
  throw new InvalidInput('--topics', 'none of its seeds is an http or https URL')
}

/** What of a topic's URLs is not used, and why. */
function noteBad(
  { id, bad, seeds }: TopicEntry,
  world: ReplayWorld,
  { found, warnings }: { readonly found: FoundExamples; readonly warnings: string[] },
): void {
  const written = bad.map(({ field, given }) => `${shown(given)} in ${field}`)
  note(`${id}: addresses that are no http or https URLs`, written, warnings)
  note(`${id}: examples that are no pages of this crawl`, found.lost, warnings)
  noteStrays(id, seeds, { world, warnings })
}

/** Seeds that no replay can start from. */
function noteStrays(
  name: string,
  seeds: readonly CanonicalUrl[],
  { world, warnings }: { readonly world: ReplayWorld; readonly warnings: string[] },
): void {
  const strays = seeds.filter((url) => !isPage(world, url))
  note(`${name}: seeds that are no pages of this crawl`, strays, warnings)
}

function note(what: string, urls: readonly string[], warnings: string[]): void {
  if (urls.length === 0) return
  const some = urls.slice(0, URLS_SHOWN).join(', ')
  const more = urls.length > URLS_SHOWN ? `, and ${urls.length - URLS_SHOWN} more` : ''
  warnings.push(`${what} are left out (${urls.length}): ${some}${more}`)
}

function isPage(world: ReplayWorld, url: CanonicalUrl): boolean {
  const page = world.find(url)
  return page !== undefined && page < world.alive
}
