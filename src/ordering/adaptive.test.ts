import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OrderingRun } from '../../test/ordering/ordering-run.ts'
import {
  type SamplePage,
  type SampleWeb,
  topicOf,
  visitsOf,
} from '../../test/ordering/sample-web.ts'
import { adaptive } from './adaptive.ts'
import { sigmoid } from './online-regression.ts'
import type { Candidate, OptionValues } from './ordering.ts'

// Numbers that are easy to check by hand: weights stay constant, and all differences count.
const BY_HAND = {
  ...{ freedom: 0, step: 0, gateway: 0 },
  ...{ place: 0.5, hub: 1, parents: 0, keyword: 1, prior: 1 },
}
const { log } = Math

const WEB: SampleWeb = {
  's.test/': { relevance: 0, links: ['a.test/d/1', 'a.test/d/2', 'a.test/e/3', 'b.test/4'] },
  'a.test/d/1': { relevance: 1, links: [] },
  'a.test/d/2': { relevance: 0, links: [] },
  'a.test/e/3': { relevance: 0, links: [] },
  'b.test/4': { relevance: 0, links: [] },
}

function crawlOf(web: SampleWeb, options: OptionValues = BY_HAND): OrderingRun {
  const topic = topicOf({ similar: { stars: 2 }, keyword: 'comet' })
  const visit = visitsOf(web, adaptive, { topic, options })
  return new OrderingRun({ ordering: adaptive, options, visit, seeds: ['s.test/'] })
}

function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} instead of ${expected}`)
}

test('a score is what is expected of a page, by its links and by places, as computed by hand', () => {
  const crawl = crawlOf(WEB)
  crawl.run(1)
  // There is no evidence for or against any of them, and the regression starts at -2.
  for (const url of ['a.test/d/1', 'a.test/d/2', 'a.test/e/3', 'b.test/4']) {
    assert.equal(crawl.scoreOf(url), sigmoid(-2))
  }
  // a.test/d/1 is relevant: 1 observed and σ(-2) expected, at host, directory, subdirectory and hub.
  assert.deepEqual(crawl.run(1), ['http://a.test/d/1'])
  const surplus = log((1 + 1) / (sigmoid(-2) + 1))
  near(crawl.scoreOf('a.test/d/2'), sigmoid(-2 + 0.5 * 3 * surplus + surplus))
  near(crawl.scoreOf('a.test/e/3'), sigmoid(-2 + 0.5 * surplus + surplus))
  near(crawl.scoreOf('b.test/4'), sigmoid(-2 + surplus))
})

test('the words of a link count as in link-context, and so does a keyword that names the topic', () => {
  const web: SampleWeb = {
    's.test/': {
      evidence: 0.5,
      links: [
        { to: 'a.test/', anchor: 'stars' },
        { to: 'b.test/', anchor: 'comet' },
        'c.test/comet',
      ],
    },
  }
  const crawl = crawlOf(web)
  crawl.run(1)
  near(crawl.scoreOf('a.test/'), sigmoid(-2 + 0.7 * (0.5 + 0.5 * 2)))
  near(crawl.scoreOf('b.test/'), sigmoid(-2 + 0.7 * 0.5 + 1))
  near(crawl.scoreOf('c.test/comet'), sigmoid(-2 + 0.7 * 0.5 + 1))
})

const star = (to: string) => ({ to, anchor: 'stars' })

test('the hub of a link is the page that speaks best for it; all pages with a link are counted', () => {
  const web: SampleWeb = {
    's.test/': { links: [star('two.test/'), star('one.test/'), 'x.test/'] },
    'one.test/': { evidence: 0.5, relevance: 1, links: [{ to: 'x.test/', anchor: 'comet' }] },
    'two.test/': { evidence: -1, relevance: 0.5, links: ['x.test/'] },
    'x.test/': {},
  }
  const crawl = crawlOf(web, { ...BY_HAND, hub: 0, place: 0, parents: 2, keyword: 0 })
  crawl.run(3)
  const { signals } = crawl.candidate('x.test/')
  const parent = signals?.[0]
  const [isNamed, worth, count] = [signals?.[4], signals?.[9], signals?.[10]]
  assert.deepEqual(
    { parent, isNamed, worth, count },
    { parent: 0.5, isNamed: 1, worth: 1.5, count: 3 },
  )
  // The mean worth of the three and of one assumed page that is worth σ(-2).
  const mean = (sigmoid(-2) + 1.5) / 4
  near(crawl.scoreOf('x.test/'), sigmoid(-2 + 0.7 * 0.5 + 2 * log(2.5 / (3 * mean + 1))))
})

test('half of what is learned from is a page’s promise, where the topic tells one', () => {
  const web: SampleWeb = {
    's.test/': { relevance: 0.5, promise: 1, links: ['a.test/1'] },
  }
  const crawl = crawlOf(web)
  crawl.run(1)
  assert.equal(crawl.candidate('a.test/1').signals?.[9], 0.75)
})

/** A seed with links to pages of several hosts, alternately relevant and not. */
function portal(pages: number, facts: (page: number) => SamplePage & { readonly url: string }) {
  const all = Array.from({ length: pages }, (_, page) => facts(page))
  const links = all.map(({ url }) => url)
  return Object.fromEntries([
    ['s.test/', { links }],
    ...all.map(({ url, ...page }): [string, SamplePage] => [url, page]),
  ])
}

function weightOf(crawl: OrderingRun, url: string, part: string): number {
  const found = crawl.scorer.explain?.(crawl.candidate(url)).find(({ name }) => name === part)
  return found?.value ?? Number.NaN
}

test('a host that keeps its word rises, one that does not sinks', () => {
  const web = portal(60, (page) => ({
    url: `${page % 2 === 0 ? 'good' : 'bad'}.test/${page}`,
    relevance: page % 2 === 0 ? 0.9 : 0,
  }))
  const crawl = crawlOf(web, {})
  crawl.run(41)
  const left = crawl.waiting().map(({ url }) => url)
  // Pages of the good host came first.
  assert.ok(left.every((url) => url.startsWith('http://bad.test/')))
})

test('places that mean nothing do not change the order that words give', () => {
  // Relevance depends on the anchor alone; hosts are assigned in turn.
  const url = (page: number) => `h${page % 7}.test/d${page % 3}/${page}`
  const isRelevant = (page: number) => page % 2 === 0
  const links = Array.from({ length: 200 }, (_, page) => ({
    to: url(page),
    anchor: isRelevant(page) ? 'stars' : '',
  }))
  const pages = links.map(({ to }, page): [string, SamplePage] => [
    to,
    { relevance: isRelevant(page) ? 0.9 : 0.05 },
  ])
  const crawl = crawlOf({ 's.test/': { links }, ...Object.fromEntries(pages) }, {})
  const order = crawl.run(201).slice(1)
  const good = new Set(pages.filter((_, page) => isRelevant(page)).map(([to]) => `http://${to}`))
  assert.equal(order.slice(0, 100).filter((to) => good.has(to)).length, 100)
})

test('a host that leads to surprises on new hosts is a gateway, though its pages are poor', () => {
  const web: SampleWeb = {
    's.test/': { links: [star('far.test/'), 's.test/next', 'dull.test/'] },
    'far.test/': { relevance: 1, links: [] },
  }
  const crawl = crawlOf(web, { ...BY_HAND, place: 0, hub: 0, gateway: 2 })
  crawl.run(2)
  // The crawl's average was σ(-2) less a tenth of it for the seed; one page of the host s.test was fetched.
  const surprise = 1 - 0.9 * sigmoid(-2)
  near(crawl.scoreOf('s.test/next'), sigmoid(-2) + (2 * surprise) / (1 + 10))
  near(crawl.scoreOf('dull.test/'), sigmoid(-2))
})

test('on one host nobody is a gateway', () => {
  const web: SampleWeb = {
    's.test/': { links: [star('s.test/good'), 's.test/next'] },
    's.test/good': { relevance: 1, links: [] },
  }
  const crawl = crawlOf(web, { ...BY_HAND, place: 0, hub: 0, gateway: 2 })
  crawl.run(2)
  near(crawl.scoreOf('s.test/next'), sigmoid(-2))
})

test('where nothing is known of links, the first found goes first', () => {
  const web = portal(300, (page) => ({
    url: `h${page % 50}.test/${page}`,
    relevance: 0.001 * ((page * 7) % 11),
  }))
  const crawl = crawlOf(web, {})
  const [, ...order] = crawl.run(301)
  const found = Object.keys(web).slice(1)
  assert.deepEqual(
    order,
    found.map((url) => `http://${url}`),
  )
})

test('what was learned comes back after a restart', () => {
  const crawl = crawlOf(WEB, {})
  crawl.run(3)
  const state = crawl.scorer.save?.()
  assert.ok(state)
  const again = adaptive.createScorer({}, 1)
  again.load?.(state)
  for (const candidate of crawl.waiting()) {
    assert.equal(again.score(candidate), crawl.scorer.score(candidate))
    assert.deepEqual(again.explain?.(candidate), crawl.scorer.explain?.(candidate))
  }
})

test('bytes that are no state, or one of another version, are ignored', () => {
  const scorer = adaptive.createScorer(BY_HAND, 1)
  // The former format: the length of a table, then the table.
  const former = new Uint8Array(28)
  new DataView(former.buffer).setUint32(0, 12)
  const odd = new Uint8Array(2000).fill(0xff)
  const cut = adaptive.createScorer(BY_HAND, 1).save?.()?.slice(0, -16) ?? odd
  for (const bytes of [new Uint8Array(0), new Uint8Array(3), odd, former, cut]) {
    scorer.load?.(bytes)
  }
  const crawl = crawlOf(WEB)
  crawl.run(1)
  for (const candidate of crawl.waiting()) assert.equal(scorer.score(candidate), sigmoid(-2))
})

test('the parts of a score add up to the odds of what is expected', () => {
  const crawl = crawlOf(WEB, { ...BY_HAND, parents: 1 })
  crawl.run(2)
  const parts = crawl.scorer.explain?.(crawl.candidate('a.test/e/3')) ?? []
  const sum = parts.reduce((all, { value }) => all + value, 0)
  near(sigmoid(sum), crawl.scoreOf('a.test/e/3'))
  assert.ok(weightOf(crawl, 'a.test/e/3', 'host') > 0)
})

test('evidence beyond a limit changes no score, for or against', () => {
  const scorer = adaptive.createScorer(BY_HAND, 1)
  const url = 'http://a.test/' as Candidate['url']
  const scoreOf = (evidence: number) =>
    scorer.score({ url, depth: 1, foundAt: 1, inLinks: 1, signals: [0, evidence, 0, 0] })
  assert.equal(scoreOf(170), scoreOf(6))
  assert.equal(scoreOf(-170), scoreOf(-6))
  assert.ok(scoreOf(6) > scoreOf(5) && scoreOf(-6) < scoreOf(-5))
})
