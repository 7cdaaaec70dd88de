// R: redirects. Each hop is a request like any other: asked for under the rules of the host it leads to, counted,
// and led astray by nobody.
import assert from 'node:assert/strict'
import type { HostileCase } from '../case.ts'
import { ended, failed, http, stored } from '../expect.ts'
import { CANARY_ADDRESSES, CANARY_V6 } from '../namespace.ts'
import {
  article,
  flood,
  links,
  misbehave,
  page,
  redirect,
  robots,
  say,
  site,
} from '../server/answers.ts'
import type { Script } from '../server/request.ts'
import { proxiedHeaders } from './redirect-scenes.ts'

function chain(prefix: string, hops: number): Record<string, Script | string> {
  const paths: Record<string, Script | string> = {}
  for (let n = 0; n < hops; n++) paths[`/${prefix}${n}`] = redirect(`/${prefix}${n + 1}`)
  paths[`/${prefix}${hops}`] = article(`end of the chain ${prefix}`)
  return paths
}

const SCHEMES = [
  'file:///etc/passwd',
  'data:text/html,<title>data</title>',
  'javascript:alert(1)',
  'ftp://r5.test/x',
  'gopher://r5.test/x',
  'blob:http://r5.test/x',
  'about:blank',
]
const PRIVATE = [
  ...CANARY_ADDRESSES.map((address) => `http://${address}/`),
  'http://127.0.0.1/',
  'http://localhost/',
  'http://[::]/',
  'http://[::1]/',
  `http://[${CANARY_V6}]/`,
]
/** What a redirect says, and where it leads; null: nowhere. */
const LOCATIONS: readonly (readonly [location: string, to: string | null])[] = [
  ['../up?q=1', 'http://r4.test/up?q=1'],
  ['//r4.test/protocol', 'http://r4.test/protocol'],
  ['?only=query', 'http://r4.test/from?only=query'],
  ['/with space', 'http://r4.test/with%20space'],
  ['/caf\xc3\xa9', 'http://r4.test/caf%C3%A9'],
  ['\\\\r4.test\\back\\slash', 'http://r4.test/back/slash'],
]

function locationSite(): Script {
  const paths: Record<string, Script | string> = {
    '/': article(
      'R4',
      links(...LOCATIONS.map((_, n) => `/from?${n}`), '/none', '/long', '/longer', '/two'),
    ),
    '/none': say('HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n'),
    '/long': redirect(`/${'x'.repeat(9000)}`),
    '/longer': redirect(`/${'x'.repeat(1_000_000)}`),
    '/two': say(
      'HTTP/1.1 302 Found\r\nlocation: /one\r\nlocation: /other\r\ncontent-length: 0\r\n\r\n',
    ),
    '*': (socket, request) => page(article(`R4 ${request.target}`))(socket, request),
  }
  for (const [n, [location]] of LOCATIONS.entries()) paths[`/from?${n}`] = redirect(location)
  return site(paths)
}

const LOOPING = site({
  '/': article('R1', links('/self', '/a', 'http://two.r1.test/x', '/cookies')),
  '/self': redirect('/self'),
  '/a': redirect('/b'),
  '/b': redirect('/a'),
  '/y': redirect('http://two.r1.test/x'),
  '/cookies': say(
    'HTTP/1.1 302 Found\r\nset-cookie: a=1\r\nlocation: /cookies\r\ncontent-length: 0\r\n\r\n',
  ),
})

export const REDIRECTS: readonly HostileCase[] = [
  {
    id: 'R1',
    does: 'redirects in circles: to itself, two, three hosts, with cookies',
    holds: 'a loop, found at once and said so',
    web: {
      crawl: 'web',
      hosts: {
        'r1.test': LOOPING,
        'two.r1.test': misbehave(redirect('http://three.r1.test/z')),
        'three.r1.test': misbehave(redirect('http://r1.test/y')),
      },
      seeds: ['http://r1.test/'],
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      failed(seen, ['http://r1.test/self', 'http://r1.test/cookies'], /^redirect-loop/)
      const inCircles = [
        'http://r1.test/a',
        'http://r1.test/b',
        'http://two.r1.test/x',
        'http://three.r1.test/z',
        'http://r1.test/y',
      ]
      ended(seen, inCircles, /^(?:redirected|failed)$/)
      const loops = inCircles.filter((url) => /^redirect-loop/.test(seen.url(url).reason ?? ''))
      assert.equal(loops.length, 2, 'each circle is a loop at one of its URLs')
      const most = Math.max(...seen.asked('r1.test').map(({ asked }) => asked))
      assert.equal(most, 1)
      return 'each URL was asked for once; each circle ends as redirect-loop'
    },
  },
  {
    id: 'R2',
    does: 'redirects ten times, and eleven times',
    holds: 'ten lead to a page, eleven to the limit',
    web: {
      crawl: 'web',
      hosts: {
        'r2.test': site({
          '/': article('R2', links('/c0', '/d0')),
          ...chain('c', 10),
          ...chain('d', 11),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, ['http://r2.test/c10'])
      const refused = ['http://r2.test/d10', 'http://r2.test/d11'].flatMap(
        (url) => seen.find(url) ?? [],
      )
      assert.ok(
        refused.some(({ reason }) => /^redirect-limit/.test(reason ?? '')),
        JSON.stringify(refused),
      )
      assert.equal(seen.pages('r2.test').length, 2)
      return 'ten: stored; eleven: redirect-limit'
    },
  },
  {
    id: 'R3',
    does: 'redirects to a new URL each time, for ever',
    holds: 'ends at the limit of hops',
    partly:
      'each hop is a URL of its own with the state "redirected", by design: what a URL led to can be looked up',
    web: {
      crawl: 'web',
      hosts: {
        'r3.test': misbehave((socket, request) =>
          redirect(`/r?n=${Number(request.target.split('=')[1] ?? 0) + 1}`)(socket, request),
        ),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const asked = seen.asked('r3.test').length
      assert.ok(asked <= 12, `${asked} requests`)
      assert.ok(
        seen.urls.some(
          ({ host, reason }) => host === 'r3.test' && /^redirect-limit/.test(reason ?? ''),
        ),
      )
      return `redirect-limit after ${asked} requests`
    },
  },
  {
    id: 'R4',
    does: 'sends Location relative, without a scheme, a query alone, with spaces, bytes, backslashes, none, two, a megabyte',
    holds: 'resolved as browsers do; none is a failure, too long is refused',
    web: { crawl: 'web', hosts: { 'r4.test': locationSite() } },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      for (const [n, [location, to]] of LOCATIONS.entries()) {
        const { state, reason } = seen.url(`http://r4.test/from?${n}`)
        assert.equal(`${state} ${reason}`, `redirected ${to}`, location)
      }
      assert.equal(seen.url('http://r4.test/two').reason, 'http://r4.test/one')
      failed(seen, ['http://r4.test/none'], /^redirect-target/)
      ended(seen, ['http://r4.test/long', 'http://r4.test/longer'], /^(?:failed|redirected)$/)
      assert.ok(!seen.asked('r4.test').some(({ target }) => target.length > 2100))
      return `${LOCATIONS.length} forms resolved; none: redirect-target; long ones not asked for`
    },
  },
  {
    id: 'R5',
    does: 'redirects to file:, data:, javascript:, ftp:, gopher:, blob:, about:',
    holds: 'a failure for its target; nothing of it is read',
    web: {
      crawl: 'web',
      hosts: {
        'r5.test': site({
          '/': article('R5', links(...SCHEMES.map((_, n) => `/s${n}`))),
          ...Object.fromEntries(SCHEMES.map((to, n) => [`/s${n}`, redirect(to)])),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      assert.equal(seen.pages('r5.test').length, 1)
      return failed(
        seen,
        SCHEMES.map((_, n) => `http://r5.test/s${n}`),
        /^redirect-target/,
      )
    },
  },
  {
    id: 'R6',
    does: 'redirects to private addresses, metadata, localhost',
    holds: 'refused, and not one connection is made there',
    web: {
      crawl: 'guard',
      hosts: {
        'r6.test': site({
          '/': article('R6', links(...PRIVATE.map((_, n) => `/p${n}`))),
          ...Object.fromEntries(PRIVATE.map((to, n) => [`/p${n}`, redirect(to)])),
        }),
      },
    },
    check: async (stage) => {
      stage.mustBeInNamespace()
      const seen = await stage.crawl('guard')
      const said = ended(seen, PRIVATE, /^refused$/, /^private-address/)
      assert.deepEqual(seen.trespasses, [])
      return `${PRIVATE.length} targets: ${said}`
    },
  },
  {
    id: 'R7',
    does: 'redirects to a name that is public when first asked for and private afterwards',
    holds: 'the address that was checked is the one connected to; none is made to the private one',
    web: {
      crawl: 'guard',
      hosts: {
        'r7.test': site({ '/': redirect('http://flips.r7.test/') }),
        'flips.r7.test': misbehave(page(article('R7 flips'))),
      },
      seeds: ['http://r7.test/'],
      names: { 'flips.r7.test': (nth) => ({ a: [nth === 1 ? '11.7.7.7' : '10.9.9.9'] }) },
    },
    check: async (stage) => {
      stage.mustBeInNamespace()
      const seen = await stage.crawl('guard')
      const { state, reason } = seen.url('http://flips.r7.test/')
      assert.match(`${state} ${reason}`, /^(?:stored|refused private-address)/)
      assert.deepEqual(seen.trespasses, [])
      return `${state}, no connection to the private address`
    },
  },
  {
    id: 'R8',
    does: 'redirects to another host, whose robots.txt forbids it or which is out of scope',
    holds: 'robots, scope and delay of that host count before it is asked for the page',
    web: {
      crawl: 'web',
      hosts: {
        'r8.test': site({
          '/': article('R8', links('/to-forbidden', '/to-outside')),
          '/to-forbidden': redirect('http://forbids.r8.test/page'),
          '/to-outside': redirect('http://outside-of-r8.test/page'),
        }),
        'forbids.r8.test': site({
          '/robots.txt': robots('User-agent: *', 'Disallow: /'),
          '/page': article('R8 forbidden'),
        }),
        'outside-of-r8.test': misbehave(page(article('R8 outside'))),
      },
      seeds: ['http://r8.test/'],
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const said = ended(seen, ['http://forbids.r8.test/page'], /^refused$/, /^robots/)
      ended(seen, ['http://outside-of-r8.test/page'], /^refused$/, /^scope/)
      assert.equal(seen.asked('forbids.r8.test').length, 0)
      assert.equal(stage.web.requestsTo('outside-of-r8.test').length, 0)
      return `${said}; refused scope; neither was asked for`
    },
  },
  {
    id: 'R9',
    does: 'redirects from https to http',
    holds: 'followed as a URL of its own; nothing secret goes along',
    web: {
      crawl: 'web',
      hosts: {
        'r9.tls.test': misbehave(
          say(
            'HTTP/1.1 302 Found\r\nset-cookie: s=1; Secure\r\nlocation: http://plain.r9.test/\r\ncontent-length: 0\r\n\r\n',
          ),
        ),
        'plain.r9.test': misbehave(page(article('R9 plain'))),
      },
      seeds: ['https://r9.tls.test/', 'http://plain.r9.test/other'],
    },
    check: async (stage) => {
      stage.mustHaveTls()
      const seen = await stage.crawl('web')
      ended(seen, ['https://r9.tls.test/'], /^redirected$/)
      stored(seen, ['http://plain.r9.test/'])
      const secrets = seen
        .asked('plain.r9.test')
        .flatMap(({ headers }) => [
          headers.get('cookie'),
          headers.get('authorization'),
          headers.get('referer'),
        ])
      assert.ok(secrets.every((secret) => secret === undefined))
      return 'followed; no cookie, authorization or referrer was sent'
    },
  },
  {
    id: 'R10',
    does: 'redirects to another port of the same name',
    holds: 'that is another host: its own robots.txt is asked for first',
    web: {
      crawl: 'web',
      hosts: {
        'r10.test': site({
          '/': redirect('http://r10.test:8080/there'),
          '/there': article('R10 there'),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, ['http://r10.test:8080/there'])
      const asked = stage.web.requestsTo('r10.test').filter(({ host }) => host === 'r10.test:8080')
      assert.equal(asked[0]?.target, '/robots.txt')
      return 'stored, after its own robots.txt'
    },
  },
  {
    id: 'R11',
    does: 'a crawl with credentials (of a proxy; in a URL) is led to another origin',
    holds: 'none of them is in what another host gets',
    check: proxiedHeaders,
  },
  {
    id: 'R12',
    does: 'answers a form with redirects',
    holds: 'a crawl sends no forms: every request is a GET without a body',
    web: {
      crawl: 'web',
      hosts: {
        'r12.test': site({
          '/': article(
            'R12',
            '<form method=post action=/login><input name=a></form><form action=/find><input name=q></form>',
          ),
          '*': redirect('/', 307),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, http('r12.test'))
      const asked = seen.asked('r12.test').map(({ method, target }) => `${method} ${target}`)
      assert.ok(
        asked.every((line) => line === 'GET /' || line.startsWith('GET /sitemap')),
        asked.join(', '),
      )
      return 'only GET / was asked for'
    },
  },
  {
    id: 'R13',
    does: 'sends Location with 300, 304 and 200',
    holds: 'not followed',
    web: {
      crawl: 'web',
      hosts: {
        'r13.test': site({
          '/': article('R13', links('/m', '/n', '/o')),
          '/m': redirect('/led', 300),
          '/n': say('HTTP/1.1 304 Not Modified\r\nlocation: /led\r\n\r\n'),
          '/o': page(article('R13 o'), { headers: 'location: /led\r\n' }),
          '/led': article('R13 led'),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      assert.equal(seen.find('http://r13.test/led'), undefined)
      return stored(seen, ['http://r13.test/o'])
    },
  },
  {
    id: 'R14',
    does: 'refreshes by header and by meta in loops and endless chains, with delays of 0, -1 and 1e9, oddly quoted',
    holds: 'a refresh is a link that counts against the hops; a chain of them ends',
    web: {
      crawl: 'traps',
      hosts: {
        'r14.test': site({
          '/': article('R14', links('/loop', '/chain?0', '/odd', '/late')),
          '/loop': '<meta http-equiv=refresh content="0;url=/loop">',
          '/odd': `<meta http-equiv="Refresh" content="0; URL='/odd-target'">${'odd '.repeat(30)}`,
          '/odd-target': article('R14 odd target'),
          '/late': '<meta http-equiv=refresh content="1000000000;url=/late-target">late',
          '/late-target': article('R14 late target'),
          '/chain': (socket, request) => {
            const n = Number(request.target.split('?')[1] ?? 0)
            page(`<meta http-equiv=refresh content="0;url=/chain?${n + 1}"><p>moving on ${n}`, {
              headers: `refresh: 0;url=/chain?${n + 1}\r\n`,
            })(socket, request)
          },
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('traps')
      stored(seen, ['http://r14.test/odd-target'])
      const chained = seen.asked('r14.test').filter(({ target }) => target.startsWith('/chain'))
      assert.ok(chained.length <= 15, `${chained.length} refreshes in a row were followed`)
      assert.equal(seen.asked('r14.test').filter(({ target }) => target === '/loop').length, 1)
      return `${chained.length} refreshes of the endless chain were followed`
    },
  },
  {
    id: 'R15',
    does: 'redirects its robots.txt five times over another host, and six times',
    holds: 'five are followed; after six there is no robots.txt',
    web: {
      crawl: 'web',
      hosts: {
        'r15.test': site({
          '/robots.txt': redirect('http://hops.r15.test/h1'),
          '/': article('R15'),
        }),
        'six.r15.test': site({
          '/robots.txt': redirect('http://hops.r15.test/h0'),
          '/': article('R15 six'),
        }),
        'hops.r15.test': site({
          '/h0': redirect('/h1'),
          '/h1': redirect('/h2'),
          '/h2': redirect('/h3'),
          '/h3': redirect('/h4'),
          '/h4': redirect('/h5'),
          '/h5': robots('User-agent: *', 'Disallow: /'),
          '/': article('R15 hops'),
        }),
      },
      seeds: ['http://r15.test/', 'http://six.r15.test/'],
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const said = ended(seen, http('r15.test'), /^refused$/, /^robots$/)
      stored(seen, http('six.r15.test'))
      return `five: ${said}; six: stored`
    },
  },
  {
    id: 'R16',
    does: 'redirects to a page that is stored already',
    holds: 'the redirect is known as such; the page is stored and asked for once',
    web: {
      crawl: 'web',
      hosts: {
        'r16.test': site({
          '/': article('R16', links('/page', '/alias')),
          '/page': article('R16 page'),
          '/alias': redirect('/page'),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      assert.equal(seen.pages('r16.test').length, 2)
      assert.equal(seen.asked('r16.test').filter(({ target }) => target === '/page').length, 1)
      return ended(seen, ['http://r16.test/alias'], /^redirected$/, /\/page$/)
    },
  },
  {
    id: 'R17',
    does: 'redirects every URL to its front page or to a page to sign in',
    holds: 'the target is asked for once',
    web: {
      crawl: 'web',
      hosts: {
        'r17.test': site({
          '/': article('R17', links(...Array.from({ length: 40 }, (_, n) => `/x${n}`))),
          '/login': article('R17 sign in'),
          '*': redirect('/login'),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const asked = seen.asked('r17.test').filter(({ target }) => target === '/login').length
      assert.equal(asked, 1)
      assert.equal(seen.pages('r17.test').length, 2)
      return '40 redirects, the target asked for once'
    },
  },
  {
    id: 'R18',
    does: 'sends an endless body with a redirect',
    holds: 'no more than a little of it is read',
    web: {
      crawl: 'web',
      hosts: {
        'r18.test': site({
          '/': flood('HTTP/1.1 302 Found\r\nlocation: /ok\r\n\r\n', 'x'),
          '/ok': article('R18'),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, ['http://r18.test/ok'])
      const first = seen.asked('r18.test')[0]
      const sent = stage.web.connections[first?.connection ?? -1]?.read ?? 0
      // What sockets buffer on both sides counts, too.
      assert.ok(sent < 16 * 1024 * 1024, `${sent} bytes were taken`)
      return `redirected; at most ${Math.round(sent / 1024)} KiB were on their way`
    },
  },
]
