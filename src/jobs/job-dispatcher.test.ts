// The dispatcher with a real store, and runs that end when the test says so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sampleJob } from '../../test/contract/sample-page.ts'
import {
  order,
  outcome,
  rested,
  Stage,
  submit,
  until,
} from '../../test/support/dispatcher-stage.ts'
import { NO_PROGRESS } from '../crawl/progress.ts'
import type { Dispatcher } from './dispatcher.ts'

test('jobs run in the order they came, so many at once, the others wait', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open()
  const ids: number[] = []
  for (let n = 0; n < 4; n++) ids.push(await submit(dispatcher))
  await stage.run(2)
  assert.deepEqual(stage.begun, [1, 2])
  assert.deepEqual(
    ids.map((id) => dispatcher.ahead(id)),
    [null, null, 0, 1],
  )
  const { running, waiting, connections } = dispatcher.load()
  assert.deepEqual([running, waiting, connections], [2, 2, 20])
  stage.runs.get(2)!.end(rested('completed'))
  await stage.run(3)
  stage.runs.get(1)!.end(rested('completed', 'it has its 3 hot pages'))
  await stage.run(4)
  assert.deepEqual(stage.begun, [1, 2, 3, 4])
  assert.deepEqual(stage.statuses(1), ['started', 'running', 'completed'])
  const { jobs } = await stage.store()
  assert.equal((await jobs.get(1))?.note, 'it has its 3 hot pages')
})

test('a job that had to wait has all its seeds when its turn comes', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open({ maxRunning: 1 })
  await submit(dispatcher)
  await submit(dispatcher)
  const first = await stage.run(1)
  assert.equal(dispatcher.ahead(2), 0)
  first.end(rested('completed'))
  await stage.run(2)
  assert.deepEqual(dispatcher.live(2)?.job.seeds, sampleJob().seeds)
})

test('a job whose connections do not fit waits, and those behind it wait with it', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open({ maxRunning: 9 })
  await submit(dispatcher, {}, 60)
  await submit(dispatcher, {}, 60)
  await submit(dispatcher, {}, 1)
  await stage.run(1)
  assert.deepEqual([dispatcher.ahead(2), dispatcher.ahead(3)], [0, 1])
  stage.runs.get(1)!.end(rested('completed'))
  await stage.run(3)
  assert.deepEqual(stage.begun, [1, 2, 3])
  assert.equal(dispatcher.load().connections, 61)
})

test('a job that wants more than there is at all runs alone', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open()
  await submit(dispatcher, {}, 1)
  await submit(dispatcher, {}, 5000)
  await stage.run(1)
  assert.equal(dispatcher.ahead(2), 0)
  stage.runs.get(1)!.end(rested('completed'))
  await stage.run(2)
  assert.equal(dispatcher.load().connections, dispatcher.maxConnections)
})

test('while the memory is used up no further job starts, and the first always may', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open({ maxRssBytes: 250e6 })
  const rss = (bytes: number) => ({
    ...NO_PROGRESS,
    scouterRssBytes: bytes / 2,
    parserRssBytes: bytes / 2,
  })
  await submit(dispatcher)
  const { listener } = await stage.run(1)
  listener.onProgress(rss(300e6))
  await submit(dispatcher)
  assert.equal(dispatcher.ahead(2), 0)
  assert.equal(dispatcher.load().rssBytes, 300e6)
  stage.clock.advance(1000)
  listener.onProgress(rss(200e6))
  await stage.run(2)
})

/** A job in that state, with the number 1. */
const STATES = ['waiting', 'running', 'paused', 'stopped', 'failed', 'completed'] as const
type State = (typeof STATES)[number]

async function bring(stage: Stage, dispatcher: Dispatcher, state: State): Promise<void> {
  await submit(dispatcher)
  if (state === 'waiting') return
  const run = await stage.run(1)
  if (state === 'running') return
  if (state === 'paused') await dispatcher.pause(1)
  else if (state === 'stopped') await dispatcher.stop(1)
  else run.end(rested(state))
  await until(() => dispatcher.live(1) === null, `it is ${state}`)
}

const WHAT_COMES: readonly (readonly [State, Readonly<Record<string, string>>])[] = [
  ['waiting', { pause: 'paused', stop: 'stopped', resume: 'started', remove: 'started' }],
  ['running', { pause: 'paused', stop: 'stopped', resume: 'running', remove: 'running' }],
  ['paused', { pause: 'paused', stop: 'stopped', resume: 'started', remove: 'paused' }],
  ['stopped', { pause: 'conflict', stop: 'stopped', resume: 'started', remove: 'stopped' }],
  ['failed', { pause: 'conflict', stop: 'conflict', resume: 'started', remove: 'failed' }],
  ['completed', { pause: 'conflict', stop: 'conflict', resume: 'conflict', remove: 'completed' }],
]
const WISHES = ['pause', 'stop', 'resume', 'remove'] as const

for (const [state, comes] of WHAT_COMES) {
  for (const wish of WISHES) {
    test(`${wish} of a job that is ${state}: ${comes[wish]}; twice changes nothing more`, async () => {
      await using stage = new Stage()
      await using dispatcher = await stage.open({ maxRunning: state === 'waiting' ? 0 : 1 })
      // Another job runs, so this one has to wait.
      if (state === 'waiting') await blocked(stage, dispatcher)
      const id = state === 'waiting' ? 2 : 1
      if (state === 'waiting') await submit(dispatcher)
      else await bring(stage, dispatcher, state)
      assert.equal(outcome(await dispatcher[wish](id)), comes[wish])
      const before = stage.statuses(id)
      const again = outcome(await dispatcher[wish](id))
      if (wish === 'remove') assert.equal(again, 'no-job')
      else if (wish !== 'resume') assert.equal(again, comes[wish])
      if (wish !== 'resume') assert.deepEqual(stage.statuses(id), before)
    })
  }
}

async function blocked(stage: Stage, dispatcher: Dispatcher): Promise<void> {
  await submit(dispatcher)
  await stage.run(1)
}

test('a job that has its pages goes on with more of them', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open()
  await bring(stage, dispatcher, 'completed')
  stage.jobCounts = { stored: 1000, hot: 0, queued: 5 }
  const told = await dispatcher.resume(1)
  assert.ok(told.outcome === 'conflict' && /max_pages above 1000/.test(told.note))
  stage.runs.clear()
  assert.equal(outcome(await dispatcher.resume(1, { maxPages: 1200 })), 'started')
  await stage.run(1)
  assert.equal(dispatcher.live(1)?.job.settings.maxPages, 1200)
})

test('limits of a job that runs or waits are not changed under its hands', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open({ maxRunning: 1 })
  await bring(stage, dispatcher, 'running')
  await submit(dispatcher)
  for (const id of [1, 2]) {
    const told = await dispatcher.resume(id, { maxPages: 1200 })
    assert.ok(told.outcome === 'conflict' && /pause it first/.test(told.note))
  }
})

test('what is asked of a job at the same time is done in order, and all are told the truth', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open()
  await bring(stage, dispatcher, 'running')
  const told = await Promise.all([
    dispatcher.pause(1),
    dispatcher.pause(1),
    dispatcher.resume(1),
    dispatcher.stop(1),
    dispatcher.pause(1),
    dispatcher.remove(1),
    dispatcher.remove(1),
    dispatcher.stop(1),
  ])
  assert.deepEqual(told.map(outcome), [
    ...['paused', 'paused', 'started', 'stopped', 'conflict', 'stopped', 'no-job', 'no-job'],
  ])
})

test('a number that no job has is no job', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open()
  for (const wish of WISHES) {
    assert.deepEqual(await dispatcher[wish](99), { outcome: 'no-job' })
  }
})

test('a job that ends by itself while it is asked to pause says what became of it', async () => {
  await using stage = new Stage()
  stage.obedient = false
  await using dispatcher = await stage.open()
  await submit(dispatcher)
  const run = await stage.run(1)
  const told = dispatcher.pause(1)
  await until(() => run.drains.length > 0, 'it is drained')
  run.end(rested('completed'))
  const said = await told
  assert.ok(said.outcome === 'conflict' && /it is completed/.test(said.note))
})

test('a job is paused before it has begun', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open()
  await submit(dispatcher)
  assert.equal(outcome(await dispatcher.pause(1)), 'paused')
  await until(() => dispatcher.live(1) === null, 'it rests')
  assert.equal(outcome(await dispatcher.resume(1)), 'started')
  await stage.run(1)
})

test('a crawl that runs outside is left alone, one that was stopped there goes on here', async () => {
  await using stage = new Stage()
  const { jobs } = await stage.store()
  await jobs.create(sampleJob())
  await jobs.setStatus(1, 'running')
  stage.elsewhere.add(1)
  await using dispatcher = await stage.open()
  for (const wish of ['pause', 'stop', 'remove'] as const) {
    const told = await dispatcher[wish](1)
    assert.ok(told.outcome === 'conflict' && /outside this server/.test(told.note), wish)
  }
  assert.equal(outcome(await dispatcher.resume(1)), 'running')
  assert.deepEqual(stage.begun, [])
  stage.elsewhere.clear()
  assert.equal(outcome(await dispatcher.resume(1)), 'started')
  await stage.run(1)
  assert.equal((await jobs.get(1))?.origin, 'cli')
})

test('a run that finds its job running elsewhere leaves its status alone', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open()
  await submit(dispatcher)
  const run = await stage.run(1)
  run.end({ outcome: 'elsewhere' })
  await until(() => dispatcher.live(1) === null, 'it is forgotten')
  assert.deepEqual(stage.statuses(1), ['started', 'running'])
})

test('a job whose store was away for too long is left as it is, which is reported, and the next one goes on with it', async () => {
  await using stage = new Stage()
  const told: string[] = []
  await using dispatcher = await stage.open({ onUnreachable: (note) => told.push(note) })
  await submit(dispatcher)
  const run = await stage.run(1)
  run.end({ outcome: 'unreachable', note: 'the Redis is away' })
  await until(() => dispatcher.live(1) === null, 'it has come to rest')
  assert.deepEqual(told, ['the Redis is away'])
  assert.deepEqual(stage.statuses(1), ['started', 'running'])
  stage.runs.clear()
  await using _next = await stage.open()
  await stage.run(1)
})

test('a job whose turn begins while its store is away has not failed: the next server goes on with it', async () => {
  await using stage = new Stage()
  const told: string[] = []
  await using dispatcher = await stage.open({
    runJob: () => {
      throw new Error('away')
    },
    onUnreachable: (note) => told.push(note),
    endOfError: (id) => ({ outcome: 'unreachable', note: `the store of ${id} is away` }),
  })
  await submit(dispatcher)
  await until(() => told.length > 0, 'it is told')
  assert.deepEqual(told, ['the store of 1 is away'])
  assert.deepEqual(stage.statuses(1), ['started', 'running'])
  await using _next = await stage.open()
  await stage.run(1)
})

test('who carries no pages starts jobs whatever connections they have elsewhere', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open({ maxRunning: 9, maxConnections: 10, carries: false })
  for (let n = 0; n < 3; n++) await submit(dispatcher, {}, 10)
  await stage.run(3)
  assert.equal(dispatcher.load().connections, 0)
})

test('who carries no pages starts jobs whatever memory they take elsewhere', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open({ maxRssBytes: 1, carries: false })
  await submit(dispatcher)
  await submit(dispatcher)
  await stage.run(2)
  assert.equal(dispatcher.load().rssBytes, 0)
})

test('the same key is the same job, and starts it once', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open()
  const all = await Promise.all(
    Array.from({ length: 5 }, () => dispatcher.submit(order({ key: 'k' }))),
  )
  assert.deepEqual(new Set(all.map(({ job }) => job.id)), new Set([1]))
  const other = await dispatcher.submit(order({ key: 'k', fingerprint: 'g' }))
  assert.equal(other.outcome, 'key-taken')
  await stage.run(1)
  assert.deepEqual(stage.begun, [1])
})

test('who goes down puts running jobs down, and the next one takes them up in their order', async () => {
  await using stage = new Stage()
  {
    await using dispatcher = await stage.open()
    for (let n = 0; n < 4; n++) await submit(dispatcher)
    await stage.run(2)
    await dispatcher.pause(3)
  }
  assert.deepEqual(stage.runs.get(1)!.drains, ['shutdown'])
  const { jobs } = await stage.store()
  const statuses = (await jobs.list()).map(({ status }) => status)
  assert.deepEqual(statuses, ['started', 'paused', 'started', 'started'])
  stage.begun.length = 0
  stage.runs.clear()
  await using _next = await stage.open()
  await stage.run(2)
  assert.deepEqual(stage.begun, [1, 2])
})

test('a job that was running when its server was killed goes on, and waits its turn again', async () => {
  await using stage = new Stage()
  const { jobs } = await stage.store()
  for (let n = 0; n < 3; n++) await jobs.order(order())
  for (const id of [1, 3]) await jobs.setStatus(id, 'running')
  await using dispatcher = await stage.open({ maxRunning: 1 })
  await stage.run(1)
  assert.equal((await jobs.get(3))?.status, 'started')
  assert.equal(dispatcher.ahead(3), 1)
})

test('a removed job is gone at once, told once, and swept; also by the next one', async () => {
  await using stage = new Stage()
  const { jobs, journal } = await stage.store()
  await jobs.order(order())
  await jobs.remove(1)
  await using dispatcher = await stage.open()
  await until(() => stage.discarded.includes(1), 'the first is discarded')
  await submit(dispatcher)
  await stage.run(2)
  assert.equal(outcome(await dispatcher.remove(2)), 'running')
  assert.equal(await jobs.get(2), null)
  await until(() => stage.discarded.includes(2), 'the second is discarded')
  for (let tries = 0; (await jobs.unswept()).length > 0; tries++) {
    assert.ok(tries < 1000, 'they are swept')
    await wait(2)
  }
  const told = await journal.list({ after: 0, limit: 100 })
  assert.deepEqual(
    told.map(({ crawlId, event }) => [crawlId, event.type]),
    [
      [1, 'removed'],
      [2, 'removed'],
    ],
  )
})

test('a job that has completed is looked at again, also where that was cut short', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open()
  const id = await submit(dispatcher)
  await stage.run(id)
  assert.equal(outcome(await dispatcher.refresh(id, { due: false })), 'conflict')
  stage.runs.get(id)!.end(rested('stopped'))
  await until(() => stage.statuses(id).includes('stopped'), 'it is stopped')
  assert.equal(outcome(await dispatcher.refresh(id, { due: false })), 'conflict')
  assert.equal(outcome(await dispatcher.resume(id)), 'started')
  await until(() => stage.begun.length === 2, 'it goes on')
  stage.runs.get(id)!.end(rested('completed'))
  await until(() => stage.statuses(id).includes('completed'), 'it has completed')
  assert.deepEqual(stage.rounds, [])
  assert.equal(outcome(await dispatcher.refresh(id, { due: true })), 'started')
  assert.deepEqual(stage.rounds, [{ id, due: true }])
  await until(() => stage.begun.length === 3, 'it runs again')
  stage.runs.get(id)!.end(rested('stopped'))
  await until(() => stage.statuses(id).at(-1) === 'stopped', 'it is stopped again')
  assert.equal(outcome(await dispatcher.refresh(id, { due: true })), 'started')
  await until(() => stage.begun.length === 4, 'it goes on where it was')
  assert.equal(outcome(await dispatcher.refresh(99, { due: true })), 'no-job')
})
