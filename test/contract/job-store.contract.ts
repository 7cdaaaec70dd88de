// What every job store promises.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../src/core/job.ts'
import { ManualClock } from '../../src/lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'
import type { JobOrder, JobStore } from '../../src/store/job-store.ts'
import type { PageReader } from '../../src/store/page-reader.ts'
import type { PageStore } from '../../src/store/page-store.ts'
import { sample, sampleJob, urlFor } from './sample-page.ts'

export interface JobFixture extends AsyncDisposable {
  open(clock: ManualClock): Promise<JobStore>
  pages(job: Job): Promise<PageStore>
  reader(): Promise<PageReader>
}

const WEBHOOK = {
  url: 'https://hook.test/a',
  secret: 'a secret of some length',
  events: ['completed', 'page'],
} as const

function sampleOrder(changes: Partial<JobOrder> = {}): JobOrder {
  const { name, seeds, settings } = sampleJob()
  const rest = { topicRequest: null, webhook: null, key: null, fingerprint: 'f' }
  return { name, seeds, settings, ...rest, ...changes }
}

export function jobStoreContract(name: string, openFixture: () => Promise<JobFixture>): void {
  type Body = (jobs: JobStore, clock: ManualClock, fixture: JobFixture) => Promise<void>
  const promise = (title: string, body: Body) =>
    test(`${name}: ${title}`, async () => {
      await using fixture = await openFixture()
      const clock = new ManualClock(1000)
      await using jobs = await fixture.open(clock)
      await body(jobs, clock, fixture)
    })

  promise('a new job is started, and read back as it was given', async (jobs) => {
    const given = sampleJob({ seeds: [urlFor('a.test/'), urlFor('b.test/x?y=1')] })
    const job = await jobs.create(given)
    const { id, salt, ...rest } = job
    const state = { status: 'started', startedAt: 1000, endedAt: null, note: '', ranMs: 0 }
    assert.deepEqual(rest, { ...given, ...state })
    assert.ok(Number.isSafeInteger(salt))
    assert.deepEqual(await jobs.get(id), job)
    assert.equal(await jobs.get(id + 1), null)
  })

  promise('a name and a key may be of any length', async (jobs) => {
    // Digits that no compression makes short.
    const long = Array.from({ length: 400 }, (_, nth) => Math.sin(nth + 1)).join(' ')
    const job = await jobs.create(sampleJob({ name: long }))
    assert.equal((await jobs.findByName(long))?.id, job.id)
    assert.equal(await jobs.findByName(long.slice(1)), null)
    const ordered = await jobs.order(sampleOrder({ key: long }))
    assert.deepEqual(await jobs.order(sampleOrder({ key: long })), { ...ordered, isNew: false })
  })

  promise('two jobs have different salts', async (jobs) => {
    const [one, two] = [await jobs.create(sampleJob()), await jobs.create(sampleJob())]
    assert.notEqual(one.salt, two.salt)
  })

  promise('of several jobs with a name the newest is found', async (jobs) => {
    await jobs.create(sampleJob())
    const newer = await jobs.create(sampleJob())
    const other = await jobs.create(sampleJob({ name: 'other' }))
    assert.equal((await jobs.findByName('sample'))?.id, newer.id)
    assert.equal(await jobs.findByName('nothing'), null)
    const ids = (await jobs.list()).map(({ id }) => id)
    assert.deepEqual(ids.slice(0, 2), [other.id, newer.id])
    assert.equal(ids.length, 3)
  })

  promise('a final status sets when it ended, another clears it', async (jobs, clock) => {
    const { id } = await jobs.create(sampleJob())
    clock.advance(500)
    await jobs.setStatus(id, 'stopped', 'time limit reached')
    const ended = await jobs.get(id)
    assert.deepEqual(
      [ended?.status, ended?.endedAt, ended?.note],
      ['stopped', 1500, 'time limit reached'],
    )
    await jobs.setStatus(id, 'running')
    const running = await jobs.get(id)
    assert.deepEqual([running?.status, running?.endedAt, running?.note], ['running', null, ''])
  })

  promise('a resumed job takes the new settings and keeps what it is', async (jobs, clock) => {
    const job = await jobs.create(sampleJob())
    await jobs.setStatus(job.id, 'stopped', 'interrupted')
    clock.advance(500)
    const settings = { ...DEFAULT_SETTINGS, maxPages: 5, include: ['*x*'] }
    const resumed = await jobs.resume(job.id, { settings })
    assert.deepEqual(resumed, { ...job, settings })
    assert.deepEqual(await jobs.get(job.id), resumed)
  })

  promise('a resumed job can be given more seeds', async (jobs) => {
    const job = await jobs.create(sampleJob())
    const seeds = [...job.seeds, urlFor('b.test/')]
    await jobs.resume(job.id, { settings: job.settings, seeds })
    assert.deepEqual((await jobs.get(job.id))?.seeds, seeds)
  })

  promise('a job keeps its topic until a later run brings another, or none', async (jobs) => {
    const topic = { fingerprint: 'a', version: 1, words: ['kopi', 'teh'] }
    const { id, settings } = await jobs.create(sampleJob({ topic }))
    assert.deepEqual((await jobs.get(id))?.topic, topic)
    assert.deepEqual((await jobs.resume(id, { settings })).topic, topic)
    const other = { fingerprint: 'b' }
    assert.deepEqual((await jobs.resume(id, { settings, topic: other })).topic, other)
    assert.equal((await jobs.resume(id, { settings, topic: null })).topic, null)
    assert.equal((await jobs.get(id))?.topic, null)
  })

  promise('of jobs with a name those of one origin can be asked for', async (jobs) => {
    const mine = await jobs.create(sampleJob())
    const { job } = await jobs.order(sampleOrder())
    assert.equal((await jobs.findByName('sample'))?.id, job.id)
    assert.equal((await jobs.findByName('sample', 'cli'))?.id, mine.id)
    assert.equal((await jobs.findByName('sample', 'api'))?.id, job.id)
  })

  promise('an order is a job of the API, and is read back as it was given', async (jobs) => {
    const topicRequest = { words: 'kopi', keywords: ['teh'], examples: null }
    const order = sampleOrder({ topicRequest, webhook: WEBHOOK, key: 'k', fingerprint: 'g' })
    const taken = await jobs.order(order)
    assert.ok(taken.outcome === 'taken' && taken.isNew)
    const { origin, status, startedAt, topic } = taken.job
    assert.deepEqual([origin, status, startedAt, topic], ['api', 'started', 1000, null])
    assert.deepEqual(await jobs.orderOf(taken.job.id), order)
    const other = await jobs.create(sampleJob())
    assert.equal(await jobs.orderOf(other.id), null)
    assert.equal(await jobs.orderOf(99), null)
  })

  promise('what is secret about an order is there for whoever runs it', async (jobs) => {
    const proxies = ['http://ann:s3cret@p:1', 'http://q:2']
    const settings = { ...DEFAULT_SETTINGS, proxies }
    const ordered = await jobs.order(sampleOrder({ settings, webhook: WEBHOOK }))
    const { id } = ordered.job
    assert.deepEqual(ordered.job.settings.proxies, proxies)
    assert.deepEqual((await jobs.get(id))?.settings.proxies, proxies)
    assert.deepEqual((await jobs.orderOf(id))?.webhook, WEBHOOK)
    const resumed = await jobs.enqueue(id, { ...settings, maxPages: 7 })
    assert.deepEqual([resumed.settings.proxies, resumed.settings.maxPages], [proxies, 7])
    assert.deepEqual((await jobs.enqueue(id)).settings.proxies, proxies)
  })

  promise('no password of a crawl of the command line is kept', async (jobs) => {
    const settings = { ...DEFAULT_SETTINGS, proxies: ['http://ann:s3cret@p:1', 'http://q:2'] }
    const masked = ['http://ann:***@p:1', 'http://q:2']
    const made = await jobs.create(sampleJob({ settings }))
    assert.deepEqual(made.settings.proxies, settings.proxies)
    assert.deepEqual((await jobs.get(made.id))?.settings.proxies, masked)
    const resumed = await jobs.resume(made.id, { settings })
    assert.deepEqual(resumed.settings.proxies, settings.proxies)
    assert.deepEqual((await jobs.findByName(made.name))?.settings.proxies, masked)
  })

  promise('an order with a known key is the same job, or refused', async (jobs) => {
    const first = await jobs.order(sampleOrder({ key: 'k' }))
    const again = await jobs.order(sampleOrder({ key: 'k' }))
    assert.deepEqual(again, { outcome: 'taken', job: first.job, isNew: false })
    const other = await jobs.order(sampleOrder({ key: 'k', fingerprint: 'g' }))
    assert.deepEqual(other, { outcome: 'key-taken', job: first.job })
    assert.equal((await jobs.list()).length, 1)
  })

  promise('orders without a key are jobs of their own, however equal', async (jobs) => {
    await jobs.order(sampleOrder())
    await jobs.order(sampleOrder())
    assert.equal((await jobs.list()).length, 2)
  })

  promise(
    'jobs are listed in parts, by status, and with no more than a word of their topics',
    async (jobs) => {
      const topic = { fingerprint: 'a', words: 'x'.repeat(10_000) }
      for (let n = 1; n <= 5; n++) await jobs.create(sampleJob({ topic }))
      await jobs.setStatus(4, 'completed')
      await jobs.setStatus(2, 'completed')
      const idsOf = async (options: Parameters<JobStore['list']>[0]) =>
        (await jobs.list(options)).map(({ id }) => id)
      assert.deepEqual(await idsOf({ limit: 2 }), [5, 4])
      assert.deepEqual(await idsOf({ before: 4, limit: 2 }), [3, 2])
      assert.deepEqual(await idsOf({ status: 'completed' }), [4, 2])
      assert.deepEqual(await idsOf({ status: 'completed', before: 4 }), [2])
      assert.deepEqual((await jobs.list({ limit: 1 }))[0]?.topic, { fingerprint: 'a' })
    },
  )

  promise('jobs are counted by status', async (jobs) => {
    const none = {
      ...{ started: 0, running: 0, paused: 0 },
      ...{ completed: 0, incomplete: 0, stopped: 0, failed: 0 },
    }
    assert.deepEqual(await jobs.counts(), none)
    for (let n = 1; n <= 3; n++) await jobs.create(sampleJob())
    await jobs.setStatus(2, 'paused')
    assert.deepEqual(await jobs.counts(), { ...none, started: 2, paused: 1 })
  })

  promise('unfinished jobs are those that the server should run, oldest first', async (jobs) => {
    for (let n = 1; n <= 6; n++) await jobs.order(sampleOrder())
    const { id: mine } = await jobs.create(sampleJob())
    const statuses = ['running', 'paused', 'completed', 'stopped', 'failed'] as const
    for (const [at, status] of statuses.entries()) await jobs.setStatus(at + 1, status)
    const unfinished = async () => (await jobs.unfinished()).map(({ id }) => id)
    assert.deepEqual(await unfinished(), [1, 6])
    const { status, note, endedAt, origin } = await jobs.enqueue(4)
    assert.deepEqual([status, note, endedAt, origin], ['started', '', null, 'api'])
    assert.deepEqual(await unfinished(), [1, 4, 6])
    await jobs.setStatus(mine, 'running')
    assert.equal((await jobs.enqueue(mine)).origin, 'cli')
    assert.deepEqual(await unfinished(), [1, 4, 6, mine])
    await jobs.resume(mine, { settings: DEFAULT_SETTINGS })
    assert.deepEqual(await unfinished(), [1, 4, 6])
  })

  promise('a job goes on with the settings that are given, or with those it has', async (jobs) => {
    const { job } = await jobs.order(sampleOrder())
    await jobs.setStatus(job.id, 'completed')
    assert.deepEqual((await jobs.enqueue(job.id)).settings, job.settings)
    const settings = { ...job.settings, maxPages: 123 }
    assert.deepEqual((await jobs.enqueue(job.id, settings)).settings, settings)
    assert.deepEqual((await jobs.get(job.id))?.settings, settings)
  })

  promise('what each run was asked to do stays on record', async (jobs, clock) => {
    const [job, other] = [await jobs.create(sampleJob()), await jobs.create(sampleJob())]
    assert.deepEqual(await jobs.runs(job.id), [])
    const settings = { ...job.settings, maxPages: 7, proxies: ['http://ann:s3cret@p.test:1'] }
    await jobs.beginRun({ ...job, settings })
    clock.advance(500)
    await jobs.beginRun(other)
    await jobs.beginRun({ ...job, topic: { fingerprint: 'tides', words: ['tide'] } })
    const masked = { ...settings, proxies: ['http://ann:***@p.test:1'] }
    assert.deepEqual(await jobs.runs(job.id), [
      { startedAt: 1000, settings: masked, topicFingerprint: null },
      { startedAt: 1500, settings: job.settings, topicFingerprint: 'tides' },
    ])
    await jobs.remove(job.id)
    // Its run hears of it later than its reader.
    await jobs.beginRun(job)
    assert.deepEqual(await jobs.runs(job.id), [])
    assert.equal((await jobs.runs(other.id)).length, 1)
  })

  promise('a topic that is built later is kept with its job', async (jobs) => {
    const { job } = await jobs.order(sampleOrder())
    const topic = { fingerprint: 'a', words: ['kopi'] }
    await jobs.setTopic(job.id, topic)
    assert.deepEqual(await jobs.get(job.id), { ...job, topic })
    await jobs.setTopic(job.id, null)
    assert.deepEqual(await jobs.get(job.id), job)
  })

  promise('the time a job has been running adds up', async (jobs) => {
    const { id } = await jobs.create(sampleJob())
    await jobs.addRanMs(id, 1200.4)
    await jobs.addRanMs(id, 300)
    assert.equal((await jobs.get(id))?.ranMs, 1500)
  })

  promise('a removed job is gone at once, and its number is never given again', async (jobs) => {
    const { job } = await jobs.order(sampleOrder({ key: 'k' }))
    assert.equal(await jobs.remove(job.id), true)
    assert.equal(await jobs.remove(job.id), false)
    assert.equal(await jobs.get(job.id), null)
    assert.equal(await jobs.findByName(job.name), null)
    assert.deepEqual([...(await jobs.list()), ...(await jobs.unfinished())], [])
    assert.equal((await jobs.counts()).started, 0)
    assert.equal(await jobs.orderOf(job.id), null)
    const again = await jobs.order(sampleOrder({ key: 'k' }))
    assert.ok(again.outcome === 'taken' && again.isNew && again.job.id > job.id)
  })

  promise(
    'a removed job waits to be swept, then nothing of it is left',
    async (jobs, _clock, fixture) => {
      const [one, two] = [await jobs.create(sampleJob()), await jobs.create(sampleJob())]
      for (const job of [one, two]) {
        await using store = await fixture.pages(job)
        await store.save(
          Array.from({ length: 250 }, (_, n) =>
            sample(`a.test/${n}`, {}, { html: new Uint8Array(10) }),
          ),
        )
      }
      await jobs.remove(one.id)
      assert.deepEqual(await jobs.unswept(), [one.id])
      let steps = 1
      while (await jobs.sweep(one.id)) steps++
      assert.ok(steps > 2, 'in more than one step')
      assert.deepEqual(await jobs.unswept(), [])
      await using reader = await fixture.reader()
      assert.deepEqual(await reader.list({ crawlId: one.id, after: 0, limit: 1000 }), [])
      assert.equal((await reader.totals(one.id)).stored, 0)
      const left = await reader.list({ crawlId: two.id, after: 0, limit: 1000 })
      assert.equal(left.length, 250)
      for (const { id } of left) assert.ok((await reader.htmlOf(id)) !== null)
      assert.equal((await reader.totals(two.id)).stored, 250)
    },
  )
}
