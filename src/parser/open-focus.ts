// Opens the focus of a crawl from its settings. This is a separate file so that threads of a crawl
// without a focus never load topics and orderings.
import { optionValues, orderingNamed } from '../ordering/index.ts'
import type { Ordering } from '../ordering/ordering.ts'
import { openTopic } from '../topic/open-topic.ts'
import type { Topic } from '../topic/topic.ts'
import { Focus, type FocusOptions } from './focus.ts'

export type FocusPlugins = {
  /** The ordering of a plug-in, if the crawl has one. */
  readonly ordering?: Ordering
  /** A plug-in judges pages. */
  readonly isJudged?: boolean
}

export function openFocus(options: FocusOptions, plugins: FocusPlugins = {}): Focus {
  const { hotThreshold, minRelevance, minTerms, languages } = options
  const { isJudged = false, ordering = orderingNamed(options.ordering) } = plugins
  const topic = options.topic === null ? null : openTopic(options.topic, { hotThreshold })
  for (const page of options.seen ?? []) topic?.judge(page)
  const values = optionValues(ordering, options.orderingOptions)
  const brief = { options: values, topic: topic ?? (isJudged ? WITHOUT_WORDS : null) }
  const judge = ordering.judge?.(brief) ?? null
  return new Focus({
    ...{ topic, judge, minRelevance, minTerms, languages },
    ...(isJudged ? { hotThreshold } : {}),
  })
}

/** The topic of a crawl that only a plug-in judges: it knows pages, not words. */
const WITHOUT_WORDS: Topic = {
  judge: () => {
    throw new RangeError('a plug-in judges the pages of this crawl')
  },
  evidence: () => 0,
  addressEvidence: () => 0,
  similarity: () => 0,
  mentions: () => 0,
}
