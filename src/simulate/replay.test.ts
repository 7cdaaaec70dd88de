import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallWorld } from '../../test/simulate/small-world.ts'
import { openReplayFrontier } from '../experiment/replay-frontier.ts'
import { breadthFirst } from '../ordering/breadth-first.ts'
import { depthFirst } from '../ordering/depth-first.ts'
import type { Ordering } from '../ordering/ordering.ts'
import { FoundPages, JudgedLinks, PlainLinks } from './page-links.ts'
import { type Politeness, type ReplayOptions, replay } from './replay.ts'
import type { ReplayWorld } from './replay-world.ts'

const ALONE: Politeness = { concurrency: 1, perHost: 1, delayMs: 0 }
const POLITE: Politeness = { concurrency: 8, perHost: 1, delayMs: 1000 }

//      0 → 1, 2    1 → 3, 4    2 → 5    5 → 6
const TREE = smallWorld({
  'a.test/0': ['a.test/1', 'a.test/2'],
  'a.test/1': ['a.test/3', 'a.test/4'],
  'a.test/2': ['a.test/5'],
  'a.test/3': [],
  'a.test/4': ['a.test/0'],
  'a.test/5': ['a.test/6'],
  'a.test/6': [],
  'a.test/island': ['a.test/0'],
})

function run(world: ReplayWorld, ordering: Ordering, more: Partial<ReplayOptions> = {}) {
  const found = new FoundPages(world)
  return replay({
    ...{ world, ordering, found },
    scorer: ordering.createScorer({}, 1),
    hostPolicy: 'best',
    links: new PlainLinks(world, found),
    seeds: [0],
    limit: 100,
    politeness: ALONE,
    openFrontier: openReplayFrontier,
    ...more,
  })
}

test('pages come in the order of the ordering until nothing is left', async () => {
  const broad = await run(TREE, breadthFirst)
  assert.deepEqual([...broad.fetched], [0, 1, 2, 3, 4, 5, 6])
  const deep = await run(TREE, depthFirst)
  assert.deepEqual([...deep.fetched], [0, 1, 3, 4, 2, 5, 6])
  assert.deepEqual([broad.ranDry, broad.at], [true, null])
})

test('it ends at its limit, whatever is under way', async () => {
  const politeness = { ...ALONE, concurrency: 3, perHost: 3 }
  const { fetched, ranDry } = await run(TREE, breadthFirst, { limit: 4, politeness })
  assert.deepEqual([[...fetched], ranDry], [[0, 1, 2, 3], false])
})

test('with more in flight a URL is chosen before those that went out earlier teach anything', async () => {
  const politeness = { ...ALONE, concurrency: 2, perHost: 2 }
  const { fetched } = await run(TREE, depthFirst, { politeness })
  // 1 and 2 are fetched together. When 1 ends, 3 starts; only then 2 ends, and 5 starts.
  assert.deepEqual([...fetched], [0, 1, 2, 3, 5, 4, 6])
})

test('under politeness requests to a host keep their gap, other hosts go on meanwhile', async () => {
  const world = smallWorld({
    'a.test/': ['a.test/1', 'b.test/', 'a.test/2'],
    'a.test/1': [],
    'b.test/': ['b.test/1'],
    'a.test/2': [],
    'b.test/1': [],
  })
  // A fetch takes 100 ms and the gap is from start to start: a at 0, 1000, 2000; b at 100, 1100.
  const { fetched, at } = await run(world, breadthFirst, { politeness: POLITE })
  assert.deepEqual([...fetched], [0, 2, 1, 4, 3])
  assert.deepEqual([...at!], [100, 200, 1100, 1200, 2100])
})

test('a dead URL costs a fetch and brings nothing', async () => {
  const world = { ...TREE, alive: 6 }
  const { fetched } = await run(world, breadthFirst)
  assert.deepEqual([...fetched], [0, 1, 2, 3, 4, 5, 6])
  const short = { ...TREE, alive: 5 }
  assert.deepEqual([...(await run(short, breadthFirst)).fetched], [0, 1, 2, 3, 4, 5])
})

test('what the judge says of a link reaches the ordering', async () => {
  // Longer addresses first: 2 before 1, and its child before either of the children of 1.
  const world = smallWorld({
    'a.test/': ['a.test/1', 'a.test/two'],
    'a.test/1': ['a.test/3', 'a.test/4444'],
    'a.test/two': ['a.test/55555'],
    'a.test/3': [],
    'a.test/4444': [],
    'a.test/55555': [],
  })
  const longest: Ordering = {
    name: 'longest',
    about: 'long addresses first',
    rescoreOn: ['signals'],
    judge: () => ({ page: () => [], link: ({ anchor }) => [anchor.length] }),
    createScorer: () => ({ score: ({ signals }) => signals?.[0] ?? 0 }),
  }
  const found = new FoundPages(world)
  const judge = longest.judge!({ options: {}, topic: null })
  const links = new JudgedLinks({ world, found, judge, texts: null, again: false })
  assert.deepEqual([...(await run(world, longest, { links })).fetched], [0, 2, 5, 1, 4, 3])
})

test('whoever watches is told of every fetch', async () => {
  let told = 0
  await run(TREE, breadthFirst, { onFetched: (count) => (told += count) })
  assert.equal(told, 7)
})
