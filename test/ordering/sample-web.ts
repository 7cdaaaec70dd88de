// Little webs for tests of orderings, and a topic for them that knows texts by heart.
import type { CanonicalUrl } from '../../src/core/url.ts'
import type { OptionValues, Ordering } from '../../src/ordering/ordering.ts'
import { judgeLinks } from '../../src/ordering/ordering.ts'
import type { Judgement, Topic } from '../../src/topic/topic.ts'
import { defaultsOf, type JudgedVisit, urlOf } from './ordering-run.ts'

/** A link: where it leads, or that with its words. */
export type SampleLink =
  | string
  | { readonly to: string; readonly anchor?: string; readonly context?: string }

export type SamplePage = Partial<Judgement> & { readonly links?: readonly SampleLink[] }

/** Pages by their URL, short or whole. */
export type SampleWeb = Readonly<Record<string, SamplePage>>

const NOTHING: Judgement = {
  relevance: 0,
  hot: false,
  similarity: 0,
  evidence: 0,
  terms: 100,
  titleMentions: 0,
  textMentions: 0,
}

/** A topic that has a similarity for some texts, and one keyword to count. */
export function topicOf({
  similar = {},
  keyword = 'keyword',
}: {
  readonly similar?: Readonly<Record<string, number>>
  readonly keyword?: string
} = {}): Topic {
  return {
    judge: () => NOTHING,
    evidence: (text) => similar[text] ?? 0,
    addressEvidence: () => 0,
    similarity: (text) => similar[text] ?? 0,
    mentions: (text) => text.split(keyword).length - 1,
  }
}

/** Visits to a web, each page judged by the ordering's own judge. */
export function visitsOf(
  web: SampleWeb,
  ordering: Ordering,
  { topic = topicOf(), options = {} }: { topic?: Topic; options?: OptionValues } = {},
): (url: CanonicalUrl) => JudgedVisit | null {
  const judge = ordering.judge?.({ topic, options: { ...defaultsOf(ordering), ...options } })
  const pages = new Map(Object.entries(web).map(([url, page]) => [urlOf(url), page]))
  return (url) => {
    const page = pages.get(url)
    if (page === undefined) return null
    const { links: given = [], ...facts } = page
    const links = given.map(readLink)
    const judgement = { ...NOTHING, ...facts }
    const { judged, signals } = judgeLinks({ judge: judge ?? null, url, judgement, links })
    return { judged, links: links.map((link, at) => ({ ...link, signals: signals[at] ?? null })) }
  }
}

function readLink(link: SampleLink) {
  const { to, anchor = '', context = '' } = typeof link === 'string' ? { to: link } : link
  return { url: urlOf(to), anchor, context }
}
