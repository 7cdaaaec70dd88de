// Orderings with several sessions on one crawl: what adds up over all of them, and what one learns from
// the others.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { found, founds, stored, urlOf } from '../../../test/contract/frontier/rig.ts'
import { sharedRedisUrl } from '../../../test/servers/redis.ts'
import type { Job } from '../../core/job.ts'
import { openRedis } from '../../db/redis.ts'
import { ManualClock } from '../../lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import type { Candidate, Ordering, Scorer } from '../../ordering/ordering.ts'
import { hostPolicyNamed } from '../policy/index.ts'
import { openRedisFrontier, type RedisFrontier } from './redis-frontier.ts'
import { openRedisUrlStates } from './redis-url-states.ts'

const PAGES = 12
const pages = Array.from({ length: PAGES }, (_, at) => `a.test/${at}`)

type Setup = {
  readonly open: () => Promise<RedisFrontier>
  readonly candidate: (short: string) => Promise<Candidate | null>
  readonly score: (short: string) => Promise<number>
}

function jobOf(): Job {
  const quiet = { ignoreRobots: true, sitemaps: false, trapBudget: 0, delayMs: 0 }
  return {
    ...{ id: 1, name: 'shared', origin: 'cli', topic: null, salt: 77 },
    seeds: [urlOf('a.test/')],
    settings: { ...DEFAULT_SETTINGS, ...quiet },
  }
}

async function shared(ordering: Ordering, body: (setup: Setup) => Promise<void>): Promise<void> {
  const prefix = `test-${randomBytes(6).toString('hex')}`
  await using connection = await openRedis({ url: `${await sharedRedisUrl()}?prefix=${prefix}` })
  const [job, clock, sessions] = [jobOf(), new ManualClock(), [] as RedisFrontier[]]
  const open = async (): Promise<RedisFrontier> => {
    const frontier = await openRedisFrontier({
      ...{ connection, job, clock, clockIsShared: true, joins: sessions.length > 0 },
      ...{ ordering, scorer: ordering.createScorer({}, 1), policy: hostPolicyNamed('fair') },
      ...{ admit: () => null, templateOf: () => null },
    })
    sessions.push(frontier)
    return frontier
  }
  const candidate = async (short: string): Promise<Candidate | null> => {
    await using ledger = await openRedisUrlStates({ connection }, job)
    return ledger.candidate(urlOf(short))
  }
  const score = async (short: string): Promise<number> => {
    await using ledger = await openRedisUrlStates({ connection }, job)
    return (await ledger.find(urlOf(short)))?.priority ?? Number.NaN
  }
  try {
    await body({ open, candidate, score })
  } finally {
    for (const session of sessions) session.abandon()
    const keys = await connection.call('KEYS', `{${prefix}:*`)
    if (Array.isArray(keys) && keys.length > 0) await connection.call('UNLINK', ...keys)
  }
}

/** A page that is durable already: by nobody's lease. */
const durable = (id: number) => ({ kind: 'page', id, token: null }) as const

function orderingOf(
  name: string,
  rescoreOn: Ordering['rescoreOn'],
  createScorer: () => Scorer,
): Ordering {
  return { name, about: name, rescoreOn, createScorer }
}

const adding = orderingOf('adding', ['signals'], () => ({
  score: ({ signals }) => signals?.[0] ?? 0,
  pass: () => [1],
  merge: ([known = 0], [fresh = 0]) => [known + fresh],
}))

test('what pages of several sessions pass on to one URL adds up, at the same moment too', () =>
  shared(adding, async ({ open, candidate }) => {
    const sessions = [await open(), await open(), await open()]
    await sessions[0]!.add(founds(...pages), 'seed')
    const settle = (id: number) =>
      sessions[id % 3]!.settle([stored(durable(id), [found('b.test/')])])
    const taken = await Promise.all(pages.map((_, at) => settle(at + 1)))
    assert.deepEqual(taken, Array(PAGES).fill(1))
    assert.deepEqual((await candidate('b.test/'))?.signals, [PAGES])
  }))

test('links to one URL are counted over all sessions', () =>
  shared(
    orderingOf('counting', ['inLinks'], () => ({ score: ({ inLinks }) => inLinks })),
    async ({ open, candidate }) => {
      const sessions = [await open(), await open()]
      await sessions[0]!.add(founds(...pages), 'seed')
      await Promise.all(
        pages.map((_, at) =>
          sessions[at % 2]!.settle([stored(durable(at + 1), [found('b.test/')])]),
        ),
      )
      assert.equal((await candidate('b.test/'))?.inLinks, PAGES)
    },
  ))

/** Knows how many pages it was told of. */
const counting = orderingOf('learning', [], () => {
  let known = 0
  return {
    score: () => known,
    settled: () => {
      known += 1
    },
    save: () => new TextEncoder().encode(String(known)),
    load: (bytes) => {
      known = Number(new TextDecoder().decode(bytes))
    },
  }
})

/** The score of a link on the page that is settled now: how many pages the session knows of. */
async function priorityAfter(
  session: RedisFrontier,
  { score }: Setup,
  id: number,
): Promise<number> {
  await session.settle([stored(durable(id), [found(`c.test/${id}`)])])
  return score(`c.test/${id}`)
}

test('a session that comes later knows what was learned before, and one far behind catches up', () =>
  shared(counting, async (setup) => {
    const first = await setup.open()
    const idle = await setup.open()
    await first.add(founds(...Array.from({ length: 520 }, (_, at) => `a.test/${at}`)), 'seed')
    const many = Array.from({ length: 510 }, (_, at) => stored(durable(at + 1)))
    assert.equal(await first.settle(many), 510)
    const later = await setup.open()
    assert.equal(await priorityAfter(later, setup, 511), 511)
    // It has learned of one page, then hears that others know of 511.
    assert.equal(await priorityAfter(idle, setup, 512), 1)
    assert.equal(await priorityAfter(idle, setup, 513), 512)
  }))

test('several sessions rank the graph once when it is due', () => {
  let ranked = 0
  const ranking = orderingOf('ranking', ['signals'], () => ({
    score: ({ signals }) => signals?.[0] ?? 0,
    pass: () => [0],
    ranking: {
      isDue: (_, since) => since >= PAGES,
      rank: ({ nodes }) => {
        ranked += 1
        return new Float64Array(nodes).fill(7)
      },
    },
  }))
  return shared(ranking, async ({ open, candidate }) => {
    const sessions = [await open(), await open()]
    await sessions[0]!.add(founds(...pages), 'seed')
    await Promise.all(
      pages.map((_, at) => sessions[at % 2]!.settle([stored(durable(at + 1), [found('b.test/')])])),
    )
    assert.equal(ranked, 1)
    assert.deepEqual((await candidate('b.test/'))?.signals, [7])
  })
})
