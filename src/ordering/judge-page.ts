// Judges one page with its links, in the same way in a parser thread and in the replay of a stored crawl.
import type { CanonicalUrl } from '../core/url.ts'
import type { Judgement, PageText, Topic } from '../topic/topic.ts'
import type { Judge, ReadLink, Signals } from './ordering.ts'

export type JudgedPage = {
  /** Null without a topic. */
  readonly judgement: Judgement | null
  /** The page's signals for the frontier; null without a judge. */
  readonly judged: Signals | null
  /** The signals of each link, in the order of the links; empty without a judge. */
  readonly signals: readonly Signals[]
}

export type PageToJudge = {
  readonly topic: Topic | null
  readonly judge: Judge | null
  readonly page: PageText
  /** Links that may be followed. */
  readonly links: readonly ReadLink[]
}

export function judgePage({ topic, judge, page, links }: PageToJudge): JudgedPage {
  const judgement = topic === null ? null : topic.judge(page)
  return judgeLinks({ judge, url: page.url, judgement, links })
}

/** Judges the links of a page whose text is judged already. */
export function judgeLinks(page: {
  readonly judge: Judge | null
  readonly url: CanonicalUrl
  readonly judgement: Judgement | null
  readonly links: readonly ReadLink[]
}): JudgedPage {
  const { judge, url, judgement, links } = page
  if (judge === null) return { judgement, judged: null, signals: [] }
  const judged = judge.page({ url, judgement })
  return { judgement, judged, signals: links.map((link) => judge.link(link)) }
}
