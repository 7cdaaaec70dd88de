import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobSummary } from '../../src/reads/shapes/job.ts'
import { openRig, status, until } from '../support/api-rig.ts'
import { Listener } from '../support/event-listener.ts'

test('who listens is told the job as it is, then every page and change in order', async () => {
  await using rig = await openRig()
  const job = await rig.newJob()
  using listener = new Listener(`${rig.url}/crawl/crawl_${job.id}/events`)
  await until(() => listener.named('job').length === 1)
  const ids = await rig.storePages(job, 3)
  rig.dispatcher.beat(job, 3)
  await until(() => listener.pageIds.length === 3)
  await rig.dispatcher.tell(job.id, { type: 'notice', text: 'hello' })
  await rig.jobs.setStatus(job.id, 'completed')
  await rig.dispatcher.tell(job.id, status('completed'))
  await until(() => listener.named('job').length === 2)
  assert.deepEqual(listener.pageIds, ids)
  const names = listener.events.map(({ name }) => name).filter((name) => name !== 'progress')
  assert.deepEqual(names, ['job', 'page', 'page', 'page', 'notice', 'job'])
  assert.equal((listener.events.at(-1)!.payload as { status: string }).status, 'completed')
  assert.equal(listener.named('progress').length, 1)
})

test('pages that were stored before the end are reported before the end', async () => {
  await using rig = await openRig()
  const job = await rig.newJob()
  using listener = new Listener(`${rig.url}/crawl/crawl_${job.id}/events`)
  await until(() => listener.named('job').length === 1)
  await rig.storePages(job, 450)
  await rig.jobs.setStatus(job.id, 'completed')
  await rig.dispatcher.tell(job.id, status('completed'))
  await until(() => listener.named('job').length === 2)
  assert.equal(listener.pageIds.length, 450)
  assert.equal(listener.events.at(-1)?.name, 'job')
})

test('after the last event that was had nothing is missing and nothing comes twice', async () => {
  await using rig = await openRig()
  const job = await rig.newJob()
  const url = `${rig.url}/crawl/crawl_${job.id}/events`
  const ids = [...(await rig.storePages(job, 5))]
  using first = new Listener(`${url}?after=0.0`)
  await until(() => first.pageIds.length === 5)
  const last = first.events.at(-1)?.id ?? ''
  first[Symbol.dispose]()
  ids.push(...(await rig.storePages(job, 700)))
  await rig.dispatcher.tell(job.id, { type: 'notice', text: 'meanwhile' })
  for (const headers of [{ 'last-event-id': last }, undefined]) {
    using again = new Listener(headers === undefined ? `${url}?after=${last}` : url, headers)
    await until(() => again.named('notice').length === 1)
    assert.deepEqual(again.pageIds, ids.slice(5))
  }
})

test('what is told again is as it was then: a job that went on had not ended', async () => {
  await using rig = await openRig()
  const job = await rig.newJob()
  for (const to of ['started', 'running', 'stopped', 'started', 'running', 'completed'] as const) {
    await rig.jobs.setStatus(job.id, to)
    await rig.dispatcher.tell(job.id, status(to))
  }
  using listener = new Listener(`${rig.url}/crawl/crawl_${job.id}/events?after=0.0`)
  await until(() => listener.named('job').length === 6)
  const told = listener.named('job').map(({ payload }) => payload as JobSummary)
  assert.deepEqual(
    told.map(({ status, ended_at }) => `${status} ${ended_at === null ? 'goes on' : 'ended'}`),
    [
      ...['started goes on', 'running goes on', 'stopped ended'],
      ...['started goes on', 'running goes on', 'completed ended'],
    ],
  )
})

test('who comes again while pages are stored has each of them once', async () => {
  await using rig = await openRig()
  const job = await rig.newJob()
  const url = `${rig.url}/crawl/crawl_${job.id}/events`
  const heard: number[] = []
  const stored: number[] = []
  let last = '0.0'
  for (let round = 0; round < 15; round++) {
    using listener = new Listener(url, { 'last-event-id': last })
    stored.push(...(await rig.storePages(job, 70)))
    rig.dispatcher.beat(job, stored.length)
    await until(() => listener.pageIds.length > (round * 7) % 60)
    heard.push(...listener.pageIds)
    last = listener.events.at(-1)?.id ?? last
  }
  using end = new Listener(url, { 'last-event-id': last })
  await until(() => heard.length + end.pageIds.length >= stored.length)
  assert.deepEqual([...heard, ...end.pageIds], stored)
})

test('a cursor from elsewhere starts no further than things are', async () => {
  await using rig = await openRig()
  const job = await rig.newJob()
  const url = `${rig.url}/crawl/crawl_${job.id}/events`
  using listener = new Listener(`${url}?after=999999.999999`)
  using garbled = new Listener(url, { 'last-event-id': 'x\u00ff.-1' })
  await until(() => listener.named('job').length + garbled.named('job').length === 2)
  const [id] = await rig.storePages(job, 1)
  rig.dispatcher.beat(job, 1)
  await until(() => listener.pageIds.length === 1 && garbled.pageIds.length === 1)
  assert.deepEqual(listener.pageIds, [id])
})

test('pages=0 leaves pages out, and all jobs together have none', async () => {
  await using rig = await openRig()
  const job = await rig.newJob()
  using quiet = new Listener(`${rig.url}/crawl/crawl_${job.id}/events?pages=0`)
  using all = new Listener(`${rig.url}/events`)
  await until(() => quiet.named('job').length === 1 && all.named('job').length === 1)
  await rig.storePages(job, 3)
  rig.dispatcher.beat(job, 3)
  await rig.dispatcher.tell(job.id, { type: 'notice', text: 'a' })
  await rig.dispatcher.tell(job.id, status('paused'))
  await until(() => quiet.named('job').length === 2 && all.named('job').length === 2)
  assert.deepEqual(quiet.pageIds, [])
  assert.deepEqual(all.pageIds, [])
  assert.equal(quiet.named('notice').length, 1)
  assert.equal((all.named('progress')[0]!.payload as { id: string }).id, `crawl_${job.id}`)
})

test('a job that is removed says so, and its streams end', async () => {
  await using rig = await openRig()
  const job = await rig.newJob()
  using one = new Listener(`${rig.url}/crawl/crawl_${job.id}/events`)
  using all = new Listener(`${rig.url}/events`)
  await until(() => one.named('job').length === 1 && all.named('job').length === 1)
  await rig.dispatcher.remove(job.id)
  await until(() => one.ended && all.named('removed').length === 1)
  assert.deepEqual(one.events.at(-1)?.payload, { id: `crawl_${job.id}` })
  assert.equal(all.ended, false)
})

test('a crawl that runs outside the server is looked at while somebody listens', async () => {
  await using rig = await openRig()
  const job = await rig.newJob('cli')
  using listener = new Listener(`${rig.url}/crawl/crawl_${job.id}/events`)
  using all = new Listener(`${rig.url}/events`)
  await until(() => listener.named('job').length >= 1 && all.named('job').length >= 1)
  const ids = await rig.storePages(job, 2)
  await rig.jobs.setStatus(job.id, 'completed')
  const ends = ({ events }: Listener) =>
    events.some(({ payload }) => (payload as { status?: string }).status === 'completed')
  await until(() => listener.pageIds.length === 2 && ends(listener) && ends(all))
  assert.deepEqual(listener.pageIds, ids)
})

test('there are only so many streams, and a place is free again when one leaves', async () => {
  await using rig = await openRig({ maxStreams: 2 })
  const url = `${rig.url}/events`
  using one = new Listener(url)
  using two = new Listener(url)
  await until(() => one.status === 200 && two.status === 200)
  using three = new Listener(url)
  await until(() => three.status !== 0)
  assert.equal(three.status, 503)
  one[Symbol.dispose]()
  await until(async () => {
    using again = new Listener(url)
    await until(() => again.status !== 0)
    return again.status === 200
  })
})

test('who left before the stream began takes no place', async () => {
  const asked = Promise.withResolvers<void>()
  const slow = Promise.withResolvers<void>()
  await using rig = await openRig({ maxStreams: 1 })
  const job = await rig.newJob()
  const { get } = rig.jobs
  rig.jobs.get = async (id) => {
    asked.resolve()
    await slow.promise
    return get.call(rig.jobs, id)
  }
  const url = `${rig.url}/crawl/crawl_${job.id}/events`
  const gone = new Listener(url)
  await asked.promise
  gone[Symbol.dispose]()
  await until(async () => (await rig.connections()) === 0)
  slow.resolve()
  using next = new Listener(url)
  await until(() => next.status !== 0)
  assert.equal(next.status, 200)
})

test('who does not read is kept nothing for, and has everything in the end', async () => {
  await using rig = await openRig()
  const job = await rig.newJob()
  const url = `${rig.url}/crawl/crawl_${job.id}/events`
  using slow = new Listener(url)
  using quick = new Listener(url)
  await until(() => slow.named('job').length === 1 && quick.named('job').length === 1)
  slow.pause()
  const ids: number[] = []
  for (let round = 0; round < 40; round++) {
    ids.push(...(await rig.storePages(job, 500)))
    rig.dispatcher.beat(job, ids.length)
    await until(() => quick.pageIds.length === ids.length)
  }
  assert.ok(slow.pageIds.length < ids.length, 'the kernel took it all: no test')
  slow.resume()
  await until(() => slow.pageIds.length === ids.length)
  assert.deepEqual(slow.pageIds, ids)
  assert.deepEqual(quick.pageIds, ids)
})

test('a thousand listeners all hear everything', async (t) => {
  await using rig = await openRig()
  const job = await rig.newJob()
  const url = `${rig.url}/crawl/crawl_${job.id}/events`
  const before = process.memoryUsage().rss
  using listeners = new DisposableStack()
  const all = Array.from({ length: 1000 }, () => listeners.use(new Listener(url)))
  await until(() => all.every((one) => one.named('job').length === 1), 60_000)
  // Both ends of each connection are in this process.
  const each = (process.memoryUsage().rss - before) / 1000
  t.diagnostic(`${Math.round(each / 1024)} KiB for both ends of a stream`)
  assert.ok(each < 200 * 1024, `${each} bytes for each`)
  const ids = await rig.storePages(job, 20)
  rig.dispatcher.beat(job, 20)
  await until(() => all.every((one) => one.pageIds.length === 20), 60_000)
  for (const one of all) assert.deepEqual(one.pageIds, ids)
  listeners.dispose()
  await until(async () => (await metric(rig.url, 'jelajah_event_streams')) === 0)
})

test('closing the server ends its streams', async () => {
  const rig = await openRig()
  using listener = new Listener(`${rig.url}/events`)
  await until(() => listener.status === 200)
  await rig[Symbol.asyncDispose]()
  await until(() => listener.ended)
  assert.equal(listener.ended, true)
})

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1])
}
