import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalise } from '../core/url.ts'
import type { HandoverHead } from '../wire/handover.ts'
import { FairQueue } from './fair-queue.ts'

type Page = { readonly head: HandoverHead; readonly name: string }

function page(name: string): Page {
  const head = { url: canonicalise(`http://${name}`)! } as HandoverHead
  return { head, name }
}

const always = () => true

/** Takes so many pages; `cost` returns the cost of a page by its site. */
function read(queue: FairQueue<Page>, count: number, cost: (site: string) => number): string[] {
  const sites: string[] = []
  for (let nth = 0; nth < count; nth += 1) {
    const task = queue.shift(always)
    if (task === undefined) break
    const site = queue.siteOf(task).name
    queue.charge(task, cost(site))
    sites.push(site)
  }
  return sites
}

test('sites of equal cost take turns, however many pages they have', () => {
  const queue = new FairQueue<Page>()
  for (let nth = 0; nth < 100; nth += 1) queue.push(page(`many.test/${nth}`))
  for (let nth = 0; nth < 10; nth += 1) queue.push(page(`few.test/${nth}`))
  const first = read(queue, 20, () => 2)
  assert.equal(first.filter((site) => site === 'few.test').length, 10)
  assert.equal(queue.size, 90)
})

test('a site with costly pages delays only itself', () => {
  const queue = new FairQueue<Page>()
  for (let nth = 0; nth < 50; nth += 1) queue.push(page(`slow.test/${nth}`))
  for (let nth = 0; nth < 500; nth += 1) queue.push(page(`quick.test/${nth}`))
  const first = read(queue, 300, (site) => (site === 'slow.test' ? 1000 : 1))
  assert.ok(first.filter((site) => site === 'slow.test').length <= 2)
})

test('host names below one domain share its turn', () => {
  const queue = new FairQueue<Page>()
  for (let nth = 0; nth < 50; nth += 1) queue.push(page(`${nth}.wild.example.com/`))
  for (let nth = 0; nth < 10; nth += 1) queue.push(page(`other.test/${nth}`))
  const first = read(queue, 20, () => 2)
  assert.equal(first.filter((site) => site === 'other.test').length, 10)
})

test('a site that comes back after a pause has saved nothing up', () => {
  const queue = new FairQueue<Page>()
  queue.push(page('late.test/1'))
  read(queue, 1, () => 1)
  for (let nth = 0; nth < 200; nth += 1) queue.push(page(`busy.test/${nth}`))
  read(queue, 100, () => 10)
  for (let nth = 0; nth < 50; nth += 1) queue.push(page(`late.test/${nth}`))
  const next = read(queue, 20, () => 10)
  assert.ok(next.filter((site) => site === 'busy.test').length >= 8)
})

test('a site that may have no page now is skipped and keeps its position', () => {
  const queue = new FairQueue<Page>()
  queue.push(page('a.test/1'))
  queue.push(page('b.test/1'))
  assert.equal(queue.shift(({ name }) => name !== 'a.test')?.name, 'b.test/1')
  assert.equal(
    queue.shift(({ name }) => name !== 'a.test'),
    undefined,
  )
  assert.equal(queue.shift(always)?.name, 'a.test/1')
  assert.equal(queue.size, 0)
})

test('clearing empties the queue', () => {
  const queue = new FairQueue<Page>()
  for (let nth = 0; nth < 3; nth += 1) queue.push(page(`a.test/${nth}`))
  assert.equal(queue.clear().length, 3)
  assert.deepEqual([queue.size, queue.shift(always)], [0, undefined])
})

test('idle sites are forgotten, however many there are, and costly ones are not', () => {
  const queue = new FairQueue<Page>()
  queue.push(page('costly.test'))
  read(queue, 1, () => 5000)
  for (let nth = 0; nth < 10_000; nth += 1) {
    queue.push(page(`once-${nth}.test`))
    read(queue, 1, () => 3)
  }
  assert.ok(queue.sites < 2048, `${queue.sites} sites`)
  queue.push(page('costly.test'))
  queue.push(page('new.test'))
  assert.deepEqual(
    read(queue, 2, () => 3),
    ['new.test', 'costly.test'],
  )
})
