// What a crawl would look for, told before it starts: nothing is fetched and nothing is kept.
import type { LookedFor } from '../core/topic-text.ts'
import type { TopicRequest } from '../options/topic-request.ts'
import { fromRecord } from '../topic/topic-record.ts'
import { buildRequested, examplesOf } from './topic-source.ts'

/** Throws InvalidInput, naming the flag, for what no crawl could use. */
export function lookedFor(request: TopicRequest): LookedFor {
  const { texts, urls } = examplesOf(request)
  // Examples that are still to be fetched decide with all the others, and so do those without a page on topic.
  if (urls > 0)
    return { kind: 'examples', languages: [], stems: '', words: [], dropped: [], fetches: urls }
  const { judge, languages, stems, shown } = fromRecord(buildRequested(request, texts))
  const kind = judge === 'likeness' ? 'examples' : judge
  return { kind, languages, stems, ...shown, fetches: 0 }
}
