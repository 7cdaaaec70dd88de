import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import { openReads } from '../../src/reads/open-reads.ts'
import type { JobSummary } from '../../src/reads/shapes/job.ts'
import { storePath } from '../../src/workspace/folder/paths.ts'
import { openRig, type Rig, until } from '../support/api-rig.ts'
import { openSqliteRecrawlStore } from '../support/stores.ts'

type Answer<T> = { readonly status: number; readonly json: T; readonly headers: Headers }

async function ask<T>(
  rig: Rig,
  method: string,
  path: string,
  body?: unknown,
  headers = {},
): Promise<Answer<T>> {
  const hasBody = body !== undefined
  const answer = await fetch(`${rig.url}${path}`, {
    method,
    headers: { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(hasBody ? { body: JSON.stringify(body) } : {}),
  })
  return { status: answer.status, json: (await answer.json()) as T, headers: answer.headers }
}

type Started = { readonly job_id: string; readonly status: string }
type WithPages = { readonly job: Record<string, unknown> & { readonly pages: readonly Fetched[] } }
type Fetched = Readonly<Record<string, unknown>>
type ErrorBody = { readonly error: { readonly code: string; readonly message: string } }

test('the two fixed shapes have exactly their fields', async () => {
  await using rig = await openRig()
  const { json } = await ask<Started>(rig, 'POST', '/crawl', {
    url: 'https://example.com',
    max_pages: 10,
  })
  assert.deepEqual(json, { job_id: 'crawl_1', status: 'started' })
  const job = (await rig.jobs.get(1))!
  await rig.storePages(job, 2)
  const got = await ask<WithPages>(rig, 'GET', '/crawl/crawl_1')
  assert.match(String(got.headers.get('content-type')), /^application\/json/)
  const { pages, ...rest } = got.json.job
  assert.deepEqual(rest, {
    id: 'crawl_1',
    status: 'started',
    seed_url: 'https://example.com',
    max_pages: 10,
    started_at: job.startedAt,
    ended_at: null,
  })
  assert.deepEqual(pages[0], {
    url: 'http://a.test/1',
    status_code: 200,
    title: 'Title of a.test/1',
    links: [],
    crawled_at: 1_700_000_000_000,
  })
  assert.equal(pages.length, 2)
  assert.deepEqual(Object.keys(got.json.job), [
    ...['id', 'status', 'seed_url', 'max_pages', 'pages', 'started_at', 'ended_at'],
  ])
})

test('all pages of a job come, and in parts none is missing or twice', async () => {
  await using rig = await openRig()
  const job = await rig.newJob()
  await rig.storePages(job, 1234)
  const all = await ask<WithPages>(rig, 'GET', '/crawl/crawl_1')
  const urls = all.json.job.pages.map(({ url }) => url)
  assert.equal(new Set(urls).size, 1234)
  const parts: unknown[] = []
  for (let path: string | undefined = '/crawl/crawl_1?limit=500'; path !== undefined; ) {
    const part: Answer<WithPages> = await ask(rig, 'GET', path)
    parts.push(...part.json.job.pages.map(({ url }) => url))
    path = /^<(.+)>; rel="next"$/.exec(part.headers.get('link') ?? '')?.[1]
  }
  assert.deepEqual(parts, urls)
})

test('who goes away in the middle is read nothing more for', async () => {
  let reads = 0
  await using rig = await openRig()
  const job = await rig.newJob()
  // More than any socket takes in by itself.
  await rig.storePages(job, 10_000, { title: 'long '.repeat(1000) })
  await using place = await openReads({ data: rig.dataDir, frontier: null })
  await using counting = await openRig(
    {},
    {
      jobs: rig.jobs,
      reads: {
        ...place,
        fetchedPages: (...asked) => {
          reads++
          return place.fetchedPages(...asked)
        },
      },
    },
  )
  let closed = false
  const request = get(`${counting.url}/crawl/crawl_1`, { agent: false }, (response) => {
    response.once('data', () => {
      response.pause()
    })
    response.on('close', () => {
      closed = true
    })
  })
  request.on('error', () => {})
  await until(() => reads > 1)
  // Nobody reads: so much is on the way, and no more.
  await until(async () => {
    const before = reads
    await new Promise((done) => setTimeout(done, 100))
    return reads === before
  })
  assert.ok(reads < 40, `${reads} of 50 pieces were read`)
  request.destroy()
  await until(() => closed)
  const then = reads
  assert.equal((await fetch(`${counting.url}/healthz`)).status, 200)
  assert.ok(reads - then <= 1)
})

test('the same key is the same job, and for another request it is refused', async () => {
  await using rig = await openRig()
  const key = { 'idempotency-key': 'once' }
  const post = (body: unknown, headers = {}) => ask<Started>(rig, 'POST', '/crawl', body, headers)
  const first = await post({ url: 'a.test', max_pages: 3 }, key)
  const again = await post({ max_pages: 3, url: 'a.test' }, key)
  assert.deepEqual(again.json, first.json)
  const other = await post({ url: 'a.test', max_pages: 4 }, key)
  assert.equal(other.status, 409)
  const without = await post({ url: 'a.test', max_pages: 3 })
  assert.equal(without.json.job_id, 'crawl_2')
})

test('jobs are listed, newest first, in parts', async () => {
  await using rig = await openRig()
  for (let count = 0; count < 7; count++)
    await ask(rig, 'POST', '/crawl', { url: `a.test/${count}` })
  await rig.dispatcher.pause(3)
  type List = { readonly jobs: readonly JobSummary[]; readonly next: string | null }
  const first = await ask<List>(rig, 'GET', '/crawl?limit=4')
  assert.deepEqual(
    first.json.jobs.map(({ id }) => id),
    ['crawl_7', 'crawl_6', 'crawl_5', 'crawl_4'],
  )
  assert.equal(first.json.next, 'crawl_4')
  const rest = await ask<List>(rig, 'GET', `/crawl?limit=4&after=${first.json.next}`)
  assert.deepEqual(
    rest.json.jobs.map(({ id, status }) => `${id} ${status}`),
    ['crawl_3 paused', 'crawl_2 started', 'crawl_1 started'],
  )
  assert.equal(rest.json.next, null)
  const paused = await ask<List>(rig, 'GET', '/crawl?status=paused')
  assert.equal(paused.json.jobs.length, 1)
})

test('jobs are paused, resumed, stopped and removed', async () => {
  await using rig = await openRig()
  await rig.newJob()
  for (const [action, status] of [
    ['pause', 'paused'],
    ['resume', 'running'],
    ['stop', 'stopped'],
  ]) {
    const { json } = await ask<{ job: JobSummary }>(rig, 'POST', `/crawl/crawl_1/${action}`)
    assert.equal(json.job.status, status)
  }
  const removed = await ask(rig, 'DELETE', '/crawl/crawl_1')
  assert.deepEqual(removed.json, { removed: 'crawl_1' })
  for (const [method, path] of [
    ['DELETE', '/crawl/crawl_1'],
    ['POST', '/crawl/crawl_1/stop'],
    ['GET', '/crawl/crawl_1'],
    ['GET', '/crawl/crawl_1/overview'],
    ['GET', '/crawl/crawl_1/events'],
  ] as const) {
    assert.equal((await ask(rig, method, path)).status, 404, `${method} ${path}`)
  }
})

test('a job is looked at again, all of it or what is due', async () => {
  await using rig = await openRig()
  await rig.newJob()
  const refresh = (query: string) => ask(rig, 'POST', `/crawl/crawl_1/refresh${query}`)
  assert.equal((await refresh('')).status, 200)
  assert.equal(rig.dispatcher.due, false)
  assert.equal((await refresh('?due=true')).status, 200)
  assert.equal(rig.dispatcher.due, true)
  assert.equal((await refresh('?due=maybe')).status, 400)
  assert.equal((await ask(rig, 'POST', '/crawl/crawl_9/refresh')).status, 404)
})

test('a job is resumed with other limits, and told what cannot be changed', async () => {
  await using rig = await openRig()
  await rig.newJob()
  const resume = (body: unknown) => ask<ErrorBody>(rig, 'POST', '/crawl/crawl_1/resume', body)
  assert.equal((await resume({ max_pages: 20, duration: 5 })).status, 200)
  assert.deepEqual(rig.dispatcher.limits, { maxPages: 20, durationMs: 5000 })
  assert.equal((await resume({})).status, 200)
  assert.deepEqual(rig.dispatcher.limits, {})
  const { status, json } = await resume({ scope: 'any' })
  assert.equal(status, 400)
  assert.match(json.error.message, /^scope: cannot be asked for: a job goes on as it was/)
  assert.equal((await ask(rig, 'POST', '/crawl/crawl_9/resume', { max_pages: 20 })).status, 404)
})

test('what a job cannot do in its state is a conflict with the reason', async () => {
  await using rig = await openRig()
  await rig.newJob()
  rig.dispatcher.refusal = { outcome: 'conflict', note: 'it runs outside this server' }
  const { status, json } = await ask<ErrorBody>(rig, 'POST', '/crawl/crawl_1/pause')
  assert.equal(status, 409)
  assert.equal(json.error.message, 'it runs outside this server')
})

test('a job that was looked at again tells what was found, in its overview and in the list', async () => {
  await using rig = await openRig()
  const job = await rig.newJob()
  await rig.storePages(job, 3)
  await using rounds = await openSqliteRecrawlStore(storePath(rig.dataDir))
  await rounds.begin(job.id, { due: true })
  await rounds.setNotDue(job.id, 1, 2)
  const { json } = await ask<{ job: JobSummary }>(rig, 'GET', '/crawl/crawl_1/overview')
  const none = { new: 0, changed: 0, gone: 0, unchanged: 0, unanswered: 0 }
  assert.deepEqual(json.job.refresh, { round: 1, ...none, kept: 3, not_due: 2, not_yet: 1 })
  await rig.newJob()
  const { json: list } = await ask<{ jobs: JobSummary[] }>(rig, 'GET', '/crawl')
  assert.deepEqual(
    list.jobs.map(({ refresh }) => refresh),
    [undefined, json.job.refresh],
  )
})

test('an overview tells options, totals, and of what runs the moment', async () => {
  await using rig = await openRig()
  const job = await rig.newJob()
  await rig.storePages(job, 3)
  type Overview = {
    readonly job: JobSummary
    readonly options: Record<string, unknown>
    readonly progress: { readonly stored: number; readonly processes: unknown[] } | null
    readonly pages_per_host: Record<string, number>
  }
  const still = await ask<Overview>(rig, 'GET', '/crawl/crawl_1/overview')
  assert.equal(still.json.progress, null)
  assert.equal(still.json.job.stored, 3)
  assert.equal(still.json.job.hot, null)
  assert.deepEqual(still.json.pages_per_host, { 'a.test': 3 })
  assert.equal(still.json.options.max_pages, 1_000_000)
  assert.deepEqual(still.json.options.urls, ['http://a.test/'])
  rig.dispatcher.beat(job, 4)
  const live = await ask<Overview>(rig, 'GET', '/crawl/crawl_1/overview')
  assert.equal(live.json.progress?.stored, 4)
  assert.equal(live.json.job.stored, 4)
  assert.equal(live.json.progress?.processes.length, 1)
})

test('the curves of a job are columns of one length', async () => {
  await using rig = await openRig()
  const job = await rig.newJob()
  const sample = {
    ...{
      at: 1,
      stored: 2,
      refused: 3,
      outside: 6,
      failed: 4,
      queued: 5,
      bytes: 8,
      pagesPerSecond: 1.5,
    },
    ...{ recentHarvestRate: null, scouterRssBytes: 6, parserRssBytes: 7, cpu: 0.25 },
  }
  await rig.journal.saveHistory(job.id, [sample, { ...sample, at: 2 }])
  const { json } = await ask<Record<string, unknown[]>>(rig, 'GET', '/crawl/crawl_1/history')
  assert.deepEqual(json.at, [1, 2])
  assert.ok(Object.values(json).every((column) => column.length === 2))
})

test('what a topic looks for is reported before a crawl is started with it', async () => {
  await using rig = await openRig()
  const asked = (body: unknown) =>
    ask<{ topic: { words: { stem: string }[]; dropped: string[] } | null }>(
      rig,
      'POST',
      '/topic',
      body,
    )
  const { json } = await asked({ topic: 'vaksin dan sistem imun' })
  assert.deepEqual(
    json.topic?.words.map(({ stem }) => stem),
    ['vaksin', 'sistem', 'imun'],
  )
  assert.deepEqual(json.topic?.dropped, ['dan'])
  assert.equal((await asked({})).json.topic, null)
  const refused = await asked({ keywords: ['dan', 'yang'] })
  assert.equal(refused.status, 400)
  assert.match(JSON.stringify(refused.json), /"at":"keywords".*only stop words/)
  assert.equal((await asked({ topic: 'x', url: 'http://a.test/' })).status, 400)
})

test('options are reported as this server has them', async () => {
  await using rig = await openRig({
    defaults: { delayMs: 250, contact: 'a@b.test', userAgent: null },
  })
  type Told = {
    readonly options: readonly Record<string, unknown>[]
    readonly orderings: unknown[]
  }
  const { json } = await ask<Told>(rig, 'GET', '/options')
  const named = (name: string) => json.options.find((option) => option.name === name)
  assert.equal(named('delay')?.default, '250')
  assert.equal(named('contact')?.default, 'a@b.test')
  assert.equal(named('concurrency')?.max, 128)
  assert.equal(named('allow_private')?.allowed, false)
  assert.equal(named('max_pages')?.group, 'limits')
  assert.doesNotMatch(JSON.stringify(json), /--[a-z]/)
  assert.ok(json.orderings.length > 10)
})

test('metrics are what Prometheus reads', async () => {
  await using rig = await openRig()
  const job = await rig.newJob()
  rig.dispatcher.beat(job, 3)
  rig.dispatcher.beat(job, 8)
  await ask(rig, 'GET', '/crawl/crawl_1/overview')
  const answer = await fetch(`${rig.url}/metrics`)
  assert.match(String(answer.headers.get('content-type')), /^text\/plain; version=0\.0\.4/)
  const lines = (await answer.text()).trimEnd().split('\n')
  const form = /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z_]+="[^"]*",?)+\})? -?[\d.e+]+)$/
  for (const line of lines) assert.match(line, form)
  assert.ok(lines.includes('jelajah_jobs{status="running"} 1'))
  assert.ok(lines.includes('jelajah_pages_stored_total 5'))
  assert.ok(
    lines.includes('jelajah_http_requests_total{route="/crawl/:id/overview",answer="2xx"} 1'),
  )
})

test('health is answered, and readiness only when the store answers', async () => {
  await using rig = await openRig()
  assert.deepEqual((await ask(rig, 'GET', '/healthz')).json, { status: 'ok' })
  assert.deepEqual((await ask(rig, 'GET', '/readyz')).json, { status: 'ok' })
})
