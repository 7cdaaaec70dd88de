// Queries and judgements: given as files, or made from the links of the crawl itself.
import { readFileSync } from 'node:fs'
import { type Halves, inHalves, type KnownItem, knownItems } from './known-items.ts'
import { isUseful, type Judgements } from './metrics.ts'
import { namedLinks } from './named-links.ts'
import { readJudgements, readTopics, type Topic } from './trec.ts'

export type JudgedQueries = {
  /** Only those that have something to be found. */
  readonly topics: readonly Topic[]
  readonly judgements: ReadonlyMap<string, Judgements>
}

export function queriesFromFiles(topicsFile: string, judgementsFile: string): JudgedQueries {
  const judgements = readJudgements(readFileSync(judgementsFile, 'utf8'))
  const topics = readTopics(readFileSync(topicsFile, 'utf8'))
  return { topics: topics.filter(({ id }) => isUseful(judgements.get(id) ?? NONE)), judgements }
}

const NONE: Judgements = new Map()

export type KnownItemOptions = {
  readonly dataDir: string
  readonly crawl: string | null
  readonly seed: number
  readonly most: number
}

export async function halvesFromLinks(options: KnownItemOptions): Promise<Halves> {
  const { dataDir, crawl, seed, most } = options
  return inHalves(await knownItems(namedLinks(dataDir, crawl)), { seed, most })
}

export function queriesFromItems(items: readonly KnownItem[]): JudgedQueries {
  const topics = items.map(({ text }, at) => ({ id: String(at + 1), text }))
  const judgements = new Map(
    items.map(({ targets }, at): [string, Judgements] => [
      String(at + 1),
      new Map(targets.map((target) => [target, 1])),
    ]),
  )
  return { topics, judgements }
}
