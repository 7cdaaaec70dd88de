// Facts are only in memory for a while, and no caller of the frontier notices.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { found, stored, urlOf } from '../../../test/contract/frontier/rig.ts'
import type { Job } from '../../core/job.ts'
import { ManualClock } from '../../lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import type { Ordering } from '../../ordering/ordering.ts'
import type { Frontier } from '../frontier.ts'
import { hostPolicyNamed } from '../policy/index.ts'
import { openSqliteFrontier } from '../sqlite/sqlite-frontier.ts'
import { openSqliteUrlStates } from '../sqlite/sqlite-url-states.ts'

const adding: Ordering = {
  name: 'adding',
  about: 'what links say adds up, and may take away',
  rescoreOn: ['signals'],
  createScorer: () => ({
    score: ({ signals }) => signals?.[0] ?? 0,
    merge: ([known = 0], [fresh = 0]) => [known + fresh],
  }),
}

const settings = { ...DEFAULT_SETTINGS, ignoreRobots: true, sitemaps: false, delayMs: 0 }
const seeds = [urlOf('a.test/')]
const job: Job = { id: 8, name: 'behind', origin: 'cli', seeds, settings, topic: null, salt: 77 }

function open(path: string, clock: ManualClock, headSize = 3): Promise<Frontier> {
  return openSqliteFrontier({
    ...{ path, job, clock, headSize, ordering: adding, scorer: adding.createScorer({}, 1) },
    policy: hostPolicyNamed('best'),
    admit: () => null,
    templateOf: () => null,
  })
}

function pathFor(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'frontier-behind-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'frontier-8.db')
}

async function visit(frontier: Frontier, links: ReadonlyMap<string, number>): Promise<string> {
  const [lease] = await frontier.lease(1)
  assert.ok(lease)
  frontier.requestSent(lease)
  frontier.requestEnded(lease, { ok: true })
  const all = [...links].map(([url, value]) => found(url, { signals: [value] }))
  assert.equal(await frontier.settle([stored(lease, all)]), 1)
  return lease.url.slice('http://'.length)
}

for (const headSize of [1, 4, 100]) {
  test(`the best is next whatever was written, with ${headSize} in memory`, async (context) => {
    let seed = headSize
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((seed / 2 ** 32) * below)
    }
    const path = pathFor(context)
    const clock = new ManualClock()
    let frontier = await open(path, clock, headSize)
    await frontier.add([found('a.test/')], 'seed')
    const scores = new Map<string, number>([['a.test/', 0]])
    const gone = new Set<string>()
    for (let page = 0; page < 400; page += 1) {
      const best = [...scores].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? ''
      const links = new Map<string, number>()
      for (let link = 0; link < 8; link += 1) {
        // Few hosts, and values that never tie; every fourth value is negative on average.
        const url = `${'abc'[random(3)]}.test/${random(700)}`
        links.set(url, (random(4) === 0 ? -1 : 1) * (1 + random(1e9)) * 1e-9)
      }
      assert.equal(await visit(frontier, links), best, `page ${page}`)
      gone.add(best)
      scores.delete(best)
      for (const [url, value] of links) {
        if (!gone.has(url)) scores.set(url, (scores.get(url) ?? 0) + value)
      }
      if (page % 60 === 59) clock.advance(5000)
      if (page % 150 === 149) {
        await frontier[Symbol.asyncDispose]()
        frontier = await open(path, clock, headSize)
      }
    }
    await frontier[Symbol.asyncDispose]()
    await using urlStates = await openSqliteUrlStates(path, job)
    for (const [url, score] of scores) {
      assert.equal((await urlStates.find(urlOf(url)))?.priority, score, url)
    }
  })
}

test('facts are on disk five seconds later, and at the end', async (context) => {
  const path = pathFor(context)
  const clock = new ManualClock()
  const frontier = await open(path, clock)
  await frontier.add([found('a.test/', { signals: [9] }), found('b.test/')], 'seed')
  await using urlStates = await openSqliteUrlStates(path, job)
  const priority = async (): Promise<number | undefined> =>
    (await urlStates.find(urlOf('b.test/')))?.priority
  await visit(frontier, new Map([['b.test/', 3]]))
  assert.equal(await priority(), 0)
  clock.advance(5000)
  await frontier.add([found('c.test/')], 'seed')
  assert.equal(await priority(), 3)
  await frontier.add([found('b.test/', { signals: [1] })], 'sitemap')
  await frontier[Symbol.asyncDispose]()
  assert.equal(await priority(), 4)
})

test('a frontier in memory works like one on disk', async () => {
  const clock = new ManualClock()
  await using frontier = await open(':memory:', clock)
  await using other = await open(':memory:', clock)
  await frontier.add([found('a.test/')], 'seed')
  assert.equal(other.counts().queued, 0)
  await visit(frontier, new Map(Array.from({ length: 50 }, (_, n) => [`b.test/${n}`, n])))
  for (const expected of [49, 48, 47, 46, 45]) {
    assert.equal(await visit(frontier, new Map()), `b.test/${expected}`)
  }
})
