// Opens what a crawl looks for from what is kept of it. A file of its own, so that threads of crawls
// that look for nothing never load topics and orderings.
import { optionValues, orderingNamed } from '../ordering/index.ts'
import type { Topic } from '../topic/topic.ts'
import { Focus, type FocusOptions } from './focus.ts'

export function openFocus(options: FocusOptions): Focus {
  const { minRelevance, minTerms } = options
  const ordering = orderingNamed(options.ordering)
  const topic: Topic | null = null
  const values = optionValues(ordering, options.orderingOptions)
  const judge = ordering.judge?.({ options: values, topic }) ?? null
  return new Focus({ topic, judge, minRelevance, minTerms })
}
