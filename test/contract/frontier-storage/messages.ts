// Messages between partitions.
import assert from 'node:assert/strict'
import type { FrontierStorage, Message, Ownership } from '../../../src/frontier/storage.ts'
import {
  batchOf,
  claimed,
  divided,
  LONG_MS,
  type Promise_,
  rowsBatch,
  urlRow,
  write,
} from './rig.ts'

function messageOf(from: number, to: number, number: number): Message {
  return { from, to, number, body: new TextEncoder().encode(`${from}→${to} ${number}`) }
}

function messagesOf(from: number, to: number, first: number, last: number): Message[] {
  return Array.from({ length: last - first + 1 }, (_, nth) => messageOf(from, to, first + nth))
}

async function received(storage: FrontierStorage, own: Ownership, limit = 100): Promise<Message[]> {
  const messages = await storage.inbox(own, limit)
  // A driver may bring bytes as Buffers.
  return messages.map((message) => ({ ...message, body: Uint8Array.from(message.body) }))
}

async function waiting(storage: FrontierStorage, owner = 'a'): Promise<number[]> {
  const { partitions } = await storage.report(7, owner, LONG_MS)
  return partitions.map(({ messages }) => messages)
}

/** Crawl 7 with three partitions, all owned by `a`. */
async function three(storage: FrontierStorage): Promise<[Ownership, Ownership, Ownership]> {
  await divided(storage, 3)
  const all: Ownership[] = []
  for (const partition of [0, 1, 2]) all.push(await claimed(storage, partition))
  return [all[0]!, all[1]!, all[2]!]
}

export function messagePromises(promise: Promise_): void {
  arriving(promise)
  taking(promise)
}

function arriving(promise: Promise_): void {
  promise('messages of a batch reach the partitions they are for', async ({ storage }) => {
    const [first, second, third] = await three(storage)
    const messages = [messageOf(0, 1, 1), messageOf(0, 2, 1), messageOf(0, 1, 2)]
    await write(storage, first, batchOf({ messages }))
    assert.deepEqual(await received(storage, first), [])
    assert.deepEqual(await received(storage, second), [messages[0], messages[2]])
    assert.deepEqual(await received(storage, third), [messages[1]])
    assert.deepEqual(await waiting(storage), [0, 2, 1])
  })

  promise('a message may have any bytes, or none, or many', async ({ storage }) => {
    const [first, second] = await three(storage)
    const bodies = [
      new Uint8Array(0),
      Uint8Array.from({ length: 256 }, (_, byte) => byte),
      new Uint8Array(300_000).fill(0xfe),
    ]
    const messages = bodies.map((body, nth) => ({ from: 0, to: 1, number: nth + 1, body }))
    await write(storage, first, batchOf({ messages }))
    assert.deepEqual(await received(storage, second), messages)
  })

  promise('messages come in order of their numbers for each sender', async ({ storage }) => {
    const [first, second, third] = await three(storage)
    for (let number = 1; number <= 11; number += 2) {
      await write(storage, first, batchOf({ messages: messagesOf(0, 2, number, number + 1) }))
      await write(storage, second, batchOf({ messages: messagesOf(1, 2, number, number + 1) }))
    }
    const all = await received(storage, third)
    assert.equal(all.length, 24)
    for (const from of [0, 1]) {
      const numbers = all.filter((message) => message.from === from).map(({ number }) => number)
      assert.deepEqual(
        numbers,
        messagesOf(from, 2, 1, 12).map(({ number }) => number),
      )
    }
  })

  promise('a partition may send to itself', async ({ storage }) => {
    const [first] = await three(storage)
    await write(storage, first, batchOf({ messages: [messageOf(0, 0, 1)] }))
    assert.deepEqual(await received(storage, first), [messageOf(0, 0, 1)])
  })

  promise('messages arrive though their sender died right after its write', async (rig) => {
    const { storage } = rig
    await divided(storage, 3)
    const sender = await rig.open()
    const own = await claimed(sender, 0, 'sender')
    const messages = [...messagesOf(0, 1, 1, 5), messageOf(0, 2, 1)]
    await write(sender, own, batchOf({ ...rowsBatch('url', [urlRow(1)]), messages }))
    await sender[Symbol.asyncDispose]()
    assert.deepEqual(await waiting(storage), [0, 5, 1])
    const second = await claimed(storage, 1)
    assert.deepEqual(await received(storage, second), messages.slice(0, 5))
    assert.deepEqual(await received(storage, await claimed(storage, 2)), messages.slice(5))
  })

  promise('messages wait for a partition that nobody owns', async ({ storage }) => {
    await divided(storage, 3)
    const first = await claimed(storage, 0)
    await write(storage, first, batchOf({ messages: [messageOf(0, 1, 1)] }))
    assert.deepEqual(await waiting(storage), [0, 1, 0])
    const second = await claimed(storage, 1, 'b')
    assert.deepEqual(await received(storage, second), [messageOf(0, 1, 1)])
  })

  promise('a message that was sent twice is there once', async ({ storage }) => {
    const [first, second] = await three(storage)
    await write(storage, first, batchOf({ messages: messagesOf(0, 1, 1, 2) }))
    await write(storage, first, batchOf({ messages: messagesOf(0, 1, 1, 3) }))
    assert.deepEqual(await received(storage, second), messagesOf(0, 1, 1, 3))
    assert.deepEqual(await waiting(storage), [0, 3, 0])
  })

  promise('a crawl has its own messages', async ({ storage }) => {
    const [first, second] = await three(storage)
    await storage.divide({ id: 8, salt: 1008 }, 3)
    await storage.report(8, 'a', LONG_MS)
    const other = await storage.claim(8, 1, 'a')
    await write(storage, first, batchOf({ messages: [messageOf(0, 1, 1)] }))
    assert.deepEqual(await received(storage, other!), [])
    await write(storage, other!, batchOf({ taken: new Map([[0, 5]]) }))
    assert.equal((await received(storage, second)).length, 1)
  })
}

function taking(promise: Promise_): void {
  promise(
    'a message that is sent again after it was taken can be taken away again',
    async ({ storage }) => {
      const [first, second] = await three(storage)
      const messages = [messageOf(0, 1, 1)]
      await write(storage, first, batchOf({ messages }))
      const taken = new Map([[0, 1]])
      await write(storage, second, batchOf({ taken }))
      await write(storage, first, batchOf({ messages }))
      await write(storage, second, batchOf({ taken }))
      assert.deepEqual(await waiting(storage), [0, 0, 0])
      assert.deepEqual(await received(storage, second), [])
    },
  )

  promise('messages stay until a batch takes them', async ({ storage }) => {
    const [first, second] = await three(storage)
    const messages = messagesOf(0, 1, 1, 4)
    await write(storage, first, batchOf({ messages }))
    assert.deepEqual(await received(storage, second, 2), messages.slice(0, 2))
    assert.deepEqual(await received(storage, second), messages)
    const taken = new Map([[0, 3]])
    await write(storage, second, batchOf({ ...rowsBatch('taken', [[0, 3]]), taken }))
    assert.deepEqual(await received(storage, second), messages.slice(3))
    assert.deepEqual(await waiting(storage), [0, 1, 0])
    await write(storage, second, batchOf({ taken: new Map([[0, 4]]) }))
    assert.deepEqual(await received(storage, second), [])
    assert.deepEqual(await waiting(storage), [0, 0, 0])
  })

  promise('what the last owner did not take goes to the next', async ({ storage }) => {
    const [first, second] = await three(storage)
    const messages = messagesOf(0, 1, 1, 3)
    await write(storage, first, batchOf({ messages }))
    await storage.inbox(second, 10)
    await write(storage, second, batchOf({ taken: new Map([[0, 1]]) }))
    await storage.release(second)
    const next = await claimed(storage, 1, 'b')
    assert.deepEqual(await received(storage, next), messages.slice(1))
  })

  promise('to take from one sender takes nothing from others', async ({ storage }) => {
    const [first, second, third] = await three(storage)
    await write(storage, first, batchOf({ messages: messagesOf(0, 2, 1, 3) }))
    await write(storage, second, batchOf({ messages: messagesOf(1, 2, 1, 3) }))
    await write(storage, first, batchOf({ messages: messagesOf(0, 1, 1, 2) }))
    const taken = new Map([[0, 2], [1, 1]]) // biome-ignore format: one line
    await write(storage, third, batchOf({ taken }))
    const left = (await received(storage, third)).map(({ from, number }) => `${from} ${number}`)
    assert.deepEqual(left.toSorted(), ['0 3', '1 2', '1 3'])
    assert.equal((await received(storage, second)).length, 2)
  })

  promise('a sender with many messages keeps none of another from being seen', async (rig) => {
    const { storage } = rig
    const [first, second, third] = await three(storage)
    await write(storage, first, batchOf({ messages: messagesOf(0, 2, 1, 40) }))
    await write(storage, second, batchOf({ messages: [messageOf(1, 2, 1)] }))
    const seen: Message[] = []
    for (let sent = 40; !seen.some(({ from }) => from === 1); sent += 10) {
      assert.ok(sent <= 90, 'never seen')
      const some = await received(storage, third, 10)
      seen.push(...some)
      const last = new Map(some.map(({ from, number }) => [from, number]))
      const messages = messagesOf(0, 2, sent + 1, sent + 10)
      await write(storage, third, batchOf({ taken: last }))
      await write(storage, first, batchOf({ messages }))
    }
    const numbers = seen.filter(({ from }) => from === 0).map(({ number }) => number)
    assert.deepEqual(
      numbers,
      Array.from(numbers, (_, nth) => nth + 1),
    )
  })
}
