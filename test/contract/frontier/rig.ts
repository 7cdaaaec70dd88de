// A frontier under test with everything around it: clock, job, and the few verbs tests speak in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CrawlSettings, Job } from '../../../src/core/job.ts'
import type { Found } from '../../../src/core/link.ts'
import type { UrlTemplate } from '../../../src/core/template.ts'
import { type CanonicalUrl, canonicalise } from '../../../src/core/url.ts'
import type { UrlRecord } from '../../../src/core/visit.ts'
import type {
  Frontier,
  FrontierUpdate,
  Lease,
  RobotsRecord,
} from '../../../src/frontier/frontier.ts'
import type { HostPolicy } from '../../../src/frontier/policy/host-policy.ts'
import { hostPolicyNamed } from '../../../src/frontier/policy/index.ts'
import type { NewRecrawl, PageToRevisit } from '../../../src/frontier/recrawls.ts'
import type { UrlStates } from '../../../src/frontier/url-states.ts'
import { type Clock, ManualClock } from '../../../src/lib/clock.ts'
import { createUrlHasher } from '../../../src/lib/url-hash.ts'
import { DEFAULT_SETTINGS } from '../../../src/options/settings.ts'
import { optionValues, orderingNamed } from '../../../src/ordering/index.ts'
import type { Ordering, Scorer, Signals } from '../../../src/ordering/ordering.ts'

export type FrontierSetup = {
  readonly job: Job
  readonly ordering: Ordering
  readonly scorer: Scorer
  readonly policy: HostPolicy
  readonly admit: (url: CanonicalUrl, host: string) => string | null
  readonly templateOf: (url: CanonicalUrl) => UrlTemplate | null
  readonly clock: Clock
  /** Candidates kept in memory per queue, for adapters that keep any. */
  readonly headSize?: number
}

/** Where a frontier lives: outlives the frontiers opened in it. */
export interface FrontierFixture extends AsyncDisposable {
  open(setup: FrontierSetup): Promise<Frontier>
  urlStates(job: Job): Promise<UrlStates>
  /** While no frontier is open there. */
  beginRecrawl(round: NewRecrawl): Promise<void>
  /** Its frontiers are divided where settings allow it. Then of hosts that are equal any goes first. */
  readonly divided?: true
  /** Leaves the place as a process that is killed at this moment would. */
  crash(): Promise<void>
}

export type RigChanges = Partial<Omit<FrontierSetup, 'job' | 'clock' | 'scorer'>> & {
  readonly settings?: Partial<CrawlSettings>
  readonly seeds?: readonly string[]
  readonly topic?: Job['topic']
}

const SALT = 77
const hashUrl = createUrlHasher(SALT)

/** `a.test/1` → `http://a.test/1`. */
export function urlOf(short: string): CanonicalUrl {
  const url = canonicalise(short.includes('://') ? short : `http://${short}`)
  assert.ok(url !== null, short)
  return url
}

export function found(short: string, more: Partial<Found> = {}): Found {
  const url = urlOf(short)
  return { url, hash: hashUrl(url), nofollow: false, signals: null, ...more }
}

export function founds(...shorts: readonly string[]): Found[] {
  return shorts.map((short) => found(short))
}

export function stored(
  lease: FrontierUpdate['lease'],
  links: readonly Found[] = [],
  { likeness = 1, judged = null }: { likeness?: number; judged?: Signals | null } = {},
): FrontierUpdate {
  return { lease, outcome: 'stored', found: links, judged, likeness }
}

export function refused(lease: FrontierUpdate['lease'], reason: string): FrontierUpdate {
  return { lease, outcome: 'refused', reason, found: [], judged: null }
}

/** Where which of equal hosts goes first does not matter. */
export function byHost(a: Lease, b: Lease): number {
  return a.host < b.host ? -1 : 1
}

export function shortOf(url: string): string {
  return url.replace('http://', '')
}

export class Rig {
  readonly clock = new ManualClock()
  readonly fixture: FrontierFixture
  #changes: RigChanges
  #frontier: Frontier | null = null

  constructor(fixture: FrontierFixture, changes: RigChanges) {
    this.fixture = fixture
    this.#changes = changes
  }

  get frontier(): Frontier {
    assert.ok(this.#frontier !== null)
    return this.#frontier
  }

  get job(): Job {
    const settings = { ...DEFAULT_SETTINGS, ignoreRobots: true, sitemaps: false, trapBudget: 0 }
    return {
      id: 3,
      name: 'rig',
      origin: 'cli',
      seeds: (this.#changes.seeds ?? ['a.test/']).map(urlOf),
      settings: { ...settings, ...this.#changes.settings },
      topic: this.#changes.topic ?? null,
      salt: SALT,
    }
  }

  async open(): Promise<Frontier> {
    const { job } = this
    const ordering = this.#changes.ordering ?? orderingNamed(job.settings.ordering)
    const values = optionValues(ordering, job.settings.orderingOptions)
    this.#frontier = await this.fixture.open({
      policy: hostPolicyNamed(job.settings.hostPolicy),
      admit: () => null,
      templateOf: () => null,
      ...this.#changes,
      ordering,
      scorer: ordering.createScorer(values, job.salt),
      job,
      clock: this.clock,
    })
    return this.#frontier
  }

  /** Closes and opens again, as the next run of the same crawl would. */
  async restart(changes: RigChanges = {}): Promise<Frontier> {
    await this.frontier[Symbol.asyncDispose]()
    return this.#openWith(changes)
  }

  /** Is killed and opened again. */
  async crash(changes: RigChanges = {}): Promise<Frontier> {
    await this.fixture.crash()
    return this.#openWith(changes)
  }

  /** Closes, begins a round, and opens again. */
  async round(
    pages: readonly PageToRevisit[],
    { round = 1, onlyPages = false }: { round?: number; onlyPages?: boolean } = {},
  ): Promise<Frontier> {
    await this.frontier[Symbol.asyncDispose]()
    const { job } = this
    async function* some() {
      yield pages
    }
    await this.fixture.beginRecrawl({ job, round, onlyPages, pages: some() })
    return this.open()
  }

  #openWith(changes: RigChanges): Promise<Frontier> {
    const settings = { ...this.#changes.settings, ...changes.settings }
    this.#changes = { ...this.#changes, ...changes, settings }
    return this.open()
  }

  seed(...shorts: readonly string[]): Promise<number> {
    return this.frontier.add(founds(...shorts), 'seed')
  }

  /** Leases one URL whose request goes out and lands at once. */
  async visit(): Promise<Lease> {
    const [lease] = await this.frontier.lease(1)
    assert.ok(lease, 'nothing could be leased')
    this.send(lease)
    return lease
  }

  send(lease: Lease): void {
    this.frontier.requestSent(lease)
    this.frontier.requestEnded(lease, { ok: true })
  }

  /** Moves the clock to when the next host is ready, and visits it. */
  async visitNext(): Promise<Lease> {
    // A host that is ready may still have to wait for others: then there is a next moment.
    for (let looks = 0; looks < 100; looks += 1) {
      this.wait()
      const [lease] = await this.frontier.lease(1)
      if (lease === undefined) continue
      this.send(lease)
      return lease
    }
    assert.fail('nothing could be leased')
  }

  /** Moves the clock to the next moment something could be leased. */
  wait(): void {
    const { readyAt } = this.frontier.status()
    assert.ok(readyAt !== null, 'nothing waits')
    this.clock.advance(Math.max(0, readyAt - this.clock.now()))
  }

  /** Visits the next page and stores it with these links. */
  async store(...links: readonly (string | Found)[]): Promise<Lease> {
    const lease = await this.visitNext()
    const all = links.map((link) => (typeof link === 'string' ? found(link) : link))
    assert.equal(await this.frontier.settle([stored(lease, all)]), 1)
    return lease
  }

  /** Everything that can be fetched, fetched in order with no links. */
  async drain(): Promise<string[]> {
    const visited: string[] = []
    while (this.frontier.status().readyAt !== null) visited.push(shortOf((await this.store()).url))
    return visited
  }

  robotsRecord(origin: string, more: Partial<RobotsRecord> = {}): RobotsRecord {
    const fetchedAt = this.clock.now()
    return {
      origin,
      status: 'fetched',
      body: 'User-agent: *',
      fetchedAt,
      expiresAt: fetchedAt + 86_400_000,
      // More than any job here retries.
      attempts: more.status === 'unreachable' ? 9 : 0,
      sitemaps: [],
      ...more,
    }
  }

  urlStates(): Promise<UrlStates> {
    return this.fixture.urlStates(this.job)
  }

  /** What a lease has refused on its way may be written a moment later. */
  async records(): Promise<readonly UrlRecord[]> {
    await this.#frontier?.flush()
    await using urlStates = await this.fixture.urlStates(this.job)
    return urlStates.list({ after: 0, limit: 100_000 })
  }

  async record(short: string): Promise<UrlRecord> {
    await using urlStates = await this.fixture.urlStates(this.job)
    const record = await urlStates.find(urlOf(short))
    assert.ok(record !== null, short)
    return record
  }

  /** Every URL's state, with its reason when it has one: `a.test/1` → `refused: depth`. */
  async states(): Promise<Record<string, string>> {
    const records = await this.records()
    return Object.fromEntries(
      records.map(({ url, state, reason }) => [
        shortOf(url),
        reason === '' ? state : `${state}: ${reason}`,
      ]),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#frontier?.[Symbol.asyncDispose]()
    await this.fixture[Symbol.asyncDispose]()
  }
}

export type Promises = (
  title: string,
  body: (rig: Rig) => Promise<void>,
  changes?: RigChanges,
) => void

/** How a suite states its promises: each gets a frontier of its own. */
export function promisesOf(name: string, openFixture: () => Promise<FrontierFixture>): Promises {
  return (title, body, changes = {}) => {
    test(`${name}: ${title}`, async () => {
      await using rig = new Rig(await openFixture(), changes)
      await rig.open()
      await body(rig)
    })
  }
}
