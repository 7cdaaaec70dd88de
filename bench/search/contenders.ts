// What is compared: the same index, asked in four ways.
import type { Scoring, SearchReader } from '../../src/search/search-index.ts'
import { DEPTH, type Judgements, type Measures, measuresOf } from './metrics.ts'
import { type Topic, writeRun } from './trec.ts'

export type Contender = {
  readonly name: string
  /** Of its run file. */
  readonly file: string
  readonly scoring: Scoring
}

/** `scoring`: as shipped, unless somebody tries something else. */
export function contenders(scoring: Scoring): readonly Contender[] {
  return [
    { name: 'BM25', file: 'bm25', scoring: { ...scoring, stems: false, rankWeight: 0 } },
    { name: 'BM25, stems', file: 'stems', scoring: { ...scoring, rankWeight: 0 } },
    { name: 'BM25, PageRank', file: 'pagerank', scoring: { ...scoring, stems: false } },
    { name: 'BM25, stems, PageRank', file: 'both', scoring },
  ]
}

export type Asked = {
  readonly reader: SearchReader
  readonly topics: readonly Topic[]
  readonly judgements: ReadonlyMap<string, Judgements>
  readonly crawlId: number
}

export type Outcome = {
  readonly contender: Contender
  /** By topic. */
  readonly measures: readonly Measures[]
  /** A file as TREC has it. */
  readonly run: string
  /** By topic, in milliseconds, with a thousand hits each. */
  readonly times: readonly number[]
}

/** Every match counts as itself: who folds near-duplicates could not be judged by their URLs. */
export async function outcomeOf(contender: Contender, asked: Asked): Promise<Outcome> {
  const { reader, topics, judgements, crawlId } = asked
  const measures: Measures[] = []
  const times: number[] = []
  let run = ''
  for (const { id, text } of topics) {
    const began = performance.now()
    const { scoring } = contender
    const search = { text, scoring, all: true, limit: DEPTH, offset: 0, filter: { crawlId } }
    const { hits } = await reader.query(search)
    times.push(performance.now() - began)
    const ranked = hits.map(({ page, score }) => ({ url: page.url, score }))
    const urls = ranked.map(({ url }) => url)
    measures.push(measuresOf(urls, judgements.get(id) ?? new Map()))
    run += writeRun(id, ranked, contender.file)
  }
  return { contender, measures, run, times }
}
