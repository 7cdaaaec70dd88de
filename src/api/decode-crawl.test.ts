// Longer than other files: each field of a crawl's body with what is refused, as one list.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInput } from '../core/errors.ts'
import { checkTopic } from '../crawl/topic-source.ts'
import { seededRandom } from '../lib/seeded-random.ts'
import { DEFAULT_CEILINGS } from '../options/job-ceilings.ts'
import { DEFAULT_SETTINGS, encodeOptions } from '../options/settings.ts'
import { ORDERING_CHOICES } from '../ordering/index.ts'
import type { JobOrder } from '../store/job-store.ts'
import type { ServeSettings } from './api-deps.ts'
import { bodyOptions } from './body-options.ts'
import { type DecodeDeps, decodeCrawl } from './decode-crawl.ts'
import { BadFields, type FieldProblem } from './errors.ts'

const SETTINGS: ServeSettings = {
  host: '127.0.0.1',
  port: 8088,
  token: null,
  allowedHosts: [],
  trustedProxies: [],
  publicSearch: null,
  synonyms: null,
  allowPrivate: false,
  connectTo: [],
  dns: [],
  proxies: [],
  plugins: [],
  defaults: { delayMs: null, contact: null, userAgent: null },
  ceilings: DEFAULT_CEILINGS,
  cores: 4,
  version: '1.2.3',
  maxStreams: null,
  jobsPerMinute: null,
}
const WORLD: DecodeDeps = { settings: SETTINGS, dispatcher: { maxConnections: 64 }, checkTopic }
const OPEN: DecodeDeps = { ...WORLD, settings: { ...SETTINGS, allowPrivate: true } }

const decode = (body: unknown, deps = WORLD, key?: string): JobOrder => decodeCrawl(body, key, deps)

function problemsOf(body: unknown, deps = WORLD, key?: string): readonly FieldProblem[] {
  try {
    decode(body, deps, key)
  } catch (error) {
    if (error instanceof BadFields) return error.problems
    if (error instanceof InvalidInput) return [error]
    throw error
  }
  return []
}
const places = (body: unknown, deps = WORLD): readonly string[] =>
  problemsOf(body, deps).map(({ at }) => at)

test('a URL alone is a crawl with the defaults of this server', () => {
  const order = decode({ url: 'https://example.com', max_pages: 10 })
  assert.deepEqual(order.seeds, ['https://example.com/'])
  assert.equal(order.name, 'https://example.com/')
  const given = { maxPages: 10, parserThreads: 3, seedUrl: 'https://example.com' }
  assert.deepEqual(order.settings, { ...DEFAULT_SETTINGS, ...given })
  assert.equal(order.topicRequest, null)
  assert.equal(order.webhook, null)
  assert.equal(order.key, null)
})

test('what the server was started with is what a job has when it does not say', () => {
  const settings = {
    ...SETTINGS,
    allowPrivate: true,
    proxies: ['http://proxy:1'],
    connectTo: [{ pattern: '*.test', address: '127.0.0.1', port: 1 }],
    defaults: { delayMs: 5, contact: 'me@example.com', userAgent: null },
  }
  const world = { settings, dispatcher: { maxConnections: 8 }, checkTopic }
  const { settings: got } = decode({ url: 'a.test' }, world)
  assert.equal(got.delayMs, 5)
  assert.equal(got.concurrency, 8)
  assert.equal(got.allowPrivate, true)
  assert.deepEqual(got.proxies, ['http://proxy:1'])
  assert.deepEqual(got.connectTo, settings.connectTo)
  assert.match(got.userAgent, /\+me@example\.com/)
  assert.equal(decode({ url: 'a.test', delay: 0 }, world).settings.delayMs, 0)
  assert.match(decode({ url: 'a.test', contact: 'you' }, world).settings.userAgent, /\+you\)/)
})

test('url, urls and seeds are all seeds, each once', () => {
  const { seeds } = decode({ url: 'a.test', urls: ['http://b.test', 'a.test'], seeds: 'c.test' })
  assert.deepEqual(seeds, ['https://a.test/', 'http://b.test/', 'https://c.test/'])
})

test('aliases mean the same, and both at once are too many', () => {
  const { settings } = decode({ url: 'a.test', limit: 7, depth: 2 })
  assert.equal(settings.maxPages, 7)
  assert.equal(settings.maxDepth, 2)
  assert.deepEqual(places({ url: 'a.test', limit: 7, max_pages: 7 }), ['limit'])
})

test('everything that is wrong is said at once, each at its field', () => {
  const body = {
    url: 'ftp://a.test',
    urls: ['b.test', 'mailto:c'],
    max_pags: 3,
    delay: -1,
    scope: 'galaxy',
    ordering: 'adaptive',
    include: ['[', 3],
    data: '/etc',
    name: '',
  }
  assert.deepEqual(
    [...places(body)].sort(),
    ['data', 'delay', 'include', 'max_pags', 'name', 'ordering', 'scope', 'url', 'urls[1]'].sort(),
  )
})

test('a slip of the finger is told what was probably meant', () => {
  const [problem] = problemsOf({ url: 'a.test', max_pags: 3 })
  assert.equal(problem?.message, 'there is no such field; did you mean "max_pages"?')
  assert.match(problemsOf({ url: 'a.test', maxPages: 3 })[0]?.message ?? '', /"max_pages"/)
})

test('names that every object has are just unknown fields', () => {
  for (const name of ['constructor', 'toString', 'hasOwnProperty', 'prototype']) {
    assert.deepEqual(places({ url: 'a.test', [name]: { prototype: 1 } }), [name])
  }
  const proto = JSON.parse('{"url":"a.test","__proto__":{"max_pages":3}}')
  assert.deepEqual(places(proto), ['__proto__'])
  const more = JSON.parse('{"url":"a.test","__proto__":{},"max_pages":-3,"dely":1}')
  assert.deepEqual(places(more).toSorted(), ['__proto__', 'dely', 'max_pages'])
})

const NO_BODIES: readonly unknown[] = [undefined, null, 3, 'x', [], [{ url: 'a.test' }], true]
for (const body of NO_BODIES) {
  test(`${JSON.stringify(body)} is no request`, () => assert.deepEqual(places(body), ['body']))
}

const BAD_VALUES: readonly (readonly [field: string, value: unknown])[] = [
  ['max_pages', 0],
  ['max_pages', -5],
  ['max_pages', 1.5],
  ['max_pages', '1e3'],
  ['max_pages', 'many'],
  ['max_pages', [3]],
  ['max_pages', true],
  ['max_depth', -1],
  ['max_depth', 1e30],
  ['duration', 'NaN'],
  ['concurrency', 1e6],
  ['concurrency', 65],
  ['per_host', 0],
  ['parser_threads', 64],
  ['delay', 1e12],
  ['max_body', '1TB'],
  ['user_agent', 'x\r\ny: z'],
  ['contact', 'a b'],
  ['keep_html', 'maybe'],
  ['parts', ['nothing']],
  ['exclude', 'x'.repeat(100_000)],
  ['ordering_option', { a: 1 }],
  ['ordering', '__proto__'],
  ['topic', 'x'.repeat(20_000)],
  ['min_relevance', 0.5],
  ['examples', ''],
  ['examples', 3],
  ['classifier', '/etc/passwd'],
  ['classifier', []],
  ['name', 'two\nlines'],
  ['name', 'x'.repeat(201)],
  ['webhook', 'http://a.test'],
]
for (const [field, value] of BAD_VALUES) {
  const shown = JSON.stringify(value).slice(0, 40)
  test(`${field} cannot be ${shown}`, () => {
    const found = places({ url: 'a.test', [field]: value })
    assert.ok(found.length > 0 && found.every((at) => at.startsWith(field)), `refused at ${found}`)
  })
}

test('null is as if it had not been given', () => {
  assert.deepEqual(
    decode({ url: 'a.test', max_depth: null }).settings,
    decode({ url: 'a.test' }).settings,
  )
})

test('numbers may be written as texts, as everywhere', () => {
  assert.equal(decode({ url: 'a.test', max_pages: '12', max_body: '2MiB' }).settings.maxPages, 12)
})

test('seeds are counted before they are looked at', () => {
  const urls = Array.from({ length: 10_001 }, (_, at) => `a.test/${at}`)
  assert.deepEqual(places({ urls }), ['urls'])
  assert.equal(decode({ urls: urls.slice(1) }).seeds.length, 10_000)
  assert.deepEqual(places({ urls: [] }), ['url'])
  assert.deepEqual(places({ urls: [1, null, {}] }), ['urls[0]', 'urls[1]', 'urls[2]'])
})

test('a password in a seed is refused without being shown', () => {
  const [problem] = problemsOf({ url: 'https://me:hunter2@a.test/' })
  assert.equal(problem?.at, 'url')
  assert.doesNotMatch(problem?.message ?? '', /hunter2/)
})

test('where a job may not reach is refused unless the server was started for it', () => {
  const body = {
    url: 'a.test',
    allow_private: true,
    connect_to: ['*=1.2.3.4:80'],
    proxy: 'http://p:1',
  }
  assert.deepEqual([...places(body)].sort(), ['allow_private', 'connect_to', 'proxy'])
  assert.match(problemsOf(body)[0]?.message ?? '', /--allow-private/)
  assert.deepEqual(places({ url: 'a.test', allow_private: false }), [])
  const { settings } = decode(body, OPEN)
  assert.equal(settings.allowPrivate, true)
  assert.deepEqual(settings.connectTo, [{ pattern: '*', address: '1.2.3.4', port: 80 }])
  assert.equal(decode({ url: 'a.test', allow_private: false }, OPEN).settings.allowPrivate, false)
})

test('a job may ask for a part of the private addresses that the server was started for', () => {
  const granted: DecodeDeps = {
    ...WORLD,
    settings: { ...SETTINGS, allowPrivate: ['10.0.0.0/8', 'inside.test'] },
  }
  const allowed = (body: object) =>
    decode({ url: 'a.test', ...body }, granted).settings.allowPrivate
  assert.deepEqual(allowed({}), ['10.0.0.0/8', 'inside.test'])
  assert.deepEqual(allowed({ allow_private: ['10.1.0.0/16'] }), ['10.1.0.0/16'])
  assert.equal(allowed({ allow_private: false }), false)
  for (const wanted of [true, ['0.0.0.0/0'], ['other.test']]) {
    assert.throws(() => allowed({ allow_private: wanted }), /10\.0\.0\.0\/8, inside\.test alone/)
  }
  assert.throws(() => allowed({ allow_private: ['http://x/'] }), /needs a host/)
  assert.throws(() => allowed({ proxy: 'http://p:1' }), /--allow-private/)
})

test('private addresses are seeds like others: the crawl finds out, and says so', () => {
  assert.deepEqual(decode({ url: 'http://127.0.0.1:1/' }).seeds, ['http://127.0.0.1:1/'])
})

test('what belongs to the command line is refused with the reason', () => {
  for (const field of [
    'data',
    'fresh',
    'json',
    'quiet',
    'verbose',
    'seed_file',
    'frontier',
    'store_timeout',
    'refresh',
  ]) {
    const [problem] = problemsOf({ url: 'a.test', [field]: true })
    assert.equal(problem?.at, field)
    assert.match(problem?.message ?? '', /^cannot be asked for: /)
  }
})

test('plug-ins are asked for by the names that the server was started with, and by no other', () => {
  const url = 'a.test'
  const unknown = {
    from: './x.ts',
    file: '/x.ts',
    version: '',
    hash: 'ab',
    hooks: ['judge'],
  } as const
  const ordering = {
    name: 'own',
    about: '',
    focused: true,
    rescoreOn: [],
    options: [],
    judges: false,
  }
  const judge = { ...unknown, name: 'mine', ordering: null }
  const orders = { ...unknown, name: 'other', hooks: ['ordering'] as const, ordering }
  const deps = { ...WORLD, settings: { ...SETTINGS, plugins: [judge, orders] } }
  const { settings } = decode({ url, plugin: ['mine'], ordering: 'own' }, deps)
  assert.deepEqual(settings.plugins, [judge, orders])
  assert.equal(settings.hostPolicy, 'best')
  assert.deepEqual(places({ url, plugin: './x.ts' }, deps), ['plugin'])
  assert.deepEqual(places({ url, ordering: './x.ts' }, deps), ['ordering'])
  assert.deepEqual(places({ url, ordering: '/x.ts', plugin: 'mine' }), ['plugin', 'ordering'])
})

test('messages name fields, not flags', () => {
  const bodies = [
    { url: 'a.test', ordering: 'adaptive' },
    { url: 'a.test', min_relevance: 0.5, max_hot: 3, importance: 'similarity' },
    { url: 'a.test', classifier: {}, examples: 'a.test', keywords: 'x' },
    { url: 'a.test', eager: true, ordering: 'adaptive', topic: 'x', host_policy: 'fair' },
  ]
  for (const body of bodies) {
    const problems = problemsOf(body)
    assert.notEqual(problems.length, 0)
    for (const { at, message } of problems) assert.doesNotMatch(`${at} ${message}`, /--[a-z]/)
  }
})

test('stop words are a list of words, or a text with one per line', () => {
  for (const stop_words of [['Gratis', 'baru'], 'Gratis\nbaru # here']) {
    const { topicRequest, settings } = decode({ url: 'a.test', topic: 'vaksin gratis', stop_words })
    assert.deepEqual((topicRequest as { stopWords: unknown }).stopWords, ['Gratis', 'baru'])
    assert.equal(settings.stopWords, 'the request')
  }
  for (const stop_words of [[], [3], {}, true, ['---'], 'a b c d']) {
    assert.deepEqual(places({ url: 'a.test', topic: 'tea', stop_words }), ['stop_words'])
  }
  assert.deepEqual(places({ url: 'a.test', topic: 'green tea', stop_words: ['green', 'tea'] }), [
    'topic',
  ])
  assert.deepEqual(places({ url: 'a.test', stop_words: ['tea'] }), ['stop_words'])
})

test('languages are a list of codes, and a single one is that of the topic', () => {
  const one = decode({ url: 'a.test', topic: 'tea', language: 'id' })
  assert.deepEqual(one.settings.languages, ['id'])
  assert.equal((one.topicRequest as { language?: string }).language, 'id')
  const two = decode({ url: 'a.test', topic: 'tea', language: ['id', 'en'] })
  assert.deepEqual(two.settings.languages, ['id', 'en'])
  assert.equal((two.topicRequest as { language?: string }).language, undefined)
  const [problem] = problemsOf({ url: 'a.test', language: 'id,xx' })
  assert.match(`${problem?.at}: ${problem?.message}`, /^language: cannot tell "xx" .* en, es, /)
})

test('examples are taken from the request itself', () => {
  const positive = [
    'https://a.test/1',
    'text about health and hospitals',
    { text: 'more', title: 'T' },
  ]
  const order = decode({
    url: 'a.test',
    ordering: 'adaptive',
    topic: 'health',
    examples: { positive, negative: ['https://a.test/2'] },
  })
  const { examples } = order.topicRequest as { examples: { pages: Record<string, unknown[]> } }
  assert.equal(examples.pages.positive?.length, 3)
  assert.equal(examples.pages.negative?.length, 1)
  assert.equal(order.settings.hostPolicy, 'best')
  assert.deepEqual(JSON.parse(JSON.stringify(order.topicRequest)), order.topicRequest)
})

test('each example that is wrong is named', () => {
  const examples = { positive: ['a text of words', 7, {}], negative: 'x' }
  const found = places({ url: 'a.test', examples })
  for (const at of ['positive[1]', 'positive[2]', 'negative']) {
    assert.ok(found.includes(`examples.${at}`), at)
  }
  assert.deepEqual(places({ url: 'a.test', examples: '- only off topic' }), ['examples'])
  assert.equal(places({ url: 'a.test', examples: '+ fine words\n{"bad' })[0], 'examples: line 2')
})

test('a model that is none is refused', () => {
  assert.deepEqual(places({ url: 'a.test', classifier: { a: 1 } }), ['classifier'])
})

test('options of an ordering may be an object or pairs', () => {
  const asked = { url: 'a.test', ordering: 'hot-queue', topic: 'health' }
  const pairs = decode({ ...asked, ordering_option: [] }).settings.orderingOptions
  assert.deepEqual(pairs, {})
  const fish = { url: 'a.test', ordering: 'fish-search', topic: 'health' }
  const byObject = decode({ ...fish, ordering_option: { width: 5 } }).settings.orderingOptions
  const byPair = decode({ ...fish, ordering_option: ['width=5'] }).settings.orderingOptions
  assert.deepEqual(byObject, byPair)
})

test('a key is taken as it is, and one that no header should have is refused', () => {
  assert.equal(decode({ url: 'a.test' }, WORLD, 'abc-1').key, 'abc-1')
  for (const key of ['', 'a b', 'x'.repeat(256), 'ä']) {
    assert.equal(problemsOf({ url: 'a.test' }, WORLD, key)[0]?.at, 'Idempotency-Key')
  }
})

test('requests that ask for the same have the same fingerprint, in whatever order', () => {
  const one = decode({ url: 'a.test', max_pages: 3, ordering_option: [] })
  const other = decode({ max_pages: 3, ordering_option: [], url: 'a.test' })
  assert.equal(one.fingerprint, other.fingerprint)
  assert.notEqual(one.fingerprint, decode({ url: 'a.test', max_pages: 4 }).fingerprint)
})

test('what a job was asked for can be asked for again', () => {
  const body = {
    urls: ['https://a.test/', 'https://b.test/'],
    name: 'both',
    max_pages: 5,
    max_depth: 3,
    duration: 2.5,
    scope: 'any',
    include: ['/x/**'],
    ordering: 'fish-search',
    ordering_option: { width: '5' },
    topic: 'health',
    keywords: ['a', 'b'],
    harvest_floor: 5.5,
    importance: 'pagerank=2',
    parts: ['links'],
    keep_html: true,
    sitemaps: false,
    max_body: 2048,
    connect_to: ['*.test=127.0.0.1:80'],
  }
  const order = decode(body, OPEN)
  const fields = encodeOptions(recordOf(order))
  for (const [name, value] of Object.entries(body)) assert.deepEqual(fields[name], value, name)
  assert.deepEqual(decode(fields, OPEN).settings, order.settings)
})

test('neither files nor passwords are reported', () => {
  const { settings } = decode({ url: 'a.test', proxy: 'http://me:hunter2@p:1' }, OPEN)
  const job = recordOf({
    ...decode({ url: 'a.test' }),
    settings: { ...settings, examples: '/home/x' },
  })
  assert.doesNotMatch(JSON.stringify(encodeOptions(job)), /hunter2|home/)
})

function recordOf({ name, seeds, settings }: JobOrder) {
  const rest = { status: 'running', startedAt: 1, endedAt: null, note: '', ranMs: 0 } as const
  return { id: 1, origin: 'api', topic: null, salt: 1, name, seeds, settings, ...rest } as const
}

/** JELAJAH_FUZZ=100000 for a long run. */
const ROUNDS = Number(process.env.JELAJAH_FUZZ ?? 150)

test('whatever a field holds, the answer is a job or what is wrong with it', () => {
  const random = seededRandom(7)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const fields = bodyOptions(OPEN).flatMap(({ field, aliases }) => [field, ...aliases])
  const names = [...fields, 'url', 'urls', 'seeds', 'name', 'webhook', 'nonsense', 'constructor']
  const values = [
    ...[0, 1, -1, 1.5, 1e308, 7, true, false, null, '', ' ', 'a.test', '1', '1MiB', '5%', 'K=V'],
    ...[
      'health',
      '\u0000',
      '\ud800',
      '=',
      ',',
      '../..',
      '**',
      '[',
      '{',
      '(a+)+$',
      'x'.repeat(3000),
    ],
    ...[
      [],
      {},
      [[]],
      [{}],
      ['a.test'],
      ['K=V', '='],
      { url: 'a.test' },
      { positive: [1, 'a b c'] },
    ],
    ...ORDERING_CHOICES.map(({ name }) => name),
  ]
  for (let round = 0; round < ROUNDS; round++) {
    const count = Math.floor(random() * 8)
    const given = Array.from({ length: count }, () => [pick(names), pick(values)] as const)
    const body = { ...Object.fromEntries(given), ...(random() < 0.7 ? { url: 'a.test' } : {}) }
    const problems = problemsOf(body, random() < 0.5 ? OPEN : WORLD)
    assert.ok(problems.every(({ at, message }) => at !== '' && message !== ''))
  }
})

const CEILINGS: DecodeDeps = {
  ...WORLD,
  settings: {
    ...SETTINGS,
    ceilings: {
      ...{ minDelayMs: 2000, maxBodyBytes: 2 ** 19, maxPages: 500, maxConcurrency: 8 },
      ...{ maxPerHost: 2, maxDurationMs: 60_000 },
    },
  },
}

test('a request beyond the ceilings of the server is refused, and each ceiling is named', () => {
  const body = {
    ...{ url: 'a.test', delay: 1999, max_pages: 501, max_body: '1MiB', concurrency: 9 },
    ...{ per_host: 3, duration: 61, max_links_body: '1MiB' },
  }
  const problems = problemsOf(body, CEILINGS)
  const messages = Object.fromEntries(problems.map(({ at, message }) => [at, message]))
  assert.match(messages.delay ?? '', /at least 2000 on this server \(its "--job-min-delay"\)/)
  assert.match(messages.max_pages ?? '', /at most 500 .*--job-max-pages"\), not 501/)
  assert.match(messages.max_body ?? '', /at most 524288 .*--job-max-body"\), not "1MiB"/)
  assert.match(messages.concurrency ?? '', /at most 8 .*--job-max-concurrency/)
  assert.match(messages.per_host ?? '', /at most 2 .*--job-max-per-host/)
  assert.match(messages.duration ?? '', /at most 60 .*--job-max-duration/)
  assert.match(messages.max_links_body ?? '', /at most 524288 .*--job-max-body/)
  assert.equal(problems.length, 7)
  assert.deepEqual(places({ ...body, limit: 501, max_pages: null }, CEILINGS).length, 7)
})

test('a job that does not say is within the ceilings, and one at a ceiling is taken', () => {
  const { settings } = decode({ url: 'a.test' }, CEILINGS)
  const { delayMs, maxPages, maxBodyBytes, concurrency, perHost, durationMs } = settings
  assert.deepEqual([delayMs, maxPages, maxBodyBytes], [2000, 500, 2 ** 19])
  assert.deepEqual([concurrency, perHost, durationMs], [8, 1, 60_000])
  const atThem = { delay: 2000, max_pages: 500, max_body: 2 ** 19, concurrency: 8, duration: 60 }
  assert.deepEqual(problemsOf({ url: 'a.test', per_host: 2, ...atThem }, CEILINGS), [])
  const shown = new Map(bodyOptions(CEILINGS).map((option) => [option.field, option]))
  assert.deepEqual([shown.get('delay')?.min, shown.get('delay')?.default], [2000, '2000'])
  assert.deepEqual([shown.get('max_body')?.max, shown.get('max_body')?.default], [524288, '524288'])
})

test('without ceilings of its own a server still has some', () => {
  const body = { url: 'a.test', max_pages: 10_000_001, per_host: 65, max_body: '257MiB', delay: 0 }
  assert.deepEqual([...places(body)].sort(), ['max_body', 'max_pages', 'per_host'])
})

test('rules for fields are given themselves, never by the name of a file, and all mistakes are named', () => {
  const fields = { fields: [{ name: 'price', selector: '.price' }] }
  const { settings } = decode({ url: 'a.test', fields })
  assert.deepEqual(settings.fields, { rules: [fields] })
  const [file] = problemsOf({ url: 'a.test', fields: '/etc/passwd' })
  assert.match(
    `${file?.at} ${file?.message}`,
    /^fields needs the JSON object of the rules themselves/,
  )
  const [wrong] = problemsOf({ url: 'a.test', fields: { fields: [{ name: '1', selector: '?' }] } })
  assert.match(wrong?.message ?? '', /fields\[0\]\.name: .*; fields\[0\]\.selector: /)
})
