// A page that kills the parser again and again is recorded as failed, and the crawl goes on. The
// scouter, the frontier and the web are real; the parser is one that dies of certain pages.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { createAdmission } from '../../src/core/admission.ts'
import type { Job } from '../../src/core/job.ts'
import { templateOf } from '../../src/core/template.ts'
import { type CanonicalUrl, canonicalise, hostOf } from '../../src/core/url.ts'
import { hostPolicyNamed } from '../../src/frontier/policy/index.ts'
import { openSqliteFrontier } from '../../src/frontier/sqlite/sqlite-frontier.ts'
import { openFetcher } from '../../src/http/fetcher.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createUrlHasher } from '../../src/lib/url-hash.ts'
import { DEFAULT_SETTINGS } from '../../src/options/settings.ts'
import { breadthFirst } from '../../src/ordering/breadth-first.ts'
import { NO_LIMITER } from '../../src/scouter/host-limiter.ts'
import { Scouter } from '../../src/scouter/scouter.ts'
import { type Connection, connectTo, FRAME_TYPES } from '../../src/wire/connection.ts'
import { decodeHandover } from '../../src/wire/handover.ts'
import { encodeFound, encodeIds, encodeReceipt } from '../../src/wire/receipt.ts'
import { query, serve, temporaryFolder } from './crawling.ts'

/** Answers every page as stored, with links to three more; dies when it begins with `poison`. */
class DyingParser {
  readonly #socket: string
  readonly #links: readonly CanonicalUrl[]
  readonly #onDeath: () => void
  readonly #hash = createUrlHasher(1)
  #connection: Connection | null = null
  closed = false

  constructor(socket: string, links: readonly CanonicalUrl[], onDeath: () => void) {
    this.#socket = socket
    this.#links = links
    this.#onDeath = onDeath
  }

  async live(): Promise<void> {
    while (!this.closed) {
      const gone = Promise.withResolvers<void>()
      try {
        this.#connection = await connectTo(this.#socket, {
          onFrame: (type, payload) => {
            if (type === FRAME_TYPES.handover) this.#parse(payload)
          },
          onClose: () => gone.resolve(),
        })
        this.#connection.send(FRAME_TYPES.ready)
        await gone.promise
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
  }

  #parse(payload: Uint8Array<ArrayBuffer>): void {
    const { kind, id, token, url } = decodeHandover(payload).head
    this.#connection?.send(FRAME_TYPES.begun, encodeIds([id]))
    if (url.endsWith('poison')) {
      this.#onDeath()
      void this.#connection?.end()
      return
    }
    const found = encodeFound(
      this.#links.map((link) => ({
        url: link,
        hash: this.#hash(link),
        nofollow: false,
        signals: null,
      })),
    )
    const head = {
      kind,
      id,
      token,
      outcome: 'stored',
      reason: '',
      likeness: 0,
      judged: null,
      sitemaps: [],
    } as const
    this.#connection?.send(FRAME_TYPES.receipt, ...encodeReceipt(head, found))
  }
}

for (const { killed, deaths } of [
  { killed: false, deaths: 2 },
  { killed: true, deaths: 3 },
]) {
  const how = killed ? 'was killed' : 'died by itself'
  test(`a page during which the parser ${how} ${deaths} times is failed, and the rest is stored`, async () => {
    await using folder = await temporaryFolder()
    const asked: string[] = []
    await using web = await serve((request, response) => {
      asked.push(request.url ?? '')
      response.setHeader('content-type', 'text/html')
      response.end('a page')
    })
    const at = (path: string) => canonicalise(`http://127.0.0.1:${web.port}${path}`)!
    const settings = { ...DEFAULT_SETTINGS, delayMs: 0, ignoreRobots: true, sitemaps: false }
    const job: Job = {
      id: 1,
      name: 'poison',
      origin: 'cli',
      seeds: [at('/')],
      settings,
      topic: null,
      salt: 1,
    }
    const path = join(folder.path, 'frontier-1.db')
    const clock = systemClock
    const pagesSocket = join(folder.path, 'pages.sock')
    const frontier = await openSqliteFrontier({
      path,
      job,
      ordering: breadthFirst,
      scorer: breadthFirst.createScorer({}, 1),
      policy: hostPolicyNamed('fair'),
      admit: createAdmission(job.seeds, settings),
      templateOf,
      clock,
    })
    const trustedHosts = new Set(job.seeds.map(hostOf))
    await using fetcher = openFetcher({ ...settings, trustedHosts })
    const scouter = new Scouter({ job, frontier, fetcher, limiter: NO_LIMITER, clock, pagesSocket })
    let died = 0
    const links = [at('/one'), at('/poison'), at('/two')]
    const parser = new DyingParser(pagesSocket, links, () => {
      died++
      scouter.parserDied(killed)
    })
    const lived = parser.live()
    assert.equal(await scouter.run(), 'empty')
    parser.closed = true
    await lived
    await frontier[Symbol.asyncDispose]()
    const rows = query<{ url: string; state: string; reason: string }>(
      path,
      "SELECT url, state, coalesce(reason, '') AS reason FROM urls ORDER BY url",
    )
    const states = rows.map(({ url, state, reason }) => [url, state, reason.split(':')[0]])
    assert.deepEqual(states, [
      [at('/'), 'stored', ''],
      [at('/one'), 'stored', ''],
      [at('/poison'), 'failed', 'parser-crash'],
      [at('/two'), 'stored', ''],
    ])
    assert.equal(died, deaths)
    assert.equal(asked.filter((url) => url === '/poison').length, 1, 'its body was kept')
  })
}
