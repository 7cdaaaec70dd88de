// A topic whose examples are pages of a known web.
import type { CrawlSettings } from '../core/job.ts'
import { textPage } from '../crawl/example-texts.ts'
import { buildRequested } from '../crawl/topic-source.ts'
import type { Example, Examples } from '../options/examples-file.ts'
import type { TopicRequest } from '../options/topic-request.ts'
import type { ReplayWorld } from '../simulate/replay-world.ts'
import { openTopic } from '../topic/open-topic.ts'
import type { PageText, Topic } from '../topic/topic.ts'

export type FoundExamples = {
  readonly positive: readonly PageText[]
  readonly negative: readonly PageText[]
  /** The pages among them. */
  readonly pages: readonly number[]
  /** How many there were, and the URLs that are no pages of the crawl, or of which it kept no word. */
  readonly given: number
  readonly lost: readonly string[]
}

export async function findExamples(
  { positive, negative }: Examples,
  world: ReplayWorld,
): Promise<FoundExamples> {
  const pages = new Set<number>()
  const lost: string[] = []
  const textOf = async (example: Example): Promise<PageText[]> => {
    if (example.kind === 'text') return [textPage(example)]
    const page = world.find(example.url)
    if (page === undefined || page >= world.alive) {
      lost.push(example.url)
      return []
    }
    pages.add(page)
    const { text } = await world.read(page)
    if (hasWords(text)) return [text]
    lost.push(example.url)
    return []
  }
  const textsOf = async (examples: readonly Example[]) => {
    const texts: PageText[] = []
    for (const example of examples) texts.push(...(await textOf(example)))
    return texts
  }
  return {
    positive: await textsOf(positive),
    negative: await textsOf(negative),
    pages: [...pages],
    given: positive.length + negative.length,
    lost,
  }
}

/** Nothing is kept of pages that ask not to be indexed. */
function hasWords({ title, text, anchors }: PageText): boolean {
  return title !== '' || text !== '' || anchors.length > 0
}

type TopicSettings = Pick<CrawlSettings, 'hotThreshold'>

/** The topic that flags ask for. */
export function requestedTopic(
  request: TopicRequest,
  { positive, negative }: FoundExamples,
  settings: TopicSettings,
): Topic {
  return openTopic(buildRequested(request, { positive, negative }), settings)
}
