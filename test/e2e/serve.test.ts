// `jelajah serve` as people and programs meet it: how it starts and ends, the two fixed shapes, and that
// nothing a client was told is lost.
import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { expectedCrawl } from '../../src/sample-web/oracle.ts'
import { startSite } from '../../src/sample-web/server.ts'
import { createSite, type Site } from '../../src/sample-web/site.ts'
import { serve, temporaryFolder } from './crawling.ts'
import { runHere } from './in-process.ts'
import { type Job, type Served, startServer, until } from './serving.ts'

const PRIVATE = '--allow-private'

function smallSite(pages = 40): Site {
  return createSite({
    seed: 11,
    hosts: ['satu', 'dua', 'tiga'].map((name) => ({
      name,
      pages,
      language: 'id',
      style: 'news',
    })),
    specials: 2,
  })
}

/** The pages a job must have: those of the oracle, duplicates standing for each other. */
function assertPages(job: Job, site: Site, seed: string): void {
  const { stored, duplicates, failed } = expectedCrawl(site, { seeds: [seed], scope: 'domain' })
  const standsFor = new Map(
    [...duplicates.values()].flatMap(([first = '', ...more]) =>
      more.map((url) => [url, first] as const),
    ),
  )
  const fetched = job.pages.filter(({ crawled_at }) => crawled_at !== undefined)
  const urls = fetched.map(({ url }) => standsFor.get(url) ?? url)
  assert.equal(new Set(urls).size, urls.length, 'no page twice')
  assert.deepEqual(urls.toSorted(), [...stored].toSorted())
  const others = job.pages.filter((page) => !fetched.includes(page)).map(({ url }) => url)
  assert.deepEqual(others.toSorted(), [...failed.keys()].toSorted())
}

const rig = new AsyncDisposableStack()
/** As it is without any flag, in a folder that it had to make, … */
let plain: Served
let plainDir: string
/** … and one that may crawl this machine. */
let open: Served
let openDir: string

before(async () => {
  const [made, other] = [rig.use(await temporaryFolder()), rig.use(await temporaryFolder())]
  plainDir = join(made.path, 'made')
  openDir = other.path
  const flags = [PRIVATE, '--jobs', '4']
  const servers = [startServer(plainDir), startServer(other.path, flags, { CRAWL_DELAY_MS: '5' })]
  ;[plain, open] = (await Promise.all(servers)).map((server) => rig.use(server)) as [Served, Served]
})
after(() => rig.disposeAsync())

test('what the server writes is for its user alone', async () => {
  const files = readdirSync(plainDir, { recursive: true, encoding: 'utf8' })
  assert.ok(files.includes('jelajah.db'))
  for (const file of ['', ...files]) {
    assert.equal(statSync(join(plainDir, file)).mode & 0o077, 0, `${file} is open to others`)
  }
})

test('a place has one server, and a port one program', async () => {
  await using other = await temporaryFolder()
  const same = await runHere(['serve', '--port', '0', '--data', plainDir])
  assert.equal(same.code, 8)
  assert.match(same.stderr, /another server runs in/)
  const { port } = new URL(plain.url)
  const taken = await runHere(['serve', '--port', port, '--data', other.path])
  assert.equal(taken.code, 1)
  assert.match(taken.stderr, new RegExp(`port ${port} is in use`))
  const holder = `by process ${plain.pid} \\(jelajah serve --data .+\\)`
  assert.match(taken.stderr, new RegExp(`${holder}|ss -ltnp`))
  const { stdout } = await runHere(['doctor', '--data', plainDir])
  assert.match(stdout, /a server runs in this folder/)
  for (const { stderr } of [same, taken]) assert.doesNotMatch(stderr, /\n\s+at /)
})

test('it refuses to be reached by others without a token, and wants it from everybody then', async () => {
  await using folder = await temporaryFolder()
  const refused = await runHere(['serve', '--host', '0.0.0.0', '--data', folder.path])
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /JELAJAH_TOKEN/)
  const token = 'a-secret-of-some-length'
  await using server = await startServer(folder.path, ['--host', '0.0.0.0'], {
    JELAJAH_TOKEN: token,
  })
  assert.equal((await server.ask('/crawl')).status, 401)
  const headers = { authorization: `Bearer ${token}` }
  assert.equal((await server.ask('/crawl', { headers })).status, 200)
  server.run.process.kill('SIGTERM')
  assert.doesNotMatch((await server.run.ended).stderr, new RegExp(token))
})

test('the two fixed shapes have exactly their fields, with true values', async () => {
  const pages: Readonly<Record<string, string>> = {
    '/': '<title>Front &amp; more</title><a href="/a">a</a> <a href="/b#x">b</a>',
    '/a': '<title>A</title><a href="/">home</a>',
    '/b': '<title>B</title>no links',
  }
  await using site = await serve((request, response) => {
    const html = pages[request.url ?? '']
    response.writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html' })
    response.end(html ?? 'none')
  })
  const origin = `http://127.0.0.1:${site.port}`
  const before = Date.now()
  const taken = await open.post('/crawl', { url: origin, max_pages: 10 })
  assert.equal(taken.status, 200)
  assert.deepEqual(taken.json, { job_id: 'crawl_1', status: 'started' })
  await open.ended('crawl_1')
  const { job } = (await open.ask('/crawl/crawl_1')).json
  const { started_at, ended_at, pages: stored, ...rest } = job
  assert.deepEqual(rest, {
    id: 'crawl_1',
    status: 'completed',
    seed_url: origin,
    max_pages: 10,
  })
  assert.ok(before <= started_at && started_at <= ended_at && ended_at <= Date.now())
  const byUrl = new Map<string, Job['pages'][number]>(
    stored.map((page: Job['pages'][number]) => [page.url, page]),
  )
  const links: Readonly<Record<string, string[]>> = {
    '/': [`${origin}/a`, `${origin}/b`],
    '/a': [`${origin}/`],
    '/b': [],
  }
  const titles: Readonly<Record<string, string>> = { '/': 'Front & more', '/a': 'A', '/b': 'B' }
  assert.equal(stored.length, 3)
  for (const path of Object.keys(pages)) {
    const page = byUrl.get(`${origin}${path}`)
    assert.ok(page !== undefined, path)
    const { crawled_at, ...fields } = page
    assert.deepEqual(fields, {
      url: `${origin}${path}`,
      status_code: 200,
      title: titles[path],
      links: links[path],
    })
    assert.ok(started_at <= crawled_at && crawled_at <= ended_at)
  }
})

test('begun, resumed and refreshed, a job has each run on record and its seed as it was given', async () => {
  await using site = await serve(({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<title>${url}</title><a href="/more">more than ${url}</a>`)
  })
  const given = `HTTP://127.0.0.1:${site.port}/#top`
  const id = await open.crawl({ url: given, max_pages: 1 })
  await open.ended(id)
  for (const [what, body] of [
    ['resume', { max_pages: 10 }],
    ['refresh', {}],
  ] as const) {
    const { status, text } = await open.post(`/crawl/${id}/${what}`, body)
    assert.equal(status, 200, text)
    assert.equal((await open.ended(id)).seed_url, given)
  }
  const { stdout } = await runHere(['crawls', '--json', '--data', openDir])
  const rows = stdout.trimEnd().split('\n')
  const row = rows.map((line) => JSON.parse(line)).find((job) => `crawl_${job.id}` === id)
  const limits = row.runs.map(
    ({ options }: { options: { max_pages: number } }) => options.max_pages,
  )
  assert.deepEqual(limits, [1, 10, 10])
})

test('fetches that failed stand behind the pages, with a status or with why there was no answer', async () => {
  const front = '<title>Depan</title><a href="/gone">gone</a>'
  await using site = await serve(({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    if (url !== '/') response.statusCode = 404
    response.end(url === '/' ? front : '')
  })
  const seed = `http://127.0.0.1:${site.port}/`
  const job = await open.ended(await open.crawl({ url: seed, max_pages: 5 }))
  const told = job.pages.map(({ url, status_code }) => [url, status_code])
  assert.deepEqual(told, [
    [seed, 200],
    [`${seed}gone`, 404],
  ])
  const gone = await serve((_request, response) => response.end())
  await gone[Symbol.asyncDispose]()
  const nowhere = `http://127.0.0.1:${gone.port}/`
  const lost = await open.ended(await open.crawl({ url: nowhere, retries: 0 }))
  assert.equal(lost.status, 'failed')
  assert.deepEqual(lost.pages, [{ url: nowhere, error: 'host-unreachable' }])
})

test('a seed with a private address is refused, and the job fails with that reason', async () => {
  await using site = await serve((_request, response) => response.end('<title>secret</title>'))
  const id = await plain.crawl({ url: `http://127.0.0.1:${site.port}/`, delay: 1 })
  assert.equal((await plain.ended(id)).status, 'failed')
  const { job } = (await plain.ask(`/crawl/${id}/overview`)).json
  assert.match(job.note, /private-address/)
  assert.equal(site.connections(), 0)
})

test('killed during three running jobs and started again, it finishes all three', async () => {
  const site = smallSite(20)
  await using web = await startSite(site)
  await using folder = await temporaryFolder()
  const seeds = ['satu', 'dua', 'tiga'].map((name) => web.url(name))
  const flags = [PRIVATE, '--jobs', '3']
  const ids = await (async () => {
    const server = await startServer(folder.path, flags)
    const taken = await Promise.all(
      seeds.map(async (url) => [url, await server.crawl({ url, delay: 100 })] as const),
    )
    await until(async () => {
      const { jobs } = (await server.ask('/crawl')).json
      return jobs.every(({ stored }: { stored: number }) => stored >= 5)
    }, 'three jobs with pages')
    server.run.process.kill('SIGKILL')
    await server.run.ended
    return new Map(taken)
  })()
  await using server = await startServer(folder.path, flags)
  for (const [seed, id] of ids) {
    const job = await server.ended(id)
    assert.equal(job.status, 'completed')
    assertPages(job, site, seed)
  }
})

test('asked to end while a job runs, it leaves it for the next start', async () => {
  const site = smallSite(30)
  await using web = await startSite(site)
  await using folder = await temporaryFolder()
  const seed = web.url('dua')
  const first = await startServer(folder.path, [PRIVATE])
  const id = await first.crawl({ url: seed, delay: 250 })
  await until(async () => {
    const { job } = (await first.ask(`/crawl/${id}/overview`)).json
    return job.stored >= 5
  }, 'some pages')
  first.run.process.kill('SIGINT')
  const { code, stderr } = await first.run.ended
  assert.equal(code, 0, stderr)
  await using server = await startServer(folder.path, [PRIVATE])
  const job = await server.ended(id)
  assert.equal(job.status, 'completed')
  assertPages(job, site, seed)
  server.run.process.kill('SIGTERM')
  assert.match((await server.run.ended).stderr, /^1 job goes on$/m)
})

test('six jobs posted at once each keep their limit exactly', async () => {
  await using web = await startSite(smallSite())
  const names = ['satu', 'dua', 'tiga']
  const ids = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      open.crawl({ url: web.url(names[n % 3] ?? ''), max_pages: 3 + n, delay: 1 }),
    ),
  )
  assert.equal(new Set(ids).size, 6)
  for (const [n, id] of ids.entries()) {
    const job = await open.ended(id)
    assert.equal(job.status, 'completed')
    assert.equal(job.pages.length, 3 + n)
  }
})

test('the server says where it listens, is well, and ends cleanly when asked to', async () => {
  assert.match(plain.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.equal(plain.pid, plain.run.process.pid)
  assert.deepEqual((await plain.ask('/healthz')).json, { status: 'ok' })
  assert.equal((await plain.ask('/readyz')).status, 200)
  plain.run.process.kill('SIGTERM')
  const { code, stderr } = await plain.run.ended
  assert.equal(code, 0, stderr)
  assert.match(stderr, /Jelajah listens on http:\/\/127\.0\.0\.1:\d+ \(data in /)
  assert.doesNotMatch(stderr, /\n\s+at /)
})
