// Who may ask, what may be asked, and what an answer never tells: one row for each way to abuse a server
// on somebody's machine.
import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { ManualClock } from '../../src/lib/clock.ts'
import { openRig, type Rig, until } from '../support/api-rig.ts'

const TOKEN = 'a-token-of-some-length'
const JSON_TYPE = { 'content-type': 'application/json' }
const BEARER = { authorization: `Bearer ${TOKEN}` }

let plain: Rig
let locked: Rig
before(async () => {
  plain = await openRig({ allowedHosts: ['crawler.example.org'] })
  locked = await openRig({ token: TOKEN })
})
after(async () => {
  await plain[Symbol.asyncDispose]()
  await locked[Symbol.asyncDispose]()
})

type Asked = {
  readonly rig?: Rig
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}
type Answered = { status: number; headers: IncomingHttpHeaders; text: string }

/** By hand: fetch would not let a test lie about Host and Origin. */
async function ask(asked: Asked): Promise<Answered> {
  const { rig = plain, method = 'GET', path = '/crawl', headers = {}, body = '' } = asked
  const { promise, resolve, reject } = Promise.withResolvers<Answered>()
  const host = `127.0.0.1:${rig.port}`
  const options = { host: '127.0.0.1', port: rig.port, method, path, agent: false }
  const sent = request({ ...options, headers: { host, ...headers } }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    response.on('end', () => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
    })
  })
  sent.on('error', reject).end(body)
  return promise
}

function own(rig: Rig, name = 'localhost'): string {
  return `http://${name}:${rig.port}`
}

/** Answers are JSON of one form, and tell nothing of this machine. */
function checkError({ text, headers }: Answered): void {
  const { error } = JSON.parse(text) as { error: { code: string; message: string } }
  assert.match(String(headers['content-type']), /^application\/json/)
  assert.match(error.code, /^[a-z-]+$/)
  assert.notEqual(error.message, '')
  assert.doesNotMatch(text, /node_modules|\.ts:\d|\/tmp\/|SELECT|sqlite/i)
}

const HOSTS: readonly (readonly [host: (port: number) => string, status: number])[] = [
  [(port) => `127.0.0.1:${port}`, 200],
  [(port) => `localhost:${port}`, 200],
  [(port) => `LOCALHOST:${port}`, 200],
  [(port) => `[::1]:${port}`, 200],
  [() => 'crawler.example.org', 200],
  [(port) => `crawler.example.org:${port}`, 200],
  [(port) => `evil.test:${port}`, 421],
  [() => 'localhost', 421],
  [(port) => `localhost:${port + 1}`, 421],
  [(port) => `localhost.evil.test:${port}`, 421],
  [(port) => `127.0.0.1.evil.test:${port}`, 421],
  [(port) => `localhost.:${port}`, 421],
  [(port) => `user@localhost:${port}`, 421],
]
for (const [host, status] of HOSTS) {
  test(`asked as "${host(1)}" the answer is ${status}`, async () => {
    const answer = await ask({ headers: { host: host(plain.port) } })
    assert.equal(answer.status, status)
    if (status !== 200) checkError(answer)
  })
}

test('names are checked before streams too', async () => {
  const headers = { host: `evil.test:${plain.port}` }
  assert.equal((await ask({ path: '/events', headers })).status, 421)
  assert.equal((await ask({ path: '/', headers })).status, 421)
  assert.equal((await ask({ path: '/openapi.json', headers })).status, 421)
})

const PAGES: readonly (readonly [
  what: string,
  headers: (rig: Rig) => Record<string, string>,
  number,
])[] = [
  ['our own page', (rig) => ({ origin: own(rig), 'sec-fetch-site': 'same-origin' }), 200],
  ['our own page behind TLS', () => ({ origin: 'https://crawler.example.org' }), 200],
  ['a person who types', () => ({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }), 200],
  ['another site', () => ({ origin: 'https://evil.test' }), 403],
  ['another port', (rig) => ({ origin: `http://localhost:${rig.port + 1}` }), 403],
  ['a sandboxed frame', () => ({ origin: 'null' }), 403],
  ['a prefix of our name', (rig) => ({ origin: `${own(rig)}.evil.test` }), 403],
  ['a name before an at', (rig) => ({ origin: `http://localhost:${rig.port}@evil.test` }), 403],
  [
    'fetch without CORS',
    () => ({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }),
    403,
  ],
  ['a sister site', () => ({ 'sec-fetch-site': 'same-site' }), 403],
  [
    'a link to our API',
    () => ({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }),
    403,
  ],
]
for (const [what, headers, status] of PAGES) {
  test(`${what} gets ${status}`, async () => {
    assert.equal((await ask({ headers: headers(plain) })).status, status)
  })
}

test('a link from elsewhere opens the dashboard, and nothing can be posted that way', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  assert.equal((await ask({ path: '/', headers })).status, 200)
  assert.equal((await ask({ path: '/?x=1', headers })).status, 200)
  assert.equal((await ask({ path: '/', method: 'POST', headers })).status, 403)
})

test('no answer lets another site in', async () => {
  for (const method of ['GET', 'OPTIONS']) {
    const { headers } = await ask({ method, headers: { origin: own(plain) } })
    assert.equal(headers['access-control-allow-origin'], undefined)
  }
})

const TYPES: readonly (readonly [type: string | null, status: number])[] = [
  ['application/json', 200],
  ['application/json; charset=utf-8', 200],
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/jsonx', 415],
  ['text/plain; application/json', 415],
  [null, 415],
]
for (const [type, status] of TYPES) {
  test(`a body that says it is ${type} gets ${status}`, async () => {
    const headers: Record<string, string> = type === null ? {} : { 'content-type': type }
    const answer = await ask({ method: 'POST', headers, body: '{"url":"https://a.test"}' })
    assert.equal(answer.status, status)
  })
}

const BODIES: readonly (readonly [what: string, body: string, status: number])[] = [
  ['nothing', '', 400],
  ['no JSON', '{"url"', 400],
  ['a list', '[]', 400],
  ['nested without end', '['.repeat(500_000), 400],
  ['nested deeply', `{"url":${'['.repeat(40)}${']'.repeat(40)}}`, 400],
  ['a field twice', '{"url":"a.test","url":"b.test"}', 400],
  ['a prototype', '{"url":"a.test","__proto__":{"polluted":1}}', 400],
  ['a prototype inside', '{"url":"a.test","examples":{"__proto__":{"polluted":1}}}', 400],
  ['a constructor', '{"url":"a.test","constructor":{"prototype":{"polluted":1}}}', 400],
  ['half a million elements', `{"urls":[${'1,'.repeat(500_000)}1]}`, 400],
  ['a hundred thousand unknown fields', manyFields(60_000), 400],
  ['more than a mebibyte', JSON.stringify({ url: 'x'.repeat(2 ** 20) }), 413],
  ['a file', '{"url":"file:///etc/passwd"}', 400],
  ['a header in a header', '{"url":"a.test","user_agent":"a\\r\\nb: c"}', 400],
  ['a webhook that is none', '{"url":"a.test","webhook":{"url":"file:///x"}}', 400],
  ['a depth of a billion billion', '{"url":"a.test","max_depth":1e30}', 400],
]
for (const [what, body, status] of BODIES) {
  test(`a body with ${what} gets ${status}`, async () => {
    const answer = await ask({ method: 'POST', headers: JSON_TYPE, body })
    assert.equal(answer.status, status)
    checkError(answer)
    assert.ok(answer.text.length < 50_000)
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
  })
}

function manyFields(count: number): string {
  return JSON.stringify(
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at])),
  )
}

test('a body that is packed is not unpacked', async () => {
  const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' }
  assert.equal((await ask({ method: 'POST', headers, body: '{}' })).status, 415)
})

const PATHS = [
  '/crawl/..%2f..%2fetc%2fpasswd',
  '/crawl/%2e%2e/%2e%2e/etc/passwd',
  '/crawl/crawl_1%00',
  '/crawl/crawl_0',
  '/crawl/crawl_01',
  '/crawl/crawl_9999999999999999999999',
  '/crawl/crawl_\u0661'.replace('\u0661', encodeURIComponent('\u0661')),
  '/crawl/__proto__',
  '/crawl/constructor/overview',
  `/crawl/${'x'.repeat(5000)}`,
  "/crawl/crawl_1'%20OR%201=1--",
  '/assets/..%2f..%2fpackage.json',
  '/assets/../../package.json',
  '//etc/passwd',
  '/.env',
  '/crawl/crawl_12345',
]
for (const path of PATHS) {
  test(`${path.slice(0, 50)} is not there`, async () => {
    const answer = await ask({ path })
    assert.ok([404, 414].includes(answer.status), `${answer.status}`)
    checkError(answer)
  })
}

const QUERIES = ['limit=1e9', 'limit=-1', 'limit=0', 'limit=x', 'limit=1&limit=2', 'after=1;drop']
for (const query of [...QUERIES, 'status=dead', '__proto__=1', 'offset=1']) {
  test(`?${query} is refused`, async () => {
    const answer = await ask({ path: `/crawl?${query}` })
    assert.equal(answer.status, 400)
    checkError(answer)
  })
}

test('what a path is not made for is 405, with what it is made for', async () => {
  for (const [method, path, allow] of [
    ['PUT', '/crawl', 'GET, HEAD, POST'],
    ['PATCH', '/crawl/crawl_1', 'DELETE, GET'],
    ['GET', '/crawl/crawl_1/pause', 'POST'],
    ['OPTIONS', '/crawl', 'GET, HEAD, POST'],
    ['DELETE', '/healthz', 'GET, HEAD'],
  ] as const) {
    const answer = await ask({ method, path })
    assert.equal(answer.status, 405, `${method} ${path}`)
    assert.equal(answer.headers.allow, allow)
    checkError(answer)
  }
})

test('every answer forbids frames, guesses of its type, and scripts of others', async () => {
  for (const path of ['/', '/crawl', '/nope', '/healthz', '/openapi.json']) {
    const { headers } = await ask({ path })
    const csp = String(headers['content-security-policy'])
    assert.match(csp, /default-src 'none'/)
    assert.match(csp, /frame-ancestors 'none'/)
    assert.doesNotMatch(csp, /unsafe/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['x-frame-options'], 'DENY')
    assert.equal(headers['referrer-policy'], 'no-referrer')
  }
})

test('a server with a token tells nobody else anything', async () => {
  for (const path of ['/crawl', '/events', '/metrics', '/nope', '/options', '/readyz']) {
    const answer = await ask({ rig: locked, path })
    assert.equal(answer.status, 401, path)
    checkError(answer)
  }
  for (const path of ['/healthz', '/', '/session']) {
    assert.equal((await ask({ rig: locked, path })).status, 200, path)
  }
  assert.equal((await ask({ rig: locked, headers: BEARER })).status, 200)
})

test('the token opens, by header or by the cookie that was given for it', async () => {
  const login = { rig: locked, method: 'POST', path: '/login', headers: JSON_TYPE }
  const answer = await ask({ ...login, body: JSON.stringify({ token: TOKEN }) })
  const [set = ''] = answer.headers['set-cookie'] ?? []
  assert.match(set, /HttpOnly/)
  assert.match(set, /SameSite=Strict/)
  assert.doesNotMatch(set, new RegExp(TOKEN))
  const cookie = set.split(';', 1)[0] ?? ''
  assert.equal((await ask({ rig: locked, headers: { cookie } })).status, 200)
  const session = await ask({ rig: locked, path: '/session', headers: { cookie } })
  assert.deepEqual(JSON.parse(session.text), { token_needed: true, signed_in: true })
  const flipped = cookie.endsWith('A') ? `${cookie.slice(0, -1)}B` : `${cookie.slice(0, -1)}A`
  for (const wrong of [flipped, 'jelajah_session=x', cookie.replace(/=\d/, '=9')]) {
    assert.equal((await ask({ rig: locked, headers: { cookie: wrong } })).status, 401, wrong)
  }
})

test('a session ends, and who signs out is out', async () => {
  const clock = new ManualClock()
  await using rig = await openRig({ token: TOKEN }, { clock })
  const login = { rig, method: 'POST', path: '/login', headers: JSON_TYPE }
  const { headers } = await ask({ ...login, body: JSON.stringify({ token: TOKEN }) })
  const cookie = headers['set-cookie']?.[0]?.split(';', 1)[0] ?? ''
  assert.equal((await ask({ rig, headers: { cookie } })).status, 200)
  clock.advance(31 * 86_400_000)
  assert.equal((await ask({ rig, headers: { cookie } })).status, 401)
  const out = await ask({ rig, method: 'POST', path: '/logout' })
  assert.match(out.headers['set-cookie']?.[0] ?? '', /jelajah_session=;/)
})

test('who guesses too often is locked out, also with the right token, whatever way it is shown', async () => {
  const clock = new ManualClock()
  await using rig = await openRig({ token: TOKEN }, { clock })
  const login = { rig, method: 'POST', path: '/login', headers: JSON_TYPE }
  const signedIn = await ask({ ...login, body: JSON.stringify({ token: TOKEN }) })
  // As a guesser would make it who is right at last: never shown before.
  const cookie = signedIn.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? ''
  const guess = async (token: string, path = '/crawl') =>
    (await ask({ rig, path, headers: { authorization: `Bearer ${token}` } })).status
  for (let tries = 0; tries < 10; tries++) assert.equal(await guess(`${TOKEN}${tries}`), 401)
  for (const token of ['another', TOKEN]) {
    for (const path of ['/crawl', '/session', '/metrics'])
      assert.equal(await guess(token, path), 429)
    assert.equal((await ask({ ...login, body: JSON.stringify({ token }) })).status, 429)
  }
  for (const path of ['/crawl', '/session']) {
    assert.equal((await ask({ rig, path, headers: { cookie } })).status, 429, path)
  }
  clock.advance(60_001)
  assert.equal(await guess('another'), 401)
  assert.equal(await guess(TOKEN), 200)
})

test('guesses at the session, and by way of asking whether one is signed in, count as well', async () => {
  await using rig = await openRig({ token: TOKEN })
  for (let tries = 0; tries < 5; tries++) {
    const headers = { authorization: `Bearer ${tries}` }
    const answer = await ask({ rig, path: '/session', headers })
    assert.equal(JSON.parse(answer.text).signed_in, false)
  }
  const signature = (at: number) => String(at).padStart(43, 'x')
  for (let tries = 0; tries < 4; tries++) {
    const cookie = `jelajah_session=9999999999999.${signature(tries)}`
    // A browser sends the same one with every request: that is one guess.
    for (let times = 0; times < 3; times++) {
      assert.equal((await ask({ rig, headers: { cookie } })).status, 401)
    }
  }
  const cookie = `jelajah_session=9999999999999.${signature(9)}`
  assert.equal((await ask({ rig, headers: { cookie } })).status, 401)
  assert.equal((await ask({ rig, headers: { cookie } })).status, 429)
  assert.equal((await ask({ rig, headers: BEARER })).status, 429)
})

test('who is signed in is not held back because somebody guesses behind the same address', async () => {
  await using rig = await openRig({ token: TOKEN })
  const login = { rig, method: 'POST', path: '/login', headers: JSON_TYPE }
  const { headers } = await ask({ ...login, body: JSON.stringify({ token: TOKEN }) })
  const cookie = headers['set-cookie']?.[0]?.split(';', 1)[0] ?? ''
  assert.equal((await ask({ rig, headers: { cookie } })).status, 200)
  const wrong = { authorization: 'Bearer wrong' }
  for (let tries = 0; tries < 11; tries++) await ask({ rig, headers: wrong })
  assert.equal((await ask({ rig, headers: wrong })).status, 429)
  assert.equal((await ask({ rig, headers: { cookie } })).status, 200)
})

test('two headers of a kind that says who asks whom are refused', async () => {
  const host = `127.0.0.1:${plain.port}`
  const twice = [
    `Host: ${host}\r\nHost: evil.test`,
    `Host: ${host}\r\nHost: ${host}`,
    `Host: evil.test\r\nhost: ${host}`,
    `Host: ${host}\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b`,
    `Host: ${host}\r\nOrigin: http://${host}\r\nOrigin: http://${host}`,
  ]
  for (const lines of twice) {
    for (const path of ['/crawl', '/', '/nope', '/healthz']) {
      const sent = `GET ${path} HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`
      assert.match(await exchange(plain.port, sent), /^HTTP\/1\.1 400 /, `${path} ${lines}`)
    }
  }
})

test('a request for another server, or for none, is not answered as one for this', async () => {
  const host = `Host: 127.0.0.1:${plain.port}\r\nConnection: close\r\n\r\n`
  for (const [sent, status] of [
    [`GET http://evil.test/crawl HTTP/1.1\r\n${host}`, /^HTTP\/1\.1 400 /],
    ['GET /crawl HTTP/1.1\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['GET /crawl HTTP/1.0\r\n\r\n', /^HTTP\/1\.1 421 /],
  ] as const) {
    assert.match(await exchange(plain.port, sent), status, sent)
  }
})

test('a header that is no token is a wrong one', async () => {
  for (const authorization of ['Basic abc', 'Bearer', `bearer${TOKEN}`, TOKEN]) {
    assert.equal((await ask({ rig: locked, headers: { authorization } })).status, 401)
  }
  await using rig = await openRig({ token: TOKEN })
  const headers = { authorization: `bearer ${TOKEN}` }
  assert.equal((await ask({ rig, headers })).status, 200)
})

test('one address may ask only so often for new jobs', async () => {
  await using rig = await openRig({ jobsPerMinute: 3 })
  const post = { rig, method: 'POST', headers: JSON_TYPE, body: '{"url":"a.test"}' }
  const statuses: number[] = []
  for (let times = 0; times < 5; times++) statuses.push((await ask(post)).status)
  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
  const refused = await ask(post)
  checkError(refused)
  assert.match(String(refused.headers['retry-after']), /^\d+$/)
  assert.equal((await ask({ rig })).status, 200)
})

test('two hundred jobs at once are no flood', async () => {
  await using rig = await openRig()
  const post = { rig, method: 'POST', headers: JSON_TYPE }
  const posts = Array.from({ length: 200 }, (_, at) =>
    ask({ ...post, body: JSON.stringify({ url: `a.test/${at}`, max_pages: at + 1 }) }),
  )
  const ids = (await Promise.all(posts)).map(({ status, text }) => {
    assert.equal(status, 200)
    return (JSON.parse(text) as { job_id: string }).job_id
  })
  assert.equal(new Set(ids).size, 200)
})

test('who sends a header byte by byte, or a body that never comes, is shown the door', async () => {
  const { requestTimeout, headersTimeout, maxRequestsPerSocket, maxConnections } = await limits()
  assert.ok(headersTimeout > 0 && headersTimeout <= 10_000)
  assert.ok(requestTimeout >= headersTimeout && requestTimeout <= 60_000)
  assert.ok(maxRequestsPerSocket !== null && maxRequestsPerSocket > 0)
  assert.ok(maxConnections > 2000)
})

async function limits() {
  const { createApi } = await import('../../src/api/server.ts')
  const api = await createApi(plain.deps)
  const { requestTimeout, headersTimeout, maxRequestsPerSocket, maxConnections } = api.server
  await api.close()
  return { requestTimeout, headersTimeout, maxRequestsPerSocket, maxConnections }
}

test('what is no HTTP is answered and ended', async () => {
  for (const bytes of [
    '\x16\x03\x01\x02\x00',
    'GET\r\n\r\n',
    `GET / HTTP/1.1\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`,
  ]) {
    const socket = connect(plain.port, '127.0.0.1')
    let closed = false
    let text = ''
    socket.on('data', (piece) => {
      text += piece
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      closed = true
    })
    socket.write(bytes)
    await until(() => closed)
    assert.match(text, /^HTTP\/1\.1 4\d\d /)
    assert.doesNotMatch(text, /node_modules|HPE_/)
  }
})

test('what goes wrong inside has an id, and the rest of it is in the log only', async () => {
  const jobs = { ...plain.deps.jobs, list: () => Promise.reject(new Error('/secret/path')) }
  await using rig = await openRig({}, { jobs })
  const answer = await ask({ rig })
  assert.equal(answer.status, 500)
  checkError(answer)
  assert.doesNotMatch(answer.text, /secret/)
  const id = /[0-9a-f-]{36}/.exec(answer.text)?.[0] ?? 'none'
  assert.ok(rig.logged.some((line) => line.includes(id) && line.includes('/secret/path')))
})

test('what is no HTTP, or too much of it, is reported in the shape of all errors', async () => {
  const cases: readonly (readonly [sent: string, status: number])[] = [
    ['NONSENSE\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(140_000)}\r\n\r\n`, 431],
  ]
  await using rig = await openRig()
  for (const [sent, status] of cases) {
    const answer = await exchange(rig.port, sent)
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
    assert.match(answer, /x-content-type-options: nosniff/)
    const { error } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
    assert.ok(error.code !== '' && error.message !== '')
  }
})

/** All that comes back until the other side has enough. */
function exchange(port: number, sent: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(port, '127.0.0.1', () => socket.write(sent))
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.on('end', () => resolve(answer)).on('error', reject)
  return promise
}

test('no answer of the Firecrawl routes names a host that only a forwarded header has', async () => {
  await using rig = await openRig({ trustedProxies: ['127.0.0.1'] })
  const { text } = await ask({
    ...{ rig, method: 'POST', path: '/v2/crawl', body: '{"url":"http://a.test/","limit":1}' },
    headers: {
      ...JSON_TYPE,
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'javascript',
    },
  })
  const { id, url } = JSON.parse(text)
  assert.equal(url, `http://127.0.0.1:${rig.port}/v2/crawl/${id}`)
})
