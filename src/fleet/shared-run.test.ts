import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sharedRedisUrl } from '../../test/servers/redis.ts'
import { aJob, programOf } from '../../test/support/registry-records.ts'
import { ScriptedPair, until } from '../../test/support/scripted-pair.ts'
import { CrawlerError } from '../core/errors.ts'
import type { Job } from '../core/job.ts'
import { NO_PROGRESS, type Progress } from '../crawl/progress.ts'
import { openRedis, type RedisConnection } from '../db/redis.ts'
import { systemClock } from '../lib/clock.ts'
import { createRedisWorkerRegistry } from './redis/redis-worker-registry.ts'
import { SharedRun, WAITING } from './shared-run.ts'
import { Worker, type WorkerOptions } from './worker.ts'
import type { WorkerRecord, WorkerRegistry } from './worker-registry.ts'
import type { WorkerEvent } from './worker-run.ts'

let connection: RedisConnection
before(async () => {
  connection = await openRedis({ url: await sharedRedisUrl() })
})
after(() => connection[Symbol.asyncDispose]())

/** One workspace with its owners and workers; their pairs do what the test says. */
function openFixture() {
  const prefix = `test-${randomBytes(8).toString('hex')}`
  const run: RedisConnection['run'] = (...call) => connection.run(...call)
  const registry = createRedisWorkerRegistry({ connection: { prefix, run } })
  const opened = new AsyncDisposableStack()
  const events: WorkerEvent[] = []
  return {
    registry,
    events,
    own: (job: Job, { pair, ...more }: OwnOptions = {}) => {
      const told = { progress: NO_PROGRESS as Progress, busy: [] as string[], news: [] as string[] }
      const shared = new SharedRun({
        ...{
          job,
          registry,
          clock: systemClock,
          durationMs: null,
          hotBefore: 0,
          beatMs: 20,
          ...more,
        },
        owner: { ...programOf(), role: pair === undefined ? 'serve' : 'crawl' },
        known: NO_PROGRESS,
        openPair: pair === undefined ? null : (onProgress) => pair.heardBy(onProgress),
        onProgress: (progress) => {
          told.progress = progress
        },
        onNotice: (text) => told.news.push(text),
        onBusy: (text) => told.busy.push(text),
      })
      opened.use(shared)
      const ended = shared.run()
      ended.catch(() => {})
      return { shared, told, ended }
    },
    work: (job: Job, more: Partial<WorkerOptions> = {}) => {
      const pairs: ScriptedPair[] = []
      const worker = new Worker({
        ...{ program: programOf(), name: 'one', pairs: 1, parserThreads: 1, registry, beatMs: 20 },
        network: { allowPrivate: false, connectTo: [], dns: [], proxies: [] },
        jobOf: async (id) => (id === job.id ? job : null),
        openPair: (joined) => {
          const pair = new ScriptedPair(joined)
          pairs.push(pair)
          return pair
        },
        ...{ clock: systemClock, onEvent: (event) => events.push(event) },
        ...more,
      })
      const left = worker.run()
      opened.defer(() => left.catch(() => {}))
      opened.use(worker)
      return { worker, pairs, left }
    },
    [Symbol.asyncDispose]: async () => {
      await opened.disposeAsync()
      for (const name of ['seen', 'workers', 'runs', 'owners', 'glances']) {
        await connection.call('DEL', `{${prefix}:workers}:${name}`)
      }
    },
  }
}

type OwnOptions = {
  readonly pair?: ScriptedPair
  readonly durationMs?: number
  readonly registry?: WorkerRegistry
  readonly lost?: AbortSignal
}

test('a crawl without a pair of its own waits for workers, shows what they do, and ends with them', async () => {
  await using place = openFixture()
  const job = aJob(1)
  const { told, ended } = place.own(job)
  await until(() => told.busy.includes(WAITING), 'it waits')
  const one = place.work(job)
  const two = place.work(job)
  await until(() => one.pairs.length === 1 && two.pairs.length === 1, 'both joined')
  one.pairs[0]!.say({ bytes: 100, inFlight: 2, stored: 3 })
  two.pairs[0]!.say({ bytes: 10, inFlight: 1, stored: 5, fairness: 0.75 })
  await until(() => told.progress.bytes === 110, 'both were heard')
  assert.deepEqual([told.progress.inFlight, told.progress.stored], [3, 5])
  one.pairs[0]!.end('empty')
  two.pairs[0]!.end('empty')
  assert.equal(await ended, 'empty')
  one.worker.drain()
  two.worker.drain()
  await Promise.all([one.left, two.left])
  assert.deepEqual(await place.registry.workers(), [])
})

test('what a worker did that is gone stays done, and the crawl waits again', async () => {
  await using place = openFixture()
  const job = aJob(1)
  const { told } = place.own(job)
  const { worker, pairs, left } = place.work(job)
  await until(() => pairs.length === 1, 'it joined')
  pairs[0]!.say({ bytes: 100, inFlight: 2 })
  await until(() => told.progress.bytes === 100, 'it was heard')
  told.busy.length = 0
  worker.drain()
  await until(() => pairs[0]!.drained !== null, 'its pair was told')
  pairs[0]!.end('interrupted')
  await left
  await until(() => told.busy.includes(WAITING), 'it waits again')
  assert.equal(told.progress.bytes, 100)
  assert.match(told.news.join('; '), /^worker one joined; worker one (left|is gone)$/)
})

test('a crawl whose workers go on while the registry is away does not say that it waits', async () => {
  await using place = openFixture()
  const job = aJob(1)
  let away: Promise<void> | null = null
  let isForgotten = false
  const announce: WorkerRegistry['announce'] = async (said) => {
    const wasAway = away !== null
    await away
    const heard = await place.registry.announce(said)
    if (!wasAway || isForgotten) return heard
    isForgotten = true
    return { ...heard, workers: [] }
  }
  const { told } = place.own(job, { registry: { ...place.registry, announce } })
  const { pairs } = place.work(job)
  await until(() => pairs.length === 1, 'it joined')
  pairs[0]!.say({ bytes: 7 })
  await until(() => told.progress.bytes === 7, 'it was heard')
  told.busy.length = 0
  away = new Promise((resolve) => setTimeout(resolve, 400))
  await until(() => isForgotten, 'the registry is back and has forgotten all')
  pairs[0]!.say({ bytes: 8 })
  await until(() => told.progress.bytes === 8, 'it is heard again')
  assert.deepEqual(told.busy, [])
})

test('four workers of one pair each serve two crawls, and move once', async () => {
  await using place = openFixture()
  const jobs = [aJob(1), aJob(2)]
  const jobOf = async (id: number) => jobs.find((job) => job.id === id) ?? null
  place.own(aJob(1))
  const workers = [1, 2, 3, 4].map(() => place.work(aJob(1), { jobOf }))
  const joined = () => place.events.filter(({ type }) => type === 'joined').length
  await until(() => joined() === 4, 'all are at the first')
  place.own(aJob(2))
  const all = () => workers.flatMap(({ pairs }) => pairs)
  await until(() => all().some(({ drained }) => drained !== null), 'one makes room')
  all()
    .find(({ drained }) => drained !== null)!
    .end('interrupted')
  await until(() => joined() === 5, 'it is at the other')
  let looks = 0
  await until(() => ++looks > 20, 'some looks went by')
  assert.equal(all().filter(({ drained }) => drained !== null).length, 1)
})

test('pausing reaches workers, and nobody works on the crawl when it is done', async () => {
  await using place = openFixture()
  const job = aJob(1)
  const { shared, ended } = place.own(job)
  const { pairs } = place.work(job)
  await until(() => pairs.length === 1, 'it joined')
  shared.drain('paused', 60_000)
  await until(() => pairs[0]!.drained !== null, 'its pair was told')
  pairs[0]!.end('interrupted')
  assert.equal(await ended, 'paused')
  assert.deepEqual(
    (await place.registry.announcements()).map(({ phase }) => phase),
    ['over'],
  )
})

test('who resumes a crawl, or starts it again after a crash, keeps the workers it had', async () => {
  await using place = openFixture()
  const job = aJob(1)
  let isDead = false
  const announce: WorkerRegistry['announce'] = (said) =>
    isDead ? Promise.race([]) : place.registry.announce(said)
  place.own(job, { registry: { ...place.registry, announce } })
  const { pairs } = place.work(job)
  await until(() => pairs.length === 1, 'it joined')
  isDead = true
  const { told } = place.own(job)
  pairs[0]!.say({ bytes: 7 })
  await until(() => told.progress.bytes === 7, 'the new owner hears it')
  assert.equal(pairs.length, 1)
})

test('one whose crawl another has taken ends with that, and leaves the word to the other', async () => {
  await using place = openFixture()
  const lost = new AbortController()
  const pair = new ScriptedPair(aJob(1))
  const { ended } = place.own(aJob(1), { pair, lost: lost.signal })
  const other = place.own(aJob(1))
  lost.abort()
  await assert.rejects(ended, /crawl 1 is run by another process now/)
  await until(() => other.told.busy.includes(WAITING), 'the other goes on')
  const phases = (await place.registry.announcements()).map(({ phase }) => phase)
  assert.deepEqual(phases, ['running'])
})

test('an owner with a pair of its own counts it like those of workers, and judges all of them', async () => {
  await using place = openFixture()
  const job = { ...aJob(1), settings: { ...aJob(1).settings, maxHot: 10 } }
  const pair = new ScriptedPair(job)
  const { told, ended } = place.own(job, { pair })
  const { pairs } = place.work(job)
  await until(() => pairs.length === 1, 'it joined')
  const hot = { judged: 6, hot: 6, leftOut: 0, recentJudged: 6, recentHot: 6 }
  pair.say({ harvest: hot })
  pairs[0]!.say({ harvest: { ...hot, hot: 4 } })
  await until(
    () => [pair, pairs[0]!].every(({ drained }) => drained !== null),
    'both were told that it is enough',
  )
  assert.equal(told.progress.harvest.hot, 10)
  pair.end('hot')
  pairs[0]!.end('interrupted')
  assert.equal(await ended, 'hot')
})

test('when its time is up a crawl ends, also where nobody ever worked on it', async () => {
  await using place = openFixture()
  const { ended } = place.own(aJob(1), { durationMs: 20 })
  assert.equal(await ended, 'time')
})

test('what is broken for a worker ends a crawl that has no other hands', async () => {
  await using place = openFixture()
  const job = aJob(1)
  const { ended } = place.own(job)
  const failure = assert.rejects(ended, /the frontier of crawl 1 is not there/)
  const { pairs } = place.work(job)
  await until(() => pairs.length === 1, 'it joined')
  pairs[0]!.fail(new CrawlerError('store-damaged', 'the frontier of crawl 1 is not there'))
  await failure
})

test('what is one machine’s own trouble is reported, and others do the crawl', async () => {
  await using place = openFixture()
  const job = aJob(1)
  const { told, ended } = place.own(job)
  for (const [code, words] of [
    ['store-newer', /one does not join, as its version of Jelajah is not the one of the database/],
    ['disk-full', /its disk is full/],
  ] as const) {
    const { worker, pairs, left } = place.work(job)
    await until(() => pairs.length === 1, 'it joined')
    pairs[0]!.fail(new CrawlerError(code, 'postgres://db.internal is not as it should be'))
    await until(() => told.busy.some((text) => words.test(text)), 'its trouble is reported')
    worker.drain()
    await left
  }
  assert.doesNotMatch(told.busy.join(), /internal/)
  const { pairs } = place.work(job)
  await until(() => pairs.length === 1, 'another joined')
  pairs[0]!.end('empty')
  assert.equal(await ended, 'empty')
})

test('a clock that is set does not bring a worker back to what it had trouble with', async () => {
  await using place = openFixture()
  const job = aJob(1)
  place.own(job)
  let now = 1e12
  let reports = 0
  const report: WorkerRegistry['report'] = (...said) => {
    reports++
    return place.registry.report(...said)
  }
  const leave: WorkerRegistry['leave'] = (id) => place.registry.leave(id)
  const { pairs } = place.work(job, {
    clock: { now: () => (now += 3_600_000) },
    registry: { ...place.registry, report, leave },
  })
  await until(() => pairs.length === 1, 'it joined')
  pairs[0]!.fail(new CrawlerError('disk-full', 'no room'))
  await until(() => place.events.some(({ type }) => type === 'trouble'), 'it is told')
  const before = reports
  await until(() => reports > before + 5, 'it has looked again')
  assert.equal(pairs.length, 1)
})

test('a store that is away for too long ends the worker', async () => {
  await using place = openFixture()
  const job = aJob(1)
  place.own(job)
  const { pairs, left } = place.work(job)
  const failure = assert.rejects(left, /the database is away/)
  await until(() => pairs.length === 1, 'it joined')
  pairs[0]!.fail(new CrawlerError('store-unreachable', 'the database is away'))
  await failure
})

test('a worker that was not told how to reach what a crawl needs stays out, and says so once', async () => {
  await using place = openFixture()
  const job = { ...aJob(1), settings: { ...aJob(1).settings, allowPrivate: true } }
  const { told } = place.own(job)
  const { pairs } = place.work(job)
  await until(() => place.events.some(({ type }) => type === 'declined'), 'it is told')
  const saysWhy = (text: string) => /^waiting for workers: one does not join, as it was/.test(text)
  await until(() => told.busy.some(saysWhy), 'the owner says why it waits')
  const able = place.work(job, {
    network: { allowPrivate: true, connectTo: [], dns: [], proxies: [] },
  })
  await until(() => able.pairs.length === 1, 'another joined')
  assert.equal(pairs.length, 0)
  let worker: WorkerRecord | undefined
  await until(async () => {
    worker = (await place.registry.workers()).find(({ declined }) => declined.length > 0)
    return worker !== undefined
  }, 'it says so')
  assert.match(worker!.declined[0]!.why, /--allow-private: this worker needs its own/)
})

test('the network flags of a worker are its own, and its parser has its own threads', async () => {
  await using place = openFixture()
  const job = { ...aJob(1), settings: { ...aJob(1).settings, proxies: ['http://a:1'] } }
  place.own(job)
  const network = { allowPrivate: true, connectTo: [], dns: [], proxies: ['http://b:2'] }
  const { pairs } = place.work(job, { network, parserThreads: 3 })
  await until(() => pairs.length === 1, 'it joined')
  const { proxies, allowPrivate, parserThreads } = pairs[0]!.job.settings
  assert.deepEqual([proxies, allowPrivate, parserThreads], [['http://b:2'], true, 3])
  const [announced] = await place.registry.announcements()
  assert.deepEqual([announced?.settings.proxies, announced?.isProxied], [[], true])
})

test('a worker shares its pairs between crawls, and gives a removed one none', async () => {
  await using place = openFixture()
  const [first, second, removed] = [aJob(1), aJob(2), aJob(3)]
  place.own(first)
  place.own(second)
  place.own(removed)
  const jobOf = async (id: number) => [first, second].find((job) => job.id === id) ?? null
  const { pairs } = place.work(first, { pairs: 3, jobOf })
  await until(() => new Set(pairs.map(({ job }) => job.id)).size === 2, 'both have one')
  assert.ok(pairs.every(({ job }) => job.id !== 3))
})
