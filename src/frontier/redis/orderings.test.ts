// The same crawl with SQLite and with Redis: the same URLs in the same order, and in the end the same
// states and scores, under every ordering.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { found, stored, urlOf } from '../../../test/contract/frontier/rig.ts'
import { sharedRedisUrl } from '../../../test/servers/redis.ts'
import type { CrawlSettings, Job } from '../../core/job.ts'
import type { Found } from '../../core/link.ts'
import { openRedis } from '../../db/redis.ts'
import { ManualClock } from '../../lib/clock.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import { ORDERINGS, optionValues, orderingNamed } from '../../ordering/index.ts'
import type { Frontier, Lease, Settlement } from '../frontier.ts'
import { hostPolicyNamed } from '../policy/index.ts'
import { openSqliteFrontier } from '../sqlite/sqlite-frontier.ts'
import { openSqliteUrlStates } from '../sqlite/sqlite-url-states.ts'
import type { UrlStates } from '../url-states.ts'
import { openRedisFrontier } from './redis-frontier.ts'
import { openRedisUrlStates } from './redis-url-states.ts'

const PAGES = 40
const LINKS = 6

type Place = { readonly frontier: Frontier; readonly ledger: () => Promise<UrlStates> }

function jobOf(settings: Partial<CrawlSettings>): Job {
  const quiet = { ignoreRobots: true, sitemaps: false, trapBudget: 0, delayMs: 10 }
  return {
    ...{ id: 1, name: 'same', origin: 'cli', topic: null, salt: 77 },
    seeds: ['a.test/0', 'b.test/1'].map(urlOf),
    settings: { ...DEFAULT_SETTINGS, ...quiet, hostPolicy: 'best', ...settings },
  }
}

function setupOf(job: Job, clock: ManualClock) {
  const ordering = orderingNamed(job.settings.ordering)
  const values = optionValues(ordering, job.settings.orderingOptions)
  return {
    ...{ job, clock, ordering, scorer: ordering.createScorer(values, job.salt) },
    policy: hostPolicyNamed(job.settings.hostPolicy),
    ...{ admit: () => null, templateOf: () => null },
  }
}

function pageOf(number: number): Found {
  return found(`${'abcd'[number % 4]}.test/${number}`)
}

/** A web in which every page has some links and some worth, both by its number. */
function visitOf(lease: Lease): Settlement {
  const number = Number(lease.url.slice(lease.url.lastIndexOf('/') + 1))
  const random = seededRandom(number + 1)
  const numbers = (): number[] => Array.from({ length: 6 }, random)
  const links = Array.from({ length: LINKS }, () => ({
    ...pageOf(Math.floor(random() * PAGES)),
    ...{ nofollow: random() < 0.1, signals: numbers() },
  }))
  const once = new Map(links.map((link) => [link.url, link]))
  if (random() < 0.1) return { lease, outcome: 'redirected', to: pageOf((number * 7) % PAGES) }
  return stored(lease, [...once.values()], { judged: numbers() })
}

/** What was leased, in order, and what is known of every URL in the end. */
async function crawl({ frontier, ledger }: Place, clock: ManualClock): Promise<unknown[]> {
  const seen: unknown[] = []
  await frontier.add([pageOf(0), pageOf(1)], 'seed')
  for (let steps = 0; steps < 4 * PAGES; steps += 1) {
    const leases = await frontier.lease(1 + (steps % 3))
    for (const lease of leases) {
      frontier.requestSent(lease)
      frontier.requestEnded(lease, { ok: true })
      seen.push(lease.url)
    }
    await frontier.settle(leases.map(visitOf))
    const { readyAt } = frontier.status()
    if (readyAt === null) break
    clock.advance(Math.max(0, readyAt - clock.now()))
  }
  await frontier[Symbol.asyncDispose]()
  await using reader = await ledger()
  for (const record of await reader.list({ after: 0, limit: 1000 })) {
    const { url, state, reason, depth, foundOn, priority } = record
    seen.push([url, state, reason, depth, foundOn, priority])
  }
  return seen
}

async function inSqlite(job: Job): Promise<unknown[]> {
  const folder = mkdtempSync(join(tmpdir(), 'same-'))
  try {
    const [path, clock] = [join(folder, 'frontier.db'), new ManualClock()]
    const frontier = await openSqliteFrontier({ path, ...setupOf(job, clock) })
    return await crawl({ frontier, ledger: () => openSqliteUrlStates(path, job) }, clock)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function inRedis(job: Job): Promise<unknown[]> {
  const prefix = `test-${randomBytes(6).toString('hex')}`
  await using connection = await openRedis({ url: `${await sharedRedisUrl()}?prefix=${prefix}` })
  try {
    const clock = new ManualClock()
    const setup = { ...setupOf(job, clock), connection, clockIsShared: true }
    const frontier = await openRedisFrontier(setup)
    return await crawl({ frontier, ledger: () => openRedisUrlStates({ connection }, job) }, clock)
  } finally {
    const keys = await connection.call('KEYS', `{${prefix}:*`)
    if (Array.isArray(keys) && keys.length > 0) await connection.call('UNLINK', ...keys)
  }
}

/** Often enough for a web as small as this. */
const OPTIONS: Readonly<Record<string, Record<string, string>>> = { pagerank: { every: '7' } }

for (const { name } of ORDERINGS) {
  test(`with ${name} Redis and SQLite crawl alike`, async () => {
    const job = jobOf({ ordering: name, orderingOptions: OPTIONS[name] ?? {} })
    assert.deepEqual(await inRedis(job), await inSqlite(job))
  })
}

const MORE: readonly (readonly [string, Partial<CrawlSettings>])[] = [
  ['a depth limit', { maxDepth: 2, ordering: 'opic' }],
  ['a limited buffer', { buffer: 5, ordering: 'backlink-count' }],
]

for (const [what, settings] of MORE) {
  test(`with ${what} Redis and SQLite crawl alike`, async () => {
    const job = jobOf(settings)
    assert.deepEqual(await inRedis(job), await inSqlite(job))
  })
}
