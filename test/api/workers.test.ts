// Workers, leases and stores as the server tells of them: whatever stands in Redis, and whether it can be
// reached or not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CrawlLeases, Fleet, FleetWorker, StoreState } from '../../src/fleet/fleet.ts'
import type { WorkerRecord } from '../../src/fleet/worker-registry.ts'
import { openRig, type Rig, until } from '../support/api-rig.ts'

const record: WorkerRecord = {
  ...{ id: 'id-1', name: 'kilang', machine: 'm1', pid: 7, version: '1.2.3', protocol: 1, pairs: 2 },
  ...{ since: 1000, cpu: 1.23456, rssBytes: 5e7, pagesPerSecond: 2.5, inFlight: 3 },
  ...{ shares: [], declined: [{ crawl: 4, why: 'it has proxies' }], isLeaving: false },
}
const share = { crawl: 3, run: 'r', pairs: 1, figures: { saved: 12 }, end: null, trouble: null }
// biome-ignore lint/suspicious/noExplicitAny: records of others may be anything at all.
const hostile: any = {
  ...{
    id: 'x'.repeat(1e5),
    name: `<script>\u202e\u0000"\n${'y'.repeat(1e5)}`,
    machine: 7,
    pid: '-1',
  },
  ...{ version: null, pairs: 1e300, since: Number.NaN, cpu: -5, rssBytes: 'many', shares: 'none' },
  ...{ pagesPerSecond: 0.5, inFlight: {}, declined: [null, { crawl: 'a', why: 3 }], isLeaving: 1 },
}

/** What a watch has found; the watch itself has tests of its own. */
class StillFleet implements Fleet {
  workers: readonly FleetWorker[] = []
  stores: readonly StoreState[] = (['postgres', 'redis'] as const).map((store) => ({
    ...{ store, isUp: true, since: 1000, givesUpAt: null },
  }))
  found: CrawlLeases | null = null
  readonly listeners = new Set<() => void>()

  async leases(): Promise<CrawlLeases | null> {
    return this.found
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  lose(store: StoreState['store'], since: number): void {
    this.stores = this.stores.map((one) =>
      one.store === store ? { ...one, isUp: false, since, givesUpAt: since + 60_000 } : one,
    )
  }
}

async function shared(): Promise<Rig & { readonly fleet: StillFleet }> {
  const fleet = new StillFleet()
  return { ...(await openRig({}, { fleet })), fleet }
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the server says, a test looks into it.
type Answer = { readonly status: number; readonly json: any; readonly text: string }

async function ask({ url }: Rig, path: string): Promise<Answer> {
  const response = await fetch(`${url}${path}`)
  const text = await response.text()
  return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : null }
}

test('on one machine there are no workers, no leases and no stores to lose', async () => {
  await using rig = await openRig()
  const job = await rig.newJob()
  const { json } = await ask(rig, '/workers')
  assert.deepEqual(json, { at: json.at, shared: false, total: 0, workers: [], stores: [] })
  const leases = (await ask(rig, `/crawl/crawl_${job.id}/leases`)).json
  assert.deepEqual([leases.total, leases.shards], [0, []])
  assert.deepEqual((await ask(rig, '/healthz')).json, { status: 'ok' })
  assert.doesNotMatch((await ask(rig, '/metrics')).text, /jelajah_(?:workers|store_up)/)
})

test('workers are reported with what they do; those that went, too', async () => {
  await using rig = await shared()
  const working = { ...record, shares: [share] } as unknown as WorkerRecord
  rig.fleet.workers = [
    { record: working, leases: 4, goneAt: null },
    { record: { ...record, id: 'id-2' }, leases: 0, goneAt: 5000 },
  ]
  const { workers, total, shared: isShared, stores } = (await ask(rig, '/workers')).json
  assert.deepEqual([isShared, total, stores.length], [true, 1, 2])
  const [one, two] = workers
  assert.deepEqual(one.crawls, [{ id: 'crawl_3', pairs: 1, stored: 12, trouble: '' }])
  assert.deepEqual(one.declined, [{ id: 'crawl_4', why: 'it has proxies' }])
  assert.deepEqual([one.condition, one.cpu, one.leases, one.gone_at], ['working', 1.235, 4, null])
  assert.deepEqual([two.condition, two.gone_at, two.pages_per_second], ['gone', 5000, 0])
  const metrics = (await ask(rig, '/metrics')).text
  assert.match(metrics, /^jelajah_workers 1$/m)
  assert.match(metrics, /^jelajah_worker_pages_per_second\{worker="kilang"\} 2\.5$/m)
  assert.match(metrics, /^jelajah_leases 4$/m)
  assert.match(metrics, /^jelajah_store_up\{store="redis"\} 1$/m)
})

test('a record that makes no sense is shown as far as it does, and stays small', async () => {
  await using rig = await shared()
  rig.fleet.workers = [{ record: hostile, leases: 0, goneAt: null }]
  const { status, json, text } = await ask(rig, '/workers')
  assert.equal(status, 200)
  assert.ok(text.length < 2000, `${text.length}`)
  const [worker] = json.workers
  assert.deepEqual(
    [worker.machine, worker.pid, worker.since, worker.cpu, worker.rss_bytes, worker.crawls],
    ['', 0, 0, 0, 0, []],
  )
  assert.match(worker.name, /^<script>" y{10,100}$/)
  assert.match((await ask(rig, '/metrics')).text, /\{worker="<script>\\" y+"\} 0\.5\n/)
})

test('who holds what of a job is reported, also where nobody knows any more who that is', async () => {
  await using rig = await shared()
  const job = await rig.newJob()
  const partition = {
    partition: 0,
    keys: '{jelajah:1:0}',
    urls: 9,
    hosts: 2,
    queued: 3,
    leased: 2,
    stored: 4,
  }
  const lease = { kind: 'page', host: 'a.test', tries: 1 } as const
  rig.fleet.found = {
    ...{ now: 5000, total: 2, partitions: [{ ...partition, readyHosts: 1, restingHosts: 1 }] },
    sessions: ['s1', 's2'].map((session) => ({ session, until: 9000, leases: 1, hosts: 1 })),
    leases: [
      { ...lease, session: 's1', url: 'http://a.test/1', startedAt: 4000 },
      { ...lease, session: 's2', url: 'http://a.test/2', startedAt: null },
    ],
    hosts: [{ host: 'a.test', session: 's1', until: 6000 }],
    holders: new Map([['s1', { machine: 'm1', pid: 7, name: 'kilang', worker: 'id-1' }]]),
  }
  const { json } = await ask(rig, `/crawl/crawl_${job.id}/leases`)
  assert.deepEqual(
    json.leases.map(({ name, url, started_at }: Record<string, unknown>) => [
      name,
      url,
      started_at,
    ]),
    [
      ['kilang', 'http://a.test/1', 4000],
      ['', 'http://a.test/2', null],
    ],
  )
  assert.deepEqual(json.hosts, [{ worker: 'id-1', name: 'kilang', host: 'a.test', until: 6000 }])
  assert.deepEqual([json.shards[0].ready_hosts, json.sessions[0].machine], [1, 'm1'])
  assert.equal((await ask(rig, '/crawl/crawl_99/leases')).status, 404)
})

test('while a store is away health says which, metrics go on, and who needs it is notified at once', async () => {
  await using rig = await shared()
  rig.fleet.lose('redis', Date.now())
  const redis = await ask(rig, '/healthz')
  assert.equal(redis.status, 503)
  const isUp = redis.json.stores.map(({ store, up }: Record<string, unknown>) => [store, up])
  assert.deepEqual(
    [redis.json.status, isUp],
    [
      'store-away',
      [
        ['postgres', true],
        ['redis', false],
      ],
    ],
  )
  assert.equal((await ask(rig, '/crawl')).status, 200)
  rig.fleet.lose('postgres', Date.now() - 1000)
  assert.equal((await ask(rig, '/crawl')).status, 200)
  rig.fleet.lose('postgres', Date.now() - 10_000)
  const refused = await ask(rig, '/crawl')
  assert.deepEqual([refused.status, refused.json.error.code], [503, 'store-unreachable'])
  const metrics = await ask(rig, '/metrics')
  assert.equal(metrics.status, 200)
  assert.match(metrics.text, /^jelajah_store_up\{store="postgres"\} 0$/m)
  assert.equal((await ask(rig, '/workers')).json.stores[0].up, false)
})

test('every stream of events tells how workers and stores are, first of all and again', async () => {
  await using rig = await shared()
  const job = await rig.newJob()
  rig.fleet.found = {
    ...{
      now: 5000,
      total: 1,
      partitions: [],
      sessions: [],
      leases: [],
      hosts: [],
      holders: new Map(),
    },
  }
  const stop = new AbortController()
  const { body } = await fetch(`${rig.url}/crawl/crawl_${job.id}/events`, { signal: stop.signal })
  let heard = ''
  const reading = (async () => {
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) heard += chunk
  })().catch(() => {})
  await until(() => heard.includes('event: job'))
  assert.match(heard, /^event: workers\ndata: \{.*"shared":true/)
  rig.dispatcher.beat(job, 0)
  for (const tell of rig.fleet.listeners) tell()
  await until(() => heard.includes('event: leases'))
  assert.match(heard, /id: \d+\.\d+\nevent: workers\n/)
  stop.abort()
  await reading
})
