import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { InvalidInput } from '../core/errors.ts'
import type { CrawlSettings, JobRecord } from '../core/job.ts'
import { PART_CHOICES, PARTS } from '../core/page.ts'
import { VERSION } from '../core/version.ts'
import { type CrawlChoices, crawlOptions } from './options.ts'
import { DEFAULT_SETTINGS, decodeSettings, encodeOptions, settingsFrom } from './settings.ts'
import { keysIn, OPTION_GROUPS, OPTION_KEYS } from './table.ts'

const OPTIONS = crawlOptions([{ name: 'breadth-first' }, { name: 'depth-first' }])

function read(name: string, raw: unknown): Partial<CrawlChoices> {
  return OPTIONS.find((option) => option.name === name)!.read(raw, `--${name}`)
}

const GOOD: readonly (readonly [name: string, raw: unknown, Partial<CrawlChoices>])[] = [
  ['max-pages', '100', { maxPages: 100 }],
  ['max-pages', 100, { maxPages: 100 }],
  ['max-depth', '0', { maxDepth: 0 }],
  ['duration', '90', { durationMs: 90_000 }],
  ['duration', '0.5', { durationMs: 500 }],
  ['delay', '0', { delayMs: 0 }],
  ['max-body', '2048', { maxBodyBytes: 2048 }],
  ['max-body', '10MB', { maxBodyBytes: 10_000_000 }],
  ['max-body', '1MiB', { maxBodyBytes: 1_048_576 }],
  ['max-body', '1.5 kib', { maxBodyBytes: 1536 }],
  ['max-body', 4096, { maxBodyBytes: 4096 }],
  ['scope', 'host', { scope: 'host' }],
  ['ordering', 'depth-first', { ordering: 'depth-first' }],
  ['ordering-option', ['a=1', 'b=x=y'], { orderingOptions: { a: '1', b: 'x=y' } }],
  ['include', '/blog/**', { include: ['/blog/**'] }],
  ['parts', ['images,links'], { parts: ['links', 'images'] }],
  ['parts', 'none', { parts: [] }],
  ['parts', 'all', { parts: PARTS }],
  ['proxy', ['http://u:p@h:1'], { proxies: ['http://u:p@h:1'] }],
  [
    'connect-to',
    ['*.test=127.0.0.1:8080', 'a=[::1]:1'],
    {
      connectTo: [
        { pattern: '*.test', address: '127.0.0.1', port: 8080 },
        { pattern: 'a', address: '[::1]', port: 1 },
      ],
    },
  ],
  ['sitemaps', false, { sitemaps: false }],
  ['http2', 'true', { http2: true }],
  ['contact', 'https://example.com/bot', { contact: 'https://example.com/bot' }],
  ['topic', ' solar power ', { topic: 'solar power' }],
  ['language', ['id,en', 'EN-gb, '], { languages: ['id', 'en'] }],
  ['keywords', ['a b, c', 'd,,a b'], { keywords: ['a b', 'c', 'd'] }],
  ['examples', 'pages.txt', { examples: 'pages.txt' }],
  ['classifier', 'model.json', { classifier: 'model.json' }],
  ['min-relevance', '0.25', { minRelevance: 0.25 }],
  ['min-terms', '50', { minTerms: 50 }],
  ['hot-threshold', 1, { hotThreshold: 1 }],
  ['max-hot', '10', { maxHot: 10 }],
  ['harvest-floor', '5', { harvestFloor: 0.05 }],
  ['harvest-floor', '2.5%', { harvestFloor: 0.025 }],
  ['harvest-floor', 5, { harvestFloor: 0.05 }],
  ['harvest-window', '50', { harvestWindow: 50 }],
  [
    'importance',
    'pagerank=2,location',
    { importance: { similarity: 0, backlinks: 0, pagerank: 2, location: 1 } },
  ],
]

test('a good value is read, as text and as JSON', () => {
  for (const [name, raw, expected] of GOOD) assert.deepEqual(read(name, raw), expected, name)
})

const BAD: readonly (readonly [name: string, raw: unknown])[] = [
  ...['', ' ', 'x', 'NaN', '-1', '1e3', '0x10', '1.5', '0', '99999999999999999999'].map(
    (raw) => ['max-pages', raw] as const,
  ),
  ...[Number.NaN, Number.POSITIVE_INFINITY, -1, 1.5, true, [], {}].map(
    (raw) => ['max-pages', raw] as const,
  ),
  ['duration', '0'],
  ['duration', '9999999999'],
  ['duration', '1e3'],
  ['concurrency', '0'],
  ['concurrency', '100000'],
  ['max-body', '10XB'],
  ['max-body', '5GB'],
  ['max-body', '-1'],
  ['include', Array.from({ length: 1001 }, () => 'a')],
  ['scope', 'galaxy'],
  ['scope', 1],
  ['ordering', 'toString'],
  ['ordering-option', 'novalue'],
  ['include', ''],
  ['include', '{a'],
  ['parts', 'links,eyes'],
  ['proxy', 'ftp://h'],
  ['proxy', 'http://'],
  ['connect-to', 'a=127.0.0.1'],
  ['connect-to', 'a=127.0.0.1:0'],
  ['connect-to', 'a=127.0.0.1:65536'],
  ['http2', 'maybe'],
  ['contact', 'x\r\nHost: evil'],
  ['contact', 'a)b'],
  ['user-agent', 'bot\u0000'],
  ['user-agent', 'roboté'],
  ['topic', 'x'.repeat(10_001)],
  ['language', 'xx'],
  ['language', 'id,klingon'],
  ['language', ' , ,'],
  ['keywords', ' , ,'],
  ['keywords', 'x'.repeat(201)],
  ['min-relevance', '1.1'],
  ['min-relevance', 'much'],
  ['min-terms', '0'],
  ['hot-threshold', '-1'],
  ['max-hot', '0'],
  ['harvest-floor', '101'],
  ['harvest-floor', '5%%'],
  ['harvest-window', '0'],
  ['importance', 'beauty'],
  ['importance', 'pagerank=0'],
]

test('a bad value is refused, naming the flag', () => {
  for (const [name, raw] of BAD) {
    assert.throws(
      () => read(name, raw),
      (error) => error instanceof InvalidInput && error.at === `--${name}` && error.message !== '',
      `${name} ${String(raw)}`,
    )
  }
})

test('a password in a proxy is not repeated in the error', () => {
  assert.throws(
    () => read('proxy', 'socks9://u:secret@h'),
    (error) => error instanceof Error && !error.message.includes('secret'),
  )
})

test('every part may be chosen, all are offered, and one that is misspelt is told the list', () => {
  for (const part of PARTS) assert.deepEqual(read('parts', part), { parts: [part] })
  assert.deepEqual(read('parts', 'scripts=text'), { parts: ['scripts', 'scripts=text'] })
  assert.deepEqual(read('parts', 'all,styles=text'), { parts: [...PARTS, 'styles=text'] })
  const names = PARTS.join(', ')
  const { help } = OPTIONS.find(({ name }) => name === 'parts')!
  assert.ok(help.includes(`: ${names}, all or none;`))
  assert.throws(
    () => read('parts', 'link'),
    new RegExp(`knows ${PART_CHOICES.join(', ')}, all and none, not "link"`),
  )
})

test('nothing chosen gives the documented defaults', () => {
  const settings = settingsFrom({}, 4)
  assert.deepEqual(settings, { ...DEFAULT_SETTINGS, parserThreads: 3 })
  assert.equal(settings.maxPages, 1000)
  assert.equal(settings.delayMs, 1000)
  assert.equal(settings.concurrency, 32)
  assert.equal(settings.timeoutMs, 60_000)
  assert.equal(settingsFrom({}, 64).parserThreads, 8)
})

test('hosts go by their best URL where a focused ordering was chosen, unless the user says otherwise', () => {
  assert.equal(settingsFrom({}, 4).hostPolicy, 'fair')
  assert.equal(settingsFrom({}, 4, true).hostPolicy, 'best')
  assert.equal(settingsFrom({ hostPolicy: 'fair' }, 4, true).hostPolicy, 'fair')
})

test('what a job shows of its options is read back as the same', () => {
  const settings: CrawlSettings = {
    ...DEFAULT_SETTINGS,
    ...{ durationMs: 1500, harvestFloor: 0.07, minRelevance: 0.25, perIp: 3, buffer: 9 },
    ...{ parts: [], stripParams: [], include: ['/{a,b}/**'], orderingOptions: { a: 'x=y' } },
    connectTo: [{ pattern: '*.test', address: '[::1]', port: 1 }],
    proxies: ['http://h:1'],
    dns: ['9.9.9.9:53'],
    allowPrivate: ['10.0.0.0/8'],
    hostBudget: { ...DEFAULT_SETTINGS.hostBudget, bytes: 5 },
    importance: { similarity: 0, backlinks: 0, pagerank: 2, location: 1 },
    ...{ topic: 'tea', keywords: ['green tea'], languages: ['id'] },
  }
  const job = { name: 'x', seeds: [], settings } as unknown as JobRecord
  const fields = encodeOptions(job)
  const again: Partial<CrawlChoices> = {}
  for (const option of OPTIONS) {
    const raw = fields[option.name.replaceAll('-', '_')]
    if (raw === undefined) continue
    const isPairs = option.carries === 'pairs'
    const given = isPairs ? Object.entries(raw as object).map(([k, v]) => `${k}=${v}`) : raw
    Object.assign(again, option.read(given, option.name))
  }
  assert.deepEqual(settingsFrom(again, 2), { ...settings, parserThreads: 1 })
})

test('no option stands in two groups, and every setting has one', () => {
  const grouped = OPTION_GROUPS.flatMap((group) => keysIn(group))
  assert.deepEqual(grouped, OPTION_KEYS)
  assert.equal(new Set(grouped).size, grouped.length)
})

test('help shows the defaults that hold', () => {
  for (const option of OPTIONS) {
    if (!/^\d+$/.test(option.default ?? '')) continue
    const [[key, value] = ['', 0]] = Object.entries(option.read(option.default, option.name))
    assert.equal(DEFAULT_SETTINGS[key as keyof typeof DEFAULT_SETTINGS], value, option.name)
  }
})

test('the user agent carries the contact, or says there is none', () => {
  const agent = (chosen: Partial<CrawlChoices>) => settingsFrom(chosen, 1).userAgent
  assert.equal(agent({ contact: 'me@a.test' }), `Jelajah/${VERSION} (+me@a.test)`)
  assert.equal(agent({}), `Jelajah/${VERSION} (+no-contact-given)`)
  assert.equal(agent({ contact: 'me@a.test', userAgent: 'Own/1' }), 'Own/1')
})

test('names are unique over flags, aliases and the environment', () => {
  const names = OPTIONS.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  assert.equal(new Set(names).size, names.length)
})

test('settings of an older version get what they lack', () => {
  assert.deepEqual(decodeSettings({ maxPages: 5 }), { ...DEFAULT_SETTINGS, maxPages: 5 })
  assert.deepEqual(decodeSettings(null), DEFAULT_SETTINGS)
})

test('the version is that of the package', () => {
  const file = join(import.meta.dirname, '..', '..', 'package.json')
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).version, VERSION)
})

test('a number that is too large is told the most that can be given', () => {
  const maxPages = crawlOptions([]).find(({ name }) => name === 'max-pages')
  assert.throws(() => maxPages?.read(1e30, 'x'), /a whole number from 1 to 9007199254740991, not/)
  assert.throws(() => maxPages?.read(0, 'x'), /a whole number of at least 1, not 0/)
})
