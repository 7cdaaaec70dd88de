// What every journal of jobs promises.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../src/lib/clock.ts'
import type { JobEvent, JobJournal, Sample } from '../../src/store/job-journal.ts'
import type { JobStore } from '../../src/store/job-store.ts'
import { sampleJob } from './sample-page.ts'

export interface JournalFixture extends AsyncDisposable {
  open(clock: ManualClock): Promise<JobJournal>
  jobs(): Promise<JobStore>
}

const EVENTS: readonly JobEvent[] = [
  { type: 'status', status: 'running', note: '' },
  { type: 'notice', text: 'the parser died' },
  { type: 'status', status: 'failed', note: 'no seed could be fetched' },
  { type: 'removed' },
]

function sampleAt(at: number): Sample {
  return {
    at,
    stored: 10,
    refused: 2,
    outside: 7,
    failed: 1,
    queued: 40,
    bytes: 123_456,
    pagesPerSecond: 12.345,
    recentHarvestRate: at % 2 === 0 ? null : 0.25,
    scouterRssBytes: 80_000_000,
    parserRssBytes: 120_000_000,
    cpu: 0.75,
  }
}

export function jobJournalContract(name: string, openFixture: () => Promise<JournalFixture>): void {
  type Body = (journal: JobJournal, clock: ManualClock, fixture: JournalFixture) => Promise<void>
  const promise = (title: string, body: Body) =>
    test(`${name}: ${title}`, async () => {
      await using fixture = await openFixture()
      const clock = new ManualClock(1000)
      await using journal = await fixture.open(clock)
      await body(journal, clock, fixture)
    })

  promise('events are read back in order, each with its moment', async (journal, clock) => {
    const kept = []
    for (const event of EVENTS) {
      clock.advance(10)
      kept.push(await journal.append(3, event))
    }
    assert.deepEqual(
      kept.map(({ at, crawlId, event }) => ({ at, crawlId, event })),
      EVENTS.map((event, at) => ({ at: 1010 + 10 * at, crawlId: 3, event })),
    )
    assert.deepEqual(await journal.list({ after: 0, limit: 100 }), kept)
  })

  promise('ids grow over all jobs, and events can be asked for of one', async (journal) => {
    assert.equal(await journal.last(), 0)
    const text = 'hello'
    const ids: number[] = []
    for (const crawlId of [1, 2, 1, 2, 1]) {
      ids.push((await journal.append(crawlId, { type: 'notice', text })).id)
    }
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    )
    assert.equal(await journal.last(), ids[4])
    const idsOf = async (options: Parameters<JobJournal['list']>[0]) =>
      (await journal.list(options)).map(({ id }) => id)
    assert.deepEqual(await idsOf({ after: 0, limit: 2, crawlId: 1 }), [ids[0], ids[2]])
    assert.deepEqual(await idsOf({ after: ids[0]!, limit: 100, crawlId: 1 }), [ids[2], ids[4]])
    assert.deepEqual(await idsOf({ after: ids[2]!, limit: 100 }), [ids[3], ids[4]])
    assert.deepEqual(await idsOf({ after: ids[4]!, limit: 100 }), [])
  })

  promise(
    'another who opens it sees what was appended, and goes on counting',
    async (journal, clock, fixture) => {
      const { id } = await journal.append(1, { type: 'removed' })
      await using other = await fixture.open(clock)
      assert.equal(await other.last(), id)
      assert.ok((await other.append(1, { type: 'removed' })).id > id)
    },
  )

  promise('a history takes the place of the one before', async (journal) => {
    assert.deepEqual(await journal.history(1), [])
    await journal.saveHistory(1, [sampleAt(1000), sampleAt(2001)])
    await journal.saveHistory(2, [sampleAt(3000)])
    assert.deepEqual(await journal.history(1), [sampleAt(1000), sampleAt(2001)])
    await journal.saveHistory(1, [sampleAt(4001)])
    assert.deepEqual(await journal.history(1), [sampleAt(4001)])
    assert.deepEqual(await journal.history(2), [sampleAt(3000)])
  })

  promise('of a job that was swept only its removal is told', async (journal, _clock, fixture) => {
    await using jobs = await fixture.jobs()
    const { id } = await jobs.create(sampleJob())
    for (const event of EVENTS) await journal.append(id, event)
    await journal.saveHistory(id, [sampleAt(1000)])
    await jobs.remove(id)
    while (await jobs.sweep(id));
    const left = await journal.list({ after: 0, limit: 100, crawlId: id })
    assert.deepEqual(
      left.map(({ event }) => event.type),
      ['removed'],
    )
    assert.deepEqual(await journal.history(id), [])
  })
}
