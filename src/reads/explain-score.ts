// Why a URL has the score it has: its ordering is asked, with what it had learned by then.
import { InvalidInput } from '../core/errors.ts'
import type { JobRecord } from '../core/job.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import { ORDERINGS, optionValues } from '../ordering/index.ts'
import type { OptionValues, Ordering, ScorePart, Signals } from '../ordering/ordering.ts'

/** What an ordering makes of a URL, now. */
export type ExplainedScore = {
  readonly options: OptionValues
  readonly score: number
  /** What the score is made from; empty where it needs no telling. */
  readonly parts: readonly ScorePart[]
}

/** Null when the URL is not known, or its ordering is one that this version does not have. */
export async function explainScore(
  urlStates: Pick<UrlStates, 'candidate' | 'learned'>,
  { settings, salt }: Pick<JobRecord, 'settings' | 'salt'>,
  url: CanonicalUrl,
  orderings: readonly Ordering[] = ORDERINGS,
): Promise<ExplainedScore | null> {
  const ordering = orderings.find(({ name }) => name === settings.ordering)
  const candidate = await urlStates.candidate(url)
  if (ordering === undefined || candidate === null) return null
  const options = valuesOf(ordering, settings.orderingOptions)
  if (options === null) return null
  const scorer = ordering.createScorer(options, salt)
  const learned = await urlStates.learned()
  if (learned?.name === ordering.name) scorer.load?.(learned.bytes)
  const parts = scorer.explain?.(candidate) ?? named(ordering.signals, candidate.signals)
  return { options, score: scorer.score(candidate), parts }
}

/** Null when the ordering of this version cannot have been given these. */
function valuesOf(
  ordering: Ordering,
  given: Readonly<Record<string, string>>,
): OptionValues | null {
  try {
    return optionValues(ordering, given)
  } catch (error) {
    if (error instanceof InvalidInput) return null
    throw error
  }
}

function named(names: readonly string[] = [], signals: Signals | null): ScorePart[] {
  return names.flatMap((name, at) => {
    const value = signals?.[at]
    return value === undefined ? [] : [{ name, value }]
  })
}
