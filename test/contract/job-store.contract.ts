// What every job store promises.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../src/core/settings.ts'
import { ManualClock } from '../../src/lib/clock.ts'
import type { JobStore } from '../../src/store/job-store.ts'
import { sampleJob, urlFor } from './sample-page.ts'

export interface JobPlace extends AsyncDisposable {
  open(clock: ManualClock): Promise<JobStore>
}

export function jobStoreContract(name: string, openPlace: () => Promise<JobPlace>): void {
  const promise = (title: string, body: (jobs: JobStore, clock: ManualClock) => Promise<void>) =>
    test(`${name}: ${title}`, async () => {
      await using place = await openPlace()
      const clock = new ManualClock(1000)
      await using jobs = await place.open(clock)
      await body(jobs, clock)
    })

  promise('a new job is started, and read back as it was given', async (jobs) => {
    const given = sampleJob({ seeds: [urlFor('a.test/'), urlFor('b.test/x?y=1')] })
    const job = await jobs.create(given)
    const { id, salt, ...rest } = job
    const state = { status: 'started', startedAt: 1000, endedAt: null, note: '' }
    assert.deepEqual(rest, { ...given, ...state })
    assert.ok(Number.isSafeInteger(salt))
    assert.deepEqual(await jobs.get(id), job)
    assert.equal(await jobs.get(id + 1), null)
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
}
