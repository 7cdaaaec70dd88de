// A: abuse of the server, by raw requests to the real one.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { jelajah } from '../../e2e/crawling.ts'
import type { HostileCase } from '../case.ts'
import { withinTime } from '../crawls.ts'
import { passes } from '../other-tests.ts'
import { article, site } from '../server/answers.ts'
import { type Answered, askRaw, lockedServer } from './api-scenes.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const JOB = JSON.stringify({ url: 'http://a.test/' })

/** An answer that tells nothing of this machine. */
function tellsNothing({ text }: Answered): void {
  assert.doesNotMatch(text, /node_modules|\.ts:\d|\/tmp\/|SELECT |sqlite|at \S+ \(/i)
}

const BAD_JOBS: readonly (readonly [what: string, body: object])[] = [
  ['a file', { url: 'file:///etc/passwd' }],
  ['no URL', { url: 'http://' }],
  ['negative pages', { url: 'a.test', max_pages: -1 }],
  ['half a page', { url: 'a.test', max_pages: 1.5 }],
  ['a depth of 1e30', { url: 'a.test', max_depth: 1e30 }],
  ['a million connections', { url: 'a.test', concurrency: 1_000_000 }],
  ['a delay of minus one', { url: 'a.test', delay: -1 }],
  ['words for numbers', { url: 'a.test', max_pages: 'many' }],
  ['a number in scientific letters', { url: 'a.test', max_pages: '1e3' }],
  ['NaN', { url: 'a.test', max_pages: 'NaN' }],
  ['200,000 seeds', { urls: Array(60_000).fill('http://a.test/') }],
  ['an unknown field', { url: 'a.test', evil: 1 }],
]

export const API: readonly HostileCase[] = [
  {
    id: 'A1',
    does: 'starts the server for all addresses without a token',
    holds: 'it does not start, and says why',
    check: async (stage) => {
      const run = jelajah([
        'serve',
        '--host',
        '0.0.0.0',
        '--port',
        '0',
        '--data',
        join(stage.folder, 'a1'),
      ])
      const { code, stderr } = await withinTime(run, 20)
      assert.ok(code === 2 || code === 4, `exit code ${code}`)
      assert.match(stderr, /token/i)
      return `exit code ${code}: ${stderr.split('\n')[0]}`
    },
  },
  {
    id: 'A2',
    does: 'asks without a token, with a wrong one, guesses',
    holds: '401; who guesses is slowed down; compared in constant time',
    check: async (stage) => {
      const server = await lockedServer(stage)
      assert.equal((await askRaw(server, {})).status, 401)
      const guesses: number[] = []
      for (let n = 0; n < 40; n++) {
        guesses.push(
          (await askRaw(server, { headers: { authorization: `Bearer wrong-token-number-${n}` } }))
            .status,
        )
      }
      assert.ok(guesses.every((status) => status === 401 || status === 429))
      assert.ok(guesses.includes(429), 'who guesses is not slowed down')
      return `401, then 429 after ${guesses.indexOf(429)} guesses`
    },
  },
  {
    id: 'A3',
    does: 'posts from another site: a form, text/plain, without CORS',
    holds: 'refused: only JSON, only from our own pages; no answer allows another origin',
    check: async (stage) => {
      const server = await stage.server()
      const tries: readonly (readonly [Record<string, string>, number])[] = [
        [{ 'content-type': 'text/plain' }, 415],
        [{ 'content-type': 'application/x-www-form-urlencoded' }, 415],
        [{ ...JSON_TYPE, origin: 'https://evil.test' }, 403],
        [{ ...JSON_TYPE, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
        [{ ...JSON_TYPE, origin: 'null' }, 403],
      ]
      for (const [headers, status] of tries) {
        const answer = await askRaw(server, { method: 'POST', path: '/crawl', headers, body: JOB })
        assert.equal(answer.status, status, JSON.stringify(headers))
        assert.equal(answer.headers['access-control-allow-origin'], undefined)
      }
      return tries.map(([, status]) => status).join(', ')
    },
  },
  {
    id: 'A4',
    does: 'asks under another name (DNS rebinding), with two Host headers, also for streams',
    holds: '421 or 400 for all of them',
    check: async (stage) => {
      const server = await stage.server()
      const { port } = new URL(server.url)
      for (const path of ['/crawl', '/events', '/', '/openapi.json', '/metrics']) {
        assert.equal(
          (await askRaw(server, { path, headers: { host: `evil.test:${port}` } })).status,
          421,
          path,
        )
      }
      const { rawRequest } = await import('./api-scenes.ts')
      const two = await rawRequest(
        server,
        `GET /crawl HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nhost: evil.test\r\n\r\n`,
      )
      assert.match(two, /^HTTP\/1\.1 (?:400|421)/, 'two Host headers')
      return `421 everywhere; two Host headers: ${two.split('\r\n')[0]}`
    },
  },
  {
    id: 'A5',
    does: 'sends bodies that are too large, packed, a million elements, 100,000 deep, with a key twice',
    holds: '413, 415 or 400; nothing is unpacked',
    check: async (stage) => {
      const server = await stage.server()
      const bodies: readonly (readonly [string, number, Record<string, string>?])[] = [
        [JSON.stringify({ url: 'x'.repeat(2 ** 21) }), 413],
        [`{"urls":[${'1,'.repeat(400_000)}1]}`, 400],
        ['['.repeat(100_000), 400],
        ['{"url":"a.test","url":"b.test"}', 400],
        ['{}', 415, { 'content-encoding': 'gzip' }],
      ]
      for (const [body, status, more = {}] of bodies) {
        const answer = await askRaw(server, {
          method: 'POST',
          path: '/crawl',
          headers: { ...JSON_TYPE, ...more },
          body,
        })
        assert.equal(answer.status, status, body.slice(0, 30))
        tellsNothing(answer)
      }
      return bodies.map(([, status]) => status).join(', ')
    },
  },
  {
    id: 'A6',
    does: 'sends __proto__, constructor and toString as names',
    holds: 'unknown fields like others, refused; no prototype changes',
    check: async (stage) => {
      const server = await stage.server()
      const bodies = [
        '{"url":"a.test","__proto__":{"polluted":1}}',
        '{"url":"a.test","constructor":{"prototype":{"polluted":1}}}',
        '{"url":"a.test","toString":1}',
      ]
      for (const body of bodies) {
        assert.equal(
          (await askRaw(server, { method: 'POST', path: '/crawl', headers: JSON_TYPE, body }))
            .status,
          400,
          body,
        )
      }
      assert.equal((await askRaw(server, { path: '/crawl?__proto__=1' })).status, 400)
      const { text } = await askRaw(server, { path: '/healthz' })
      assert.doesNotMatch(text, /polluted/)
      return '400 for each'
    },
  },
  {
    id: 'A7',
    does: 'asks for jobs that make no sense or are too large',
    holds: 'refused with the field, never changed silently',
    check: async (stage) => {
      const server = await stage.server()
      for (const [what, body] of BAD_JOBS) {
        const answer = await askRaw(server, {
          method: 'POST',
          path: '/crawl',
          headers: JSON_TYPE,
          body: JSON.stringify(body),
        })
        assert.ok(
          [400, 413].includes(answer.status),
          `${what}: ${answer.status} ${answer.text.slice(0, 100)}`,
        )
        tellsNothing(answer)
      }
      return `${BAD_JOBS.length} jobs refused`
    },
  },
  {
    id: 'A8',
    slow: true,
    does: 'wants webhooks at private addresses, at redirects, at receivers that never answer',
    holds: 'one guard, no redirects, a deadline, back-off, a signature',
    check: async () =>
      await passes(['src/jobs/webhook-sender.test.ts', 'src/jobs/webhooks.test.ts']),
  },
  {
    id: 'A9',
    does: 'asks for jobs by ways out, huge numbers, other digits',
    holds: 'there is no such job',
    check: async (stage) => {
      const server = await stage.server()
      const ids = [
        '..%2f..%2fetc%2fpasswd',
        '%2e%2e',
        'crawl_1%00',
        'crawl_0',
        'crawl_01',
        'crawl_99999999999999999999',
        `crawl_${encodeURIComponent('\u0661')}`,
        '__proto__',
        'x'.repeat(5000),
      ]
      for (const id of ids) {
        const answer = await askRaw(server, { path: `/crawl/${id}` })
        assert.ok([404, 414].includes(answer.status), `${id.slice(0, 30)}: ${answer.status}`)
        tellsNothing(answer)
      }
      return `${ids.length} names, none of a job`
    },
  },
  {
    id: 'A10',
    slow: true,
    does: 'asks for a billion rows, far offsets, columns that are none; goes away in the middle',
    holds: 'refused; long answers are streamed, and end with whoever asked',
    check: async (stage) => {
      const server = await stage.server()
      stage.web.host({ 'a10.test': site({ '/': article('A10') }) })
      const id = await server.crawl({ url: 'http://a10.test/', max_pages: 1, delay: 0 })
      await server.ended(id)
      for (const query of [
        'limit=1e9',
        'limit=1000000000',
        'limit=-1',
        'limit=0',
        'sort=evil',
        'limit=1&limit=2',
      ]) {
        const { status } = await askRaw(server, { path: `/crawl/${id}/pages?${query}` })
        assert.equal(status, 400, query)
      }
      return `refused; ${await stage.passes('test/api/jobs.test.ts', 'goes away in the middle')}`
    },
  },
  {
    id: 'A11',
    does: 'posts the same job twice with one Idempotency-Key',
    holds: 'one job; another request under that key is refused',
    check: async (stage) => {
      const server = await stage.server()
      stage.web.host({ 'a11.test': site({ '/': article('A11') }) })
      const post = (body: object) =>
        askRaw(server, {
          method: 'POST',
          path: '/crawl',
          headers: { ...JSON_TYPE, 'idempotency-key': 'a11-key' },
          body: JSON.stringify(body),
        })
      const job = { url: 'http://a11.test/', max_pages: 1, delay: 0 }
      const ids = [await post(job), await post(job)].map(({ text }) => JSON.parse(text).job_id)
      assert.equal(ids[0], ids[1])
      assert.equal((await post({ ...job, max_pages: 2 })).status, 409)
      return `${ids[0]} twice; another request: 409`
    },
  },
  {
    id: 'A12',
    slow: true,
    does: 'opens streams without end',
    holds: 'only so many, then 503; others are still answered',
    check: async () =>
      await passes(['test/api/events.test.ts'], 'only so many streams|takes no place'),
  },
  {
    id: 'A13',
    slow: true,
    does: 'sends its header a byte at a time, or a body that never comes',
    holds: 'shown the door within the time for it',
    check: async () => await passes(['test/api/security.test.ts'], 'byte by byte'),
  },
  {
    id: 'A14',
    does: 'stops and removes a job while it runs, twice',
    holds: 'each is done once, the second time is told so',
    check: async (stage) => {
      const server = await stage.server()
      stage.web.host({
        'a14.test': site({
          '*': (socket, request) => void socket.write(endlessPage(request.target)),
        }),
      })
      const id = await server.crawl({ url: 'http://a14.test/', max_pages: 5000, delay: 50 })
      const said: number[] = []
      for (const [method, path] of [
        ['POST', `/crawl/${id}/stop`],
        ['POST', `/crawl/${id}/stop`],
        ['DELETE', `/crawl/${id}`],
        ['DELETE', `/crawl/${id}`],
        ['GET', `/crawl/${id}`],
      ] as const) {
        said.push(
          (
            await askRaw(server, {
              method,
              path,
              headers: JSON_TYPE,
              body: method === 'POST' ? '{}' : '',
            })
          ).status,
        )
        if (path.endsWith('/stop')) await server.ended(id).catch(() => {})
      }
      assert.ok(
        said.every((status) => [200, 202, 204, 404, 409].includes(status)),
        said.join(', '),
      )
      assert.equal(said.at(-1), 404)
      assert.equal((await askRaw(server, { path: '/healthz' })).status, 200)
      return said.join(', ')
    },
  },
  {
    id: 'A15',
    does: 'asks for the job of somebody else',
    holds: '404',
    partly:
      'a server has one owner and one token; what it does not have is 404, and without the token everything is 401',
    check: async (stage) => {
      const server = await stage.server()
      assert.equal((await askRaw(server, { path: '/crawl/crawl_987654' })).status, 404)
      const locked = await lockedServer(stage)
      assert.ok([401, 429].includes((await askRaw(locked, { path: '/crawl/crawl_1' })).status))
      return '404; behind a token 401'
    },
  },
  {
    id: 'A16',
    does: 'puts headers into the user agent, a proxy and code into a job',
    holds: 'refused: no code and no way of the network comes from a request',
    check: async (stage) => {
      const server = await stage.server()
      const bodies = [
        { url: 'a.test', user_agent: 'a\r\nx-evil: 1' },
        { url: 'a.test', proxy: 'http://evil.test' },
        { url: 'a.test', connect_to: ['*=127.0.0.1:1'] },
        { url: 'a.test', hook: 'process.exit()' },
        { url: 'a.test', classifier: '/etc/passwd' },
      ]
      for (const body of bodies) {
        const { status, text } = await askRaw(server, {
          method: 'POST',
          path: '/crawl',
          headers: JSON_TYPE,
          body: JSON.stringify(body),
        })
        assert.equal(status, 400, `${JSON.stringify(body)}: ${text.slice(0, 100)}`)
      }
      return `${bodies.length} jobs refused`
    },
  },
  {
    id: 'A17',
    does: 'frames the dashboard, guesses types, brings scripts',
    holds: 'forbidden by headers of every answer',
    check: async (stage) => {
      const server = await stage.server()
      for (const path of ['/', '/crawl', '/healthz', '/nothing']) {
        const { headers } = await askRaw(server, { path })
        const policy = String(headers['content-security-policy'])
        assert.match(policy, /frame-ancestors 'none'/, path)
        assert.doesNotMatch(policy, /unsafe-eval|script-src[^;]*unsafe-inline/, path)
        assert.equal(headers['x-content-type-options'], 'nosniff', path)
      }
      return "frame-ancestors 'none', nosniff, no inline script"
    },
  },
  {
    id: 'A18',
    does: 'makes errors of every kind',
    holds: 'a code and a message, or an id; no stack, path or SQL',
    check: async (stage) => {
      const server = await stage.server()
      const { rawRequest } = await import('./api-scenes.ts')
      for (const path of [
        '/nothing',
        '/crawl/crawl_x',
        '/crawl?limit=x',
        '/search?q=%00',
        '/crawl/%ff',
        '/%',
        '/crawl/crawl_1/pages/99999999999999999999',
      ]) {
        tellsNothing(await askRaw(server, { path }))
      }
      const raw = await rawRequest(server, 'NONSENSE\r\n\r\n')
      assert.match(raw, /^HTTP\/1\.1 400/)
      assert.doesNotMatch(raw, /\.ts:\d|node_modules/)
      return `answers say what is wrong; ${await stage.passes('test/api/security.test.ts', 'goes wrong inside')}`
    },
  },
]

function endlessPage(target: string): Buffer {
  const body = article(`A14 ${target}`, `<a href="${target}x">x</a><a href="${target}y">y</a>`)
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
