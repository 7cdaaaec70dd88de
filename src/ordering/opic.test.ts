import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomEdges } from '../../test/graph/sample-graphs.ts'
import { OrderingRun } from '../../test/ordering/ordering-run.ts'
import { type SampleWeb, visitsOf } from '../../test/ordering/sample-web.ts'
import { CashFlow, opic } from './opic.ts'
import type { OptionValues } from './ordering.ts'

const WEB: SampleWeb = {
  's.test/': { links: ['a.test/', 'b.test/'] },
  'a.test/': { links: ['b.test/', 'c.test/'] },
  'b.test/': { links: ['s.test/', 'd.test/'] },
  'c.test/': { links: ['e.test/', 'f.test/'] },
  'd.test/': {},
  'e.test/': { links: ['f.test/'] },
  'f.test/': { links: ['c.test/'] },
}

function crawlOf(web: SampleWeb, seeds: readonly string[], options: OptionValues = {}) {
  const crawl = new OrderingRun({ ordering: opic, options, visit: visitsOf(web, opic), seeds })
  return { crawl, flow: flowOf(crawl) }
}

function flowOf({ scorer }: OrderingRun): CashFlow {
  assert.ok(scorer instanceof CashFlow)
  return scorer
}

function cashIn(crawl: OrderingRun): Record<string, number> {
  const flow = flowOf(crawl)
  const shown = crawl
    .waiting()
    .map((candidate) => [candidate.url.slice(7, -6), flow.cashOf(candidate)])
  return { ...Object.fromEntries(shown), ...flow.idleCash }
}

function cashAfterEach(crawl: OrderingRun): Record<string, unknown> {
  const after: Record<string, unknown> = {}
  for (let url = crawl.step(); url !== null; url = crawl.step()) after[url[7]!] = cashIn(crawl)
  return after
}

test('after each fetch everybody has the cash computed by hand', () => {
  assert.deepEqual(cashAfterEach(crawlOf(WEB, ['s.test/']).crawl), {
    // 1, divided by two.
    s: { a: 0.5, b: 0.5, virtual: 0, kept: 0 },
    // 0.5, divided by two; one half is added to the cash of b.
    a: { b: 0.75, c: 0.25, virtual: 0, kept: 0 },
    // 0.75, divided by two; one half is for s, which was fetched and keeps it.
    b: { d: 0.375, c: 0.25, virtual: 0, kept: 0.375 },
    // d has no links: the virtual page gets its cash.
    d: { c: 0.25, virtual: 0.375, kept: 0.375 },
    // No waiting URL gets the 0.375. c divides 0.25 by two.
    c: { e: 0.125, f: 0.125, virtual: 0.375, kept: 0.375 },
    // Only f waits: it gets 0.375 from the virtual page, then 0.125 from e.
    e: { f: 0.625, virtual: 0, kept: 0.375 },
    // c was fetched.
    f: { virtual: 0, kept: 1 },
  })
})

test('what goes to pages fetched already can be given to those that wait', () => {
  assert.deepEqual(cashAfterEach(crawlOf(WEB, ['s.test/'], { recycled: 1 }).crawl), {
    s: { a: 0.5, b: 0.5, virtual: 0, kept: 0 },
    a: { b: 0.75, c: 0.25, virtual: 0, kept: 0 },
    // The virtual page gets the half for s.
    b: { d: 0.375, c: 0.25, virtual: 0.375, kept: 0 },
    // First the virtual page gives its 0.375 to all waiting URLs, which is c; then it gets the cash of d.
    d: { c: 0.625, virtual: 0.375, kept: 0 },
    c: { e: 0.3125, f: 0.3125, virtual: 0.375, kept: 0 },
    e: { f: 1, virtual: 0, kept: 0 },
    f: { virtual: 1, kept: 0 },
  })
})

test('a share may go to the virtual page at once', () => {
  const { crawl } = crawlOf(WEB, ['s.test/'], { virtual: 0.5 })
  crawl.step()
  assert.deepEqual(cashIn(crawl), { a: 0.25, b: 0.25, virtual: 0.5, kept: 0 })
  crawl.step()
  // b gets 0.5. Half of the 0.25 of a is for the virtual page, and 0.0625 for each link.
  assert.deepEqual(cashIn(crawl), { b: 0.8125, c: 0.0625, virtual: 0.125, kept: 0 })
})

test('the order is that of cash, though nothing that waits is scored again', () => {
  const { crawl, flow } = crawlOf(randomWeb(3), ['0.test/'], { virtual: 0.1, recycled: 0.5 })
  for (let page = 0; page < 80; page++) {
    crawl.step()
    const cash = crawl.waiting().map((candidate) => flow.cashOf(candidate))
    const falls = cash.every((each, at) => at === 0 || each <= cash[at - 1]! + 1e-12)
    assert.ok(falls, `after ${page + 1} pages: ${cash.slice(0, 5).join(' ')}`)
  }
})

test('no cash is made or lost, whatever the web is like', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const seeds = Array.from({ length: seed }, (_, at) => `${at}.test/`)
    const options = { virtual: (seed % 3) / 10, recycled: (seed % 4) / 3 }
    const { crawl } = crawlOf(randomWeb(seed), seeds, options)
    while (crawl.step() !== null) {
      const cash = Object.values(cashIn(crawl)).reduce((sum, each) => sum + each, 0)
      assert.ok(Math.abs(cash - seed) < 1e-9, `${cash} instead of ${seed}`)
    }
  }
})

function randomWeb(seed: number): SampleWeb {
  const links: string[][] = Array.from({ length: 100 }, () => [])
  for (const [from, to] of randomEdges({ nodes: 100, edges: 400, seed })) {
    if (from !== to) links[from]!.push(`${to}.test/`)
  }
  return Object.fromEntries(links.map((to, page) => [`${page}.test/`, { links: [...new Set(to)] }]))
}

test('a restart goes on with what the virtual page has and gave', () => {
  const { crawl, flow } = crawlOf(WEB, ['s.test/'])
  crawl.run(6)
  const restarted = new CashFlow({})
  restarted.load(new Uint8Array([1, 2, 3]))
  restarted.load(flow.save())
  assert.equal(restarted.cashOf(crawl.candidate('f.test/')), 0.625)
  assert.deepEqual(restarted.idleCash, { virtual: 0, kept: 0.375 })
})

test('a URL that is only listed has no cash until a page links to it', () => {
  const { crawl, flow } = crawlOf(WEB, ['s.test/'])
  crawl.add('c.test/', null, 1)
  crawl.step()
  assert.equal(flow.cashOf(crawl.candidate('c.test/')), 0)
  crawl.step()
  assert.equal(flow.cashOf(crawl.candidate('c.test/')), 0.25)
})

test('people see where cash came from', () => {
  const { crawl, flow } = crawlOf(WEB, ['s.test/'])
  crawl.run(6)
  assert.deepEqual(flow.explain(crawl.candidate('f.test/')), [
    { name: 'cash', value: 0.625 },
    { name: 'passed', value: 0.25 },
    { name: 'given', value: 0.375 },
  ])
})
