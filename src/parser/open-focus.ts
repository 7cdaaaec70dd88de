// Opens what a crawl looks for from what is kept of it. A file of its own, so that threads of crawls
// that look for nothing never load topics and orderings.
import { optionValues, orderingNamed } from '../ordering/index.ts'
import { openTopic } from '../topic/open-topic.ts'
import { Focus, type FocusOptions } from './focus.ts'

export function openFocus(options: FocusOptions): Focus {
  const { hotThreshold, minRelevance, minTerms, languages } = options
  const ordering = orderingNamed(options.ordering)
  const topic = options.topic === null ? null : openTopic(options.topic, { hotThreshold })
  for (const page of options.seen ?? []) topic?.judge(page)
  const values = optionValues(ordering, options.orderingOptions)
  const judge = ordering.judge?.({ options: values, topic }) ?? null
  return new Focus({ topic, judge, minRelevance, minTerms, languages })
}
