// The loop of the scouter with a real frontier (SQLite in memory) and a real socket. The web, the parser and
// the time are the test's: timers and clock move together, some of it with every turn of the event loop.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type FakeAnswers, FakeWeb, failed } from '../../test/support/fake-web.ts'
import { createAdmission } from '../core/admission.ts'
import type { CrawlSettings, Job } from '../core/job.ts'
import { templateOf } from '../core/template.ts'
import { type CanonicalUrl, canonicalise } from '../core/url.ts'
import type { Frontier } from '../frontier/frontier.ts'
import { hostPolicyNamed } from '../frontier/policy/index.ts'
import { openSqliteFrontier } from '../frontier/sqlite/sqlite-frontier.ts'
import { ManualClock } from '../lib/clock.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import { breadthFirst } from '../ordering/breadth-first.ts'
import { type Connection, connectTo, FRAME_TYPES } from '../wire/connection.ts'
import { decodeHandover, type HandoverHead } from '../wire/handover.ts'
import { encodeFound, encodeReceipt, type ReceiptHead } from '../wire/receipt.ts'
import { NO_LIMITER } from './host-limiter.ts'
import { Scouter, type ScouterEnd } from './scouter.ts'

const STEP_MS = 100
const url = (path: string): CanonicalUrl => canonicalise(`http://a.test${path}`)!

type Scene = {
  readonly answers: FakeAnswers
  readonly settings?: Partial<CrawlSettings>
  /** The links of each page; a page that is not named has none. */
  readonly links?: Readonly<Record<string, readonly string[]>>
  /** The outcome of a page; null: the parser keeps silent. By default it is stored. */
  readonly outcome?: (head: HandoverHead) => ReceiptHead['outcome'] | null
  readonly onHandover?: (head: HandoverHead, scouter: Scouter, frontier: Frontier) => void
  /** How long the frontier takes until what it was told is durable. */
  readonly durableAfterMs?: number
}

class ScriptedParser {
  readonly parsed: string[] = []
  readonly #scene: Scene
  readonly #hash = createUrlHasher(1)
  #connection: Connection | null = null

  constructor(scene: Scene) {
    this.#scene = scene
  }

  async connect(socket: string, scouter: Scouter, frontier: Frontier): Promise<void> {
    this.#connection = await connectTo(socket, {
      onFrame: (type, payload) => {
        if (type !== FRAME_TYPES.handover) return
        const { head } = decodeHandover(payload)
        this.#scene.onHandover?.(head, scouter, frontier)
        this.#answer(head)
      },
      onClose: () => {},
    })
    this.#connection.send(FRAME_TYPES.ready)
  }

  close(): void {
    this.#connection?.destroy()
  }

  #answer(head: HandoverHead): void {
    this.parsed.push(head.url)
    const { kind, id, token, url: at } = head
    const outcome = this.#scene.outcome === undefined ? 'stored' : this.#scene.outcome(head)
    if (outcome === null) return
    const found = (this.#scene.links?.[new URL(at).pathname] ?? []).map((path) => ({
      ...{ url: url(path), hash: this.#hash(url(path)), nofollow: false, signals: null },
    }))
    const rest = { reason: '', likeness: 0, judged: null, sitemaps: [] }
    const receipt = { kind, id, token, url: at, outcome, ...rest }
    this.#connection?.send(FRAME_TYPES.receipt, ...encodeReceipt(receipt, encodeFound(found)))
  }
}

type Crawled = {
  readonly end: ScouterEnd
  readonly web: FakeWeb
  readonly parsed: readonly string[]
  readonly counts: Readonly<Record<string, unknown>>
}

async function crawl(t: TestContext, scene: Scene): Promise<Crawled> {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const folder = mkdtempSync(join(tmpdir(), 'scouter-'))
  const clock = new ManualClock(0)
  const settings = { ...DEFAULT_SETTINGS, sitemaps: false, ...scene.settings }
  const job: Job = {
    ...{ id: 1, name: '', origin: 'cli', seeds: [url('/')], settings, topic: null, salt: 1 },
  }
  await using frontier = await openSqliteFrontier({
    ...{ path: ':memory:', job, ordering: breadthFirst, clock, templateOf },
    scorer: breadthFirst.createScorer({}, 1),
    policy: hostPolicyNamed('fair'),
    admit: createAdmission(job.seeds, settings),
  })
  if (scene.durableAfterMs !== undefined) slowDown(frontier, scene.durableAfterMs)
  const web = new FakeWeb(clock, scene.answers)
  const pagesSocket = join(folder, 'pages.sock')
  const world = { frontier, fetcher: web, limiter: NO_LIMITER, clock, pagesSocket }
  const scouter = new Scouter({ job, ...world })
  const parser = new ScriptedParser(scene)
  try {
    const running = scouter.run()
    await turn()
    await parser.connect(pagesSocket, scouter, frontier)
    const end = await passTime(running, (ms) => {
      clock.advance(ms)
      t.mock.timers.tick(ms)
    })
    return { end, web, parsed: parser.parsed, counts: frontier.counts() }
  } finally {
    parser.close()
    rmSync(folder, { recursive: true })
  }
}

function slowDown(frontier: Frontier, ms: number): void {
  const { settle, saveRobots } = frontier
  const durable = () => new Promise<void>((resolve) => setTimeout(resolve, ms))
  frontier.settle = async (updates) => {
    const accepted = await settle.call(frontier, updates)
    await durable()
    return accepted
  }
  frontier.saveRobots = async (...given) => {
    await saveRobots.call(frontier, ...given)
    await durable()
  }
}

async function passTime<T>(work: Promise<T>, advance: (ms: number) => void): Promise<T> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  work.then(over, over)
  while (!isOver) {
    await turn()
    advance(STEP_MS)
  }
  return work
}

const OPEN = { 'http://a.test/robots.txt': { body: '' } }
const PAGE = { body: '<p>x' }

test('robots.txt is requested first, then pages as they are found, a delay apart', async (t) => {
  const { end, web, counts } = await crawl(t, {
    answers: { ...OPEN, [url('/')]: PAGE, [url('/1')]: PAGE, [url('/2')]: PAGE },
    links: { '/': ['/1', '/2', '/'], '/1': ['/2'] },
    settings: { delayMs: 1000 },
  })
  assert.equal(end, 'empty')
  const [robots, ...pages] = web.asked.map((line) => line.split(' ')[1])
  assert.equal(robots, url('/robots.txt'))
  assert.deepEqual(pages, [url('/'), url('/1'), url('/2')])
  const times = web.asked.map((line) => Number(line.split(' ')[0]))
  for (const [at, time] of times.entries()) {
    if (at > 0) assert.ok(time - times[at - 1]! >= 1000, web.asked.join('\n'))
  }
  assert.equal(counts.stored, 3)
})

test('a page that robots.txt forbids is refused without a request', async (t) => {
  const { end, web, counts } = await crawl(t, {
    answers: {
      'http://a.test/robots.txt': { body: 'User-agent: *\nDisallow: /no' },
      [url('/')]: PAGE,
      [url('/no')]: PAGE,
    },
    links: { '/': ['/no'] },
    settings: { delayMs: 0 },
  })
  assert.equal(end, 'empty')
  assert.deepEqual(web.pages, [url('/')])
  assert.deepEqual([counts.stored, counts.refused], [1, 1])
})

test('no more pages are requested than the page limit leaves', async (t) => {
  const paths = Array.from({ length: 20 }, (_, at) => `/${at}`)
  const { end, web, counts } = await crawl(t, {
    answers: { ...OPEN, [url('/')]: PAGE, ...Object.fromEntries(paths.map((p) => [url(p), PAGE])) },
    links: { '/': paths },
    settings: { delayMs: 0, maxPages: 5, perHost: 8 },
  })
  assert.equal(end, 'limit')
  assert.equal(web.pages.length, 5)
  assert.deepEqual([counts.stored, counts.queued], [5, 16])
})

test('when the store has no room, the crawl ends at its limit', async (t) => {
  const { end, counts } = await crawl(t, {
    answers: { ...OPEN, [url('/')]: PAGE, [url('/1')]: PAGE },
    links: { '/': ['/1'] },
    outcome: ({ url: at }) => (at === url('/') ? 'stored' : 'over-limit'),
    settings: { delayMs: 0 },
  })
  assert.equal(end, 'limit')
  assert.deepEqual([counts.stored, counts.queued], [1, 1])
})

test('a server error is tried again later, as often as the job allows', async (t) => {
  const { end, web, counts } = await crawl(t, {
    answers: { ...OPEN, [url('/')]: { status: 500 } },
    settings: { delayMs: 1000, retries: 2 },
  })
  assert.equal(end, 'empty')
  const times = web.timesOf('http://a.test/')
  assert.equal(times.length, 3)
  assert.ok(times[2]! - times[1]! > times[1]! - times[0]!, 'each wait is longer than the last')
  assert.equal(counts.failed, 1)
})

test('a host that does not answer is given up, and the crawl ends', async (t) => {
  const { end, web, counts } = await crawl(t, {
    answers: {
      'http://a.test/robots.txt': failed('connect: ECONNREFUSED'),
    },
    settings: { delayMs: 1000, retries: 1 },
  })
  assert.equal(end, 'empty')
  assert.deepEqual(web.pages, [], 'without its robots.txt nothing is requested')
  assert.equal(counts.stored, 0)
  assert.equal(counts.queued, 0)
})

test('a redirect is followed as a URL of its own', async (t) => {
  const { web, parsed, counts } = await crawl(t, {
    answers: {
      ...OPEN,
      [url('/')]: { status: 301, headers: { location: '/new' } },
      [url('/new')]: PAGE,
    },
    settings: { delayMs: 0 },
  })
  assert.deepEqual(web.pages, [url('/'), url('/new')])
  assert.deepEqual(parsed, [url('/new')])
  assert.deepEqual([counts.redirected, counts.stored], [1, 1])
})

test('a scouter that is drained sends no new request, and gives back what nobody answered', async (t) => {
  const { end, web, counts } = await crawl(t, {
    answers: { ...OPEN, [url('/')]: PAGE },
    outcome: () => null,
    onHandover: (_head, scouter) => scouter.drain(),
    settings: { delayMs: 0 },
  })
  assert.equal(end, 'drained')
  assert.deepEqual(web.pages, [url('/')])
  assert.deepEqual([counts.stored, counts.queued, counts.leased], [0, 1, 0])
})

test('a scouter that takes no new pages ends at its limit', async (t) => {
  const { end, counts } = await crawl(t, {
    answers: { ...OPEN, [url('/')]: PAGE, [url('/1')]: PAGE },
    links: { '/': ['/1'] },
    onHandover: (_head, scouter) => scouter.stopNewPages(),
    settings: { delayMs: 0 },
  })
  assert.equal(end, 'limit')
  assert.deepEqual([counts.stored, counts.queued], [1, 1])
})

test('a crawl near its limit goes on when a request that belongs to none of its visits has ended', async (t) => {
  // As of a turn that another program was given at a host of this one: it counts as a page until it is over.
  const turnAt = async (frontier: Frontier): Promise<void> => {
    const lease = await frontier.leaseFor(canonicalise('http://b.test/robots.txt')!)
    frontier.requestSent(lease!)
    setTimeout(() => frontier.requestEnded(lease!, { ok: true }), 5_000)
  }
  const { end, counts } = await crawl(t, {
    answers: { ...OPEN, [url('/')]: PAGE, [url('/1')]: PAGE },
    links: { '/': ['/1', '/2'] },
    onHandover: ({ url: at }, _scouter, frontier) => {
      if (at === url('/')) void turnAt(frontier)
    },
    settings: { delayMs: 0, maxPages: 2 },
  })
  assert.equal(end, 'limit')
  assert.equal(counts.stored, 2)
})

test('no request waits until what other visits have settled is durable', async (t) => {
  const { end, web } = await crawl(t, {
    answers: { ...OPEN, [url('/')]: PAGE },
    links: { '/': ['/1', '/2', '/3'] },
    durableAfterMs: 5_000,
    settings: { delayMs: 0, concurrency: 1 },
  })
  assert.equal(end, 'empty')
  const times = web.asked.map((line) => Number(line.split(' ')[0]))
  const [robots, first, ...missing] = times
  assert.ok(first! - robots! < 5_000, web.asked.join('\n'))
  assert.equal(missing.length, 3)
  assert.ok(missing[2]! - missing[0]! < 5_000, web.asked.join('\n'))
})
