// X: TLS, HTTP/2, and connections that end before they begin.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { jelajah, readUrls } from '../../e2e/crawling.ts'
import type { HostileCase } from '../case.ts'
import { checkHealth, IMPATIENT, watchMemory } from '../crawls.ts'
import { ended, stored } from '../expect.ts'
import { article, links, misbehave, page, redirect, reset, site } from '../server/answers.ts'
import type { Stage } from '../stage.ts'
import { type Http2Ends, hostileHttp2, oddListeners } from './secure-scenes.ts'

const BAD = ['expired', 'future', 'othername', 'selfsigned', 'unknownca']
const BAD_URLS = BAD.map((name) => `https://${name}.tls.test/`)

function served(names: readonly string[]): Record<string, ReturnType<typeof misbehave>> {
  return Object.fromEntries(
    names.map((name) => [`${name}.tls.test`, misbehave(page(article(`${name} over TLS`)))]),
  )
}

async function secureCrawl(stage: Stage) {
  stage.mustHaveTls()
  return await stage.crawl('web')
}

export const SECURE: readonly HostileCase[] = [
  {
    id: 'X1',
    slow: true,
    does: 'has a certificate that is expired, not valid yet, for another name, its own, of an unknown authority',
    holds: 'refused as TLS with the reason, not tried again; read only with --insecure-tls',
    partly:
      'revocation is not looked up: no client without a service of its own can do so cheaply, and browsers do not either',
    web: { crawl: 'web', hosts: served(BAD), seeds: BAD_URLS },
    check: async (stage) => {
      const seen = await secureCrawl(stage)
      ended(seen, BAD_URLS, /^(?:failed|refused)$/)
      const asked = stage.web.requests.filter(
        ({ secure, host }) => secure && BAD.includes(host.split('.')[0] ?? ''),
      )
      assert.equal(asked.length, 0)
      const strict = join(stage.folder, 'x1-strict')
      const plain = [
        '--ignore-robots',
        '--data',
        strict,
        '--delay',
        '0',
        '--quiet',
        '--json',
        ...stage.reach,
      ]
      checkHealth(await jelajah(['crawl', ...BAD_URLS, ...plain], { env: stage.env }).ended)
      const said = readUrls(strict).map(({ state, reason }) => {
        assert.match(`${state} ${reason}`, /^failed tls: [A-Z]/)
        return reason
      })
      const data = join(stage.folder, 'x1')
      const flags = [
        '--insecure-tls',
        '--data',
        data,
        '--delay',
        '0',
        '--quiet',
        '--json',
        ...stage.reach,
      ]
      checkHealth(await jelajah(['crawl', ...BAD_URLS, ...flags]).ended)
      const open = readUrls(data).filter(({ state }) => state === 'stored')
      assert.equal(open.length, BAD.length)
      return `${[...new Set(said)].join(' | ')}; with --insecure-tls all are read`
    },
  },
  {
    id: 'X2',
    does: 'speaks only TLS 1.0, no cipher we know, garbage, plain HTTP behind https, TLS behind http',
    holds: 'a failure of TLS or of the protocol',
    check: async (stage) => await oddListeners(stage),
  },
  {
    id: 'X3',
    does: 'takes the connection and never finishes the handshake',
    holds: 'ends by the limit for connecting',
    check: async (stage) => {
      await using silent = await import('./secure-scenes.ts').then(({ silentListener }) =>
        silentListener(),
      )
      const connectTo = [{ pattern: 'x3.test', address: '127.0.0.1', port: silent.port }]
      const fetched = await stage.fetch('https://x3.test/', { connectTo })
      assert.ok(
        fetched.outcome === 'failed' && /^timeout-connect/.test(fetched.reason),
        JSON.stringify(fetched),
      )
      return fetched.reason
    },
  },
  {
    id: 'X4',
    does: 'has a chain of 400 certificates, or one for 2,000 names',
    holds: 'an error or a page, in bounds',
    web: {
      crawl: 'web',
      hosts: served(['longchain', 'manynames']),
      seeds: ['https://longchain.tls.test/', 'https://manynames.tls.test/'],
    },
    check: async (stage) => {
      const seen = await secureCrawl(stage)
      const said = ['longchain', 'manynames'].map((name) => {
        const { state, reason } = seen.url(`https://${name}.tls.test/`)
        assert.match(state, /^(?:stored|failed|refused)$/)
        return `${name}: ${state} ${reason ?? ''}`
      })
      return said.join('; ')
    },
  },
  {
    id: 'X5',
    slow: true,
    does: 'has a bad certificate behind 10,000 URLs',
    holds: 'the host is tried a few times, not 10,000; memory does not grow',
    check: async (stage) => {
      stage.mustHaveTls()
      const count = 10_000
      stage.web.host({
        'x5.test': site({
          '/': article(
            'X5',
            links(...Array.from({ length: count }, (_, n) => `https://selfsigned.tls.test/${n}`)),
          ),
        }),
      })
      const data = join(stage.folder, 'x5')
      const from = stage.web.connections.length
      const flags = [
        '--data',
        data,
        '--delay',
        '0',
        '--retries',
        '0',
        '--scope',
        'any',
        '--json',
        '--quiet',
        '--trap-budget',
        '0',
        ...stage.reach,
      ]
      const run = jelajah(['crawl', 'http://x5.test/', ...flags, ...IMPATIENT], {
        env: stage.env,
      })
      const peak = watchMemory(run.process.pid ?? 0)
      checkHealth(await run.ended)
      const most = peak()
      const isTls = ({ port }: { port: number }): boolean => port === stage.web.tlsPort
      const tried = stage.web.connections.slice(from).filter(isTls).length
      assert.ok(tried < 200, `${tried} connections`)
      assert.ok(most < 500, `${most} MiB`)
      return `${tried} connections for ${count} URLs, no process above ${most} MiB`
    },
  },
  {
    id: 'X6',
    slow: true,
    does: 'offers h2 and speaks HTTP/1.1; knows no such name',
    holds: 'a clean failure, or read over HTTP/1.1',
    check: async (stage) => {
      const { odd } = await http2Ends(stage)
      return odd
    },
  },
  {
    id: 'X7',
    slow: true,
    does: 'resets every stream, says GOAWAY, floods with settings and pings, opens no window, pushes',
    holds:
      'HTTP/1.1 unless asked for; with --http2 pages come over HTTP/1.1 after a few broken streams',
    check: async (stage) => {
      const { said, unread } = await http2Ends(stage)
      const lost = unread.filter((name) => name !== 'silent' && name !== 'half')
      assert.deepEqual(lost, [], said)
      const methods = stage.web.requests.filter(({ secure }) => secure)
      assert.ok(
        methods.every(({ method }) => method !== 'PRI'),
        'h2 was spoken without being asked for',
      )
      return said
    },
  },
  {
    id: 'X8',
    does: 'resumes sessions; redirects to another name of the same server',
    holds: 'a session is used again for its own host only',
    web: {
      crawl: 'web',
      hosts: {
        'x8a.tls.test': misbehave(redirect('https://x8b.tls.test/')),
        'x8b.tls.test': misbehave(page(article('X8'))),
      },
      seeds: ['https://x8a.tls.test/'],
    },
    check: async (stage) => {
      const seen = await secureCrawl(stage)
      const connections = new Set(
        stage.web.requests
          .filter(({ host }) => host === 'x8a.tls.test')
          .map(({ connection }) => connection),
      )
      assert.ok(
        !stage.web.requests.some(
          ({ host, connection }) => host === 'x8b.tls.test' && connections.has(connection),
        ),
      )
      const [first] = stage.web.requestsTo('x8b.tls.test')
      assert.equal(first?.resumed, false, 'the session of one host was used at another')
      return stored(seen, ['https://x8b.tls.test/'])
    },
  },
  {
    id: 'X9',
    does: 'sends Strict-Transport-Security and upgrade-insecure-requests',
    holds: 'optional: URLs stay as they were linked',
    partly:
      'not recorded: a crawl keeps no state of a browser, and http URLs that redirect say so themselves',
    web: {
      crawl: 'web',
      hosts: {
        'x9.test': site({
          '/': page(article('X9', links('http://x9.test/next')), {
            headers:
              'strict-transport-security: max-age=9999\r\ncontent-security-policy: upgrade-insecure-requests\r\n',
          }),
          '/next': article('X9 next'),
        }),
      },
    },
    check: async (stage) => stored(await stage.crawl('web'), ['http://x9.test/next']),
  },
  {
    id: 'X10',
    does: 'resets every connection as soon as it is made',
    holds: 'the host rests longer each time: few connections, and none is left open',
    web: { crawl: 'web', hosts: { 'x10.test': reset } },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const { state, reason } = seen.url('http://x10.test/')
      assert.match(
        `${state} ${reason}`,
        /^(?:failed|refused) (?:connect|protocol|robots-unreachable|host-unreachable)/,
      )
      const tried = stage.web.requestsTo('x10.test').length
      assert.ok(tried <= 20, `${tried} requests`)
      return `${state} ${reason} after ${tried} requests`
    },
  },
]

function http2Ends(stage: Stage): Promise<Http2Ends> {
  return stage.once('h2', () => hostileHttp2(stage))
}
