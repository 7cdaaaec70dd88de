import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LookedFor } from '../../core/topic-text.ts'
import { canonicalise } from '../../core/url.ts'
import type { UrlRecord } from '../../core/visit.ts'
import { printDryRun } from './dry-run.ts'
import { pagesAdvice, privateAdvice, seedLines, topicAdvice } from './run-crawl.ts'

const TOPIC: LookedFor = {
  kind: 'words',
  languages: [],
  stems: 'id',
  words: [
    { stem: 'tanding', forms: ['pertandingan', 'bertanding'], weight: 1.2 },
    { stem: 'liga', forms: ['liga'], weight: 0.8 },
  ],
  dropped: ['dan', 'di'],
  fetches: 0,
}
const seeds = ['http://a.test/']

test('a dry run shows the words that are looked for, their weights, and those that are not', () => {
  assert.equal(
    printDryRun({ seeds, ordering: 'adaptive', topic: TOPIC }),
    `1 seed: http://a.test/
ordering adaptive
topic: in words, stems of id

LOOKED FOR  WEIGHT  AS TYPED
tanding       1.20  pertandingan, bertanding
liga          0.80  liga

Not looked for, since they are stop words: dan, di

Nothing was fetched or stored.
`,
  )
})

test('a dry run names the language that is the topic, and examples that are to be fetched', () => {
  const nothing = { ...TOPIC, words: [], dropped: [] }
  const language = printDryRun({
    ...{ seeds, ordering: 'adaptive' },
    topic: { ...nothing, kind: 'language', languages: ['fr'] },
  })
  assert.match(language, /^topic: pages written in fr$/m)
  const examples = printDryRun({
    ...{ seeds, ordering: 'adaptive' },
    topic: { ...nothing, kind: 'examples', fetches: 3 },
  })
  assert.match(examples, /its words are known once 3 example pages are fetched/)
})

test('a dry run without a topic says so', () => {
  const none = printDryRun({
    seeds,
    ordering: 'breadth-first',
    topic: null,
    languages: ['id', 'en'],
  })
  assert.match(none, /^stores pages in id or en\nno topic/m)
})

test('why a seed led to no page is said once, in the summary or below it', () => {
  const seed = canonicalise('http://a.test/')
  assert.ok(seed !== null)
  const end: UrlRecord = {
    ...{ crawlId: 1, url: seed, host: 'a.test', state: 'refused', reason: 'host-unreachable' },
    ...{ depth: 0, foundOn: null, priority: 0, tries: 1, nextAt: null },
  }
  const lost = [{ seed, end, words: 'http://a.test/ failed: nothing listens there' }]
  const note = 'no seed could be fetched: http://a.test/ failed: nothing listens there'
  assert.deepEqual(seedLines(lost, note), ['The same command tries again.'])
  assert.deepEqual(seedLines(lost, ''), [
    'Seeds that led to no page:',
    '  http://a.test/ failed: nothing listens there (the same command tries again)',
  ])
  assert.deepEqual(seedLines([], note), [])
})

test('a topic that hardly a page is about gets advice; one that finds pages, or judged few, gets none', () => {
  const about = { topic: 'gizi di klinik' }
  assert.match(topicAdvice({ ...about, judged: 114, hot: 1 }).join(' '), /--dry-run.*--examples/)
  assert.deepEqual(topicAdvice({ ...about, judged: 114, hot: 2 }), [])
  assert.deepEqual(topicAdvice({ ...about, judged: 20, hot: 0 }), [])
  assert.deepEqual(topicAdvice({}), [])
})

test('a crawl that has more pages than it is given is told how many it has', () => {
  const waiting = '13 URLs still wait'
  assert.equal(
    pagesAdvice({ stored: 12, pages_per_second: 0 }, 11, waiting),
    'Stopped at --max-pages 11; it has 12 pages already, 13 URLs still wait: give more than 12.',
  )
  assert.equal(
    pagesAdvice({ stored: 12, pages_per_second: 1.5 }, 12, waiting),
    'Stopped at --max-pages 12; 13 URLs still wait: a larger one goes on.',
  )
})

test('links to private addresses come with what opens these, unless a seed has told it or all are open', () => {
  const seed = canonicalise('http://10.0.0.1/')
  assert.ok(seed !== null)
  const end: UrlRecord = {
    ...{ crawlId: 1, url: seed, host: '10.0.0.1', state: 'refused' },
    ...{ reason: 'private-address: 10.0.0.1', depth: 0, foundOn: null, priority: 0 },
    ...{ tries: 1, nextAt: null },
  }
  const summary = { reasons: { 'private-address': 3 } }
  const none = { lostSeeds: [], isOpen: false }
  assert.match(privateAdvice(summary, none).join(), /--allow-private=HOST lets the crawl go there/)
  assert.deepEqual(privateAdvice({ reasons: { scope: 3 } }, none), [])
  assert.deepEqual(privateAdvice(summary, { ...none, isOpen: true }), [])
  const lostSeeds = [{ seed, end, words: 'a private address' }]
  assert.deepEqual(privateAdvice(summary, { ...none, lostSeeds }), [])
})
