// Shows what a crawl would look for, before it starts. Nothing is fetched and nothing is saved.
import type { LookedFor } from '../core/topic-text.ts'
import type { TopicRequest } from '../options/topic-request.ts'
import { fromRecord } from '../topic/topic-record.ts'
import { buildRequested, examplesOf } from './topic-source.ts'

/** Throws InvalidInput, naming the flag, if no crawl could use the request. */
export function lookedFor(request: TopicRequest): LookedFor {
  const { texts, urls } = examplesOf(request)
  // If examples must still be fetched, or none is on topic, the result depends on all examples together.
  if (urls > 0)
    return { kind: 'examples', languages: [], stems: '', words: [], dropped: [], fetches: urls }
  const { judge, languages, stems, shown } = fromRecord(buildRequested(request, texts))
  const kind = judge === 'likeness' ? 'examples' : judge
  return { kind, languages, stems, ...shown, fetches: 0 }
}
