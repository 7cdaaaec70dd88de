// What judging costs in a crawl that looks for something: the topic's look at a page, and each
// ordering's look at a page's links, with real pages as the parser reads them.
import { ORDERINGS, optionValues } from '../../src/ordering/index.ts'
import type { Judge, Ordering, ReadLink } from '../../src/ordering/ordering.ts'
import type { Judgement, PageText, Topic } from '../../src/topic/topic.ts'
import type { FetchedPage } from './pages.ts'

type Read = { readonly page: PageText; readonly links: readonly ReadLink[] }
type Judged = Read & { readonly judgement: Judgement }

export type JudgeCost = {
  readonly name: string
  readonly usPerPage: number
  /** Null where no link is looked at. */
  readonly usPerLink: number | null
}

/** The median of some rounds after one to warm up; the first entry is the topic alone. */
export function judgeStages(
  pages: readonly FetchedPage[],
  topic: Topic,
  rounds: number,
): readonly JudgeCost[] {
  const read = pages.map(readAgain)
  const usPerPage = medianOf(rounds, () => {
    for (const { page } of read) topic.judge(page)
  })
  const judged = read.map((one) => ({ ...one, judgement: topic.judge(one.page) }))
  const looking = ORDERINGS.filter(({ judge }) => judge !== undefined)
  return [
    { name: 'judge page: the topic', usPerPage: usPerPage / pages.length, usPerLink: null },
    ...looking.map((ordering) => costOf(ordering, judged, topic, rounds)),
  ]
}

function costOf(
  ordering: Ordering,
  judged: readonly Judged[],
  topic: Topic,
  rounds: number,
): JudgeCost {
  const judge = ordering.judge?.({ options: optionValues(ordering, {}), topic })
  if (judge === undefined) throw new Error(`${ordering.name} looks at no page`)
  const bare = medianOf(rounds, () => lookAt(judge, judged, false))
  const whole = medianOf(rounds, () => lookAt(judge, judged, true))
  const links = judged.reduce((sum, one) => sum + one.links.length, 0)
  return {
    name: `judge link: ${ordering.name}`,
    usPerPage: bare / judged.length,
    usPerLink: Math.max(0, whole - bare) / links,
  }
}

function lookAt(judge: Judge, judged: readonly Judged[], withLinks: boolean): void {
  for (const { page, judgement, links } of judged) {
    judge.page({ url: page.url, judgement })
    if (withLinks) for (const link of links) judge.link(link)
  }
}

/** From the record, which holds all that was read. */
function readAgain({ parsed }: FetchedPage): Read {
  const { fields, parts } = parsed.page
  const rows = JSON.parse(parts.links ?? '[]') as [ReadLink['url'], string, string, string?][]
  const { url, title, description, contentText: text } = fields
  const page = { url, title, description, text, anchors: rows.map(([, anchor]) => anchor) }
  const links = rows.map(([target, anchor, , context = '']) => ({ url: target, anchor, context }))
  return { page, links }
}

/** In µs of processor time. */
function medianOf(rounds: number, work: () => void): number {
  const costs: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    if (round > 0) costs.push(user + system)
  }
  return costs.sort((a, b) => a - b)[costs.length >> 1] ?? 0
}
