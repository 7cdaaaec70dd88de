// Several writers of one crawl at once, as parsers on many machines are; and connections that break.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sample, sampleJob } from '../../../test/contract/sample-page.ts'
import { openTestStore } from '../../../test/support/postgres-store.ts'
import { createPostgresJobStore } from '../../../test/support/stores.ts'
import { openPostgres, type Postgres } from '../../db/postgres.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import type { PageOutcome, PageToSave } from '../page-store.ts'
import { openPostgresPageStore } from './postgres-page-store.ts'

const WRITERS = 4

async function createJob(db: Postgres, maxPages: number) {
  const settings = { ...DEFAULT_SETTINGS, maxPages }
  return createPostgresJobStore(db).create(sampleJob({ settings }))
}

/** What must hold of a crawl whatever happened: `stored` pages, each URL once, each content once. */
async function check(db: Postgres, crawlId: number, stored: number): Promise<void> {
  const [row] = await db.sql`
    SELECT count(*) AS pages, count(DISTINCT url) AS urls,
      count(*) FILTER (WHERE duplicate_of IS NULL) AS stored,
      count(DISTINCT content_hash) FILTER (WHERE duplicate_of IS NULL) AS contents,
      (SELECT stored FROM crawl_counts WHERE crawl_id = ${crawlId}) AS counted,
      (SELECT sum(stored)::bigint FROM host_totals WHERE crawl_id = ${crawlId}) AS totals,
      (SELECT count(*) FROM page_changes WHERE crawl_id = ${crawlId}) AS told,
      (SELECT last_cursor = max(cursor) AND last_cursor = count(*)
        FROM page_changes, page_log GROUP BY last_cursor) AS in_order,
      (SELECT count(*) FROM page_parts WHERE crawl_id = ${crawlId}) AS parts,
      (SELECT count(*) FROM undelivered WHERE crawl_id = ${crawlId}) AS receipts
    FROM pages WHERE crawl_id = ${crawlId}`
  assert.ok(row)
  const { pages, urls, contents, counted, totals, told, in_order, parts, receipts } = row
  assert.deepEqual([row.stored, contents, counted, totals], [stored, stored, stored, stored])
  assert.deepEqual([urls, told, parts, receipts, in_order], [pages, pages, stored, pages, true])
}

test('several writers of a crawl keep its limit, and decide on each page once', async () => {
  await using store = openTestStore()
  const db = await store.store()
  const job = await createJob(db, 100)
  const url = await store.url()
  const answers: PageOutcome[] = []
  const write = async (writer: number): Promise<void> => {
    await using own = await openPostgres({ url, max: 1 })
    await using pages = await openPostgresPageStore({ db: own, job })
    for (let batch = 0; batch < 8; batch++) {
      // Every page comes from two writers, every third repeats another, on hosts in changing order.
      const batchOf = Array.from({ length: 10 }, (_, nth) => {
        const page = (writer % 2) * 200 + batch * 10 + ((nth * 7) % 10)
        const contentHash = page % 3 === 0 ? `same ${page % 5}` : `own ${page}`
        return sample(`h${(page * 3) % 11}.test/${page}`, { contentHash })
      })
      answers.push(...(await pages.save(batchOf)))
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  await check(db, job.id, 100)
  assert.equal(answers.length, WRITERS * 80)
  assert.ok(answers.some(({ outcome }) => outcome === 'over-limit'))
  assert.ok(answers.some(({ outcome }) => outcome === 'duplicate'))
})

test('writers whose connections are cut again and again lose nothing and do nothing twice', async () => {
  await using store = openTestStore()
  const db = await store.store()
  const job = await createJob(db, 10_000)
  const url = await store.url()
  let isOver = false
  const saved = new Map<string, PageOutcome>()
  const write = async (writer: number): Promise<void> => {
    await using own = await openPostgres({ url, max: 1, name: 'jelajah hurt' })
    await using pages = await openPostgresPageStore({ db: own, job })
    for (let batch = 0; batch < 15; batch++) {
      const urls = Array.from({ length: 10 }, (_, nth) => `w${writer}.test/${batch * 10 + nth}`)
      const answers = await pages.save(urls.map((page) => sample(page)))
      for (const [at, page] of urls.entries()) saved.set(page, answers[at]!)
    }
  }
  const hurt = async (): Promise<void> => {
    for (let cuts = 1; cuts <= 8 && !isOver; cuts++) {
      while (saved.size < cuts * 30 && !isOver) await pause(1)
      await db.sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'jelajah hurt'`
    }
  }
  const hurting = hurt()
  await Promise.all(Array.from({ length: 2 }, (_, writer) => write(writer))).finally(() => {
    isOver = true
  })
  await hurting
  await check(db, job.id, 300)
  assert.equal(saved.size, 300)
  const rows = await db.sql`SELECT id, url FROM pages WHERE crawl_id = ${job.id}`
  for (const { id, url: page } of rows) {
    assert.deepEqual(saved.get(page.replace('http://', '')), { outcome: 'stored', id })
  }
})

/** Stands between a writer and its server. Once it is armed, the answer to the next commit is lost. */
async function openCutter(url: string) {
  const server = new URL(url)
  let isArmed = false
  let cuts = 0
  const proxy = createServer((client) => {
    const upstream = connect(Number(server.port), server.hostname)
    let isCommitting = false
    client.on('data', (chunk) => {
      isCommitting ||= isArmed && /\bcommit\b/i.test(chunk.toString('latin1'))
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      // The answer to a commit and nothing else: the one that asks what a statement takes has no C in it.
      if (isCommitting && chunk.includes('COMMIT')) {
        isArmed = false
        cuts++
        client.destroy()
        upstream.destroy()
      } else client.write(chunk)
    })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => other.destroy())
      socket.on('close', () => other.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  assert.ok(address !== null && typeof address === 'object')
  const own = new URL(url)
  own.port = String(address.port)
  return {
    url: own.href,
    arm: () => {
      isArmed = true
    },
    cuts: () => cuts,
    [Symbol.asyncDispose]: async () => {
      proxy.close()
    },
  }
}

test('a commit whose answer was lost is not done again, and its answers are given', async () => {
  await using store = openTestStore()
  const db = await store.store()
  const job = await createJob(db, 100)
  await using cutter = await openCutter(await store.url())
  await using own = await openPostgres({ url: cutter.url, max: 1 })
  await using pages = await openPostgresPageStore({ db: own, job })
  cutter.arm()
  const batch = [sample('a.test/1'), sample('a.test/2', { contentHash: 'hash of a.test/1' })]
  const [first, second] = await pages.save(batch)
  assert.equal(cutter.cuts(), 1)
  assert.deepEqual([first?.outcome, second?.outcome], ['stored', 'duplicate'])
  await check(db, job.id, 1)
  const waiting = (await pages.undelivered()).map(({ urlId }) => urlId)
  assert.deepEqual(
    waiting,
    batch.map(({ urlId }) => urlId),
  )
  pages.acknowledge(batch.map(({ page }) => page.fields.url))
  assert.deepEqual(await pages.undelivered(), [])
})

test('receipts are left to their writer while it lives, and taken over when it is gone', async () => {
  await using store = openTestStore()
  const db = await store.store()
  const job = await createJob(db, 100)
  const waiting = async (pages: Awaited<ReturnType<typeof openPostgresPageStore>>) =>
    (await pages.undelivered()).map(({ urlId }) => urlId)
  const batch: PageToSave[] = [sample('a.test/1'), sample('a.test/2'), sample('a.test/3')]
  const first = await openPostgresPageStore({ db, job })
  await using second = await openPostgresPageStore({ db, job })
  await first.save(batch.slice(0, 1))
  await second.save(batch.slice(1, 2))
  assert.deepEqual(await waiting(second), [batch[1]!.urlId])
  await db.sql`UPDATE writers SET seen_at = seen_at - 31000`
  // Whoever saves is seen again.
  await second.save(batch.slice(2))
  assert.deepEqual(
    await waiting(second),
    batch.map(({ urlId }) => urlId),
  )
  assert.deepEqual(await waiting(first), [])
  await first[Symbol.asyncDispose]()
})

test('two writers that repeat each other are one page and its duplicate, whoever comes first', async () => {
  await using store = openTestStore()
  const db = await store.store()
  const job = await createJob(db, 100)
  const url = await store.url()
  await using one = await openPostgres({ url, max: 1 })
  await using two = await openPostgres({ url, max: 1 })
  await using left = await openPostgresPageStore({ db: one, job })
  await using right = await openPostgresPageStore({ db: two, job })
  for (let nth = 0; nth < 20; nth++) {
    const same = { contentHash: `same ${nth}` }
    const [a, b] = await Promise.all([
      left.save([sample(`a.test/${nth}`, same)]),
      right.save([sample(`b.test/${nth}`, same)]),
    ])
    assert.deepEqual([a[0]?.outcome, b[0]?.outcome].sort(), ['duplicate', 'stored'])
  }
  await check(db, job.id, 20)
})

test('who cannot have ids of pages keeps nobody else from having them', async () => {
  await using store = openTestStore()
  const db = await store.store()
  await assert.rejects(db.sql`SELECT take_page_ids(1, 9007199254740992)`.execute())
  const [row] = await db.sql`SELECT count(*) AS held FROM pg_locks WHERE locktype = 'advisory'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  assert.equal(row?.held, 0)
})

test('a writer whose receipt another has taken over does not delete it', async () => {
  await using store = openTestStore()
  const db = await store.store()
  const job = await createJob(db, 10)
  const slept = await openPostgresPageStore({ db, job })
  await slept.save([sample('h.test/1')])
  await using other = await openPostgresPageStore({ db, job, deadAfterMs: 0 })
  const [taken] = await other.undelivered()
  assert.ok(taken)
  slept.acknowledge([taken.url])
  await slept[Symbol.asyncDispose]()
  assert.equal((await other.undelivered()).length, 1)
})
