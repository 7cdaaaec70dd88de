// Owners that write, take and send messages on a server that forgets, and over a line that breaks. After all of
// it the rows are those of their owners, and every message was taken once. FAULT_SEEDS says how many runs.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { jobOf, LONG_MS, urlRow } from '../../../test/contract/frontier-storage/rig.ts'
import { startRedis } from '../../../test/servers/redis.ts'
import { openRedis, type RedisConnection } from '../../db/redis.ts'
import {
  type Batch,
  type Message,
  type Ownership,
  type Row,
  RowsLost,
  type RowsOfTable,
} from '../storage.ts'
import { createRedisStorage, type RedisStorage } from './redis-storage.ts'

const PARTITIONS = 3
const STEPS = 120
const server = await startRedis()
const connection = await openRedis({ url: server.url })
after(async () => {
  await connection[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

function randomOf(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Some answers never come, though the server did what it was asked; some things are never asked. */
function breaking(random: (below: number) => number): RedisConnection {
  const run: RedisConnection['run'] = async (script, keys, args) => {
    const luck = random(40)
    if (luck === 0) throw new Error('not sent')
    const answer = await connection.run(script, keys, args)
    if (luck === 1) throw new Error('no answer')
    // A client sends again what had no answer when its line broke.
    return luck === 2 ? connection.run(script, keys, args) : answer
  }
  return new Proxy(connection, {
    get: (target, name) => {
      const value: unknown = name === 'run' ? run : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error && /^no(?:t sent| answer)$/.test(error.message))) throw error
    }
  }
}

/** The working copy of one partition, as an owner has it. */
class Owner {
  readonly partition: number
  readonly #random: (below: number) => number
  #storage: RedisStorage
  #ownership: Ownership | null = null
  rows = new Map<number, Row>()
  readonly sent = new Map<number, number>()
  taken = new Map<number, number>()
  readonly received: string[] = []

  constructor(partition: number, storage: RedisStorage, random: (below: number) => number) {
    this.partition = partition
    this.#storage = storage
    this.#random = random
  }

  get #name(): string {
    return `owner ${this.partition}`
  }

  get #own(): Ownership {
    assert.ok(this.#ownership !== null)
    return this.#ownership
  }

  /** Begins with what is stored. */
  async begin(storage: RedisStorage): Promise<void> {
    this.#storage = storage
    await untilDone(() => storage.report(7, this.#name, LONG_MS))
    this.#ownership = await untilDone(() => storage.claim(7, this.partition, this.#name))
    const rows = await untilDone(async () => {
      const all = new Map<number, Row>()
      for await (const chunk of storage.load(this.#own)) {
        if (chunk.table === 'url') for (const row of chunk.rows) all.set(Number(row[0]), row)
      }
      return all
    })
    assert.deepEqual(rows, this.rows)
  }

  async change(send: (to: number) => Message[]): Promise<void> {
    const changed = new Map<number, Row>()
    for (let nth = this.#random(30); nth >= 0; nth--) {
      const id = 1 + this.#random(this.rows.size + 20)
      changed.set(id, urlRow(id, { tries: this.#random(100), state: this.#random(9) }))
    }
    const messages = this.#random(2) === 0 ? send(this.#random(PARTITIONS)) : []
    await this.#write([...changed.values()], messages, new Map())
  }

  async take(): Promise<void> {
    const taken = new Map<number, number>()
    for (const { from, number, body } of await untilDone(() => this.#storage.inbox(this.#own, 5))) {
      const last = taken.get(from) ?? this.taken.get(from) ?? 0
      if (number <= last) continue
      assert.equal(number, last + 1, 'a message is missing')
      taken.set(from, number)
      this.received.push(new TextDecoder().decode(body))
    }
    for (const [from, number] of taken) this.taken.set(from, number)
    await this.#write([], [], taken)
  }

  /** Looks, and gives back what is lost. */
  async report(): Promise<readonly number[]> {
    const { partitions } = await untilDone(() => this.#storage.report(7, this.#name, LONG_MS))
    if (partitions[this.partition]?.lost) await this.#restore([])
    return partitions.map(({ messages, lost }) => (lost ? Number.POSITIVE_INFINITY : messages))
  }

  async #write(rows: Row[], messages: Message[], taken: Map<number, number>): Promise<void> {
    for (const row of rows) this.rows.set(Number(row[0]), row)
    const batch = this.#batch(rows, { messages, taken })
    try {
      await untilDone(() => this.#storage.write([batch]))
    } catch (error) {
      if (!(error instanceof RowsLost)) throw error
      await this.#restore([batch])
    }
  }

  #batch(rows: readonly Row[], rest: Partial<Batch> = {}): Batch {
    const changes = [{ table: 'url', rows, dropped: [] } as const]
    const none = { messages: [], taken: new Map(), summary: null }
    return { ownership: this.#own, changes, ...none, ...rest }
  }

  /** Rows go on changing while they are read. */
  async #restore(batches: Batch[]): Promise<void> {
    const changed = new Map<number, Row>()
    const read = async function* (owner: Owner): AsyncGenerator<RowsOfTable> {
      const ids = [...owner.rows.keys()]
      for (let at = 0; at < ids.length; at += 50) {
        const rows = ids.slice(at, at + 50).map((id) => owner.rows.get(id)!)
        yield { table: 'url', rows }
        const id = 1 + owner.#random(owner.rows.size)
        owner.rows.set(id, urlRow(id, { tries: 1000 + at }))
        changed.set(id, owner.rows.get(id)!)
      }
    }
    const last = () => [...batches, this.#batch([...changed.values()])]
    for (;;) {
      try {
        return await untilDone(() => this.#storage.restore(this.#own, read(this), last))
      } catch (error) {
        if (!(error instanceof RowsLost)) throw error
      }
    }
  }
}

type Snapshot = readonly (readonly [Buffer, Buffer])[]

async function snapshot(): Promise<Snapshot> {
  const keys = (await connection.callBytes('KEYS', '*')) as Buffer[]
  return Promise.all(
    keys.map(async (key) => [key, (await connection.callBytes('DUMP', key)) as Buffer] as const),
  )
}

async function goBack(to: Snapshot): Promise<void> {
  await connection.call('FLUSHALL')
  for (const [key, bytes] of to) await connection.call('RESTORE', key, 0, bytes)
}

async function run(seed: number): Promise<void> {
  const random = randomOf(seed)
  await connection.call('FLUSHALL')
  const open = () => createRedisStorage(breaking(random))
  await untilDone(() => open().divide(jobOf(7), PARTITIONS))
  const owners = Array.from({ length: PARTITIONS }, (_, at) => new Owner(at, open(), random))
  for (const owner of owners) await owner.begin(open())
  const written: string[] = []
  let kept = await snapshot()
  const sendFrom = (owner: Owner) => (to: number) => {
    const number = (owner.sent.get(to) ?? 0) + 1
    owner.sent.set(to, number)
    const text = `${owner.partition}→${to} ${number}`
    written.push(text)
    return [{ from: owner.partition, to, number, body: new TextEncoder().encode(text) }]
  }
  for (let step = 0; step < STEPS; step++) {
    const owner = owners[random(PARTITIONS)]!
    const what = random(20)
    if (what < 10) await owner.change(sendFrom(owner))
    else if (what < 14) await owner.take()
    else if (what < 16) kept = await snapshot()
    else if (what === 16) await goBack(kept)
    else if (what === 17) await goBack([])
    else if (what === 18) {
      // Owners that live put right what the server forgot, before one dies.
      for (const each of owners) await each.report()
      await owner.begin(open())
    } else {
      for (const each of owners) await each.report()
      const counts = await owner.report()
      for (const [to, receiver] of owners.entries()) {
        const sent = owners.reduce((sum, from) => sum + (from.sent.get(to) ?? 0), 0)
        const taken = [...receiver.taken.values()].reduce((sum, number) => sum + number, 0)
        assert.ok(counts[to]! >= sent - taken, 'a message is counted nowhere')
      }
    }
  }
  for (const owner of owners) await owner.report()
  for (let nth = 0; nth < STEPS; nth++) for (const owner of owners) await owner.take()
  const received = owners.flatMap((owner) => owner.received)
  assert.deepEqual(received.toSorted(), written.toSorted())
  for (const owner of owners) await owner.begin(open())
  const counts = await owners[0]!.report()
  assert.deepEqual(counts, [0, 0, 0])
}

test('no row and no message is lost, whatever the server forgets', async () => {
  for (let seed = 1; seed <= Number(process.env.FAULT_SEEDS ?? 2); seed++) {
    await run(seed).catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error })
    })
  }
})
