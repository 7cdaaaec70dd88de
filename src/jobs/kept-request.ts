// A topic request as it was kept with an order.
import { CrawlerError } from '../core/errors.ts'
import type { TopicRequest } from '../options/topic-request.ts'

/** Null when the crawl is about nothing in particular. */
export function keptRequest(json: unknown): TopicRequest | null {
  if (json === null) return null
  if (!isRequest(json)) throw new CrawlerError('store-damaged', 'the topic of this job is damaged')
  return json
}

/** We wrote it ourselves: more than its outline need not be looked at. */
function isRequest(json: unknown): json is TopicRequest {
  return (
    typeof json === 'object' &&
    json !== null &&
    ['words', 'keywords', 'examples', 'model', 'key'].every((field) => field in json)
  )
}
