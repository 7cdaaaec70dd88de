import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sampleJob } from '../../test/contract/sample-page.ts'
import { openSqliteJobJournal, openSqliteJobStore } from '../../test/support/stores.ts'
import { ManualClock } from '../lib/clock.ts'
import { openProgressHistory } from './crawl.ts'
import { NO_PROGRESS, type Progress } from './progress.ts'

const folder = mkdtempSync(join(tmpdir(), 'jelajah-curve-'))
after(() => rmSync(folder, { recursive: true }))

const at = (stored: number, bytes: number): Progress => {
  return { ...NO_PROGRESS, scouterPid: 1, parserPid: 2, stored, bytes }
}

async function openCrawl(name: string) {
  const path = join(folder, name)
  await using jobs = await openSqliteJobStore(path)
  const { id } = await jobs.create(sampleJob())
  const journal = await openSqliteJobJournal(path)
  const clock = new ManualClock()
  return {
    crawlId: id,
    journal,
    clock,
    [Symbol.asyncDispose]: () => journal[Symbol.asyncDispose](),
  }
}

test('a crawl of a moment has a beginning and an end', async () => {
  await using crawl = await openCrawl('short.db')
  const curve = await openProgressHistory(crawl)
  curve.hear({ ...NO_PROGRESS })
  crawl.clock.advance(100)
  curve.hear(at(3, 30))
  await curve.end()
  const kept = await crawl.journal.history(crawl.crawlId)
  assert.deepEqual(
    kept.map(({ stored }) => stored),
    [0, 3],
  )
})

test('a later run goes on from the figures of the earlier ones, and nothing falls', async () => {
  await using crawl = await openCrawl('later.db')
  for (const earlier of [0, 10]) {
    const curve = await openProgressHistory(crawl)
    curve.hear({ ...NO_PROGRESS, stored: earlier })
    crawl.clock.advance(1000)
    curve.hear(at(earlier + 10, 500))
    await curve.end()
    crawl.clock.advance(60_000)
  }
  const kept = await crawl.journal.history(crawl.crawlId)
  assert.deepEqual(
    kept.map(({ stored, bytes }) => [stored, bytes]),
    [
      [0, 0],
      [10, 500],
      [10, 500],
      [20, 1000],
    ],
  )
})

test('the curve so far is kept while the crawl runs', async () => {
  await using crawl = await openCrawl('long.db')
  const curve = await openProgressHistory(crawl)
  for (let stored = 0; stored <= 11; stored++) {
    curve.hear(at(stored, 0))
    crawl.clock.advance(1000)
  }
  // Pending writes finish before the end is written.
  await curve.end()
  const kept = await crawl.journal.history(crawl.crawlId)
  assert.equal(kept.at(-1)?.stored, 11)
  assert.equal(kept.length, 13)
})

test('a store that takes no curve costs the crawl nothing', async () => {
  let tries = 0
  const broken = async (): Promise<never> => {
    tries++
    throw new Error('disk full')
  }
  const clock = new ManualClock()
  const journal = { history: broken, saveHistory: broken }
  const curve = await openProgressHistory({ crawlId: 1, journal, clock })
  curve.hear(at(1, 1))
  clock.advance(20_000)
  curve.hear(at(2, 2))
  await assert.doesNotReject(curve.end())
  assert.ok(tries > 1, 'it was tried')
})
