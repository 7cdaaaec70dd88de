// Pages stored by earlier runs of a crawl, for a topic that learns from the pages it sees: a continued crawl
// begins with what the first pages taught, not from nothing.
import type { Job } from '../core/job.ts'
import type { PageReader } from '../store/page-reader.ts'
import type { PageText } from '../topic/topic.ts'
import { learnsOnTheWay } from '../topic/topic-record.ts'

/** By then the weights of words hardly change any more. */
const MAX_PAGES = 64
/** Characters per page: the start of a text says what it is about. */
const MAX_TEXT = 4000

/** The first pages of the crawl, in the order they were stored; none if its topic does not learn. */
export async function seenPages(
  { id, topic }: Pick<Job, 'id' | 'topic'>,
  openReader: () => Promise<PageReader>,
): Promise<readonly PageText[]> {
  if (topic === null || !learnsOnTheWay(topic)) return []
  await using reader = await openReader()
  const seen: PageText[] = []
  for (const row of await reader.list({ crawlId: id, after: 0, limit: MAX_PAGES })) {
    const page = row.duplicateOf === null ? await reader.get(row.id) : null
    if (page === null || page.noindex) continue
    const { url, title, description, contentText } = page
    seen.push({ url, title, description, text: contentText.slice(0, MAX_TEXT), anchors: [] })
  }
  return seen
}
