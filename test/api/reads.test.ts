// What the server tells of a crawl, held against what the crawl left behind: the real program crawled a
// small web, a real server reads it.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Static } from 'typebox'
import type { ApiDeps } from '../../src/api/api-deps.ts'
import { createApi } from '../../src/api/server.ts'
import { checkTopic, lookedFor } from '../../src/crawl/topic-source.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openReads } from '../../src/reads/open-reads.ts'
import type { JobHosts } from '../../src/reads/shapes/job.ts'
import type {
  PageGraph,
  PageIds,
  PageInFull,
  PageRows,
  Ranked,
  Reasons,
  SearchResult,
  SiteGraph,
  Suggestions,
  UrlRows,
} from '../../src/reads/shapes/page.ts'
import { startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { openSqlitePageStore } from '../../src/store/sqlite/sqlite-page-store.ts'
import { frontierPath, storePath } from '../../src/workspace/folder/paths.ts'
import { sample, sampleJob } from '../contract/sample-page.ts'
import { jelajah, query, temporaryFolder } from '../e2e/crawling.ts'
import { RIG_SETTINGS, StillDispatcher } from '../support/api-rig.ts'
import { openSqliteJobJournal, openSqliteJobStore } from '../support/stores.ts'

type Count = { readonly n: number }
type Fields = { readonly links?: readonly string[] }
type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown }

const opened = new AsyncDisposableStack()
const logged: string[] = []
let dataDir = ''
let server = ''

before(async () => {
  dataDir = opened.use(await temporaryFolder()).path
  const site = createSite({ seed: 5, pages: 120, hosts: 3, specials: 1 })
  const served = opened.use(await startSite(site))
  const rules = { fields: [{ name: 'links', selector: 'a[href]', type: 'url', many: true }] }
  writeFileSync(join(dataDir, 'rules.json'), JSON.stringify(rules))
  const args = [
    '--delay',
    '0',
    '--per-host',
    '4',
    '--allow-private',
    '--quiet',
    '--keep',
    'html,markdown',
    ...['--fields', join(dataDir, 'rules.json')],
  ]
  const crawl = ['crawl', ...served.seeds, '--data', dataDir, '--importance', 'pagerank', ...args]
  assert.equal((await jelajah(crawl).ended).code, 0)
  const path = storePath(dataDir)
  const jobs = opened.use(await openSqliteJobStore(path))
  const journal = opened.use(await openSqliteJobJournal(path))
  const reads = opened.use(await openReads({ data: dataDir, frontier: null }))
  const deps: ApiDeps = {
    ...{
      jobs,
      journal,
      reads,
      clock: systemClock,
      assetsDir: null,
      checkTopic,
      showTopic: lookedFor,
    },
    dispatcher: new StillDispatcher(jobs, journal),
    settings: RIG_SETTINGS,
    log: (text) => logged.push(text),
  }
  const api = await createApi(deps)
  server = await api.listen({ host: '127.0.0.1', port: 0 })
  opened.defer(() => api.close())
})
after(() => opened.disposeAsync())

async function ask(path: string): Promise<Answer> {
  const { status, headers, ...response } = await fetch(`${server}${path}`).then(async (got) => ({
    status: got.status,
    headers: got.headers,
    body: await got.json(),
  }))
  return { status, headers, ...response }
}

async function read<T>(path: string): Promise<T> {
  const { status, body } = await ask(path)
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
  return body as T
}

function stored<Row>(sql: string): Row[] {
  return query<Row>(storePath(dataDir), sql)
}

function seen<Row>(sql: string): Row[] {
  return query<Row>(frontierPath(dataDir, 1), sql)
}

test('pages are read part by part, each once, without duplicates unless they are asked for', async () => {
  for (const [flag, where] of [
    ['', 'WHERE duplicate_of IS NULL'],
    ['&duplicates=true', ''],
  ]) {
    const urls: string[] = []
    for (let path: string | null = '?limit=50'; path !== null; ) {
      const { pages, next }: PageRows = await read(`/crawl/crawl_1/pages${path}${flag}`)
      urls.push(...pages.map(({ url }) => url))
      path = next === null ? null : `?limit=50&after=${next}`
    }
    const expected = stored<{ url: string }>(`SELECT url FROM pages ${where} ORDER BY id`)
    assert.deepEqual(
      urls,
      expected.map(({ url }) => url),
    )
  }
})

test('ids come sorted and filtered, and rows by their ids in that order', async () => {
  const [first] = stored<{ host: string }>('SELECT host FROM pages ORDER BY id LIMIT 1')
  const host = first?.host ?? ''
  const filter = `host=${encodeURIComponent(host.toUpperCase())}`
  const path = `/crawl/crawl_1/page-ids?sort=size_bytes&descending=true&${filter}`
  const { ids, total, cut }: PageIds = await read(path)
  const expected = stored<{ id: number }>(
    `SELECT id FROM pages WHERE duplicate_of IS NULL AND host = '${host}' ORDER BY size_bytes DESC, id`,
  )
  assert.deepEqual(
    ids,
    expected.map(({ id }) => id),
  )
  assert.deepEqual([total, cut], [ids.length, false])
  const wanted = [...ids.slice(0, 5), 999_999]
  const { pages, next }: PageRows = await read(`/crawl/crawl_1/pages?ids=${wanted.join(',')}`)
  assert.deepEqual([pages.map(({ id }) => id), next], [ids.slice(0, 5), null])
  assert.ok(pages.every((page) => page.host === host))
})

test('chosen fields of all pages come line by line, and only those that were kept', async () => {
  const address = `${server}/crawl/crawl_1/pages?fields=id,url,text,markdown,links`
  const response = await fetch(address)
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson')
  const lines = (await response.text()).trimEnd().split('\n')
  const pages = lines.map((line): Record<string, unknown> => JSON.parse(line))
  const [kept] = stored<Count>(
    'SELECT count(*) AS n FROM pages WHERE duplicate_of IS NULL AND noindex = 0',
  )
  assert.equal(pages.length, kept?.n)
  assert.deepEqual(Object.keys(pages[0] ?? {}), ['id', 'url', 'text', 'markdown', 'links'])
  assert.ok(pages.some(({ markdown }) => String(markdown).startsWith('# ')))
  const some = await (await fetch(`${address}&limit=3&after=${pages[1]?.id}`)).text()
  assert.deepEqual(some.trimEnd().split('\n'), lines.slice(2, 5))
  const wrong = await fetch(`${server}/crawl/crawl_1/pages?fields=url,body&ids=1`)
  assert.equal(wrong.status, 400)
  assert.match(await wrong.text(), /has no field.*body.*does not go with fields/s)
})

test('fields by rules come with a page, and with all pages', async () => {
  const all = await fetch(`${server}/crawl/crawl_1/pages?fields=id,fields`)
  const lines = (await all.text()).trimEnd().split('\n')
  const pages = lines.map((line): { id: number; fields: Fields } => JSON.parse(line))
  const some = pages.find(({ fields }) => fields.links !== undefined)
  assert.ok(some !== undefined && pages.length > 1)
  const page: PageInFull = await read(`/crawl/crawl_1/pages/${some.id}`)
  assert.deepEqual(page.fields, some.fields)
  const rows = stored<Count>(`SELECT count(*) AS n FROM page_fields WHERE page_id = ${some.id}`)
  assert.equal(some.fields.links?.length, rows[0]?.n)
})

test('a page in full has its parts by name, and who links to it', async () => {
  const [row] = stored<{ page_id: number; n: number }>(
    'SELECT page_id, count(*) AS n FROM page_links GROUP BY 1 ORDER BY 2 DESC LIMIT 1',
  )
  const id = row?.page_id ?? 0
  const page: PageInFull = await read(`/crawl/crawl_1/pages/${id}`)
  assert.equal(page.crawl, 'crawl_1')
  const links = `
    SELECT url, anchor, rel, context,
      (SELECT id FROM pages WHERE crawl_id = 1 AND pages.url = page_links.url) AS page_id
    FROM page_links WHERE page_links.page_id = `
  assert.deepEqual(
    page.links,
    stored(`${links}${id} ORDER BY position`).map((link) => ({ ...Object(link) })),
  )
  const [text] = stored<{ content_text: string }>(`SELECT content_text FROM pages WHERE id = ${id}`)
  assert.equal(page.content_text, text?.content_text)
  const [figures] = stored<{ pagerank: number; backlinks: number }>(
    `SELECT pagerank, backlinks FROM page_importance WHERE page_id = ${id}`,
  )
  assert.equal(page.importance?.pagerank, figures?.pagerank)
  assert.equal(page.links_in.total, figures?.backlinks)
  assert.ok(page.links_in.pages.length > 0)
  for (const { id: from, anchor } of page.links_in.pages.slice(0, 20)) {
    const words = stored<{ anchor: string }>(`${links}${from}`).map((link) => link.anchor)
    assert.ok(words.includes(anchor), `"${anchor}" is on page ${from}`)
  }
})

test('kept HTML is given to be saved, and can do nothing where it is opened', async () => {
  const [page] = stored<{ page_id: number }>('SELECT page_id FROM page_html LIMIT 1')
  const got = await fetch(`${server}/crawl/crawl_1/pages/${page?.page_id}/html`)
  assert.equal(got.status, 200)
  assert.match(await got.text(), /<html/i)
  const name = `attachment; filename="crawl_1-page-${page?.page_id}.html"`
  assert.equal(got.headers.get('content-disposition'), name)
  assert.equal(got.headers.get('content-type'), 'application/octet-stream')
  assert.equal(got.headers.get('x-content-type-options'), 'nosniff')
  assert.match(got.headers.get('content-security-policy') ?? '', /(^|; )sandbox($|;)/)
})

test('URLs come by state and by the code of their reason, and reasons count them all', async () => {
  const { reasons }: Reasons = await read('/crawl/crawl_1/reasons')
  const [all] = seen<Count>('SELECT count(*) AS n FROM url')
  assert.equal(
    reasons.reduce((sum, { count }) => sum + count, 0),
    all?.n,
  )
  const failed = reasons.filter(({ state }) => state === 'failed' || state === 'refused')
  assert.ok(failed.length > 1)
  for (const { state, code, count, example } of failed) {
    const path = `/crawl/crawl_1/urls?state=${state}&code=${code}&limit=1000`
    const { urls, next }: UrlRows = await read(path)
    assert.deepEqual([urls.length, next, urls[0]?.url], [count, null, example.url])
    assert.ok(urls.every((row) => row.state === state && row.reason.startsWith(code)))
  }
  const first: UrlRows = await read('/crawl/crawl_1/urls?limit=7')
  const rest: UrlRows = await read(`/crawl/crawl_1/urls?limit=1000&after=${first.next}`)
  const everything = seen<{ url: string }>('SELECT url FROM url ORDER BY id LIMIT 20')
  assert.deepEqual(
    [...first.urls, ...rest.urls].slice(0, 20).map(({ url }) => url),
    everything.map(({ url }) => url),
  )
})

test('hosts are reported with their condition', async () => {
  const { hosts }: Static<typeof JobHosts> = await read('/crawl/crawl_1/hosts?limit=1000')
  const expected = seen<{ host: string; stored: number }>('SELECT host, stored FROM hosts')
  const plain = (rows: readonly { host: string; stored: number }[]) =>
    rows.map(({ host, stored }) => `${host} ${stored}`).sort()
  assert.deepEqual(plain(hosts), plain(expected))
  assert.ok(hosts.some(({ condition }) => condition === 'done'))
})

test('the story of a URL is the one the command line tells', async () => {
  const [row] = seen<{ url: string }>("SELECT url FROM urls WHERE state = 'stored' AND depth = 2")
  const url = row?.url ?? ''
  const { stdout } = await jelajah(['explain', url, '--json', '--data', dataDir]).ended
  const told = await read(`/crawl/crawl_1/explain?url=${encodeURIComponent(url)}`)
  assert.deepEqual(told, JSON.parse(stdout))
  const unknown: { known: boolean } = await read('/crawl/crawl_1/explain?url=http://no.test/')
  assert.equal(unknown.known, false)
})

test('the most important pages come as they were computed', async () => {
  const { pages }: Ranked = await read('/crawl/crawl_1/rank?limit=10')
  const expected = stored<{ page_id: number }>(
    'SELECT page_id FROM page_importance ORDER BY importance DESC, page_id LIMIT 10',
  )
  assert.deepEqual(
    pages.map(({ id }) => id),
    expected.map(({ page_id }) => page_id),
  )
})

test('the page map has the best pages and the links among them', async () => {
  const best = stored<{ page_id: number; pagerank: number; backlinks: number }>(
    'SELECT page_id, pagerank, backlinks FROM page_importance ORDER BY pagerank DESC, page_id LIMIT 20',
  )
  const [all] = stored<Count>('SELECT count(*) AS n, sum(backlinks) AS edges FROM page_importance')
  const map: PageGraph = await read('/crawl/crawl_1/graph/pages?top=20')
  assert.deepEqual(
    map.nodes.map(({ id, pagerank, in: backlinks }) => ({ page_id: id, pagerank, backlinks })),
    best.map((row) => ({ ...row })),
  )
  assert.deepEqual({ n: map.total_nodes, edges: map.total_edges }, { ...all })
  const shown = new Set(map.nodes.map(({ id }) => id))
  assert.ok(map.edges.length > 0)
  assert.ok(map.edges.every(({ source, target }) => shown.has(source) && shown.has(target)))
  const whole: PageGraph = await read('/crawl/crawl_1/graph/pages?top=10000')
  assert.deepEqual([whole.nodes.length, whole.edges.length], [whole.total_nodes, whole.total_edges])
  const host = whole.nodes[0]?.host ?? ''
  const own: PageGraph = await read(`/crawl/crawl_1/graph/pages?host=${host}&top=10000`)
  assert.equal(own.total_nodes, whole.nodes.filter((node) => node.host === host).length)
  assert.equal(own.edges.length, own.total_edges)
})

test('the site map adds up what the page map has', async () => {
  const pages: PageGraph = await read('/crawl/crawl_1/graph/pages?top=10000')
  const sites: SiteGraph = await read('/crawl/crawl_1/graph/sites')
  const hostOf = new Map(pages.nodes.map(({ id, host }) => [id, host]))
  const across = pages.edges.filter(
    ({ source, target }) => hostOf.get(source) !== hostOf.get(target),
  )
  assert.equal(
    sites.edges.reduce((sum, { links }) => sum + links, 0),
    across.length,
  )
  for (const { host, pages: count, pagerank } of sites.nodes) {
    const own = pages.nodes.filter((node) => node.host === host)
    assert.equal(count, own.length)
    const sum = own.reduce((total, node) => total + node.pagerank, 0)
    assert.ok(Math.abs(sum - pagerank) < 1e-9)
  }
})

test('search finds what is stored', async () => {
  const [page] = stored<{ title: string }>(
    "SELECT title FROM pages WHERE title != '' AND noindex = 0 LIMIT 1",
  )
  const q = encodeURIComponent(page?.title ?? '')
  const { hits, total }: SearchResult = await read(`/search?q=${q}&crawl=crawl_1&limit=5`)
  assert.ok(total > 0)
  assert.ok(hits.some(({ title }) => title === page?.title))
})

test('what is asked wrongly is refused with every name that is wrong', async () => {
  const cases: readonly (readonly [path: string, at: readonly string[]])[] = [
    ['pages?limit=1e9', ['limit']],
    ['pages?limit=0&after=-1', ['after', 'limit']],
    ['pages?limit=ten', ['limit']],
    ['pages?limit=', ['limit']],
    ['pages?limit=5&limit=6', ['limit']],
    ['pages?sort=title', ['sort']],
    ['pages?__proto__=1', ['__proto__']],
    ['pages?constructor=1&toString=2', ['constructor', 'toString']],
    ['pages?hot=maybe&kind=nothing&min_relevance=2', ['hot', 'kind', 'min_relevance']],
    [`pages?text=${'x'.repeat(201)}`, ['text']],
    ['pages?ids=1,2,x', ['ids']],
    ['pages?ids=', ['ids']],
    ['pages?ids=-1', ['ids']],
    ['pages?ids=1e3', ['ids']],
    ['pages?ids=٣', ['ids']],
    [`pages?ids=${Array(501).fill(7).join(',')}`, ['ids']],
    ['pages?ids=1&host=a.test&hot=true', ['host', 'hot']],
    ['page-ids?sort=id;DROP', ['sort']],
    ['page-ids?sort=content_text', ['sort']],
    ['page-ids?limit=200001&after=3', ['after', 'limit']],
    ['urls?state=lost&limit=1001', ['limit', 'state']],
    ['reasons?x=1', ['x']],
    ['hosts?limit=99999', ['limit']],
    ['explain', ['url']],
    ['explain?url=javascript:alert(1)', ['url']],
    ['explain?url=file:///etc/passwd', ['url']],
    ['rank?limit=1001', ['limit']],
    ['graph/pages?top=10001', ['top']],
    ['graph/sites?top=0&host=a.test', ['host', 'top']],
  ]
  for (const [path, at] of cases) {
    const { status, body } = await ask(`/crawl/crawl_1/${path}`)
    assert.equal(status, 400, `${path}: ${JSON.stringify(body)}`)
    const { error } = body as { error: { code: string; problems: { at: string }[] } }
    assert.deepEqual([status, error.code], [400, 'bad-request'], path)
    const named = new Set(error.problems.map((problem) => problem.at))
    assert.deepEqual([...named].sort(), [...at].sort(), path)
  }
  const wrong = [
    'limit=101',
    'offset=1e12',
    'columns=body',
    'since=soon',
    'until=later',
    'published_since=soon',
    'published_until=2026-02-31',
    'sort=size',
    'all=x',
    'rank_weight=-1',
  ]
  for (const path of ['/search', ...wrong.map((one) => `/search?q=a&${one}`)]) {
    assert.equal((await ask(path)).status, 400, path)
  }
})

test('what is not there is not found, whatever it is called', async () => {
  const paths = [
    '/crawl/crawl_2/pages',
    '/crawl/crawl_0/pages',
    '/crawl/crawl_01/page-ids',
    '/crawl/crawl_999999999999999/reasons',
    '/crawl/crawl_9999999999999999/urls',
    '/crawl/1/hosts',
    '/crawl/%2e%2e%2fjelajah.db/pages',
    '/crawl/crawl_1%00/pages',
    '/crawl/crawl_１/rank',
    '/crawl/crawl_2/explain?url=http://a.test/',
    '/crawl/crawl_2/graph/pages',
    '/crawl/crawl_1/pages/999999999',
    '/crawl/crawl_1/pages/0',
    '/crawl/crawl_1/pages/-1',
    '/crawl/crawl_1/pages/1e1',
    '/crawl/crawl_1/pages/1%20OR%201=1',
    '/crawl/crawl_1/pages/9007199254740993',
    '/crawl/crawl_1/pages/999999999/html',
    '/crawl/crawl_1/pages/x/html',
    '/search?q=a&crawl=crawl_2',
  ]
  for (const path of paths) {
    const { status, body } = await ask(path)
    assert.equal(status, 404, `${path}: ${JSON.stringify(body)}`)
    assert.doesNotMatch(JSON.stringify(body), /\.ts|SELECT|\/tmp/)
  }
})

test('strange texts are looked for as they are, and never break anything', async () => {
  for (const text of ['%', '_', `'"`, '\\', '%_\'"\\', '\u0000', '\u202e', '🦊', ');--']) {
    const path = `/crawl/crawl_1/pages?text=${encodeURIComponent(text)}&limit=1000`
    const { pages }: PageRows = await read(path)
    const folded = text.toLowerCase()
    for (const { url, title } of pages) {
      assert.ok(`${url}\n${title}`.toLowerCase().includes(folded), `${text}: ${url} ${title}`)
    }
    await read(`/crawl/crawl_1/urls?code=${encodeURIComponent(text)}`)
    await read(`/crawl/crawl_1/graph/pages?host=${encodeURIComponent(text)}`)
    await read(`/search?q=${encodeURIComponent(text)}`)
  }
  assert.deepEqual(logged, [])
})

test('pages like a stored page are found by its URL', async () => {
  const [page] = stored<{ url: string }>('SELECT url FROM pages WHERE noindex = 0 LIMIT 1')
  const found = await read<SearchResult>(`/search?q=&like=${encodeURIComponent(page!.url)}`)
  assert.ok(found.total > 0 && found.hits.every(({ url }) => url !== page!.url))
  assert.equal((await ask('/search?q=&like=http://nowhere.test/')).status, 400)
})

test('what is typed so far becomes words and titles', async () => {
  await read('/search?q=the&limit=1')
  const { words, titles }: Suggestions = await read('/suggest?q=a&limit=3')
  assert.deepEqual([words.length, titles.length], [3, 3])
  for (const { title, title_marks: marks } of titles) {
    assert.ok(
      marks.some(([start, end]) => /^a/i.test(title.slice(start, end))),
      title,
    )
  }
  const [first] = words
  const again: Suggestions = await read(`/suggest?q=${first!.word}&crawl=crawl_1`)
  assert.equal(again.query, first!.word)
  assert.equal((await ask('/suggest?q=a&crawl=crawl_99')).status, 404)
  assert.equal((await ask('/suggest')).status, 400)
})

test('any text can be searched for, and what was too long is reported', async () => {
  const strange = [
    '"',
    '*',
    'OR',
    '-a',
    'NEAR(a b)',
    '{title}:x',
    'a\u0000b',
    '😀',
    '\u202e',
    '%00',
  ]
  for (const text of [...strange, '\ufffd', 'ab '.repeat(3333), '字'.repeat(10_000)]) {
    const result: SearchResult = await read(`/search?q=${encodeURIComponent(text)}`)
    assert.ok(text.startsWith(result.query), text)
  }
  const { cut }: SearchResult = await read(`/search?q=${'ab+'.repeat(3333)}`)
  assert.equal(cut, true)
  // A lone surrogate cannot be encoded; what stands for it in bytes can.
  await read('/search?q=%ED%A0%80')
  assert.deepEqual(logged, [])
})

test('a search is narrowed by columns, topic and time, folded and exact or not', async () => {
  const all: SearchResult = await read('/search?q=the+OR+dan&all=true&limit=100')
  assert.equal(all.total, all.pages)
  const folded: SearchResult = await read('/search?q=the+OR+dan&limit=100')
  assert.equal(folded.pages, all.pages)
  const others = folded.hits.reduce((sum, hit) => sum + hit.others, 0)
  if (folded.total <= 100) assert.equal(folded.total + others, folded.pages)
  const later: SearchResult = await read('/search?q=the&since=2999-01-01')
  assert.equal(later.total, 0)
  const aimed: SearchResult = await read('/search?q=the&topic=nothing&rank_weight=0&exact=true')
  assert.equal(aimed.total, 0)
  const { total }: SearchResult = await read('/search?q=http&columns=keywords,content&since=7d')
  assert.ok(total <= all.total)
})

test('a page with 10,000 links and hostile texts is reported as it is', async () => {
  await using jobs = await openSqliteJobStore(storePath(dataDir))
  const job = await jobs.create(sampleJob({ name: 'hostile' }))
  await using store = await openSqlitePageStore({ path: storePath(dataDir), job })
  const title = '</script><script>alert(1)</script>\u202e "quoted" \\u0000'
  const links = Array.from({ length: 10_000 }, (_, n) => [`http://a.test/${n}`, title, '', title])
  const parts = { links: JSON.stringify(links), images: '[]', forms: '[{"__proto__":{"x":1}}]' }
  const [saved] = await store.save([sample('a.test/', { title }, { parts }), sample('a.test/7')])
  assert.ok(saved?.outcome === 'stored')
  const page: PageInFull = await read(`/crawl/crawl_${job.id}/pages/${saved.id}`)
  assert.equal(page.title, title)
  assert.equal(page.links?.length, 10_000)
  assert.deepEqual(page.images, [])
  assert.equal(page.tables, null)
  assert.equal(page.has_html, false)
  assert.equal((Object.prototype as Record<string, unknown>).x, undefined)
  const linked: PageInFull = await read(`/crawl/crawl_${job.id}/pages/${saved.id + 1}`)
  assert.deepEqual(linked.links_in, {
    total: 1,
    pages: [{ id: saved.id, url: 'http://a.test/', title, anchor: title }],
  })
  // A page of another crawl is none of this one.
  assert.equal((await ask(`/crawl/crawl_1/pages/${saved.id}`)).status, 404)
  assert.equal((await ask(`/crawl/crawl_${job.id}/pages/${saved.id}/html`)).status, 404)
})

test('without its frontier a crawl still has its pages; removed, it has nothing', async () => {
  for (const end of ['', '-wal', '-shm'])
    rmSync(`${frontierPath(dataDir, 1)}${end}`, { force: true })
  const { pages }: PageRows = await read('/crawl/crawl_1/pages')
  assert.ok(pages.length > 0)
  assert.deepEqual(await read('/crawl/crawl_1/urls'), { urls: [], next: null })
  assert.deepEqual(await read('/crawl/crawl_1/reasons'), { reasons: [] })
  assert.deepEqual(await read('/crawl/crawl_1/hosts'), { hosts: [] })
  const told: { known: boolean } = await read('/crawl/crawl_1/explain?url=http://a.test/')
  assert.equal(told.known, false)
  const map: PageGraph = await read('/crawl/crawl_1/graph/pages')
  assert.ok(map.nodes.length > 0)
  await using jobs = await openSqliteJobStore(storePath(dataDir))
  assert.equal(await jobs.remove(1), true)
  for (const path of ['pages', 'page-ids', 'urls', 'graph/pages', 'graph/sites', 'rank']) {
    assert.equal((await ask(`/crawl/crawl_1/${path}`)).status, 404, path)
  }
})
