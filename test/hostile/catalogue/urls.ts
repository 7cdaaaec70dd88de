// U: URLs. One canonical form for what is one URL by the standard, none for what is no URL of the web.
import assert from 'node:assert/strict'
import { canonicalise } from '../../../src/core/url.ts'
import type { HostileCase } from '../case.ts'
import { ended, stored } from '../expect.ts'
import { article, links, misbehave, page, site } from '../server/answers.ts'

/** Links of a page of U1 that are no URLs of the web. */
const NO_PAGES = [
  'javascript:alert(1)',
  'data:text/html,x',
  'mailto:a@b.c',
  'tel:+1',
  'blob:http://u1.test/x',
  'vbscript:x',
  'JaVaScRiPt:x',
  'java\nscript:x',
  '&#106;avascript:x',
  'about:blank',
  'file:///etc/passwd',
  'ftp://u1.test/x',
]
const SAME = [
  '',
  '#',
  '#top',
  '#!hash',
  '.',
  './',
  '../'.repeat(50),
  '/..',
  '/../../',
  '//u2.test',
  'http://u2.test:80/',
  'HTTP://U2.TEST/',
]

type Row = readonly [input: string, canonical: string | null]

function canonical(rows: readonly Row[], base = 'http://u.test/folder/page'): string {
  const from = canonicalise(base)
  assert.ok(from !== null)
  for (const [input, expected] of rows)
    assert.equal(canonicalise(input, from), expected, JSON.stringify(input.slice(0, 80)))
  return `${rows.length} forms`
}

const LABEL = 'a'.repeat(64)
const LONG_HOST = `${`${'a'.repeat(60)}.`.repeat(5)}test`

const HOSTS: readonly Row[] = [
  ['http://\u0430pple.test/', 'http://xn--pple-43d.test/'],
  ['http://XN--PPLE-43D.test/', 'http://xn--pple-43d.test/'],
  ['http://fa\u00df.de/', 'http://xn--fa-hia.de/'],
  ['http://b\u00fccher.test/', 'http://xn--bcher-kva.test/'],
  ['http://\u{1f600}.test/', 'http://xn--e28h.test/'],
  ['http://U.TEST/', 'http://u.test/'],
  ['http://under_score.test/', 'http://under_score.test/'],
  ['http://xn--\u0000/', null],
  ['http://xn--\u00fc/', null],
]

const ESCAPES: readonly Row[] = [
  ['%2e%2e/x', 'http://u.test/x'],
  ['/a%2Fb', 'http://u.test/a%2Fb'],
  ['/%zz', 'http://u.test/%zz'],
  ['/%252e%252e/x', 'http://u.test/%252e%252e/x'],
  ['/a\tb\nc', 'http://u.test/abc'],
  ['\\a\\b', 'http://u.test/a/b'],
  ['/a;x=1;y', 'http://u.test/a;x=1;y'],
]

export const URLS: readonly HostileCase[] = [
  {
    id: 'U1',
    does: 'links to scripts, data, mail, telephones, in odd spellings',
    holds: 'none is queued',
    web: {
      crawl: 'web',
      hosts: {
        'u1.test': site({ '/': article('U1', links(...NO_PAGES).replaceAll('&amp;', '&')) }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const known = seen.urls.filter(({ host }) => host.includes('u1.test')).map(({ url }) => url)
      assert.deepEqual(known, ['http://u1.test/'])
      return `${NO_PAGES.length} links, no URL`
    },
  },
  {
    id: 'U2',
    does: 'links to itself by fragments, dots, nothing, and fifty folders up',
    holds: 'it is one URL, asked for once',
    web: {
      crawl: 'web',
      hosts: {
        'u2.test': site({ '/': article('U2', links(...SAME)), '*': page(article('U2 again')) }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const known = seen.urls.filter(({ host }) => host === 'u2.test').map(({ url }) => url)
      assert.deepEqual(known, ['http://u2.test/'])
      assert.equal(seen.asked('u2.test').filter(({ target }) => target === '/').length, 1)
      return `${SAME.length} links, one URL`
    },
  },
  {
    id: 'U3',
    does: 'has a base of another host, of a script, relative, twice, behind its links',
    holds: 'the first base that is http counts, and the scope is asked about the result',
    web: {
      crawl: 'web',
      hosts: {
        'u3.test': site({
          '/': article('U3', links('/other', '/script', '/relative', '/twice', '/behind')),
          '/other': '<base href="http://outside-of-u3.test/x/"><a href="from-other">o</a>',
          '/script': '<base href="javascript:alert(1)"><a href="from-script">s</a>',
          '/relative': '<base href="/deep/"><a href="from-relative">r</a>',
          '/twice': '<base href="/one/"><base href="/two/"><a href="from-twice">t</a>',
          '/behind': '<a href="from-behind">b</a><base href="/late/">',
        }),
        'outside-of-u3.test': misbehave(page(article('U3 outside'))),
      },
      seeds: ['http://u3.test/'],
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      ended(seen, ['http://outside-of-u3.test/x/from-other'], /^refused$/, /^scope/)
      assert.equal(stage.web.requestsTo('outside-of-u3.test').length, 0)
      for (const path of ['/from-script', '/deep/from-relative', '/one/from-twice'])
        seen.url(`http://u3.test${path}`)
      const behind = ['/late/from-behind', '/from-behind'].filter(
        (path) => seen.find(`http://u3.test${path}`) !== undefined,
      )
      assert.equal(behind.length, 1)
      return `each resolved once; behind its links: ${behind[0]}`
    },
  },
  {
    id: 'U4',
    does: 'has hosts of look-alike letters, in punycode, with emoji, dots and labels that are too long',
    holds: 'one form in ASCII; what is no host is no URL',
    check: () => {
      const said = canonical(HOSTS)
      for (const host of [LABEL, LONG_HOST, 'a..b']) {
        const url = canonicalise(`http://${host}/`)
        // What the standard lets pass no name server has: it fails as a name.
        assert.ok(url === null || url.startsWith('http://a'), host)
      }
      const dotted = canonicalise('http://u.test./')
      assert.equal(dotted, 'http://u.test/')
      return said
    },
  },
  {
    id: 'U5',
    does: 'links with a user name and a password',
    holds: 'both are dropped: neither stored nor sent nor told',
    web: {
      crawl: 'web',
      hosts: {
        'u5.test': site({
          '/': article('U5', links('http://me:hushhush@u5.test/in')),
          '/in': article('U5 in'),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, ['http://u5.test/in'])
      assert.ok(!seen.urls.some(({ url, reason }) => `${url}${reason}`.includes('hushhush')))
      assert.ok(seen.asked('u5.test').every(({ headers }) => !headers.has('authorization')))
      assert.deepEqual(
        seen.links('http://u5.test/').filter((url) => url.includes('hushhush')),
        [],
      )
      return 'stored without them'
    },
  },
  {
    id: 'U6',
    does: 'links to URLs of 8 kB, 64 kB and 800 kB',
    holds: 'not asked for; what is too long to be kept is not a URL',
    web: {
      crawl: 'web',
      hosts: {
        'u6.test': site({
          '/': article(
            'U6',
            links(
              `/${'x'.repeat(3000)}`,
              `/${'y'.repeat(64_000)}`,
              `/${'z'.repeat(800_000)}`,
              '/found',
            ),
          ),
          '/found': article('U6 found'),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, ['http://u6.test/found'])
      const long = seen.urls.filter(({ url }) => url.startsWith('http://u6.test/x'))
      assert.equal(long.length, 1)
      assert.match(`${long[0]?.state} ${long[0]?.reason}`, /^refused length/)
      assert.ok(!seen.urls.some(({ url }) => /^http:\/\/u6\.test\/[yz]/.test(url)))
      return `${long[0]?.state} ${long[0]?.reason}; longer ones are no URLs`
    },
  },
  {
    id: 'U7',
    does: 'escapes dots, slashes and nothing at all, twice, with tabs and backslashes',
    holds: 'the standard of browsers: nothing is decoded again, one URL has one form',
    check: () => canonical(ESCAPES),
  },
  {
    id: 'U8',
    does: 'permutes query keys, adds session ids, campaign tags and random numbers',
    holds:
      'a documented policy brings them to few pages; what is left is bounded by the budget of a template',
    web: {
      crawl: 'traps',
      hosts: {
        'u8.test': site({
          '/': (socket, request) =>
            page(
              article(
                'U8',
                links(
                  ...Array.from({ length: 60 }, (_, n) => `/item?utm_source=s${n}&id=1`),
                  ...Array.from(
                    { length: 60 },
                    (_, n) =>
                      `/item;jsessionid=${(n * 7919 + request.asked).toString(16).padStart(16, 'a')}?id=1`,
                  ),
                  ...Array.from(
                    { length: 60 },
                    (_, n) =>
                      `/item?PHPSESSID=${(n * 104_729).toString(16).padStart(26, 'b')}&id=1`,
                  ),
                ),
              ),
            )(socket, request),
          '*': page(article('U8 item')),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('traps')
      const asked = seen.asked('u8.test').length
      assert.ok(asked <= 20, `${asked} requests for two pages`)
      return `${asked} requests for 181 links to two pages`
    },
  },
  {
    id: 'U9',
    does: 'writes ports, schemes and hosts in other ways, doubles slashes, leaves one out',
    holds: 'only what is the same by the standard is one URL',
    check: () =>
      canonical([
        ['HTTP://U.test:80/', 'http://u.test/'],
        ['https://u.test:443', 'https://u.test/'],
        ['http://u.test:8080/', 'http://u.test:8080/'],
        ['//u.test/a//b', 'http://u.test/a//b'],
        ['/a', 'http://u.test/a'],
        ['/a/', 'http://u.test/a/'],
        ['/index.html', 'http://u.test/index.html'],
        ['/a#b', 'http://u.test/a'],
      ]),
  },
  {
    id: 'U10',
    does: 'has canonicals of another host, of itself, of nothing, in loops, twice, in its body',
    holds: 'a hint within the scope; no host can take the page of another away',
    web: {
      crawl: 'web',
      hosts: {
        'u10.test': site({
          '/': article('U10', links('/away', '/gone', '/loop-a', '/loop-b', '/twice', '/body')),
          '/away': canon('away', 'http://victim-of-u10.test/'),
          '/gone': canon('gone', '/missing'),
          '/loop-a': canon('loop a', '/loop-b'),
          '/loop-b': canon('loop b', '/loop-a'),
          '/twice': canon('twice', '/one', '/two'),
          '/body': `${article('U10 body')}<body><link rel=canonical href="/elsewhere">`,
        }),
        'victim-of-u10.test': site({ '/': article('U10 victim') }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const paths = ['/away', '/gone', '/loop-a', '/loop-b', '/twice', '/body']
      stored(seen, ['http://victim-of-u10.test/', ...paths.map((path) => `http://u10.test${path}`)])
      assert.equal(
        seen.pages('u10.test').filter(({ duplicate_of }) => duplicate_of !== null).length,
        0,
      )
      return 'seven pages with other contents are seven pages'
    },
  },
]

function canon(title: string, ...targets: readonly string[]): string {
  return `<head>${targets.map((target) => `<link rel=canonical href="${target}">`).join('')}</head>${article(`U10 ${title}`)}`
}
