import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../lib/clock.ts'
import { type FleetSnapshot, type FleetSource, STORES, type StoreName } from './fleet.ts'
import { FleetWatch } from './fleet-watch.ts'
import type { WorkerRecord } from './worker-registry.ts'

const worker = (id: string): WorkerRecord => ({
  ...{ id, name: id, machine: 'm', pid: 1, version: '1', protocol: 1, pairs: 1, since: 0, cpu: 0 },
  ...{ rssBytes: 0, pagesPerSecond: 0, inFlight: 0, shares: [], declined: [], isLeaving: false },
})

/** Stores that are up or down as a test wants it; the test is about the watch. */
class Source implements FleetSource {
  workers: readonly WorkerRecord[] = []
  hasPostgres = true
  hasRedis = true
  readonly stores: readonly StoreName[]
  readonly registryIn: StoreName

  constructor(registryIn: StoreName) {
    this.registryIn = registryIn
    this.stores = registryIn === 'redis' ? STORES : [registryIn]
  }

  async ask(store: StoreName): Promise<void> {
    if (!(store === 'postgres' ? this.hasPostgres : this.hasRedis)) throw new Error('no answer')
  }

  async look(): Promise<FleetSnapshot> {
    await this.ask(this.registryIn)
    return { workers: this.workers, leases: new Map([['a', 3]]) }
  }

  async leases(): Promise<null> {
    return null
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

function rig(registryIn: StoreName = 'redis') {
  const [source, clock] = [new Source(registryIn), new ManualClock()]
  const [log, given]: [string[], string[]] = [[], []]
  const watch = new FleetWatch({
    ...{ source, clock, patienceMs: 60_000, log: (text) => log.push(text) },
    onGivenUp: (text) => given.push(text),
  })
  const later = async (ms: number): Promise<void> => {
    clock.advance(ms)
    await watch.look()
  }
  const shown = () => watch.workers.map(({ record, goneAt }) => `${record.id} ${goneAt !== null}`)
  return { source, watch, log, given, later, shown }
}

test('who went is shown after those who are there, and forgotten after a while', async () => {
  const { source, watch, later, shown } = rig()
  await using _ = watch
  source.workers = [worker('a'), worker('b')]
  await later(10_000)
  assert.deepEqual(
    watch.workers.map(({ leases }) => leases),
    [3, 0],
  )
  source.workers = [worker('b')]
  await later(1000)
  assert.deepEqual(shown(), ['b false', 'a true'])
  source.workers = [worker('b'), worker('a')]
  await later(1000)
  assert.deepEqual(shown(), ['b false', 'a false'])
  source.workers = [worker('a')]
  await later(1000)
  await later(11 * 60_000)
  assert.deepEqual(shown(), ['a false'])
})

test('no more of those who went are kept than a person can use', async () => {
  const { source, watch, later } = rig()
  await using _ = watch
  source.workers = Array.from({ length: 200 }, (_, at) => worker(`w${at}`))
  await later(10_000)
  source.workers = []
  await later(1000)
  assert.equal(watch.workers.length, 50)
})

test('a store that is away is reported with since when, and when it is given up; so is its return', async () => {
  const { source, watch, log, given, later } = rig()
  await using _ = watch
  const heard: number[] = []
  watch.subscribe(() => heard.push(heard.length))
  await later(1000)
  source.hasRedis = false
  await later(1000)
  const [postgres, redis] = watch.stores
  assert.equal(postgres?.isUp, true)
  assert.deepEqual([redis?.isUp, redis?.givesUpAt], [false, (redis?.since ?? 0) + 60_000])
  await later(30_000)
  assert.equal(watch.stores[1]?.since, redis?.since)
  source.hasRedis = true
  await later(1000)
  assert.deepEqual([watch.stores[1]?.isUp, watch.stores[1]?.givesUpAt], [true, null])
  const [away = '', back] = log
  const [since, until] = [0, 60_000].map((ms) => {
    return new Date((redis?.since ?? 0) + ms).toTimeString().slice(0, 8)
  })
  assert.equal(away, `Redis is away since ${since}, is waited for until ${until}: no answer`)
  assert.deepEqual([back, log.length], ['Redis is back after 31 s', 2])
  assert.deepEqual([given, heard.length], [[], 4])
})

test('a store that is away for too long is given up', async () => {
  const { source, watch, given, later } = rig()
  await using _ = watch
  source.hasPostgres = false
  await later(1000)
  await later(59_999)
  assert.deepEqual(given, [])
  await later(1)
  assert.deepEqual(given, ['PostgreSQL could not be reached for 60 s'])
})

test('workers are not gone because Redis was: they get a moment to speak again', async () => {
  const { source, watch, later, shown } = rig()
  await using _ = watch
  source.workers = [worker('a')]
  await later(10_000)
  source.hasRedis = false
  await later(1000)
  assert.deepEqual(shown(), ['a false'])
  Object.assign(source, { hasRedis: true, workers: [] })
  await later(20_000)
  assert.deepEqual(shown(), ['a false'])
  await later(5000)
  assert.deepEqual(shown(), ['a true'])
})

test('on PostgreSQL alone there is one store, which has the workers', async () => {
  const { source, watch, log, later, shown } = rig('postgres')
  await using _ = watch
  source.workers = [worker('a')]
  await later(10_000)
  source.hasPostgres = false
  await later(1000)
  assert.deepEqual(
    watch.stores.map(({ store, isUp }) => [store, isUp]),
    [['postgres', false]],
  )
  assert.deepEqual(shown(), ['a false'])
  assert.match(log.join(), /^PostgreSQL is away since [^,]+, is waited for until [^,]+$/)
})
