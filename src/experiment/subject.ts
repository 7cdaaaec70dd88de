// What a cell looks for, and what its order of fetching is compared with.
import { InvalidInput, shown } from '../core/errors.ts'
import { canonicalise } from '../core/url.ts'
import type { CompanyRequest } from '../crawl/crawl-with-services.ts'
import { readCrawlOptions } from '../library/crawl-options.ts'
import type { Truth } from '../simulate/replay-result.ts'
import type { ReplayWorld } from '../simulate/replay-world.ts'
import { truthFor } from '../simulate/truth-file.ts'
import { createYardstick, type Yardstick } from '../simulate/yardstick.ts'
import type { Topic } from '../topic/topic.ts'
import { crawlOptions } from './crawl-options.ts'
import type { Choices, ModelSettings } from './experiment.ts'
import { type Judged, type KnownWeb, madeTruth, withMadeTopic } from './webs.ts'
import { findExamples, requestedTopic } from './world-topic.ts'

/** Throws `BadOptions` with all problems. */
export function readOptions(
  options: Choices,
  seeds: readonly string[],
  cwd: string,
): Promise<CompanyRequest> {
  return readCrawlOptions(crawlOptions(options, seeds), cwd)
}

export type CellSubject = {
  readonly request: CompanyRequest
  readonly topic: Topic | null
  /** Relevance of each page; null without a topic. */
  readonly similarity: Float64Array | null
  readonly seeds: readonly number[]
  readonly yardstick: Yardstick
  readonly notes: readonly string[]
}

/** On a made-up web people's labels are known; elsewhere the topic itself decides what is relevant. */
export async function subjectOf(
  options: Choices,
  web: KnownWeb,
  { cwd, models }: { readonly cwd: string; readonly models: ModelSettings },
): Promise<CellSubject> {
  const { world, seeds, made } = web
  const request = await readOptions(withMadeTopic(options, made), seeds, cwd)
  const found = await findExamples(
    request.topic?.examples?.pages ?? { positive: [], negative: [] },
    world,
  )
  const topic =
    request.topic === null ? null : requestedTopic(request.topic, found, request.settings)
  const labels = madeTruth(options, made)
  const isJudge = labels === null || models.importance.some((name) => name.includes('similarity'))
  const judged =
    topic === null || !isJudge ? null : await judgedBy(topic, request.topic?.key ?? '', web)
  const starts = startsIn(world, request.seeds)
  const notes: string[] = []
  const relevant = labels ?? judged?.hot ?? null
  const facts = { topic: '', world, seeds: starts, examples: found.pages, relevant }
  return {
    request,
    topic,
    similarity: judged?.relevance ?? null,
    seeds: starts,
    yardstick: createYardstick(world, truthOf(facts, notes)),
    notes,
  }
}

function truthOf(facts: Parameters<typeof truthFor>[0], notes: string[]): Truth {
  try {
    return truthFor(facts)
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    notes.push('no page on topic can be reached from the seeds: harvest is not measured')
    return truthFor({ ...facts, relevant: null })
  }
}

/** Once for all cells that look for the same in the same web. */
async function judgedBy(topic: Topic, key: string, { world, judged }: KnownWeb): Promise<Judged> {
  const known = judged.get(key) ?? (await judgeAll(topic, world))
  judged.set(key, known)
  return known
}

async function judgeAll(topic: Topic, world: ReplayWorld): Promise<Judged> {
  // The state that a topic learns belongs to the crawl.
  const own = topic.fresh?.() ?? topic
  const relevance = new Float64Array(world.pages)
  const hot = new Uint8Array(world.pages)
  for (let page = 0; page < world.alive; page++) {
    const judgement = own.judge((await world.read(page)).text)
    relevance[page] = judgement.relevance
    hot[page] = judgement.hot ? 1 : 0
  }
  return { relevance, hot }
}

function startsIn(world: ReplayWorld, seeds: readonly string[]): number[] {
  const pages = seeds.flatMap((seed) => {
    const page = world.find(canonicalise(seed) ?? seed)
    return page === undefined || page >= world.alive ? [] : [page]
  })
  if (pages.length > 0) return [...new Set(pages)]
  const some = seeds.slice(0, 3).map(shown).join(', ')
  throw new InvalidInput('plan', `web: none of the seeds is a page of this web: ${some}`)
}
