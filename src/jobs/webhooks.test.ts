import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { openSqliteJobJournal, openSqliteWebhookOutbox } from '../../test/support/stores.ts'
import type { JobStatus, WebhookEvent } from '../core/job.ts'
import { ManualClock } from '../lib/clock.ts'
import type { Sent, WebhookCall } from './webhook-sender.ts'
import { Webhooks } from './webhooks.ts'

const SECRET = 'a-secret-of-some-length'
const HOUR_MS = 3_600_000
const ARRIVED: Sent = { outcome: 'arrived' }
const FAILED: Sent = { outcome: 'failed', reason: 'status: 500', final: false }

/** A workspace with an outbox and a journal, and surroundings that a test can change. */
async function openWorld(events: readonly WebhookEvent[]) {
  const dir = mkdtempSync(join(tmpdir(), 'jelajah-webhooks-'))
  const path = join(dir, 'jelajah.db')
  const clock = new ManualClock()
  const outbox = await openSqliteWebhookOutbox(path)
  const journal = await openSqliteJobJournal(path, clock)
  const calls: WebhookCall[] = []
  const world = {
    clock,
    outbox,
    journal,
    calls,
    notices: [] as string[],
    troubles: [] as string[],
    /** Ids of stored pages. */
    pages: [] as number[],
    over: false,
    urlOf: (_crawlId: number) => 'https://hooks.example/in',
    answer: async (_call: WebhookCall): Promise<Sent> => ARRIVED,
    status: (status: JobStatus, crawlId = 1) =>
      journal.append(crawlId, { type: 'status', status, note: '' }),
    open: () =>
      new Webhooks({
        outbox,
        journal,
        clock,
        toldOf: async (id) =>
          id > 9 ? null : { webhook: { url: world.urlOf(id), secret: SECRET, events }, salt: id },
        summaryOf: async (id) => ({ id: `crawl_${id}`, status: 'now', stored: world.pages.length }),
        isOver: async () => world.over,
        pagesAfter: async (_id, after, limit) =>
          world.pages
            .filter((id) => id > after)
            .slice(0, limit)
            .map((id) => ({ id })),
        lastPageId: async () => world.pages.at(-1) ?? 0,
        send: async (call) => {
          calls.push(call)
          return world.answer(call)
        },
        onNotice: (_crawlId, text) => world.notices.push(text),
        onTrouble: (text) => world.troubles.push(text),
      }),
    told: () => calls.map(({ body }) => JSON.parse(body)),
    events: () => calls.map(({ headers }) => headers['jelajah-event']),
    async [Symbol.asyncDispose]() {
      await outbox[Symbol.asyncDispose]()
      await journal[Symbol.asyncDispose]()
      rmSync(dir, { recursive: true })
    },
  }
  return world
}

async function until(claim: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!(await claim())) {
    assert.ok(performance.now() < deadline, 'it did not come to that in time')
    await turn()
  }
}

/** Runs everything that is due now. */
async function settle(webhooks: Webhooks): Promise<void> {
  webhooks.wake()
  for (let n = 0; n < 50; n++) await turn()
}

test('events that were asked for are reported in order, each once', async () => {
  await using world = await openWorld(['running', 'completed'])
  await using webhooks = world.open()
  for (const status of ['started', 'running', 'completed'] as const) await world.status(status)
  await world.status('running', 50)
  await settle(webhooks)
  await until(() => world.calls.length === 2)
  await settle(webhooks)
  const [running, completed] = world.told()
  assert.deepEqual(
    [running.event, running.job.status, completed.event, completed.job.status],
    ['running', 'running', 'completed', 'completed'],
  )
  assert.equal(running.job.id, 'crawl_1')
  assert.equal(running.at, world.clock.now())
  assert.notEqual(running.id, completed.id)
  assert.equal(world.calls[0]?.headers['jelajah-delivery'], running.id)
  assert.equal(world.calls.length, 2)
})

test('what happened while nobody told is told by the next one', async () => {
  await using world = await openWorld(['completed'])
  await world.status('completed')
  await using _webhooks = world.open()
  await until(() => world.calls.length === 1)
})

test('a call that fails is rebuilt with the same id, later and later, then given up', async () => {
  await using world = await openWorld(['completed'])
  world.answer = async () => FAILED
  await world.status('completed')
  await using webhooks = world.open()
  const waits = [5, 30, 120, 600, 3600, 3600, 3600]
  for (const [nth, seconds] of waits.entries()) {
    await until(async () => (await world.outbox.nextAt(world.clock.now())) !== null)
    assert.equal(world.calls.length, nth + 1)
    world.clock.advance(seconds * 1000 - 1)
    await settle(webhooks)
    assert.equal(world.calls.length, nth + 1, `not before ${seconds} s`)
    world.clock.advance(1)
    webhooks.wake()
    await until(() => world.calls.length === nth + 2)
  }
  await until(() => world.notices.length === 2)
  world.clock.advance(HOUR_MS * 24)
  await settle(webhooks)
  assert.equal(world.calls.length, 8)
  assert.equal(new Set(world.calls.map(({ body }) => body)).size, 1)
  const ids = new Set(world.calls.map(({ headers }) => headers['jelajah-delivery']))
  assert.equal(ids.size, 1)
  const signed = world.calls.map(({ headers }) => headers['jelajah-signature'])
  assert.equal(new Set(signed).size, 8, 'each try is signed at its own time')
  assert.match(world.notices[0] ?? '', /a call did not arrive and is made again: status: 500/)
  assert.match(world.notices[1] ?? '', /completed was given up after 8 tries: status: 500/)
  assert.equal((await world.outbox.givenUp(1))[0]?.reason, 'status: 500')
})

test('what cannot be helped is given up at once', async () => {
  await using world = await openWorld(['completed'])
  const reason = 'private-address: 10.0.0.1'
  world.answer = async () => ({ outcome: 'failed', reason, final: true })
  await world.status('completed')
  await using _webhooks = world.open()
  await until(() => world.notices.length === 1)
  assert.equal(world.calls.length, 1)
  assert.equal((await world.outbox.givenUp(1))[0]?.reason, reason)
})

test('a receiver has one call at a time, and others need not wait for it', async () => {
  await using world = await openWorld(['completed'])
  world.urlOf = (id) => `https://${id < 3 ? 'slow' : 'quick'}.example/${id}`
  let open = 0
  let most = 0
  const free = Promise.withResolvers<void>()
  world.answer = async ({ url }) => {
    if (url.includes('quick')) return ARRIVED
    most = Math.max(most, ++open)
    await free.promise
    open--
    return ARRIVED
  }
  for (const id of [1, 2, 3, 4]) await world.status('completed', id)
  await using webhooks = world.open()
  await until(() => world.calls.filter(({ url }) => url.includes('quick')).length === 2)
  await settle(webhooks)
  assert.equal(world.calls.filter(({ url }) => url.includes('slow')).length, 1)
  free.resolve()
  await until(() => world.calls.length === 4)
  assert.equal(most, 1)
})

test('pages are reported in calls of a hundred, all of them once, and before the end', async () => {
  await using world = await openWorld(['running', 'page', 'completed'])
  world.pages = Array.from({ length: 250 }, (_, n) => 2 * n + 1)
  await world.status('running')
  await using webhooks = world.open()
  await until(() => world.events().filter((event) => event === 'page').length >= 2)
  world.over = true
  await world.status('completed')
  webhooks.wake()
  await until(() => world.events().includes('completed'))
  assert.deepEqual(world.events(), ['running', 'page', 'page', 'page', 'completed'])
  const told = world.told().flatMap(({ pages = [] }) => pages.map(({ id }: { id: number }) => id))
  assert.deepEqual(told, world.pages)
  assert.deepEqual(await world.outbox.withOpenPages(), [])
})

test('few pages are reported together after a while, not one by one', async () => {
  await using world = await openWorld(['page'])
  await world.status('running')
  world.pages = [1]
  await using webhooks = world.open()
  await until(() => world.calls.length === 1)
  await settle(webhooks)
  for (const id of [2, 3, 4]) {
    world.pages.push(id)
    await settle(webhooks)
  }
  assert.equal(world.calls.length, 1)
  world.clock.advance(1000)
  await settle(webhooks)
  await until(() => world.calls.length === 2)
  assert.equal(world.told()[1].pages.length, 3)
})

test('a receiver that is gone is not called for every hundred pages it missed', async () => {
  await using world = await openWorld(['page', 'completed'])
  world.pages = Array.from({ length: 1000 }, (_, n) => n + 1)
  world.over = true
  world.answer = async () => ({ ...FAILED, final: true })
  for (const status of ['running', 'completed'] as const) await world.status(status)
  await using _webhooks = world.open()
  await until(() => world.notices.length === 2)
  assert.deepEqual(world.events(), ['page', 'completed'])
  assert.equal((await world.outbox.pagesTold(1)).upTo, 1000)
})

test('a job that goes on after its end is told from where its pages were left', async () => {
  await using world = await openWorld(['page'])
  world.pages = [1, 2]
  world.over = true
  for (const status of ['running', 'stopped'] as const) await world.status(status)
  await using webhooks = world.open()
  await until(
    async () => world.calls.length === 1 && (await world.outbox.withOpenPages()).length === 0,
  )
  world.pages.push(3)
  await world.status('running')
  await settle(webhooks)
  await until(() => world.calls.length === 2)
  assert.deepEqual(world.told()[1].pages, [{ id: 3 }])
})

test('a job that was removed is told no further', async () => {
  await using world = await openWorld(['running'])
  world.answer = async () => FAILED
  await world.status('running')
  await using webhooks = world.open()
  await until(async () => (await world.outbox.nextAt(world.clock.now())) !== null)
  await world.journal.append(1, { type: 'removed' })
  await settle(webhooks)
  world.clock.advance(HOUR_MS)
  await settle(webhooks)
  assert.equal(world.calls.length, 1)
  assert.deepEqual(world.troubles, [])
})

test('what is under way when it closes is not counted as a failure', async () => {
  await using world = await openWorld(['running'])
  const cut = Promise.withResolvers<Sent>()
  world.answer = () => cut.promise
  await world.status('running')
  const webhooks = world.open()
  await until(() => world.calls.length === 1)
  const closed = webhooks[Symbol.asyncDispose]()
  cut.resolve(FAILED)
  await closed
  const [left] = await world.outbox.due(world.clock.now(), 10)
  assert.equal(left?.tries, 0)
})
