import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleJob } from '../../test/contract/sample-page.ts'
import { ManualClock } from '../lib/clock.ts'
import { NO_PROGRESS, type Progress } from './progress.ts'
import { SeveralPairs } from './several-pairs.ts'
import type { CrawlEnd, CrawlProcesses, SupervisorOptions } from './supervisor.ts'

/** A pair that does what a test tells it to. */
class ScriptedPair implements CrawlProcesses {
  readonly options: SupervisorOptions
  readonly ended = Promise.withResolvers<CrawlEnd>()
  readonly drained: string[] = []
  progress: Progress = NO_PROGRESS
  isDisposed = false

  constructor(options: SupervisorOptions) {
    this.options = options
  }

  run(): Promise<CrawlEnd> {
    return this.ended.promise
  }

  drain(why: string): void {
    this.drained.push(why)
    this.ended.resolve('stopped')
  }

  enough(): void {}

  report(progress: Partial<Progress>): void {
    this.progress = { ...this.progress, ...progress }
    this.options.onProgress(this.progress)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isDisposed = true
  }
}

function start(settings: Partial<SupervisorOptions['job']['settings']> = {}) {
  const pairs: ScriptedPair[] = []
  const job = sampleJob()
  const notices: string[] = []
  const all = new SeveralPairs(
    {
      job: { ...job, id: 1, salt: 1, settings: { ...job.settings, ...settings } },
      ...{ workspace: { data: '/tmp', frontier: null }, clock: new ManualClock() },
      ...{ durationMs: null, known: NO_PROGRESS, hotBefore: 0 },
      entries: { scouter: '', parser: '' },
      onProgress: () => {},
      onNotice: (text) => notices.push(text),
    },
    3,
    (options) => {
      const pair = new ScriptedPair(options)
      pairs.push(pair)
      return pair
    },
  )
  return { all, pairs, notices, ended: all.run() }
}

test('what a crawl may use at once is shared out, and adds up to what was asked for', () => {
  const { pairs } = start({ concurrency: 32, perIp: 4, parserThreads: 2 })
  const settings = pairs.map(({ options }) => options.job.settings)
  assert.deepEqual(settings.map(({ concurrency }) => concurrency), [11, 11, 10]) // biome-ignore format: one line
  assert.deepEqual(settings.map(({ perIp }) => perIp), [2, 1, 1]) // biome-ignore format: one line
  assert.deepEqual(settings.map(({ parserThreads }) => parserThreads), [1, 1, 1]) // biome-ignore format: one line
})

test('the first scouter that finds the end ends the others', async () => {
  const { pairs, ended } = start()
  pairs[1]!.ended.resolve('empty')
  assert.equal(await ended, 'empty')
  assert.deepEqual(pairs.map(({ drained }) => drained.length), [1, 0, 1]) // biome-ignore format: one line
})

test('a crawl that is told to pause has paused when all its pairs have', async () => {
  const { all, pairs, ended } = start()
  all.drain('paused')
  assert.equal(await ended, 'paused')
  assert.deepEqual(pairs.map(({ drained }) => drained), [['paused'], ['paused'], ['paused']]) // biome-ignore format: one line
})

test('a pair that cannot go on ends the run with its error', async () => {
  const { pairs, ended } = start()
  pairs[2]!.ended.reject(new Error('the disk is full'))
  await assert.rejects(ended, /the disk is full/)
})

test('one pair without a network leaves the work to the others', async () => {
  const { pairs, ended } = start()
  pairs[0]!.ended.resolve('away')
  pairs[1]!.ended.resolve('empty')
  assert.equal(await ended, 'empty')
  assert.deepEqual(pairs[0]!.drained, [])
})

test('progress is that of all pairs together, and what all of them say is said once', () => {
  const { all, pairs, notices } = start()
  pairs[0]!.report({ stored: 5, saved: 3, bytes: 100, inFlight: 2, scouterPid: 7 })
  pairs[1]!.report({ stored: 6, saved: 2, bytes: 50, inFlight: 1, scouterPid: 8 })
  const { stored, saved, bytes, inFlight } = all.progress
  assert.deepEqual({ stored, saved, bytes, inFlight }, { stored: 6, saved: 5, bytes: 150, inFlight: 3 }) // biome-ignore format: one line
  for (const { options } of pairs) options.onNotice('only 10 files may be open')
  assert.deepEqual(notices, ['only 10 files may be open'])
})

test('hot pages of all pairs count for the limit', async () => {
  const { pairs, ended } = start({ maxHot: 4 })
  const hot = (count: number) => ({ ...NO_PROGRESS.harvest, judged: count, hot: count })
  pairs[0]!.report({ harvest: hot(2) })
  assert.deepEqual(pairs[0]!.drained, [])
  pairs[2]!.report({ harvest: hot(2) })
  assert.equal(await ended, 'hot')
})
