import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OrderingRun } from '../../test/ordering/ordering-run.ts'
import { type SampleWeb, visitsOf } from '../../test/ordering/sample-web.ts'
import { fishSearch, scatter } from './fish-search.ts'
import type { OptionValues } from './ordering.ts'

function crawlOf(web: SampleWeb, options: OptionValues = {}, seed = 1): OrderingRun {
  const visit = visitsOf(web, fishSearch, { options })
  return new OrderingRun({ ordering: fishSearch, options, seed, visit, seeds: ['s.test/'] })
}

function listOf(crawl: OrderingRun): string {
  return crawl
    .waiting()
    .map(({ url, signals }) => `${url.slice(7, -6)}${signals![1]}`)
    .join(' ')
}

test('the list is in the order worked out by hand', () => {
  const crawl = crawlOf({
    's.test/': { links: ['a.test/', 'b.test/'] },
    'a.test/': { hot: true, links: ['c.test/', 'd.test/'] },
    'b.test/': { links: ['g.test/'] },
    'c.test/': { links: ['e.test/'] },
    'd.test/': { hot: true, links: ['f.test/', 'b.test/'] },
    'f.test/': { links: ['h.test/'] },
  })
  // Each URL with its strength. s is off topic, so its links are inserted in the middle, one step weaker.
  crawl.step()
  assert.equal(listOf(crawl), 'a2 b2')
  // a is relevant: its links are inserted at the front with full strength.
  crawl.step()
  assert.equal(listOf(crawl), 'c3 d3 b2')
  // c is not relevant: its links are inserted behind d, the last link of a relevant page, and before older
  // ones.
  crawl.step()
  assert.equal(listOf(crawl), 'd3 e2 b2')
  // d is relevant: f is inserted at the front, and b moves there with it.
  crawl.step()
  assert.equal(listOf(crawl), 'b3 f3 e2')
  crawl.step()
  assert.equal(listOf(crawl), 'f3 g2 e2')
  crawl.step()
  assert.equal(listOf(crawl), 'h2 g2 e2')
})

const DESERT: SampleWeb = {
  's.test/': { links: ['1.test/', 'a.test/'] },
  '1.test/': { links: ['2.test/'] },
  '2.test/': { links: ['3.test/'] },
  '3.test/': { links: ['4.test/', '5.test/'] },
  '4.test/': { links: ['6.test/'] },
}

test('a path without food dies out: its links go to the end, the oldest first', () => {
  const crawl = crawlOf(DESERT)
  crawl.run(4)
  // 3 was fetched with no strength left.
  assert.equal(listOf(crawl), 'a2 40 50')
  const order = crawl.run().map((url) => url.slice(7, -6))
  assert.deepEqual(order, ['a', '4', '5', '6'])
})

test('links without strength can be left out altogether', () => {
  const crawl = crawlOf(DESERT, { discard: 1 })
  assert.deepEqual(
    crawl.run().map((url) => url.slice(7, -6)),
    ['s', '1', '2', '3', 'a'],
  )
})

test('food gives full strength to what had none', () => {
  const crawl = crawlOf({ ...DESERT, '3.test/': { hot: true, links: ['4.test/'] } }, { discard: 1 })
  crawl.run(4)
  assert.equal(listOf(crawl), '43 a2')
})

function pageOf(links: number, host = 's.test'): string[] {
  return Array.from({ length: links }, (_, at) => `${host}/${at}`)
}

function chosenOf(crawl: OrderingRun): string[] {
  crawl.step()
  const preferred = crawl.waiting().filter(({ signals }) => signals![0]! > -1)
  return preferred.map(({ url }) => url.slice('http://'.length))
}

test('as many links are chosen as the page is wide, and half as many more of a relevant one', () => {
  for (const links of [3, 10, 15, 40]) {
    const dull = crawlOf({ 's.test/': { links: pageOf(links) } })
    assert.equal(chosenOf(dull).length, Math.min(links, 10))
    const good = crawlOf({ 's.test/': { hot: true, links: pageOf(links) } })
    assert.equal(chosenOf(good).length, Math.min(links, 15))
  }
  const wide = { width: 4, favour: 2 }
  const good = crawlOf({ 's.test/': { hot: true, links: pageOf(40) } }, wide)
  assert.equal(chosenOf(good).length, 8)
})

test('links are chosen at random, the same for the same seed', () => {
  const web = { 's.test/': { links: pageOf(100) } }
  const times = new Uint32Array(100)
  for (let seed = 0; seed < 1000; seed++) {
    for (const url of chosenOf(crawlOf(web, {}, seed))) {
      const at = Number(url.slice('s.test/'.length))
      times[at] = times[at]! + 1
    }
  }
  // Each of 100 links is expected 100 times; five standard deviations are 47.
  assert.ok(
    times.every((count) => Math.abs(count - 100) < 47),
    times.join(' '),
  )
  assert.deepEqual(chosenOf(crawlOf(web, {}, 7)), chosenOf(crawlOf(web, {}, 7)))
  assert.notDeepEqual(chosenOf(crawlOf(web, {}, 7)), chosenOf(crawlOf(web, {}, 8)))
})

test('links to other sites are preferred, wherever they stand on the page', () => {
  // www.s.test is the same site.
  const own = [...pageOf(30), ...pageOf(30, 'www.s.test')]
  const others = pageOf(4, 'other.test')
  const awayOf = (chosen: string[]) => chosen.filter((url) => url.startsWith('other.test'))
  const early = chosenOf(crawlOf({ 's.test/': { links: [...others, ...own] } }))
  assert.deepEqual([early.length, awayOf(early).length], [10, 4])
  const late = chosenOf(crawlOf({ 's.test/': { links: [...own, ...others] } }))
  assert.equal(awayOf(late).length, 4)
  assert.ok(late.length <= 14)
})

test('a page full of links to other sites has no more of them chosen than twice its width', () => {
  const links = [...pageOf(50), ...pageOf(1000, 'other.test')]
  assert.ok(chosenOf(crawlOf({ 's.test/': { links } })).length <= 20)
})

test('a restart goes on counting where it was', () => {
  const crawl = crawlOf(DESERT)
  crawl.run(4)
  const { scorer } = crawlOf(DESERT)
  scorer.load!(new Uint8Array(9))
  scorer.load!(crawl.scorer.save!()!)
  const page = { ...crawl.candidate('a.test/'), id: 3, judged: [1], links: 1, waiting: 1 }
  const settled = { ...page, finder: () => null }
  scorer.settled!(settled)
  assert.deepEqual(scorer.pass!(settled, null, { ...page, position: 0 }), [5e8 + 5, 3])
})

test('the same numbers give the same one, others another', () => {
  assert.equal(scatter(1, 2, 3), scatter(1, 2, 3))
  const others = [scatter(1, 2, 3), scatter(2, 1, 3), scatter(1, 3, 2), scatter(3, 2, 1)]
  assert.equal(new Set(others).size, others.length)
})

test('neighbouring numbers are spread evenly from 0 to 1', () => {
  const tenths = new Uint32Array(10)
  for (let a = 0; a < 100; a++) {
    for (let b = 0; b < 1000; b++) {
      const at = Math.floor(scatter(7, a, b) * 10)
      tenths[at] = tenths[at]! + 1
    }
  }
  // 10,000 are expected in each; five standard deviations are 474.
  assert.ok(
    tenths.every((count) => Math.abs(count - 10_000) < 474),
    tenths.join(' '),
  )
})
