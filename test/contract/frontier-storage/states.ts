// The states of URLs, as people see them.
import assert from 'node:assert/strict'
import type { Job } from '../../../src/core/job.ts'
import { type CanonicalUrl, hostOf, siteOf } from '../../../src/core/url.ts'
import { numberOf, partitionOf } from '../../../src/frontier/partitions/partition-of.ts'
import type {
  FrontierStorage,
  Row,
  RowValue,
  StoredUrlStates,
  TableName,
} from '../../../src/frontier/storage.ts'
import { countRefused, type UrlStates } from '../../../src/frontier/url-states.ts'
import { urlFor } from '../sample-page.ts'
import { batchOf, claimed, divided, jobOf, type Promise_, rowOf, write } from './rig.ts'

const PARTITIONS = 3
const STATES = ['queued', 'leased', 'stored', 'duplicate', 'redirected', 'refused', 'failed']
const DELAYED = 7
const UNREACHABLE = 8

/** The first `n`.test that belongs to a partition. */
function hostIn(partition: number): string {
  for (let nth = 1; ; nth++) {
    const host = `h${nth}.test`
    if (partitionOf(host, PARTITIONS) === partition) return host
  }
}
const [A, B, C] = [hostIn(0), hostIn(1), hostIn(2)]

type Facts = Readonly<Record<string, RowValue>>

/** Rows of several partitions, with ids and counts as an engine would give them. */
class Scene {
  readonly #rows = new Map<number, Map<TableName, Row[]>>()
  readonly #hosts = new Map<string, number>()
  readonly #counts = new Map<number, Record<string, number>>()

  rows(partition: number, table: TableName): Row[] {
    const tables = this.#rows.get(partition) ?? new Map<TableName, Row[]>()
    this.#rows.set(partition, tables)
    const rows = tables.get(table) ?? []
    tables.set(table, rows)
    return rows
  }

  host(name: string, facts: Facts = {}): number {
    const known = this.#hosts.get(name)
    if (known !== undefined) return known
    const rows = this.rows(partitionOf(name, PARTITIONS), 'host')
    const id = rows.length + 1
    const none = { open_http: 0, open_https: 0, delayed: 0, stored: 0, answered: 0 }
    const named = { id, name, site: siteOf(name), failures: 0, trouble: '' }
    rows.push(rowOf('host', { ...none, ...named, ...facts }))
    this.#hosts.set(name, id)
    return id
  }

  /** Its number over all partitions. */
  url(url: CanonicalUrl, facts: Facts = {}): number {
    const partition = partitionOf(hostOf(url), PARTITIONS)
    const rows = this.rows(partition, 'url')
    const id = rows.length + 1
    const origin_id = 2 * this.host(hostOf(url)) + (url.startsWith('https:') ? 1 : 0)
    const row = rowOf('url', { id, origin_id, url, found_at: id, priority: 0, ...facts })
    rows.push(row)
    this.#count(partition, Number(row[3]), String(row[4]))
    return numberOf(id, partition, PARTITIONS)
  }

  sitemap(url: CanonicalUrl): number {
    const partition = partitionOf(hostOf(url), PARTITIONS)
    const rows = this.rows(partition, 'sitemap')
    rows.push(rowOf('sitemap', { id: rows.length + 1, url }))
    return numberOf(rows.length, partition, PARTITIONS)
  }

  async write(storage: FrontierStorage): Promise<StoredUrlStates> {
    await divided(storage, PARTITIONS)
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const counts = Object.fromEntries([...STATES, 'outside'].map((state) => [state, 0]))
      const known = this.#counts.get(partition)
      this.rows(partition, 'crawl').push(rowOf('crawl', { round: 0, ...counts, ...known }))
      const tables = [...(this.#rows.get(partition) ?? [])]
      const changes = tables.map(([table, rows]) => ({ table, rows, dropped: [] }))
      await write(storage, await claimed(storage, partition), batchOf({ changes }))
    }
    return opened(storage)
  }

  #count(partition: number, state: number, reason: string): void {
    const counts = this.#counts.get(partition) ?? {}
    this.#counts.set(partition, counts)
    const shown = state === DELAYED ? 'queued' : (STATES[state] ?? 'refused')
    counts[shown] = (counts[shown] ?? 0) + 1
    const isOutside = shown === 'refused' && /^(?:scope|filter|depth)(?::|$)/.test(reason)
    if (isOutside) counts.outside = (counts.outside ?? 0) + 1
  }
}

async function opened(storage: FrontierStorage, job: Job = jobOf(7)): Promise<StoredUrlStates> {
  const states = await storage.states(job)
  assert.ok(states !== null)
  return states
}

const at = (host: string, path: string, scheme = 'http') => urlFor(`${scheme}://${host}/${path}`)

async function positions(states: UrlStates, rest: Partial<Parameters<UrlStates['list']>[0]> = {}) {
  const listed = await states.list({ after: 0, limit: 100, ...rest })
  return listed.map(({ position }) => position)
}

export function statePromises(promise: Promise_): void {
  urls(promise)
  sums(promise)
  hosts(promise)
}

function urls(promise: Promise_): void {
  promise('a crawl without a frontier has no states', async ({ storage }) => {
    assert.equal(await storage.states(jobOf(7)), null)
    await divided(storage)
    const states = await opened(storage)
    assert.deepEqual(await states.list({ after: 0, limit: 5 }), [])
    assert.deepEqual(await states.hosts(5), [])
    assert.equal(await states.find(at(A, '')), null)
    assert.equal(await states.candidate(at(A, '')), null)
    assert.deepEqual(await states.at([1]), [])
    assert.deepEqual(await states.learned(), [])
    assert.equal(await states.robots(`http://${A}`), null)
    assert.equal(await storage.states(jobOf(8)), null)
  })

  promise('a URL is found with the page or sitemap that led to it', async ({ storage }) => {
    const scene = new Scene()
    const first = scene.url(at(A, ''), { state: 2, depth: 0, tries: 1 })
    const there = at(B, 'there')
    const found_on = first
    scene.url(there, { state: 7, reason: 'http-503', depth: 1, found_on, tries: 2, next_at: 99 })
    const sitemap = scene.sitemap(at(C, 'sitemap.xml'))
    scene.url(at(B, 'listed'), { found_on: -sitemap, priority: -0.5 })
    scene.url(at(C, 'own'), { found_on: -sitemap })
    scene.url(at(A, 'lost'), { found_on: numberOf(77, 1, PARTITIONS) })
    const states = await scene.write(storage)
    assert.deepEqual(await states.find(there), {
      ...{ crawlId: 7, url: there, host: B, state: 'queued', reason: 'http-503', depth: 1 },
      ...{ foundOn: at(A, ''), priority: 0, tries: 2, nextAt: 99 },
    })
    assert.equal((await states.find(at(A, '')))?.foundOn, null)
    assert.equal((await states.find(at(B, 'listed')))?.foundOn, at(C, 'sitemap.xml'))
    assert.equal((await states.find(at(C, 'own')))?.foundOn, at(C, 'sitemap.xml'))
    assert.equal((await states.find(at(A, 'lost')))?.foundOn, null)
    assert.equal(await states.find(at(B, 'unknown')), null)
    assert.equal(await states.find(at('unknown.test', '')), null)
  })

  promise('URLs are listed in order of their numbers, over all partitions', async ({ storage }) => {
    const scene = new Scene()
    const numbers: number[] = []
    for (let nth = 0; nth < 4; nth++) numbers.push(scene.url(at(A, `${nth}`)))
    for (let nth = 0; nth < 2; nth++) numbers.push(scene.url(at(C, `${nth}`)))
    numbers.push(scene.url(at(B, '0'), { found_on: numbers[5]! }))
    const states = await scene.write(storage)
    const sorted = numbers.toSorted((a, b) => a - b)
    assert.deepEqual(await positions(states), sorted)
    for (let limit = 1; limit <= 3; limit++) {
      const seen: number[] = []
      for (let after = 0; ; after = seen.at(-1)!) {
        const some = await positions(states, { after, limit })
        seen.push(...some)
        if (some.length < limit) break
      }
      assert.deepEqual(seen, sorted)
    }
    assert.deepEqual(await positions(states, { limit: 0 }), [])
    const all = await states.list({ after: numbers[6]! - 1, limit: 1 })
    const { position, ...record } = all[0]!
    assert.equal(position, numbers[6])
    assert.deepEqual(record, await states.find(at(B, '0')))
    assert.equal(record.foundOn, at(C, '1'))
    const unknown = numberOf(77, 1, PARTITIONS)
    const asked = await states.at([numbers[6]!, unknown, numbers[0]!])
    assert.equal(asked.length, 2)
    assert.deepEqual(
      asked.find((one) => one.position === numbers[6]),
      all[0],
    )
    assert.equal(asked.find((one) => one.position === numbers[0])?.url, at(A, '0'))
    assert.deepEqual(await states.at([]), [])
  })

  promise('URLs are listed in order though one partition has most of them', async ({ storage }) => {
    const scene = new Scene()
    const numbers = [scene.url(at(A, '')), scene.url(at(C, ''))]
    for (let nth = 0; nth < 60; nth++) numbers.push(scene.url(at(B, `${nth}`), { state: nth % 9 }))
    const states = await scene.write(storage)
    const sorted = numbers.toSorted((a, b) => a - b)
    const seen: number[] = []
    for (let some = sorted; some.length > 0; ) {
      some = await positions(states, { after: seen.at(-1) ?? 0, limit: 7 })
      seen.push(...some)
    }
    assert.deepEqual(seen, sorted)
    const failed = await positions(states, { state: 'failed', limit: 4 })
    assert.deepEqual(
      failed,
      [6, 15, 24, 33].map((nth) => numbers[nth + 2]),
    )
  })

  promise('only URLs of a state or with a code are listed when asked for', async ({ storage }) => {
    const scene = new Scene()
    const queued = scene.url(at(A, 'queued'))
    const delayed = scene.url(at(B, 'delayed'), { state: DELAYED, reason: 'http-503', next_at: 5 })
    const robots = scene.url(at(B, 'robots'), { state: 5, reason: 'robots' })
    const trap = scene.url(at(C, 'trap'), { state: 5, reason: 'trap: /a?b: much' })
    const gone = scene.url(at(C, 'gone'), { state: UNREACHABLE, reason: 'host-unreachable: dns' })
    const moved = scene.url(at(C, 'moved'), { state: 4, reason: 'trap://x.test/' })
    const states = await scene.write(storage)
    const sorted = (...numbers: number[]) => numbers.toSorted((a, b) => a - b)
    assert.deepEqual(await positions(states, { state: 'queued' }), sorted(queued, delayed))
    assert.deepEqual(await positions(states, { state: 'refused' }), sorted(robots, trap, gone))
    assert.deepEqual(await positions(states, { code: 'trap' }), [trap])
    assert.deepEqual(await positions(states, { code: 'http-503' }), [delayed])
    assert.deepEqual(await positions(states, { state: 'redirected' }), [moved])
    const code = 'host-unreachable'
    assert.deepEqual(await positions(states, { state: 'refused', code }), [gone])
    assert.deepEqual(await positions(states, { state: 'queued', code }), [])
    assert.deepEqual(await positions(states, { state: 'refused', after: trap, limit: 1 }), [robots])
  })

  promise('what an ordering weighs, and who goes first, is known of a URL', async ({ storage }) => {
    const scene = new Scene()
    const signals = new Uint8Array(Float64Array.of(0.5, -2).buffer)
    const url = at(A, 'c')
    scene.url(at(A, 'a'), { priority: 3 })
    scene.url(at(A, 'b', 'https'), { priority: 1 })
    scene.url(url, { priority: 1, depth: 4, in_links: 6, signals })
    scene.url(at(A, 'd'), { priority: 1 })
    scene.url(at(A, 'e'), { priority: 9, state: DELAYED, next_at: 5 })
    scene.url(at(A, 'f'), { priority: 9, state: 2 })
    scene.url(at(B, 'g'), { priority: 9 })
    const states = await scene.write(storage)
    const candidate = { url, depth: 4, foundAt: 3, inLinks: 6, signals: [0.5, -2] }
    assert.deepEqual(await states.candidate(url), candidate)
    assert.equal((await states.candidate(at(A, 'a')))?.signals, null)
    const ahead = await Promise.all(
      ['a', 'b', 'c', 'd'].map((path) =>
        states.ahead(at(A, path, path === 'b' ? 'https' : 'http')),
      ),
    )
    assert.deepEqual(ahead, [0, 1, 2, 3])
    assert.equal(await states.ahead(at(A, 'e')), 0)
    assert.equal(await states.ahead(at(A, 'f')), 0)
    assert.equal(await states.ahead(at(A, 'unknown')), 0)
  })

  promise('states are those that were last written', async ({ storage }) => {
    const scene = new Scene()
    scene.url(at(A, ''))
    const states = await scene.write(storage)
    const own = await claimed(storage, 0)
    const row = rowOf('url', { id: 1, origin_id: 2, url: at(A, ''), state: 2, priority: 4 })
    await write(storage, own, batchOf({ changes: [{ table: 'url', rows: [row], dropped: [] }] }))
    assert.equal((await states.find(at(A, '')))?.state, 'stored')
    assert.equal((await states.list({ after: 0, limit: 1 }))[0]?.priority, 4)
  })
}

function sums(promise: Promise_): void {
  promise('URLs are counted by state and outcome, over all partitions', async ({ storage }) => {
    const scene = new Scene()
    for (const host of [A, B]) {
      scene.url(at(host, '1'))
      scene.url(at(host, '2'), { state: 5, reason: `scope: ${host}` })
      scene.url(at(host, '3'), { state: 2 })
    }
    scene.url(at(C, '1'), { state: 1 })
    scene.url(at(C, '2'), { state: DELAYED, reason: '', next_at: 3 })
    scene.url(at(C, '3'), { state: 5, reason: 'robots' })
    scene.url(at(C, '4'), { state: UNREACHABLE, reason: 'robots-unreachable: 503' })
    scene.url(at(C, '5'), { state: 5, reason: 'filter' })
    scene.url(at(C, '6'), { state: 3, reason: at(A, '3') })
    scene.url(at(C, '7'), { state: 6, reason: 'http-404: not found' })
    scene.url(at(C, '8'), { state: 5, reason: 'robots' })
    const states = await scene.write(storage)
    assert.deepEqual(await states.counts(), {
      ...{ queued: 3, leased: 1, stored: 2, duplicate: 1, redirected: 0 },
      ...{ refused: 3, outside: 3, failed: 1 },
    })
    assert.equal(countRefused(await states.outcomes(), ['scope', 'robots']), 4)
    assert.equal(countRefused(await states.outcomes(), ['robots-unreachable']), 1)
    assert.equal(countRefused(await states.outcomes(), []), 0)
    const outcomes = (await states.outcomes()).map(({ state, code, count, example }) => [
      `${state} ${code} ${count}`,
      example.url,
      example.reason,
    ])
    assert.deepEqual(outcomes, [
      ['queued  3', at(A, '1'), ''],
      ['stored  2', at(A, '3'), ''],
      ['refused robots 2', at(C, '3'), 'robots'],
      ['refused scope 2', at(A, '2'), `scope: ${A}`],
      ['leased  1', at(C, '1'), ''],
      ['duplicate  1', at(C, '6'), at(A, '3')],
      ['refused filter 1', at(C, '5'), 'filter'],
      ['refused robots-unreachable 1', at(C, '4'), 'robots-unreachable: 503'],
      ['failed http-404 1', at(C, '7'), 'http-404: not found'],
    ])
  })

  promise(
    'pages that a recrawl has to visit are counted once it has begun',
    async ({ storage }) => {
      const scene = new Scene()
      for (const host of [A, B, C]) scene.url(at(host, ''), { state: 2 })
      const states = await scene.write(storage)
      assert.equal(await states.pagesToRevisit(1), null)
      for (const partition of [0, 1, 2]) {
        const own = await claimed(storage, partition)
        const crawl = { table: 'crawl', rows: [rowOf('crawl', { round: 1 })], dropped: [] } as const
        const page = rowOf('revisit', { url_id: 1, priority: 0 })
        const other = rowOf('revisit', { url_id: 2, priority: -1 })
        const revisit = { table: 'revisit', rows: [page, other], dropped: [] } as const
        await write(
          storage,
          own,
          batchOf({ changes: partition === 2 ? [crawl] : [crawl, revisit] }),
        )
        if (partition < 2) assert.equal(await states.pagesToRevisit(1), null)
      }
      assert.equal(await states.pagesToRevisit(1), 2)
      assert.equal(await states.pagesToRevisit(2), null)
    },
  )

  promise('what the ordering has learned is shown by partition', async ({ storage }) => {
    const scene = new Scene()
    const saved = (partition: number, savedAt: number) =>
      scene.rows(partition, 'ordering').push(['adaptive', Uint8Array.of(partition), savedAt])
    saved(0, 5)
    saved(2, 9)
    saved(1, 7)
    const states = await scene.write(storage)
    const learned = await states.learned()
    const shown = learned.map(({ name, bytes, part }) => [name, ...bytes, part])
    assert.deepEqual(shown, [
      ['adaptive', 0, 0],
      ['adaptive', 1, 1],
      ['adaptive', 2, 2],
    ])
  })
}

function hosts(promise: Promise_): void {
  promise('hosts are shown with their queues, the largest first', async ({ storage }) => {
    const scene = new Scene()
    const rest = { failures: 2, trouble: 'http-503', delay_ms: 1500, rests_until: 77 }
    scene.host(A, { open_http: 2, open_https: 1, delayed: 1, stored: 3, ...rest })
    scene.url(at(A, '1'), { state: 1 })
    scene.url(at(A, '2', 'https'), { state: 1 })
    scene.host(`www.${A}`, { stored: 9 })
    scene.host(B, { open_https: 1, stored: 6 })
    scene.host(C, { open_https: 1 })
    scene.url(at(C, '1', 'https'), { state: 1 })
    const states = await scene.write(storage)
    const all = await states.hosts(10)
    const sizes = all.map((each) => [each.host, each.queued, each.inFlight, each.stored])
    const large = [[A, 2, 2, 3], [B, 1, 0, 6]].sort(([a], [b]) => (a! < b! ? -1 : 1)) // biome-ignore format: one line
    assert.deepEqual(sizes, [[`www.${A}`, 0, 0, 9], ...large, [C, 0, 1, 0]])
    assert.deepEqual(await states.hosts(1), all.slice(0, 1))
    assert.equal((await states.hosts(Number.POSITIVE_INFINITY)).length, 4)
    assert.deepEqual(await states.host(A), {
      ...{ host: A, site: A, queued: 2, inFlight: 2, stored: 3, failures: 2 },
      ...{ trouble: 'http-503', delayMs: 1500, restsUntil: 77 },
    })
    assert.equal(await states.host('unknown.test'), null)
  })

  promise(
    'hosts that answered once and then not are shown with their URLs',
    async ({ storage }) => {
      const scene = new Scene()
      const gone = { state: UNREACHABLE, reason: 'host-unreachable: dns' }
      scene.host(A, { answered: 1 })
      scene.url(at(A, '1'), gone)
      scene.url(at(A, '2', 'https'), gone)
      scene.host(B, { stored: 1 })
      for (const path of ['1', '2']) scene.url(at(B, path, 'https'), gone)
      scene.url(at(B, '3'), { state: UNREACHABLE, reason: 'budget-requests: 5' })
      scene.url(at(C, '1'), gone)
      scene.host(`www.${C}`)
      scene.url(at(`www.${C}`, '1'), gone)
      const states = await scene.write(storage)
      const reached = [{ host: B, urls: 2 }, { host: A, urls: 1 }] // biome-ignore format: one line
      assert.deepEqual(await states.unreached([]), reached)
      const seeded = [...reached, { host: C, urls: 1 }]
      assert.deepEqual(sortedByName(await states.unreached([C])), sortedByName(seeded))
    },
  )

  promise('the robots.txt of an origin is read from its partition', async ({ storage }) => {
    const scene = new Scene()
    const origin = `http://${B}:8080`
    const sitemaps = [at(B, 'sitemap.xml')]
    const known = { origin, status: 'fetched', body: 'User-agent: *\n', attempts: 2 } as const
    const row = { ...known, fetched_at: 5, expires_at: 6, sitemaps: JSON.stringify(sitemaps) }
    scene.rows(1, 'robots').push(rowOf('robots', row))
    const states = await scene.write(storage)
    const record = { ...known, fetchedAt: 5, expiresAt: 6, sitemaps }
    assert.deepEqual(await states.robots(origin), record)
    assert.equal(await states.robots(`https://${B}:8080`), null)
  })
}

function sortedByName<T extends { host: string }>(all: readonly T[]): T[] {
  return all.toSorted((a, b) => (a.host < b.host ? -1 : 1))
}
