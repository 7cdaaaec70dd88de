import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAdmission } from './admission.ts'
import { InvalidInput } from './errors.ts'
import { canonicalise, hostOf } from './url.ts'
import { REFUSALS, reasonCode } from './visit.ts'

type Settings = Parameters<typeof createAdmission>[1]
const OPEN: Settings = {
  ...{ scope: 'any', include: [], exclude: [], followActions: false },
  ...{ skipExtensions: [], allowExtensions: [] },
}

function admitter(seeds: readonly string[], settings: Partial<Settings>) {
  const admit = createAdmission(
    seeds.map((seed) => canonicalise(seed)!),
    { ...OPEN, ...settings },
  )
  return (url: string) => {
    const canonical = canonicalise(url)!
    return admit(canonical, hostOf(canonical))
  }
}

function refusalsOf(path: string): string | null {
  return admitter([], {})(`http://a.test${path}`)
}

test('the scope is the hosts of the seeds, their sites, or everything', () => {
  const seeds = ['http://www.a.test/x', 'http://b.test:8080/', 'http://127.0.0.1:81/']
  const urls = {
    'http://www.a.test/y': ['host', 'domain', 'any'],
    'https://www.a.test/': ['host', 'domain', 'any'],
    'http://a.test/': ['domain', 'any'],
    'http://news.a.test:99/': ['domain', 'any'],
    'http://b.test/': ['domain', 'any'],
    'http://127.0.0.1:81/x': ['host', 'domain', 'any'],
    'http://127.0.0.1:82/': ['any'],
    'http://xa.test/': ['any'],
  }
  for (const [url, scopes] of Object.entries(urls)) {
    for (const scope of ['host', 'domain', 'any'] as const) {
      const reason = admitter(seeds, { scope })(url)
      const expected = scopes.includes(scope) ? null : `scope: ${new URL(url).host} is outside`
      assert.equal(reason, expected, `${url} in ${scope}`)
    }
  }
})

test('a host keeps its answer when very many were asked for', () => {
  const admit = admitter(['http://a.test/'], { scope: 'domain' })
  for (let i = 0; i < 25_000; i++) admit(`http://h${i}.b.test/`)
  assert.equal(admit('http://x.a.test/'), null)
  assert.equal(admit('http://h1.b.test/'), 'scope: h1.b.test is outside')
})

test('a URL must match an include, if there are any, and no exclude', () => {
  const admit = admitter(['http://a.test/'], {
    include: ['/blog/**', '/news/*'],
    exclude: ['**/private/**', '*?print=*'],
  })
  const cases: readonly (readonly [string, string | null])[] = [
    ['http://a.test/blog/x/y', null],
    ['http://a.test/news/x', null],
    ['http://a.test/news/x/y', 'filter: not included'],
    ['http://a.test/about', 'filter: not included'],
    ['http://a.test/blog/private/x', 'filter: excluded by **/private/**'],
    ['http://a.test/blog/x?print=1', 'filter: excluded by *?print=*'],
    ['http://a.test/', null],
  ]
  for (const [url, reason] of cases) assert.equal(admit(url), reason, url)
})

test('a seed is only kept out by an exclude or its length', () => {
  const long = `http://a.test/${'x'.repeat(2100)}`
  const seeds = ['http://a.test/x.json', 'http://a.test/b/b/b', 'http://a.test/no', long]
  const admit = admitter(seeds, { include: ['/never'], exclude: ['/no'] })
  const reasons = [null, null, 'filter: excluded by /no', 'length: 2114 characters']
  assert.deepEqual(seeds.map(admit), reasons)
})

test('bad globs are reported with their option', () => {
  for (const at of ['include', 'exclude'] as const) {
    assert.throws(
      () => createAdmission([], { ...OPEN, [at]: ['{'] }),
      (error) => error instanceof InvalidInput && error.at === at,
    )
  }
})

test('extensions are skipped and let in as asked', () => {
  const asked = { skipExtensions: ['php', 'xml'], allowExtensions: ['pdf', 'xml', 'json'] }
  const admit = admitter(['http://a.test/seed.php'], asked)
  const cases: readonly (readonly [string, string | null])[] = [
    ['/paper.pdf', null],
    ['/data.JSON?x=1', null],
    ['/feed.xml', 'type: .xml'],
    ['/index.PHP', 'type: .php'],
    // What is asked for holds for titles, too.
    ['/wiki/File:a.php', 'type: .php'],
    ['/seed.php', null],
    ['/paper.ps', 'type: .ps'],
    ['/a.jpg', 'type: .jpg'],
  ]
  for (const [path, reason] of cases) assert.equal(admit(`http://a.test${path}`), reason, path)
})

test('files that are no pages are refused by the extension of their path', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['/a/photo.jpg', 'type: .jpg'],
    ['/a/PHOTO.JPEG?size=2', 'type: .jpeg'],
    ['/a.html.zip', 'type: .zip'],
    ['/a.tar.gz', 'type: .gz'],
    ['/app.js', 'type: .js'],
    ['/jquery-3.6.min.js', 'type: .js'],
    ['/style.css', 'type: .css'],
    ['/data.json', 'type: .json'],
    ['/feed.xml', 'type: .xml'],
    ['/report.pdf', 'type: .pdf'],
    ['/slides.pptx', 'type: .pptx'],
    ['/font.woff2', 'type: .woff2'],
    ['/clip.mp4', 'type: .mp4'],
    ['/', null],
    ['/jpg', null],
    ['/photo.jpg/', null],
    ['/v1.zip/page', null],
    ['/index.html', null],
    ['/index.php', null],
    ['/notes.txt', null],
    ['/sites/example.com', null],
    ['/makers/character.ai', null],
    ['/version-2.0', null],
    ['/download?file=x.zip', null],
    ['/show?u=/x.jpg', null],
    ['/wiki/File:Map.svg', null],
    ['/wiki/Node.js', null],
    ['/questions/tagged/node.js', null],
    ['/a/Vue.js', null],
  ]
  for (const [path, reason] of cases) assert.equal(refusalsOf(path), reason, path)
  assert.equal(admitter([], {})('http://example.zip/'), null)
})

test('paths that go round in circles are traps', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['/a/a/a', 'trap: /a again and again'],
    ['/a/a/a/', 'trap: /a again and again'],
    ['/x/a/a/a/y.html', 'trap: /a again and again'],
    ['/a/b/a/b/a/b', 'trap: /a/b again and again'],
    ['/x/a/b/c/a/b/c/a/b/c/y', 'trap: /a/b/c again and again'],
    ['/a////b', 'trap: / again and again'],
    ['/a/a', null],
    ['/a/a/b/a/a', null],
    ['/a/b/a/b', null],
    ['/a/b/a/b/a', null],
    ['/1/1/1', null],
    ['/2011/11/11/11', null],
    ['/a1/a1/a1', 'trap: /a1 again and again'],
    [`/${Array.from({ length: 20 }, (_, i) => `s${i}`).join('/')}/`, null],
    [`/${Array.from({ length: 21 }, (_, i) => `s${i}`).join('/')}`, 'trap: 21 path segments'],
    ['/x?a&b&c&d&e&f&g&h', null],
    ['/x?a&b&c&d&e&f&g&h&i', 'trap: 9 query keys'],
    ['/x?', null],
    ['/x?u=/a/a/a/a', null],
  ]
  for (const [path, reason] of cases) assert.equal(refusalsOf(path), reason, path)
})

test('a URL is too long from 2,084 characters on', () => {
  const path = (length: number) => `/${'x'.repeat(length - 'http://a.test/'.length)}`
  assert.equal(refusalsOf(path(2083)), null)
  assert.equal(refusalsOf(path(2084)), 'length: 2084 characters')
})

test('every reason begins with a code that readers know', () => {
  const codes: readonly string[] = REFUSALS
  for (const path of ['/a.jpg', '/a/a/a', `/${'x'.repeat(3000)}`]) {
    assert.ok(codes.includes(reasonCode(refusalsOf(path) ?? '')), path)
  }
})

test('links that do something are not followed, unless they are asked for or are seeds', () => {
  const url = 'http://a.test/logout'
  assert.equal(admitter([], {})(url), 'action-link: logout')
  assert.equal(admitter([], { followActions: true })(url), null)
  assert.equal(admitter([url], {})(url), null)
})
