// A store of one crawl that is gone over again, and the few verbs tests speak in.
import assert from 'node:assert/strict'
import type { Job, JobRecord } from '../../src/core/job.ts'
import type { PageFields } from '../../src/core/page.ts'
import { type Clock, ManualClock } from '../../src/lib/clock.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'
import type { ChangeFeed } from '../../src/store/change-feed.ts'
import type { JobStore } from '../../src/store/job-store.ts'
import type { PageReader } from '../../src/store/page-reader.ts'
import type { PageCheck, PageOutcome, PageStore } from '../../src/store/page-store.ts'
import type { KnownPage, RecrawlStore } from '../../src/store/recrawl-store.ts'
import { sample, urlFor } from './sample-page.ts'

export interface RoundFixture extends AsyncDisposable {
  jobs(): Promise<JobStore>
  pages(job: Job): Promise<PageStore>
  reader(): Promise<PageReader>
  rounds(clock: Clock): Promise<RecrawlStore>
  feed(): Promise<ChangeFeed>
}

/** When pages of a crawl were fetched, before any round. */
export const FETCHED_AT = 1_700_086_400_000

export class RoundScene {
  readonly clock: ManualClock
  readonly reader: PageReader
  readonly rounds: RecrawlStore
  readonly #fixture: RoundFixture
  readonly #jobs: JobStore
  readonly #feed: ChangeFeed
  #job: JobRecord
  #store: PageStore
  #told = 0

  private constructor(
    fixture: RoundFixture,
    parts: { jobs: JobStore; job: JobRecord; store: PageStore },
    readers: { reader: PageReader; rounds: RecrawlStore; feed: ChangeFeed; clock: ManualClock },
  ) {
    this.#fixture = fixture
    this.#jobs = parts.jobs
    this.#job = parts.job
    this.#store = parts.store
    this.reader = readers.reader
    this.rounds = readers.rounds
    this.#feed = readers.feed
    this.clock = readers.clock
  }

  static async open(fixture: RoundFixture, maxPages: number): Promise<RoundScene> {
    const clock = new ManualClock(FETCHED_AT)
    const jobs = await fixture.jobs()
    const job = await createJob(jobs, maxPages)
    const store = await fixture.pages(job)
    const reader = await fixture.reader()
    const rounds = await fixture.rounds(clock)
    const feed = await fixture.feed()
    return new RoundScene(fixture, { jobs, job, store }, { reader, rounds, feed, clock })
  }

  get crawlId(): number {
    return this.#job.id
  }

  get store(): PageStore {
    return this.#store
  }

  /** Begins a round, and opens the store as its parser does. */
  async round(due = false): Promise<void> {
    const last = await this.rounds.last(this.crawlId)
    if (last !== null) await this.rounds.end(this.crawlId, last.round)
    await this.rounds.begin(this.crawlId, { due })
    await this.told()
    await this.reopen()
  }

  /** As after a kill: nothing but what is in the store is known. */
  async reopen(): Promise<void> {
    await this.#store[Symbol.asyncDispose]()
    const job = await this.#jobs.get(this.crawlId)
    assert.ok(job)
    this.#job = job
    this.#store = await this.#fixture.pages(job)
  }

  async save(
    url: string,
    changes: Partial<PageFields> = {},
    rest: Parameters<typeof sample>[2] = {},
  ): Promise<PageOutcome> {
    const at = { fetchedAt: this.clock.now() }
    const [saved] = await this.#store.save([sample(url, { ...at, ...changes }, rest)])
    assert.ok(saved)
    return saved
  }

  async check(url: string, came: PageCheck['came']): Promise<PageOutcome> {
    const checkedAt = this.clock.now()
    const { urlId, receipt } = sample(url)
    const [saved] = await this.#store.save([{ url: urlFor(url), urlId, checkedAt, receipt, came }])
    assert.ok(saved)
    return saved
  }

  unchanged(url: string): Promise<PageOutcome> {
    return this.check(url, { to: 'unchanged', etag: '', lastModified: '' })
  }

  /** What was told since this was last asked, as `change a.test/1`. */
  async told(): Promise<string[]> {
    const { changes, cursor } = await this.#feed.after(this.#told, 1000)
    this.#told = cursor
    return changes.map(({ change, url, reason }) =>
      [change, url?.replace('http://', ''), ...(reason === '' ? [] : [reason])].join(' '),
    )
  }

  /** `a.test/2` → the page it repeats, or null. */
  async standing(): Promise<Record<string, string | null>> {
    const pages = await this.reader.list({ crawlId: this.crawlId, after: 0, limit: 100 })
    const urlOf = new Map(pages.map(({ id, url }) => [id, url.replace('http://', '')]))
    return Object.fromEntries(
      pages.map(({ id, duplicateOf }) => [
        urlOf.get(id),
        duplicateOf === null ? null : (urlOf.get(duplicateOf) ?? 'nothing'),
      ]),
    )
  }

  async counts(round = 1): Promise<unknown> {
    const { notDue: _, ...counts } = await this.rounds.counts(this.crawlId, round)
    return counts
  }

  async known(): Promise<readonly KnownPage[]> {
    return this.rounds.pages({ crawlId: this.crawlId, after: 0, limit: 100, now: this.clock.now() })
  }

  async stored(): Promise<{ stored: number; duplicates: number; bytes: number }> {
    const { stored, duplicates, bytes, hosts } = await this.reader.totals(this.crawlId)
    const sum = [...hosts.values()].reduce((all, pages) => all + pages, 0)
    assert.deepEqual([sum, await this.#store.count()], [stored, stored])
    return { stored, duplicates, bytes }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const open = [this.#store, this.reader, this.rounds, this.#feed, this.#jobs]
    for (const one of open) await one[Symbol.asyncDispose]()
  }
}

function createJob(jobs: JobStore, maxPages: number): Promise<JobRecord> {
  const settings = { ...DEFAULT_SETTINGS, maxPages }
  const seeds = [urlFor('a.test/')]
  return jobs.create({ name: 'rounds', origin: 'cli', seeds, settings, topic: null })
}
