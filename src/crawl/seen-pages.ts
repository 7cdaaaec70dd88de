// Pages that an earlier run of a crawl has stored, for a topic that learns from what it meets: a crawl that
// goes on begins where the first pages left it, not anew.
import type { Job } from '../core/job.ts'
import type { PageReader } from '../store/page-reader.ts'
import type { PageText } from '../topic/topic.ts'
import { learnsOnTheWay } from '../topic/topic-record.ts'

/** By then the weights of words have settled but for little. */
const MAX_PAGES = 64
/** Of each: the start of a text says what it is about. */
const MAX_TEXT = 4000

/** The first pages of the crawl, in the order they were stored; none where its topic learns nothing. */
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
