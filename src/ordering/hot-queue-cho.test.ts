// The published crawler, followed line by line on random webs, beside the real frontier with the preset.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WordTopic } from '../../test/support/word-topic.ts'
import { canonicalise } from '../core/url.ts'
import { openReplayFrontier } from '../experiment/replay-frontier.ts'
import { seededRandom } from '../lib/seeded-random.ts'
import { FoundPages, JudgedLinks, JudgedTexts } from '../simulate/page-links.ts'
import { replay } from '../simulate/replay.ts'
import { type MadePage, makeWorld } from '../simulate/replay-world.ts'
import { optionValues, orderingNamed } from './index.ts'

const PAGES = 120
const KEYWORD = 'computer'

/** Pages of two hosts with a few links each; some titles, texts, anchors and addresses have the keyword. */
function randomWeb(seed: number): MadePage[] {
  const random = seededRandom(seed)
  const below = (count: number) => Math.floor(random() * count)
  return Array.from({ length: PAGES }, (_, page): MadePage => {
    const name = random() < 0.04 ? `${KEYWORD}/${page}` : `${page}`
    const targets = new Set(Array.from({ length: 1 + below(4) }, () => below(PAGES)))
    targets.delete(page)
    return {
      url: canonicalise(`http://${'ab'[page % 2]}.test/${name}`)!,
      title: random() < 0.04 ? `about a ${KEYWORD}` : 'plain',
      text: `${KEYWORD} and `.repeat(random() < 0.08 ? 10 + below(3) : below(10)),
      links: [...targets].map((to) => ({
        to,
        anchor: random() < 0.05 ? `my ${KEYWORD}` : 'link',
        context: '',
      })),
    }
  })
}

type HotRule = { readonly words: boolean; readonly links: number }

/** The modified algorithm of the paper, line by line. Queues are lists; `reorder_queue` sorts by backlinks. */
function publishedOrder(web: readonly MadePage[], rule: HotRule): number[] {
  let urlQueue: number[] = [0]
  let hotQueue: number[] = []
  const crawledPages: number[] = []
  const hot = new Set<number>()
  const links: [from: number, to: number][] = []
  const backlinks = (page: number) => links.filter(([, to]) => to === page).length
  const found: number[] = [0]
  const reordered = (queue: readonly number[]) =>
    queue.toSorted((a, b) => backlinks(b) - backlinks(a) || found.indexOf(a) - found.indexOf(b))
  while (urlQueue.length + hotQueue.length > 0) {
    const url = hotQueue.shift() ?? urlQueue.shift()!
    const page = web[url]!
    const byWords = countIn(page.text) >= 10 || countIn(page.title) >= 1
    if (rule.words && byWords) hot.add(url)
    if (rule.links > 0 && backlinks(url) >= rule.links) hot.add(url)
    crawledPages.push(url)
    for (const { to, anchor } of page.links) {
      links.push([url, to])
      if (urlQueue.includes(to) || hotQueue.includes(to) || crawledPages.includes(to)) continue
      found.push(to)
      if (countIn(anchor) > 0 || countIn(web[to]!.url) > 0) hotQueue.push(to)
      else if (distanceFromHotPage(to, hot, links) < 3) hotQueue.push(to)
      else urlQueue.push(to)
    }
    urlQueue = reordered(urlQueue)
    hotQueue = reordered(hotQueue)
  }
  return crawledPages
}

function countIn(text: string): number {
  return text.split(KEYWORD).length - 1
}

/** The fewest links from any hot page to this one, over all links of crawled pages. */
function distanceFromHotPage(
  page: number,
  hot: ReadonlySet<number>,
  links: readonly (readonly [number, number])[],
): number {
  let reached = new Set(hot)
  for (let distance = 0; distance <= PAGES; distance++) {
    if (reached.has(page)) return distance
    reached = new Set([...reached, ...links.flatMap(([a, b]) => (reached.has(a) ? [b] : []))])
  }
  return Number.POSITIVE_INFINITY
}

async function crawled(web: readonly MadePage[], given: Record<string, string>) {
  const world = makeWorld(web)
  const found = new FoundPages(world)
  const ordering = orderingNamed('hot-queue:cho')
  const options = optionValues(ordering, given)
  const topic = new WordTopic(KEYWORD)
  const judge = ordering.judge!({ options, topic })
  const { fetched } = await replay({
    ...{ world, ordering, found, hostPolicy: 'best', seeds: [0], limit: PAGES },
    scorer: ordering.createScorer(options, 1),
    links: new JudgedLinks({
      ...{ world, found, judge, again: false },
      texts: new JudgedTexts(topic, world),
    }),
    politeness: { concurrency: 1, perHost: 1, delayMs: 0 },
    openFrontier: openReplayFrontier,
  })
  return [...fetched]
}

for (const [what, rule, given] of [
  ['words', { words: true, links: 0 }, {}],
  ['links', { words: false, links: 3 }, { words: '0', links: '3' }],
  ['words or links', { words: true, links: 4 }, { links: '4' }],
] as const) {
  test(`the preset cho fetches pages as published, where ${what} make a page hot`, async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const web = randomWeb(seed)
      const expected = publishedOrder(web, rule)
      assert.ok(expected.length > PAGES / 2, 'a web of which most can be reached')
      assert.deepEqual(await crawled(web, given), expected, `web ${seed}`)
    }
  })
}
