// P: pages made to hurt whoever reads them. Read in linear time and bounded memory; links are found all the same.
import assert from 'node:assert/strict'
import type { HostileCase } from '../case.ts'
import type { Seen } from '../crawls.ts'
import { ended, stored } from '../expect.ts'
import { passes } from '../other-tests.ts'
import { article, links, many, misbehave, page, robots, site } from '../server/answers.ts'

const FOUND = '<a href="/found">found</a>'
const DEPTH = 100_000

/** Pages by path, each stored; all of them lead to `/found`. */
function floods(
  id: string,
  pages: Readonly<Record<string, () => string>>,
): HostileCase['web'] & object {
  const host = `${id.toLowerCase()}.test`
  const paths = Object.keys(pages)
  const scripts = Object.fromEntries(
    Object.entries(pages).map(([path, make]) => [path, page((_request) => make())]),
  )
  return {
    crawl: 'pages',
    hosts: {
      [host]: site({
        '/': article(`${id} front`, links(...paths)),
        '/found': article(`${id} found`),
        ...scripts,
      }),
    },
  }
}

/** What hurt was stored, one way or another, in time and in bounds. */
function survived(seen: Seen, id: string, paths: readonly string[], leads = true): string {
  const host = `${id.toLowerCase()}.test`
  ended(
    seen,
    paths.map((path) => `http://${host}${path}`),
    /^(?:stored|duplicate)$/,
  )
  if (leads) stored(seen, [`http://${host}/found`])
  assert.ok(seen.peakMib < 900, `a process had ${seen.peakMib} MiB`)
  return `${paths.length} pages stored${leads ? ', their links found' : ''}; no process above ${seen.peakMib} MiB`
}

const NESTED: Readonly<Record<string, () => string>> = {
  '/div': () => `${'<div>'.repeat(DEPTH)}div ${FOUND}`,
  '/list': () => `${'<ul><li>'.repeat(DEPTH / 2)}list ${FOUND}`,
  '/bold': () => `${'<b>'.repeat(DEPTH)}bold ${FOUND}`,
  '/font': () => `${'<font size=1>'.repeat(DEPTH)}font ${FOUND}`,
  '/table': () => `${'<table><tr><td>'.repeat(DEPTH / 4)}table ${FOUND}`,
  '/svg': () => `${'<svg><foreignObject>'.repeat(DEPTH / 4)}svg ${FOUND}`,
  '/template': () => `${'<template>'.repeat(DEPTH)}${'</template>'.repeat(DEPTH)}template ${FOUND}`,
}
const ATTRIBUTES: Readonly<Record<string, () => string>> = {
  '/long': () => `<p title="${'x'.repeat(20_000_000)}">long attribute</p>${FOUND}`,
  '/many': () => `<a ${many(50_000, (n) => `a${n}=b `)} href="/found">many attributes</a>`,
}
const UNENDED: Readonly<Record<string, () => string>> = {
  '/brackets': () => `${FOUND}${'<'.repeat(2_000_000)}`,
  '/comments': () => `${FOUND}${'<!--'.repeat(500_000)}`,
  '/entities': () => `${FOUND}${'&notit;'.repeat(500_000)}`,
  '/cdata': () => `${FOUND} cdata <![CDATA[${'x'.repeat(500_000)}`,
  '/script': () => `${FOUND} script <script>${'a<!--'.repeat(200_000)}`,
  '/style': () => `${FOUND} style <style>${'a{'.repeat(200_000)}`,
  '/title': () => `${FOUND} title <title>${'t '.repeat(200_000)}`,
  '/textarea': () => `${FOUND} area <textarea>${'t '.repeat(200_000)}`,
}
const LD = (json: string): string => `<script type="application/ld+json">${json}</script>`
const FACTS: Readonly<Record<string, () => string>> = {
  '/title': () => `<title>${'long title '.repeat(900_000)}</title>${FOUND}`,
  '/metas': () => `${many(300_000, (n) => `<meta name=m${n} content=c>`)}${FOUND} metas`,
  '/blocks': () => `${LD('{"@type":"Article","headline":"x"}').repeat(10_000)}${FOUND} blocks`,
  '/deep': () => `${LD('['.repeat(100_000))}${LD(`{"a":`.repeat(50_000))}${FOUND} deep`,
  '/numbers': () => `${LD('{"@type":"Article","wordCount":1e400}')}${FOUND} numbers`,
  '/proto': () =>
    `${LD('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"@type":"Article"}')}${FOUND} proto`,
}
const LAUGHS = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha">${many(9, (n) => `<!ENTITY b${n} "${`&${n === 0 ? 'a' : `b${n - 1}`};`.repeat(10)}">`)}<!ENTITY xxe SYSTEM "file:///etc/passwd"><!ENTITY net SYSTEM "http://p7-canary.test/x">]>`
const REGEX: Readonly<Record<string, () => string>> = {
  '/parens': () => `<title>parens</title><p>${'('.repeat(300_000)}</p>${FOUND}`,
  '/letters': () =>
    `<title>letters</title><p>${'a'.repeat(500_000)}!</p><p>${'1-'.repeat(200_000)}</p>${FOUND}`,
  '/dates': () =>
    `<title>dates</title><p>${'2024-01-'.repeat(100_000)}</p><p>${'12 January '.repeat(50_000)}</p>${FOUND}`,
  '/mails': () =>
    `<title>mails</title><p>${'a@'.repeat(200_000)}</p><p>${'a.'.repeat(200_000)}</p>${FOUND}`,
}
const EMPTY: Readonly<Record<string, string | Uint8Array>> = {
  '/none': Buffer.alloc(0),
  '/space': Buffer.from('   \n\t '),
  '/byte': Buffer.from('x'),
  '/bom': Buffer.from([0xef, 0xbb, 0xbf]),
}

export const PAGES: readonly HostileCase[] = [
  {
    id: 'P1',
    slow: true,
    does: 'nests elements 100,000 deep, of every kind',
    holds: 'stored, and the link at the bottom is found',
    web: floods('P1', NESTED),
    check: async (stage) => {
      const seen = await stage.crawl('pages')
      for (const path of Object.keys(NESTED)) {
        assert.deepEqual(seen.links(`http://p1.test${path}`), ['http://p1.test/found'], path)
      }
      return survived(seen, 'P1', Object.keys(NESTED))
    },
  },
  {
    id: 'P2',
    slow: true,
    does: 'closes 20,000 formatting elements in the wrong order',
    holds: 'stored in linear time',
    web: floods('P2', {
      '/misnested': () => `${many(20_000, (n) => `<b id=${n}><i><a><p></b>`)}misnested ${FOUND}`,
    }),
    check: async (stage) => survived(await stage.crawl('pages'), 'P2', ['/misnested']),
  },
  {
    id: 'P3',
    slow: true,
    does: 'has a million links',
    holds: 'the first ten thousand are kept',
    web: floods('P3', {
      '/links': () => `million ${many(1_000_000, (n) => `<a href=http://x${n}.example/>`)}`,
    }),
    check: async (stage) => {
      const seen = await stage.crawl('pages')
      const kept = seen.links('http://p3.test/links').length
      assert.ok(kept > 0 && kept <= 10_000, `${kept} links`)
      return `${kept} links kept; ${survived(seen, 'P3', ['/links'], false)}`
    },
  },
  {
    id: 'P4',
    slow: true,
    does: 'has an attribute of 20 MB, and 50,000 attributes on one tag',
    holds: 'stored in bounds',
    web: floods('P4', ATTRIBUTES),
    check: async (stage) => survived(await stage.crawl('pages'), 'P4', Object.keys(ATTRIBUTES)),
  },
  {
    id: 'P5',
    slow: true,
    does: 'has millions of brackets, comments and entities, and nothing that ends',
    holds: 'stored in linear time, and what stands before is read',
    web: floods('P5', UNENDED),
    check: async (stage) => survived(await stage.crawl('pages'), 'P5', Object.keys(UNENDED)),
  },
  {
    id: 'P6',
    slow: true,
    does: 'has a title of 10 MB, 300,000 meta tags, 10,000 blocks of JSON, JSON 100,000 deep, 1e400, __proto__',
    holds: 'titles are cut, JSON is bounded, no prototype changes',
    web: floods('P6', FACTS),
    check: async (stage) => {
      const seen = await stage.crawl('pages')
      const title = seen.page('http://p6.test/title').title ?? ''
      assert.ok(title.length > 0 && title.length <= 1024, `a title of ${title.length} characters`)
      return survived(seen, 'P6', Object.keys(FACTS))
    },
  },
  {
    id: 'P7',
    does: 'declares entities that grow, or that are files and URLs, in XHTML, SVG, RSS and sitemaps',
    holds: 'no entity of a document is expanded, nothing is fetched',
    web: {
      crawl: 'web',
      hosts: {
        'p7.test': site({
          '/robots.txt': robots('Sitemap: http://p7.test/map.xml'),
          '/': article('P7', links('/xhtml', '/svg', '/rss')),
          '/xhtml': page(
            `${LAUGHS}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>xhtml</title></head><body><p>&b8; &xxe; &net; text of the page</p></body></html>`,
            { type: 'application/xhtml+xml' },
          ),
          '/svg': page(
            `${LAUGHS}<svg xmlns="http://www.w3.org/2000/svg"><text>&b8;&xxe;</text></svg>`,
            { type: 'image/svg+xml' },
          ),
          '/rss': page(`${LAUGHS}<rss><channel><title>&b8;&xxe;</title></channel></rss>`, {
            type: 'text/xml',
          }),
          '/map.xml': page(
            `${LAUGHS}<urlset><url><loc>http://p7.test/from-map</loc></url><url><loc>http://p7.test/&b8;&xxe;</loc></url></urlset>`,
            { type: 'application/xml' },
          ),
          '/from-map': article('P7 from the map'),
        }),
        'p7-canary.test': misbehave(page('x')),
      },
      seeds: ['http://p7.test/'],
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      assert.equal(stage.web.requestsTo('p7-canary.test').length, 0)
      const { content_text, title } = seen.page('http://p7.test/xhtml')
      assert.equal(title, 'xhtml')
      assert.ok((content_text ?? '').length < 2000)
      for (const { url, content_text: text } of seen.pages('p7.test')) {
        assert.doesNotMatch(`${url}${text}`, /root:|(?:ha){20}/)
      }
      stored(seen, ['http://p7.test/from-map'])
      return `read as text; nothing expanded or fetched; svg: ${seen.url('http://p7.test/svg').state}`
    },
  },
  {
    id: 'P8',
    slow: true,
    does: 'has a sitemap of itself, an index of indexes, 60,000 URLs in one, dates of the year 99999',
    holds: 'bounded in depth and number; each is read once',
    web: {
      crawl: 'pages',
      hosts: {
        'p8.test': site({
          '/robots.txt': robots(
            'Sitemap: http://p8.test/self.xml',
            'Sitemap: http://p8.test/i0.xml',
            'Sitemap: http://p8.test/dates.xml',
            'Sitemap: http://p8.test/large.xml',
          ),
          '/': article('P8'),
          '/self.xml': page(
            '<sitemapindex><sitemap><loc>http://p8.test/self.xml</loc></sitemap></sitemapindex>',
            { type: 'application/xml' },
          ),
          '/dates.xml': page(
            '<urlset><url><loc>http://p8.test/dated</loc><lastmod>99999-01-01</lastmod></url></urlset>',
            { type: 'application/xml' },
          ),
          '/dated': article('P8 dated'),
          '/large.xml': page(
            (_request) =>
              `<urlset>${many(60_000, (n) => `<url><loc>http://elsewhere-${n}.example/</loc></url>`)}</urlset>`,
            { type: 'application/xml' },
          ),
          '*': (socket, request) => {
            const n = Number(/^\/i(\d+)\.xml$/.exec(request.target)?.[1] ?? Number.NaN)
            if (Number.isNaN(n)) page('no', { status: 404 })(socket, request)
            else
              page(
                `<sitemapindex><sitemap><loc>http://p8.test/i${n + 1}.xml</loc></sitemap></sitemapindex>`,
                { type: 'application/xml' },
              )(socket, request)
          },
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('pages')
      stored(seen, ['http://p8.test/dated'])
      const asked = seen.asked('p8.test').map(({ target }) => target)
      assert.equal(asked.filter((target) => target === '/self.xml').length, 1)
      const depth = asked.filter((target) => target.startsWith('/i')).length
      assert.ok(depth <= 6, `${depth} indexes within each other`)
      const known = seen.urls.filter(({ host }) => host.startsWith('elsewhere-')).length
      assert.ok(known <= 50_000, `${known} URLs of one sitemap`)
      return `itself once, ${depth} indexes deep, ${known} URLs of the large one`
    },
  },
  {
    id: 'P9',
    slow: true,
    does: 'has texts that slow patterns down',
    holds: 'stored in linear time',
    web: floods('P9', REGEX),
    check: async (stage) => survived(await stage.crawl('pages'), 'P9', Object.keys(REGEX)),
  },
  {
    id: 'P10',
    slow: true,
    does: 'takes all memory or all time of whoever parses it',
    holds: 'that page fails with its reason after two tries, and no other page does',
    check: async () => await passes(['src/parser/pool.test.ts', 'test/e2e/poison.test.ts']),
  },
  {
    id: 'P11',
    does: 'is empty, white space, one byte, or a byte order mark',
    holds: 'stored without a text',
    web: {
      crawl: 'web',
      hosts: {
        'p11.test': site({
          '/': article('P11', links(...Object.keys(EMPTY))),
          ...Object.fromEntries(Object.entries(EMPTY).map(([path, body]) => [path, page(body)])),
        }),
      },
    },
    check: async (stage) =>
      stored(
        await stage.crawl('web'),
        Object.keys(EMPTY).map((path) => `http://p11.test${path}`),
      ),
  },
  {
    id: 'P12',
    does: 'frames itself without end, and links to the next page in circles',
    holds: 'ends by the limits of traps',
    web: {
      crawl: 'traps',
      hosts: {
        'p12.test': site({
          '*': (socket, request) => {
            const depth = request.target.split('/').length
            page(
              `<title>frame ${depth}</title><frameset><frame src="${request.target}f/"></frameset><iframe src="${request.target}g/"></iframe><object data="${request.target}o/"></object><link rel=next href="/">`,
            )(socket, request)
          },
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('traps')
      const asked = seen.asked('p12.test').length
      assert.ok(asked <= 150, `${asked} pages that only frame each other`)
      return `${asked} requests`
    },
  },
  {
    id: 'P13',
    does: 'has links that nobody sees, and links marked nofollow',
    holds: 'nofollow is kept to; what is refused is known',
    web: {
      crawl: 'web',
      hosts: {
        'p13.test': site({
          '/': article(
            'P13',
            '<a rel="nofollow" href="/marked">a</a><a style="display:none" href="/hidden">b</a><a rel="external nofollow ugc" href="/marked-too">c</a>',
          ),
          '/hidden': article('P13 hidden'),
          '/marked': article('P13 marked'),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      assert.ok(!seen.asked('p13.test').some(({ target }) => target.startsWith('/marked')))
      return ended(
        seen,
        ['http://p13.test/marked', 'http://p13.test/marked-too'],
        /^refused$/,
        /^nofollow/,
      )
    },
  },
  {
    id: 'P14',
    does: 'answers 200 with the same page to every URL',
    holds: 'known for what it is: after some of them no more are asked for',
    web: {
      crawl: 'traps',
      hosts: {
        'p14.test': site({
          '/': article(
            'P14',
            links(
              ...Array.from(
                { length: 400 },
                (_, n) =>
                  `/${'abcdefghij'[n % 10]}${'klmnopqrst'[Math.floor(n / 10) % 10]}${'uvwxyzabcd'[Math.floor(n / 100)]}-word`,
              ),
            ),
          ),
          '*': (socket, _request) => void socket.write(SOFT_404),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('traps')
      const asked = seen.asked('p14.test').length
      assert.ok(asked <= 250, `${asked} requests for 401 URLs of one body`)
      const kept = seen.urls.filter(
        ({ host, state }) => host === 'p14.test' && state === 'stored',
      ).length
      assert.equal(kept, 2)
      return `${asked} requests for 401 URLs, 2 stored`
    },
  },
  {
    id: 'P15',
    does: 'gives pages that differ in a time or a number alone',
    holds: 'exact copies are duplicates, near ones are folded where pages are shown',
    partly:
      'near-duplicates are stored and folded in search and exports, by design: which of them is wanted is known later only',
    web: {
      crawl: 'web',
      hosts: {
        'p15.test': site({
          '/': article('P15', links('/same-a', '/same-b', '/near-a', '/near-b')),
          '/same-a': (socket) => void socket.write(SAME),
          '/same-b': (socket) => void socket.write(SAME),
          '*': (socket, request) =>
            page(`${article('P15 near')}<p>made at ${request.at}</p>`)(socket, request),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      const states = ['/same-a', '/same-b']
        .map((path) => seen.url(`http://p15.test${path}`).state)
        .sort()
      assert.deepEqual(states, ['duplicate', 'stored'])
      return 'one copy stored, the other a duplicate of it'
    },
  },
]

const SAME = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 38\r\n\r\n<title>same</title><p>the same page...`,
)
const SOFT_404 = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 53\r\n\r\n<title>Oops</title><p>We could not find that page.   `,
)
