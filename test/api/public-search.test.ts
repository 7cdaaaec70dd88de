// Search for pages of other sites, seen by who would misuse it: what is open is that search and nothing else.
import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request } from 'node:http'
import { after, before, test } from 'node:test'
import { withOpenEnd } from '../../src/api/routes/public-search.ts'
import { openRig, type Rig } from '../support/api-rig.ts'

const TOKEN = 'a-token-of-some-length'
const KEY = 'a-public-key-of-some-length'
const SITE = 'https://site.test'
const SEARCH = { origins: [SITE], crawls: ['crawl_1', 'later'], key: KEY, rate: 1000 } as const

let rig: Rig
before(async () => {
  rig = await openRig({ token: TOKEN, allowedHosts: ['search.test'], publicSearch: SEARCH })
  const open = await rig.newJob()
  await rig.storePages(open, 2, { title: 'Green tea', contentText: 'All about green tea leaves.' })
  const closed = await rig.newJob()
  const secret = { title: 'Zanzibar', contentText: 'The zanzibar plans are secret.' }
  await rig.storePages(closed, 2, secret)
  // The public search asks the index as it is: somebody else makes it.
  await ask({ path: '/search?q=tea', headers: { authorization: `Bearer ${TOKEN}` } })
})
after(() => rig[Symbol.asyncDispose]())

type Asked = {
  readonly to?: Rig
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
}
type Answered = { status: number; headers: IncomingHttpHeaders; text: string }

/** By hand: fetch would not let a test lie about Host and Origin. */
async function ask({
  to = rig,
  method = 'GET',
  path = '/',
  headers = {},
}: Asked): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>()
  const options = { host: '127.0.0.1', port: to.port, method, path, agent: false }
  const host = `127.0.0.1:${to.port}`
  const sent = request({ ...options, headers: { host, ...headers } }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    response.on('end', () => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
    })
  })
  sent.on('error', reject).end()
  return promise
}

const path = (query: Record<string, string>): string =>
  `/public/search?${new URLSearchParams({ key: KEY, ...query })}`

const search = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  ask({ path: path(query), headers: { origin: SITE, ...headers } })

test('a page of a listed site finds what its crawl has, and may read it', async () => {
  const { status, headers, text } = await search({ q: 'tea' })
  assert.equal(status, 200, text)
  assert.equal(headers['access-control-allow-origin'], SITE)
  assert.equal(headers['access-control-allow-credentials'], undefined)
  assert.equal(headers.vary, 'Origin')
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(String(headers['content-type']), /^application\/json/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  const { hits, total, index } = JSON.parse(text)
  assert.deepEqual([total, index], [1, 'ready'])
  const known = ['language', 'snippet', 'snippet_marks', 'title', 'title_marks', 'url']
  assert.deepEqual(Object.keys(hits[0]).sort(), known, 'no number, crawl or score')
})

const STRANGERS: readonly (readonly [what: string, headers: Record<string, string>])[] = [
  ['a site that is not listed', { origin: 'https://evil.test' }],
  ['the listed site without TLS', { origin: 'http://site.test' }],
  ['another port of the listed site', { origin: `${SITE}:8443` }],
  ['a name that begins like the listed one', { origin: `${SITE}.evil.test` }],
  ['a name that ends like the listed one', { origin: 'https://evilsite.test' }],
  ['a name below the listed one', { origin: 'https://www.site.test' }],
  ['the listed site in capitals', { origin: SITE.toUpperCase() }],
  ['a page without an origin of its own', { origin: 'null' }],
  ['every site', { origin: '*' }],
  ['nobody', { origin: '' }],
  ['a script element of another site', { 'sec-fetch-site': 'cross-site' }],
  ['an image of a sister site', { 'sec-fetch-site': 'same-site' }],
]
for (const [what, headers] of STRANGERS) {
  test(`${what} gets nothing`, async () => {
    const answer = await ask({ path: path({ q: 'tea' }), headers })
    assert.equal(answer.status, 403)
    assert.equal(answer.headers['access-control-allow-origin'], undefined)
    assert.equal(answer.headers.vary, 'Origin', 'no cache shows it to others')
    assert.doesNotMatch(answer.text, /tea leaves|a\.test/)
  })
}

test('a name that was made to point here is not one of ours', async () => {
  const headers = { origin: SITE, host: `evil.test:${rig.port}` }
  const answer = await ask({ path: path({ q: 'tea' }), headers })
  assert.equal(answer.status, 421)
  assert.equal(answer.headers['access-control-allow-origin'], undefined)
  const named = await search({ q: 'tea' }, { host: 'search.test' })
  assert.equal(named.status, 200)
})

test('the key opens the public search and no other route, in whatever way it is shown', async () => {
  const routes = [
    '/crawl',
    '/search?q=tea',
    '/crawl/crawl_1/pages',
    '/metrics',
    '/events',
    '/options',
  ]
  const bearer = { authorization: `Bearer ${KEY}` }
  for (const route of routes) {
    const keyed = `${route}${route.includes('?') ? '&' : '?'}key=${KEY}`
    assert.equal((await ask({ path: keyed })).status, 401, keyed)
    const fromSite = await ask({ path: keyed, headers: { origin: SITE } })
    assert.equal(fromSite.status, 403, `${route} for a page of the listed site`)
    assert.equal(fromSite.headers['access-control-allow-origin'], undefined)
  }
  assert.equal((await ask({ path: '/crawl', headers: bearer })).status, 401)
  const posted = await ask({ path: path({ q: 'tea' }), method: 'POST', headers: { origin: SITE } })
  assert.ok([403, 405].includes(posted.status))
})

test('neither the token nor a session stands for the key', async () => {
  const headers = { origin: SITE, authorization: `Bearer ${TOKEN}`, cookie: 'jelajah_session=x' }
  for (const key of ['', 'wrong-key-of-some-length', TOKEN]) {
    const answer = await ask({ path: `/public/search?q=tea&key=${key}`, headers })
    assert.equal(answer.status, 401)
    assert.equal(answer.headers['set-cookie'], undefined)
  }
  assert.equal((await ask({ path: '/public/search?q=tea', headers })).status, 401)
  const twice = await ask({ path: `${path({ q: 'tea' })}&key=${KEY}`, headers: { origin: SITE } })
  assert.equal(twice.status, 401)
})

test('crawls that are not named stay closed, and nobody learns which there are', async () => {
  assert.equal(JSON.parse((await search({ q: 'zanzibar' })).text).total, 0)
  assert.equal(JSON.parse((await search({ q: 'zanzibor' })).text).suggestion, null)
  const answers = []
  for (const crawl of ['crawl_2', 'crawl_99', '1', 'a', '']) {
    const { status, text } = await search({ q: 'zanzibar', crawl })
    assert.equal(status, 404, crawl)
    answers.push(text)
  }
  assert.equal(new Set(answers).size, 1)
  const { text } = await search({ q: 'tea', crawl: 'later' })
  assert.equal(JSON.parse(text).index, 'empty', 'it is not there yet')
  const wide = await search({ q: 'tea', columns: 'title' })
  assert.equal(wide.status, 400, 'no other field of the search is open')
})

test('a name is no number and a number no name, so that no later crawl is opened by it', async () => {
  const named = { ...SEARCH, crawls: ['7', 'a'] } as const
  await using other = await openRig({ publicSearch: named })
  const from = async (crawl: string): Promise<string> => {
    const asked = { to: other, path: path({ q: 'tea', crawl }), headers: { origin: SITE } }
    return JSON.parse((await ask(asked)).text).index
  }
  assert.equal(await from('a'), 'empty')
  const job = await other.newJob()
  await other.jobs.create({ ...job, name: '7' })
  await other.storePages(job, 1)
  assert.equal(await from('a'), 'none', 'the name has a crawl now, whose page is not indexed')
  assert.equal(await from('7'), 'empty', 'there is no crawl 7')
})

test('a browser that asks first hears that it may only get, without headers of its own', async () => {
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-a' }
  const answer = await search({ q: 'x' })
  assert.equal(answer.status, 200)
  const preflight = (origin: string) =>
    ask({ path: '/public/search', method: 'OPTIONS', headers: { origin, ...asked } })
  const { status, headers } = await preflight(SITE)
  assert.equal(status, 204)
  assert.equal(headers['access-control-allow-origin'], SITE)
  assert.equal(headers['access-control-allow-methods'], 'GET')
  assert.equal(headers['access-control-allow-headers'], undefined)
  assert.equal(headers['access-control-allow-credentials'], undefined)
  assert.equal((await preflight('https://evil.test')).status, 403)
  const elsewhere = await ask({ path: '/crawl', method: 'OPTIONS', headers: { origin: SITE } })
  assert.ok(elsewhere.status >= 400)
  assert.equal(elsewhere.headers['access-control-allow-origin'], undefined)
})

test('what a query may cost is bounded', async () => {
  const cases: readonly (readonly [query: Record<string, string>, status: number])[] = [
    [{ q: 'x'.repeat(200) }, 200],
    [{ q: 'x'.repeat(201) }, 400],
    [{ q: 'tea', limit: '21' }, 400],
    [{ q: 'tea', offset: '201' }, 400],
    [{ q: 'tea', typing: 'maybe' }, 400],
    [{ q: '"( -* OR \0 \u202e' }, 200],
  ]
  for (const [query, status] of cases) {
    assert.equal((await search(query)).status, status, JSON.stringify(query))
  }
})

test('a word that is still being typed finds the words that it begins', async () => {
  const found = async (query: Record<string, string>) => JSON.parse((await search(query)).text)
  assert.equal((await found({ q: 'green lea' })).total, 1, 'words may be missing')
  assert.equal((await found({ q: 'gre' })).total, 0)
  const typed = await found({ q: 'gre', typing: 'true' })
  assert.deepEqual([typed.total, typed.query], [1, 'gre'])
  assert.equal((await found({ q: 'grean', typing: 'true' })).suggestion, 'green')
})

test('what a word may become is told from the titles of the public crawl alone', async () => {
  const suggest = (
    query: Record<string, string>,
    headers: Record<string, string> = { origin: SITE },
  ) => ask({ path: `/public/suggest?${new URLSearchParams({ key: KEY, ...query })}`, headers })
  const { words, titles } = JSON.parse((await suggest({ q: 'gre' })).text)
  assert.deepEqual(words, ['green'])
  assert.deepEqual(Object.keys(titles[0]).sort(), ['title', 'title_marks', 'url'])
  assert.deepEqual(JSON.parse((await search({ q: 'gre', typing: 'true' })).text).words, ['green'])
  assert.deepEqual(JSON.parse((await search({ q: 'green', typing: 'true' })).text).words, [])
  for (const q of ['zan', 'green zan']) {
    assert.deepEqual(JSON.parse((await suggest({ q })).text), { query: q, words: [], titles: [] })
    assert.deepEqual(JSON.parse((await search({ q, typing: 'true' })).text).words, [])
  }
  assert.equal((await suggest({ q: 'gre', crawl: 'crawl_2' })).status, 404)
  assert.equal((await suggest({ q: 'gre', key: 'wrong' })).status, 401)
  assert.equal((await suggest({ q: 'gre', limit: '11' })).status, 400)
  const stranger = await suggest({ q: 'gre' }, { origin: 'https://evil.test' })
  assert.equal(stranger.status, 403)
  assert.equal(stranger.headers['access-control-allow-origin'], undefined)
})

test('only a last word of three letters outside of quotes may go on', () => {
  const cases: readonly (readonly [query: string, made: string | null])[] = [
    ['tea', 'tea OR tea*'],
    ['green tea', 'green tea OR tea*'],
    ['te', null],
    ['tea ', null],
    ['', null],
    ['"green tea', null],
    ['12" pizza', '12" pizza OR pizza*'],
    ['"green" tea', '"green" tea OR tea*'],
    ['-tea', null],
    ['title:tea', null],
    ['tea AND', null],
    ['teh h\u0301ij', 'teh h\u0301ij OR h\u0301ij*'],
  ]
  for (const [query, made] of cases) assert.equal(withOpenEnd(query), made, query)
})

test('who asks too often waits, guesses at the key included, and others do not', async () => {
  await using busy = await openRig({
    publicSearch: { ...SEARCH, rate: 3 },
    trustedProxies: ['127.0.0.1'],
  })
  const from = (address: string, key = KEY) =>
    ask({
      to: busy,
      path: `/public/search?q=tea&key=${key}`,
      headers: { origin: SITE, 'x-forwarded-for': address },
    })
  const statuses = []
  for (const last of [1, 2, 3, 4]) {
    // One network of IPv6 addresses is one client.
    statuses.push((await from(`2001:db8::${last}`, last === 1 ? 'wrong' : KEY)).status)
  }
  assert.deepEqual(statuses, [401, 200, 200, 429])
  const limited = await from('2001:db8::5')
  assert.ok(Number(limited.headers['retry-after']) > 0)
  assert.equal(limited.headers['access-control-allow-origin'], SITE, 'the page may see why')
  assert.equal((await from('192.0.2.7')).status, 200)
  // Whom a client itself names before the proxy does not count.
  assert.equal((await from('192.0.2.8, 2001:db8::9')).status, 429)
})

test('an error of the server tells strangers nothing of it', async () => {
  const fails = async (): Promise<never> => {
    throw new Error('SELECT * FROM /tmp/secret.db')
  }
  await using broken = await openRig({ publicSearch: SEARCH })
  await broken.newJob()
  await using rigged = await openRig(
    { publicSearch: SEARCH },
    { jobs: broken.jobs, reads: { ...broken.deps.reads, searchAsIs: fails } },
  )
  const answer = await ask({ to: rigged, path: path({ q: 'tea' }), headers: { origin: SITE } })
  assert.equal(answer.status, 500)
  const told = { error: { code: 'unavailable', message: 'search is not available now' } }
  assert.deepEqual(JSON.parse(answer.text), told)
  assert.match(rigged.logged.join(), /SELECT/)
})

test('without a list nothing of it is there', async () => {
  await using plain = await openRig()
  for (const route of [path({ q: 'tea' }), '/search.js']) {
    assert.equal((await ask({ to: plain, path: route })).status, 404, route)
    const abroad = await ask({ to: plain, path: route, headers: { origin: SITE } })
    assert.equal(abroad.status, 403)
  }
})
