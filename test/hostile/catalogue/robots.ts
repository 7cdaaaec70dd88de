// B: robots.txt. RFC 9309 to the letter; what cannot be had forbids, what is not there allows.
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { decodeRobots } from '../../../src/robots/robots-answer.ts'
import { parseRobots } from '../../../src/robots/rules.ts'
import type { HostileCase } from '../case.ts'
import { ended, http, stored } from '../expect.ts'
import {
  answer,
  article,
  drip,
  flood,
  links,
  many,
  page,
  redirect,
  reset,
  robots,
  site,
} from '../server/answers.ts'
import type { Script } from '../server/request.ts'
import type { Stage } from '../stage.ts'
import { changedRules, crawlDelays, leadsAstray } from './robots-scenes.ts'

const FORBIDS = ['User-agent: *', 'Disallow: /']

/** Hosts with this robots.txt and a front page of their own. */
function behind(id: string, files: Readonly<Record<string, Script>>): Record<string, Script> {
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => {
      const host = `${name}.${id.toLowerCase()}.test`
      return [
        host,
        site({
          '/robots.txt': file,
          '/': article(`behind ${host}`, links('/more')),
          '/more': article(`more of ${host}`),
        }),
      ]
    }),
  )
}

function withStatus(...statuses: readonly number[]): Record<string, Script> {
  return Object.fromEntries(
    statuses.map((status) => [`s${status}`, page('no', { status, type: 'text/plain' })]),
  )
}

/** No page of these was asked for. */
async function keptOut(stage: Stage, hosts: readonly string[]): Promise<string> {
  const seen = await stage.crawl('web')
  const said = ended(
    seen,
    http(...hosts),
    /^(?:refused|failed)$/,
    /(?:unreachable|dns|tls|connect|timeout|protocol)/,
  )
  for (const host of hosts) assert.equal(seen.asked(host).length, 0, `${host} was asked for a page`)
  return said
}

async function letIn(stage: Stage, hosts: readonly string[]): Promise<string> {
  const seen = await stage.crawl('web')
  stored(seen, http(...hosts))
  return `${hosts.length} hosts: their pages are stored`
}

function names(id: string, files: Readonly<Record<string, Script>>): string[] {
  return Object.keys(files).map((name) => `${name}.${id.toLowerCase()}.test`)
}

/** A case whose hosts differ in their robots.txt only. */
function hosts(
  about: Pick<HostileCase, 'id' | 'does' | 'holds' | 'partly'>,
  files: Readonly<Record<string, Script>>,
  check: (stage: Stage, hosts: readonly string[]) => Promise<string>,
): HostileCase {
  return {
    ...about,
    web: { crawl: 'web', hosts: behind(about.id, files) },
    check: (stage) => check(stage, names(about.id, files)),
  }
}

type Vector = readonly [file: string, path: string, allowed: boolean]

function vectors(list: readonly Vector[]): string {
  for (const [file, path, allowed] of list) {
    assert.equal(
      parseRobots(file, 'Jelajah').allows(path),
      allowed,
      `${JSON.stringify(file.slice(0, 80))} at ${path}`,
    )
  }
  return `${list.length} vectors`
}

const all = (...lines: readonly string[]): string => ['User-agent: *', ...lines].join('\n')
const bytes = (text: string, encoding: BufferEncoding): string =>
  decodeRobots(Buffer.from(text, encoding))

export const ROBOTS: readonly HostileCase[] = [
  {
    id: 'B1',
    does: 'has a robots.txt as it should be',
    holds: 'the longest match counts, and allows where two are as long; it is asked for once',
    web: {
      crawl: 'web',
      hosts: {
        'b1.test': site({
          '/robots.txt': robots(
            'User-agent: *',
            'Disallow: /a',
            'Allow: /a/b',
            'Disallow: /tie',
            'Allow: /tie',
          ),
          '/': article('B1', links('/a/x', '/a/b/x', '/tie', '/free')),
          '/a/b/x': article('B1 a b x'),
          '/tie': article('B1 tie'),
          '/free': article('B1 free'),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, ['http://b1.test/a/b/x', 'http://b1.test/tie', 'http://b1.test/free'])
      assert.equal(
        stage.web.requestsTo('b1.test').filter(({ target }) => target === '/robots.txt').length,
        1,
      )
      return ended(seen, ['http://b1.test/a/x'], /^refused$/, /^robots$/)
    },
  },
  hosts(
    { id: 'B2', does: 'answers 404, 410, 400 or 451', holds: 'everything is allowed' },
    withStatus(404, 410, 400, 451),
    letIn,
  ),
  hosts(
    { id: 'B3', does: 'answers 401 or 403', holds: 'everything is allowed, as the standard says' },
    withStatus(401, 403),
    letIn,
  ),
  hosts(
    {
      id: 'B4',
      does: 'answers 429 with Retry-After',
      holds: 'as if it could not be had: no page is asked for',
    },
    { busy: page('no', { status: 429, type: 'text/plain', headers: 'retry-after: 2\r\n' }) },
    keptOut,
  ),
  hosts(
    { id: 'B5', does: 'answers 500, 502, 503 or 504', holds: 'no page is asked for' },
    withStatus(500, 502, 503, 504),
    keptOut,
  ),
  {
    id: 'B6',
    does: 'cannot be had: no such name, reset within the file, cut short, bad certificate',
    holds: 'no page is asked for; a part of a file is no file',
    web: {
      crawl: 'web',
      hosts: {
        ...behind('B6', {
          reset,
          half: (socket) => {
            const sent =
              'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 900\r\n\r\nUser-agent: *\nDisallow:\n'
            socket.write(sent, 'latin1', () => socket.resetAndDestroy())
          },
          short: (socket) =>
            void socket.end(
              'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\nUser-agent: *\nDisallow:\n',
            ),
        }),
      },
      seeds: [
        ...http('reset.b6.test', 'half.b6.test', 'short.b6.test', 'missing.b6.test'),
        'https://selfsigned-b6.tls.test/',
      ],
      names: { 'missing.b6.test': { rcode: 3 } },
    },
    check: async (stage) => {
      if (stage.inNamespace) await keptOut(stage, ['missing.b6.test'])
      const seen = await stage.crawl('web')
      if (stage.tls !== null)
        ended(seen, ['https://selfsigned-b6.tls.test/'], /^(?:refused|failed)$/)
      return await keptOut(stage, ['reset.b6.test', 'half.b6.test', 'short.b6.test'])
    },
  },
  {
    id: 'B7',
    does: 'redirects to a page of HTML, to another host, to a private address',
    holds:
      'rules count for the first host; HTML has none; behind a private address it cannot be had, and the crawl ends',
    web: {
      crawl: 'web',
      hosts: {
        ...behind('B7', {
          html: redirect('http://elsewhere.b7.test/'),
          other: redirect('http://elsewhere.b7.test/robots-of-another'),
        }),
        'elsewhere.b7.test': site({
          '/': article('B7 elsewhere'),
          '/robots-of-another': robots(...FORBIDS),
        }),
      },
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, http('html.b7.test', 'elsewhere.b7.test'))
      const said = ended(seen, http('other.b7.test'), /^refused$/, /^robots$/)
      return `${said}; ${await leadsAstray(stage)}`
    },
  },
  hosts(
    {
      id: 'B8',
      does: 'has its only rule behind 512,000 bytes',
      holds: 'the first 500 KiB are read, to the last whole line',
    },
    {
      long: robots(
        'User-agent: *',
        many(60_000, (n) => `# ${n} ....\n`),
        'Disallow: /',
      ),
    },
    letIn,
  ),
  hosts(
    {
      id: 'B9',
      does: 'is a bomb, endless, without a line end, a drip',
      holds: 'bounded; what is not finished cannot be had',
    },
    {
      bomb: (socket) =>
        void socket.write(
          answer(gzipSync(Buffer.alloc(30_000_000, 0x23)), {
            type: 'text/plain',
            headers: 'content-encoding: gzip\r\n',
          }),
        ),
      endless: flood('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n', '# and on\n'),
      oneline: flood('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n', 'x'),
      drip: drip(
        'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 9999\r\n\r\nUser-agent: *\nDisallow:\n',
        '#',
      ),
    },
    async (stage, [bomb = '', endless = '', oneline = '', slow = '']) => {
      const seen = await stage.crawl('web')
      const ends = [bomb, endless, oneline].map((host) => `${seen.url(`http://${host}/`).state}`)
      for (const state of ends) assert.match(state, /^(?:stored|refused)$/)
      assert.ok(seen.peakMib < 600, `a process had ${seen.peakMib} MiB`)
      return `${ends.join(', ')}; drip: ${await keptOut(stage, [slow])}`
    },
  ),
  hosts(
    {
      id: 'B10',
      does: 'answers with a page of HTML and 200',
      holds: 'no rules are found: allowed',
    },
    { html: page(article('not found, politely', '<p>User-agent is not a rule here</p>')) },
    letIn,
  ),
  {
    id: 'B11',
    does: 'has a byte order mark, UTF-16, Latin-1, CR alone, NUL, mixed line ends',
    holds: 'read all the same',
    check: () =>
      vectors([
        [bytes('\ufeffUser-agent: *\nDisallow: /x', 'utf8'), '/x', false],
        [bytes('\ufeffUser-agent: *\nDisallow: /x', 'utf16le'), '/x', false],
        [bytes('User-agent: *\nDisallow: /caf\xe9', 'latin1'), '/caf%C3%A9', false],
        ['User-agent: *\rDisallow: /x\rAllow: /y', '/x', false],
        ['User-agent: *\r\nDisallow: /x\nDisallow: /y\rDisallow: /z', '/z', false],
        [bytes('User-agent: *\nDisallow: /a\0b\nDisallow: /x', 'utf8'), '/x', false],
        [bytes('User-agent: *\nDisallow: /\xff\xfe\nDisallow: /x', 'latin1'), '/x', false],
      ]),
  },
  {
    id: 'B12',
    does: 'misspells, leaves colons out, adds spaces, comments and unknown lines',
    holds: 'slips that Google forgives are forgiven; unknown lines end no group',
    check: () =>
      vectors([
        ['user agent: *\ndissallow: /x', '/x', false],
        ['useragent: *\ndisalow: /x', '/x', false],
        ['User-Agent *\nDisallow /x', '/x', false],
        ['  USER-AGENT :  *  \n  DISALLOW :  /x  # why', '/x', false],
        ['User-agent: *\nHost: a\nNoindex: /q\nDisallow: /x', '/x', false],
        ['User-agent: other\nUnknown: 1\nDisallow: /x', '/x', true],
        [
          'User-agent: Jelajah\nContent-Signal: ai-train=no\nUser-agent: other\nDisallow: /x',
          '/x',
          false,
        ],
      ]),
  },
  {
    id: 'B13',
    does: 'has several groups for us, one for all, names that begin like ours, a version',
    holds: 'groups for us are one; a name is ours exactly, in whatever case',
    check: () =>
      vectors([
        ['User-agent: jelajah\nDisallow: /a\n\nUser-agent: JELAJAH\nDisallow: /b', '/b', false],
        ['User-agent: jelajah\nDisallow: /a\n\nUser-agent: JELAJAH\nDisallow: /b', '/a', false],
        ['User-agent: *\nDisallow: /\n\nUser-agent: Jelajah\nDisallow: /x', '/y', true],
        ['User-agent: Jelajahx\nDisallow: /', '/y', true],
        ['User-agent: Jela\nDisallow: /', '/y', true],
        ['User-agent: Jelajah/1.0\nDisallow: /x', '/x', false],
      ]),
  },
  {
    id: 'B14',
    does: 'has empty rules, stars, ends, escapes, other letters, queries, and 5,000 stars in a row',
    holds: 'matched by the standard, in linear time',
    check: () => {
      const seen = vectors([
        [all('Disallow:'), '/x', true],
        [all('Disallow: *'), '/x', false],
        [all('Disallow: /$'), '/', false],
        [all('Disallow: /$'), '/x', true],
        [all('Disallow: /*.php$'), '/a/b.php', false],
        [all('Disallow: /*.php$'), '/a/b.php5', true],
        [all('Disallow: /a%2Fb'), '/a/b', true],
        [all('Disallow: /a%2Fb'), '/a%2fb', false],
        [all('Disallow: /caf\u00e9'), '/caf%C3%A9', false],
        [all('Disallow: /caf%C3%A9'), '/caf%c3%a9', false],
        [all('Disallow: /*?'), '/x?q', false],
        [all('Disallow: /x?a='), '/x?a=1', false],
        [all('Disallow: /x?a='), '/x?b=1', true],
      ])
      const stars = parseRobots(all(`Disallow: /${'*a'.repeat(5000)}$`), 'Jelajah')
      const begun = performance.now()
      stars.allows(`/${'a'.repeat(2000)}b`)
      const ms = performance.now() - begun
      assert.ok(ms < 2000, `${ms} ms`)
      return `${seen}; 5,000 stars in ${Math.round(ms)} ms`
    },
  },
  {
    id: 'B15',
    does: 'has 100,000 rules',
    holds: 'read as far as 500 KiB go; a verdict takes some milliseconds at most',
    check: () => {
      const rules = parseRobots(
        all(many(100_000, (n) => `Disallow: /folder-${n}/*/x\n`)),
        'Jelajah',
      )
      assert.equal(rules.allows('/folder-7/a/x'), false)
      const begun = performance.now()
      for (let n = 0; n < 100; n++) rules.allows(`/folder-${n}/some/path/y`)
      const ms = (performance.now() - begun) / 100
      assert.ok(ms < 50, `${ms} ms a URL`)
      return `${ms.toFixed(2)} ms a URL`
    },
  },
  {
    id: 'B16',
    slow: true,
    does: 'asks for a Crawl-delay of 0, 0.5, 30, 1e9, -1, abc',
    holds:
      'kept up to a limit; above it the host is left alone with that reason, and the crawl ends',
    check: crawlDelays,
  },
  {
    id: 'B17',
    does: 'has another robots.txt for each port and name',
    holds: 'each counts for its own',
    web: {
      crawl: 'web',
      hosts: {
        'b17.test': (socket, request) => {
          const isOther = request.host.endsWith(':8080')
          const script = site({
            '/robots.txt': isOther ? robots(...FORBIDS) : robots('User-agent: *', 'Disallow:'),
            '/': article('B17', links('http://b17.test:8080/x', 'http://sub.b17.test/x', '/x')),
            '/x': article(`B17 ${request.host}`),
          })
          script(socket, request)
        },
        'sub.b17.test': site({
          '/robots.txt': robots('User-agent: Jelajah', 'Disallow: /x'),
          '/x': article('B17 sub'),
        }),
      },
      seeds: ['http://b17.test/'],
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, ['http://b17.test/x'])
      return ended(
        seen,
        ['http://b17.test:8080/x', 'http://sub.b17.test/x'],
        /^refused$/,
        /^robots$/,
      )
    },
  },
  {
    id: 'B18',
    slow: true,
    does: 'forbids later what it allowed before',
    holds: 'after the file was read again nothing of it is asked for, also what waited already',
    check: changedRules,
  },
  hosts(
    { id: 'B19', does: 'forbids its own robots.txt', holds: 'which is asked for all the same' },
    { own: robots('User-agent: *', 'Disallow: /robots.txt') },
    letIn,
  ),
  {
    id: 'B20',
    does: 'names sitemaps: relative, of another host, 1,000 of them, file:',
    holds: 'http only, within the scope, and only so many',
    web: {
      crawl: 'web',
      hosts: {
        'b20.test': site({
          '/robots.txt': robots(
            'Sitemap: /relative.xml',
            'Sitemap: file:///etc/passwd',
            'Sitemap: http://outside-of-b20.test/map.xml',
            ...Array.from({ length: 1000 }, (_, n) => `Sitemap: http://b20.test/m${n}.xml`),
          ),
          '/relative.xml': page(
            '<urlset><url><loc>http://b20.test/from-relative</loc></url></urlset>',
            { type: 'application/xml' },
          ),
          '/': article('B20'),
          '/from-relative': article('B20 from the relative map'),
        }),
        'outside-of-b20.test': site({ '/map.xml': page('<urlset/>', { type: 'application/xml' }) }),
      },
      seeds: ['http://b20.test/'],
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, ['http://b20.test/from-relative'])
      assert.equal(stage.web.requestsTo('outside-of-b20.test').length, 0)
      const asked = seen.asked('b20.test').filter(({ target }) => target.endsWith('.xml')).length
      assert.ok(asked <= 300, `${asked} sitemaps of a host with two pages were asked for`)
      return `the relative one read, ${asked} sitemaps asked for in all`
    },
  },
  {
    id: 'B21',
    does: 'is crawled with credentials',
    holds: 'none is sent to any robots.txt',
    partly:
      'a crawl has no credentials for hosts at all (those of a proxy: R11); so none can go astray',
    check: async (stage) => {
      await stage.crawl('web')
      const files = stage.web.requests.filter(({ target }) => target === '/robots.txt')
      assert.ok(files.length > 50)
      assert.ok(
        files.every(
          ({ headers }) =>
            !headers.has('authorization') &&
            !headers.has('cookie') &&
            !headers.has('proxy-authorization'),
        ),
      )
      return `${files.length} requests for robots.txt without any`
    },
  },
  {
    id: 'B22',
    does: 'has lines of Content-Signal, Content-Usage and License',
    holds: 'they change no rule, and the file is kept with its time',
    partly: 'kept, not acted on: a job says nothing about what its pages are for',
    web: {
      crawl: 'web',
      hosts: behind('B22', {
        signals: robots(
          'User-agent: *',
          'Content-Signal: search=yes, ai-train=no',
          'Content-Usage: train-ai=n',
          'License: http://b22.test/rsl.xml',
          'Disallow: /x',
        ),
      }),
    },
    check: async (stage) => {
      const seen = await stage.crawl('web')
      stored(seen, http('signals.b22.test'))
      const { query } = await import('../../e2e/crawling.ts')
      const { readdirSync } = await import('node:fs')
      const files = readdirSync(seen.data).filter((name) => /^frontier-\d+\.db$/.test(name))
      const kept = files.flatMap((file) =>
        query<{ body: string; fetched_at: number }>(
          `${seen.data}/${file}`,
          `SELECT body, fetched_at FROM robots WHERE origin = 'http://signals.b22.test'`,
        ),
      )
      assert.match(kept[0]?.body ?? '', /ai-train=no[\s\S]*train-ai=n/)
      assert.ok((kept[0]?.fetched_at ?? 0) > 0)
      return 'the file is kept as it came'
    },
  },
]
