// Opens the focus of a crawl from its settings. This is a separate file so that threads of a crawl
// without a focus never load topics and orderings.
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
