// How good a ranking is, as trec_eval measures it: gains are the grades themselves, nDCG discounts by
// log2 of the place plus one against the best order of all judged documents, a document that nobody
// judged is of no use, and a query that found nothing counts as 0.

/** Of one query: documents and their grades; 0 and less is of no use. */
export type Judgements = ReadonlyMap<string, number>

export type Measures = {
  readonly ndcg10: number
  readonly mrr10: number
  readonly map: number
  readonly recall100: number
  readonly recall1000: number
}

/** Places that are looked at: as many as TREC takes of a run. */
export const DEPTH = 1000
const TOP = 10

/** `ranking`: documents, best first, each once; what comes after `DEPTH` is passed over. */
export function measuresOf(ranking: readonly string[], judged: Judgements): Measures {
  const ranked = ranking.slice(0, DEPTH)
  return {
    ndcg10: ndcg(ranked, judged, TOP),
    mrr10: reciprocalRank(ranked, judged, TOP),
    map: averagePrecision(ranked, judged),
    recall100: recall(ranked, judged, 100),
    recall1000: recall(ranked, judged, DEPTH),
  }
}

/** Over queries; zeros when there is none. */
export function meanOf(all: readonly Measures[]): Measures {
  const mean = (of: (measures: Measures) => number) =>
    all.reduce((sum, measures) => sum + of(measures), 0) / Math.max(1, all.length)
  return {
    ndcg10: mean(({ ndcg10 }) => ndcg10),
    mrr10: mean(({ mrr10 }) => mrr10),
    map: mean(({ map }) => map),
    recall100: mean(({ recall100 }) => recall100),
    recall1000: mean(({ recall1000 }) => recall1000),
  }
}

export function isUseful(judged: Judgements): boolean {
  return usefulOf(judged) > 0
}

function ndcg(ranked: readonly string[], judged: Judgements, top: number): number {
  const ideal = [...judged.values()].sort((a, b) => b - a)
  const best = discounted(ideal.slice(0, top))
  return best === 0 ? 0 : discounted(ranked.slice(0, top).map((id) => judged.get(id) ?? 0)) / best
}

function discounted(grades: readonly number[]): number {
  return grades.reduce((sum, grade, at) => sum + Math.max(0, grade) / Math.log2(at + 2), 0)
}

function reciprocalRank(ranked: readonly string[], judged: Judgements, top: number): number {
  const at = ranked.slice(0, top).findIndex((id) => isOfUse(id, judged))
  return at < 0 ? 0 : 1 / (at + 1)
}

function averagePrecision(ranked: readonly string[], judged: Judgements): number {
  let found = 0
  let sum = 0
  for (const [at, id] of ranked.entries()) {
    if (isOfUse(id, judged)) sum += ++found / (at + 1)
  }
  return sum / Math.max(1, usefulOf(judged))
}

function recall(ranked: readonly string[], judged: Judgements, depth: number): number {
  const found = ranked.slice(0, depth).filter((id) => isOfUse(id, judged)).length
  return found / Math.max(1, usefulOf(judged))
}

function isOfUse(id: string, judged: Judgements): boolean {
  return (judged.get(id) ?? 0) > 0
}

function usefulOf(judged: Judgements): number {
  return [...judged.values()].filter((grade) => grade > 0).length
}
