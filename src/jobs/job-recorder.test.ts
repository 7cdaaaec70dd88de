// Records of a job's runs: notices, time, the curve.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcome, rested, Stage, submit, until } from '../../test/support/dispatcher-stage.ts'
import { NO_PROGRESS } from '../crawl/progress.ts'

test('notices are kept and told, and there is an end to them', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open()
  await submit(dispatcher)
  const run = await stage.run(1)
  for (let n = 0; n < 500; n++) run.listener.onNotice(`notice ${n}`)
  run.end(rested('completed'))
  await until(() => dispatcher.live(1) === null, 'it has ended')
  const { journal } = await stage.store()
  const kept = await journal.list({ after: 0, limit: 1000, crawlId: 1 })
  const texts = kept.flatMap(({ event }) => (event.type === 'notice' ? [event.text] : []))
  assert.equal(texts.length, 201)
  assert.deepEqual([texts[0], texts.at(-1)], ['notice 0', 'further notices are left out'])
  assert.deepEqual(stage.events, kept)
})

test('time and curve of a job go on over its runs', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open()
  await submit(dispatcher)
  const heard = { ...NO_PROGRESS, scouterPid: 1, parserPid: 2 }
  for (const stored of [10, 20]) {
    const run = await stage.run(1)
    run.listener.onBusy('building the topic')
    assert.equal(dispatcher.live(1)?.busy, 'building the topic')
    run.listener.onProgress({ ...heard, stored, parserCpuMs: 0 })
    stage.clock.advance(2000)
    run.listener.onProgress({ ...heard, stored: stored + 4, parserCpuMs: 1000 })
    const live = dispatcher.live(1)
    assert.deepEqual(
      [live?.pagesPerSecond, live?.cpu.parser, live?.cpu.scouter, live?.busy],
      [2, 0.5, 0, ''],
    )
    assert.equal(outcome(await dispatcher.pause(1)), 'paused')
    stage.runs.clear()
    stage.clock.advance(60_000)
    await dispatcher.resume(1)
  }
  const { jobs, journal } = await stage.store()
  await stage.run(1)
  assert.equal((await jobs.get(1))?.ranMs, 4000)
  assert.deepEqual(
    (await journal.history(1)).map(({ stored }) => stored),
    [10, 14, 20, 24],
  )
})

test('the last sample of a job is how it ended', async () => {
  await using stage = new Stage()
  await using dispatcher = await stage.open()
  await submit(dispatcher)
  const run = await stage.run(1)
  const heard = { ...NO_PROGRESS, scouterPid: 1, parserPid: 2 }
  for (const stored of [0, 3, 9, 10]) {
    run.listener.onProgress({ ...heard, stored })
    stage.clock.advance(100)
  }
  run.end(rested('completed'))
  await until(() => dispatcher.live(1) === null, 'it has ended')
  const { journal } = await stage.store()
  assert.deepEqual(
    (await journal.history(1)).map(({ stored }) => stored),
    [0, 10, 10],
  )
})
