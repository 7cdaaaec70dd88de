// What every outbox of webhooks promises.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewDelivery, WebhookOutbox } from '../../src/store/webhook-outbox.ts'

export interface OutboxFixture extends AsyncDisposable {
  /** At most so many of a job wait, and so many given up are kept. */
  open(limits?: { readonly waiting: number; readonly givenUp: number }): Promise<WebhookOutbox>
}

type Status = Extract<NewDelivery, { readonly body: string }>
type Pages = Extract<NewDelivery, { readonly event: 'page' }>

const MANY = 100

function status(id: string, about: Partial<Status> = {}): Status {
  return { id, crawlId: 1, at: 1000, event: 'running', body: `{"id":"${id}"}`, ...about }
}

function pages(id: string, after: number, upTo: number, crawlId = 1): Pages {
  return { id, crawlId, at: 1000, event: 'page', pages: { after, upTo } }
}

export function webhookOutboxContract(
  name: string,
  openFixture: () => Promise<OutboxFixture>,
): void {
  const promise = (
    title: string,
    body: (outbox: WebhookOutbox, fixture: OutboxFixture) => Promise<void>,
  ) =>
    test(`${name}: ${title}`, async () => {
      await using fixture = await openFixture()
      await using outbox = await fixture.open()
      await body(outbox, fixture)
    })
  const idsDue = async (outbox: WebhookOutbox, now = 1000) =>
    (await outbox.due(now, MANY)).map(({ id }) => id)

  promise('an empty one has nothing to tell', async (outbox) => {
    assert.equal(await outbox.toldEvents(), 0)
    assert.deepEqual(await outbox.due(Number.MAX_SAFE_INTEGER, MANY), [])
    assert.equal(await outbox.nextAt(0), null)
    assert.deepEqual(await outbox.withOpenPages(), [])
    assert.deepEqual(await outbox.pagesTold(1), { upTo: 0, open: false, waiting: false })
    assert.deepEqual(await outbox.givenUp(1), [])
  })

  promise(
    'what was added is due, oldest first, and outlives its opener',
    async (outbox, fixture) => {
      await outbox.add([status('b'), status('a', { at: 900 })], 7)
      await using again = await fixture.open()
      assert.equal(await again.toldEvents(), 7)
      const [first] = await again.due(1000, 1)
      assert.deepEqual(first, { ...status('b'), tries: 0, nextAt: 1000 })
      assert.deepEqual(await idsDue(again), ['b', 'a'])
      assert.deepEqual(await idsDue(again, 950), ['a'])
      assert.equal(await again.nextAt(0), 900)
      assert.equal(await again.nextAt(900), 1000)
      assert.equal(await again.nextAt(1000), null)
    },
  )

  promise('the same delivery added twice is one', async (outbox) => {
    await outbox.add([status('a')], 1)
    await outbox.retry('a', 5000)
    await outbox.add([status('a'), status('b')], 2)
    assert.deepEqual(await idsDue(outbox), ['b'])
    assert.deepEqual(await idsDue(outbox, 5000), ['a', 'b'])
  })

  promise('what arrived is gone, what failed comes back in its time', async (outbox) => {
    await outbox.add([status('a'), status('b')], 1)
    await outbox.delivered('a')
    await outbox.retry('b', 3000)
    assert.deepEqual(await idsDue(outbox, 2999), [])
    const [later] = await outbox.due(3000, MANY)
    assert.deepEqual([later?.id, later?.tries], ['b', 1])
    await outbox.delivered('b')
    assert.equal(await outbox.nextAt(0), null)
  })

  promise('what was given up is not tried again, and is kept with the reason', async (outbox) => {
    await outbox.add([status('a'), status('b', { event: 'failed' })], 1)
    await outbox.giveUp('a', 'status: 500', 0)
    await outbox.giveUp('b', 'private-address: 10.0.0.1', 0)
    assert.equal(await outbox.nextAt(0), null)
    assert.deepEqual(await outbox.givenUp(1), [
      { id: 'b', event: 'failed', at: 1000, tries: 1, reason: 'private-address: 10.0.0.1' },
      { id: 'a', event: 'running', at: 1000, tries: 1, reason: 'status: 500' },
    ])
    assert.deepEqual(await outbox.givenUp(2), [])
  })

  promise('one stretch of pages waits at a time, and told ones move on', async (outbox) => {
    await outbox.openPages(1)
    assert.equal(await outbox.addPages(pages('p1', 0, 40)), true)
    assert.equal(await outbox.addPages(pages('p2', 40, 50)), false)
    assert.equal(await outbox.addPages(pages('q', 0, 9, 2)), true)
    const [first] = await outbox.due(1000, MANY)
    assert.deepEqual(first, { ...pages('p1', 0, 40), tries: 0, nextAt: 1000 })
    assert.deepEqual(await outbox.pagesTold(1), { upTo: 0, open: true, waiting: true })
    await outbox.delivered('p1')
    assert.deepEqual(await outbox.pagesTold(1), { upTo: 40, open: true, waiting: false })
    assert.equal(await outbox.addPages(pages('p2', 40, 50)), true)
  })

  promise('pages that are given up take those with them that wait behind', async (outbox) => {
    await outbox.openPages(1)
    await outbox.addPages(pages('p1', 0, 40))
    await outbox.giveUp('p1', 'connect: ECONNREFUSED', 900)
    assert.deepEqual(await outbox.pagesTold(1), { upTo: 900, open: true, waiting: false })
    assert.equal((await outbox.givenUp(1))[0]?.event, 'page')
    assert.equal(await outbox.addPages(pages('p2', 900, 950)), true)
  })

  promise('pages that are told again go on where they were left', async (outbox) => {
    await outbox.openPages(3)
    await outbox.openPages(1)
    assert.deepEqual(await outbox.withOpenPages(), [1, 3])
    await outbox.addPages(pages('p1', 0, 40))
    await outbox.delivered('p1')
    await outbox.closePages(1)
    assert.deepEqual(await outbox.withOpenPages(), [3])
    assert.deepEqual(await outbox.pagesTold(1), { upTo: 40, open: false, waiting: false })
    await outbox.openPages(1)
    assert.deepEqual(await outbox.pagesTold(1), { upTo: 40, open: true, waiting: false })
  })

  promise('the end of a job waits for its pages, but not when those fail', async (outbox) => {
    await outbox.openPages(1)
    const ends = [status('end', { event: 'completed' }), status('other', { crawlId: 2 })]
    await outbox.add([status('run'), ...ends], 3)
    await outbox.addPages(pages('p1', 0, 40))
    assert.deepEqual(await idsDue(outbox), ['run', 'other', 'p1'])
    await outbox.retry('p1', 2000)
    assert.deepEqual(await idsDue(outbox), ['run', 'end', 'other'])
    await outbox.delivered('p1')
    assert.deepEqual(await idsDue(outbox), ['run', 'other'])
    await outbox.closePages(1)
    assert.deepEqual(await idsDue(outbox), ['run', 'end', 'other'])
  })

  promise('of too many that wait the oldest give way, which is kept', async (_outbox, fixture) => {
    await using outbox = await fixture.open({ waiting: 3, givenUp: 2 })
    const all = Array.from({ length: 8 }, (_, n) => status(`s${n}`))
    await outbox.add([...all, status('other', { crawlId: 2 })], 1)
    assert.deepEqual(await idsDue(outbox), ['s5', 's6', 's7', 'other'])
    const lost = await outbox.givenUp(1)
    assert.deepEqual(
      lost.map(({ id }) => id),
      ['s4', 's3'],
    )
    assert.match(lost[0]?.reason ?? '', /^too-many/)
  })

  promise('a job that is gone leaves nothing, and others are not touched', async (outbox) => {
    await outbox.openPages(1)
    await outbox.addPages(pages('p1', 0, 40))
    await outbox.add([status('a'), status('b'), status('c', { crawlId: 2 })], 1)
    await outbox.giveUp('b', 'gone', 0)
    await outbox.forget(1)
    assert.deepEqual(await idsDue(outbox), ['c'])
    assert.deepEqual(await outbox.withOpenPages(), [])
    assert.deepEqual(await outbox.givenUp(1), [])
    await outbox.delivered('a')
    await outbox.retry('a', 1)
    await outbox.giveUp('a', 'late', 5)
    assert.deepEqual(await idsDue(outbox), ['c'])
  })
}
