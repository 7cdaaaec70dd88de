// What a simulation is about: topics with their examples looked up in the crawl, where each starts, and
// which pages are right.

import { InvalidInput } from '../../core/errors.ts'
import type { JobRecord } from '../../core/job.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { topicLeft } from '../../crawl/crawl-topic.ts'
import type { Subject } from '../../simulate/comparison.ts'
import { JudgedTexts } from '../../simulate/page-links.ts'
import type { ReplayWorld } from '../../simulate/replay-world.ts'
import type { JudgedBy } from '../../simulate/run-facts.ts'
import { readTopics } from '../../simulate/topics-file.ts'
import { truthFor } from '../../simulate/truth.ts'
import { readTruth, type TruthFile } from '../../simulate/truth-file.ts'
import type { Topic } from '../../topic/topic.ts'
import { isPage, noteBad, noteStrays, refuseBadSeeds, TopicChoice } from './choice.ts'
import type { NamedFile, SimulateOptions } from './simulate-command.ts'
import {
  type FoundExamples,
  findExamples,
  keptTopic,
  listedTopic,
  requestedTopic,
} from './topics.ts'

export type Subjects = {
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

type About = Pick<SimulateOptions, 'topic' | 'topicsFile' | 'truthFile' | 'seeds' | 'stopWords'>

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
    const { words, keywords } = request
    const topic = requestedTopic(request, found, job.settings)
    const name =
      words || keywords.join(', ') || (request.examples ?? request.model)?.file || 'topic'
    return [{ name, topic, seeds: [], examples: found.pages }]
  }
  const left = topicLeft(job)
  if (left !== null) {
    const topic = keptTopic(left, job.settings)
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
