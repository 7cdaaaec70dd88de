import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleFields, sampleJob } from '../../test/contract/sample-page.ts'
import type { CrawlSummary, RefreshSummary } from '../core/summary.ts'
import { canonicalise } from '../core/url.ts'
import type { UrlRecord } from '../core/visit.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import { explanationJson } from '../reads/explanation.ts'
import { summaryText } from './crawl/run-crawl.ts'
import { crawlColumns, crawlJson } from './crawls.ts'
import { explanationText } from './explain.ts'
import { pageColumns, pageJson } from './pages.ts'
import { table } from './table.ts'
import { urlJson } from './urls.ts'

const PAGE = {
  ...sampleFields('a.test/1'),
  id: 7,
  crawlId: 1,
  duplicateOf: null,
  publishedDay: '2023-11-03',
}
const JOB = {
  ...sampleJob(),
  id: 1,
  salt: 2,
  status: 'stopped' as const,
  startedAt: 0,
  endedAt: 86_400_000,
  note: '',
  ranMs: 5000,
}
const COUNTS = { stored: 1234, duplicates: 0, judged: 0, hot: 0, runs: [] }
const ROW: UrlRecord = {
  crawlId: 1,
  url: canonicalise('http://a.test/1')!,
  host: 'a.test',
  state: 'queued',
  reason: '',
  depth: 2,
  foundOn: 'http://a.test/',
  priority: -2,
  tries: 1,
  nextAt: 61_000,
}

test('a page as JSON has the columns of the table', () => {
  const columns = (
    'id crawl_id url canonical_url status_code content_type charset title description keywords ' +
    'language author published_at published_day content_text kind html5 hot relevance depth size_bytes ' +
    'truncated noindex content_hash duplicate_of fetched_at fetch_ms parse_ms'
  ).split(' ')
  const line = pageJson(PAGE)
  assert.ok(line.endsWith('}\n'))
  const extra = ['etag', 'last_modified', 'about']
  assert.deepEqual(Object.keys(JSON.parse(line)).sort(), [...columns, ...extra].sort())
})

test('a URL as JSON has exactly the columns of the table', () => {
  const position = { ...ROW, position: 5 }
  assert.equal(
    urlJson(position),
    '{"crawl_id":1,"url":"http://a.test/1","host":"a.test","state":"queued","reason":"","depth":2,' +
      '"found_on":"http://a.test/","priority":-2,"tries":1,"next_at":61000}\n',
  )
})

test('a crawl as JSON hides the password of a proxy', () => {
  const settings = { ...DEFAULT_SETTINGS, proxies: ['http://u:secret@h:1'] }
  const runs = [{ startedAt: 0, settings, topicFingerprint: null }]
  const line = crawlJson({ ...JOB, ...COUNTS, settings, runs })
  assert.doesNotMatch(line, /secret/)
  assert.equal(JSON.parse(line).settings.max_pages, 1000)
})

test('a table lines up, also with wide letters, and obeys no page', () => {
  const rows = [
    { ...PAGE, title: '検索\x1b[31m\n結果', id: 1 },
    { ...PAGE, title: 'x'.repeat(100), id: 2 },
    { ...PAGE, duplicateOf: 1, id: 3 },
  ]
  const lines = table(pageColumns(false), rows).trimEnd().split('\n')
  assert.equal(lines.length, 4)
  assert.doesNotMatch(lines.join(''), /\x1b/)
  const starts = lines.slice(2).map((line) => line.indexOf('http://'))
  assert.equal(new Set(starts).size, 1)
  assert.match(lines[1]!, /検索 結果 {31} {2}http/)
  assert.match(lines[3]!, /\(same as 1\)/)
})

test('crawls are shown with how they ended, and how long they ran in all their runs', () => {
  const rows = [{ ...JOB, ...COUNTS, note: 'disk full' }]
  const text = table(crawlColumns(rows), rows)
  assert.match(text, /stopped +1,234 +1970-01-01 00:00:00Z +5s +sample \(disk full\)/)
})

test('where a crawl was after something, hot pages and orderings are shown', () => {
  const topic = { fingerprint: 'x' }
  const rows = [
    { ...JOB, ...COUNTS, topic, judged: 1300, hot: 77 },
    { ...JOB, ...COUNTS },
  ]
  const [titles, focused, other] = table(crawlColumns(rows), rows).split('\n')
  assert.match(titles!, /PAGES +HOT +STARTED +TOOK +ORDERING +NAME/)
  assert.match(focused!, /1,234 +77 +1970.* breadth-first +sample/)
  assert.match(other!, /1,234 +1970/)
  const { judged, hot } = JSON.parse(crawlJson(rows[0]!))
  assert.deepEqual([judged, hot], [1300, 77])
})

test('pages of a focused crawl are listed with their relevance', () => {
  const rows = [
    { ...PAGE, relevance: 0.123, hot: false },
    { ...PAGE, relevance: 0.9, hot: true },
    { ...PAGE, relevance: null },
  ]
  const [titles, ...lines] = table(pageColumns(true), rows).split('\n')
  assert.match(titles!, /ID +RELEVANT +DEPTH/)
  assert.match(lines[0]!, / 7 +0\.12 +1 /)
  assert.match(lines[1]!, / 7 +0\.90 hot +1 /)
  assert.match(lines[2]!, / 7 +1 /)
})

const SUMMARY: CrawlSummary = {
  crawl: 3,
  status: 'completed',
  stored: 1200,
  duplicates: 4,
  refused: 5,
  outside: 20,
  reasons: { scope: 18, robots: 4, 'http-404': 3, depth: 2, dns: 1 },
  failed: 6,
  queued: 7,
  bytes: 1_500_000,
  truncated: 0,
  seconds: 61.2,
  pages_per_second: 19.6,
  hosts: { 'a.test': 400, 'b.test': 800 },
  fairness: 0.9,
  fairness_over: 2,
  ordering: 'breadth-first',
}

test('the summary of a focused crawl tells its harvest and why it ended', () => {
  const focus = { topic: 'x', judged: 1500, hot: 60, harvest_rate: 0.04, recent_harvest_rate: 0.5 }
  const text = summaryText({ ...SUMMARY, ...focus, note: 'it rained' })
  assert.match(text, /^ {2}harvest 4.0 %: 60 hot pages of 1,500 judged, of late 50 %$/m)
  assert.match(text, /^ {2}ended because it rained$/m)
  const nothing = { ...focus, judged: 0, hot: 0, harvest_rate: null, recent_harvest_rate: null }
  assert.doesNotMatch(summaryText({ ...SUMMARY, ...nothing }), /harvest/)
})

test('the summary in words has its figures', () => {
  assert.equal(
    summaryText(SUMMARY),
    'Crawl 3 completed: 1,200 pages stored (1.5 MB) in 1m 01s, 19.6 per second\n' +
      '  4 duplicates, 5 refused, 6 failed, 20 outside, 7 still queued\n' +
      '  most often: scope 18, robots 4, http-404 3, depth 2, …\n' +
      '        800  b.test\n        400  a.test\n  fairness 0.900 (1 = each of 2 seed domains got its share)\n',
  )
})

test('the summary speaks of fairness only while there was something left to share, and somebody to share it', () => {
  assert.doesNotMatch(summaryText({ ...SUMMARY, queued: 0 }), /fairness/)
  assert.doesNotMatch(summaryText({ ...SUMMARY, pages_per_second: 0 }), /per second/)
  assert.doesNotMatch(summaryText({ ...SUMMARY, fairness_over: 1, fairness: 1 }), /fairness/)
})

test('the summary counts one thing as one thing', () => {
  const hosts = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((host) => [host, 1]))
  const text = summaryText({ ...SUMMARY, stored: 1, duplicates: 1, hosts })
  assert.match(text, /: 1 page stored .*\n {2}1 duplicate, /)
  assert.match(text, /and 1 more host\n/)
})

const EXPLANATION = {
  job: JOB,
  url: ROW.url,
  row: ROW,
  path: ['http://a.test/'],
  via: 'link' as const,
  page: null,
  history: { looks: null, gone: null },
  importance: null,
  score: null,
  ahead: 41,
  host: null,
  now: 1000,
}

test('an explanation tells where a URL was found and what it waits for', () => {
  const text = explanationText(EXPLANATION)
  assert.match(text, /state +queued\n/)
  assert.match(text, /found +on http:\/\/a.test\/\n/)
  assert.match(text, /next +1970-01-01 00:01:01Z, in 1m 00s\n/)
  assert.match(text, /waits +41 URLs of its host go before it \(breadth-first, queued with -2\)\n/)
  const json = JSON.parse(explanationJson(EXPLANATION))
  assert.deepEqual(
    [json.known, json.state, json.ahead, json.path],
    [true, 'queued', 41, ['http://a.test/']],
  )
})

test('an explanation tells what later rounds made of a page', () => {
  const day = 86_400_000
  const looks = { checks: 3, changes: 1, checkedAt: 2 * day, round: 2, dueAt: 9 * day }
  const gone = { at: day, round: 1, reason: 'http-404', pageId: 12 }
  const told = (history: typeof EXPLANATION.history | { looks: typeof looks; gone: typeof gone }) =>
    explanationText({ ...EXPLANATION, history })
  const text = told({ looks, gone })
  const last = 'the last 1970-01-03 00:00:00Z in round 2'
  assert.match(
    text,
    new RegExp(`looked +3 times again, ${last}; changed 1 time; due from 1970-01-10`),
  )
  assert.match(text, /gone +1970-01-02 00:00:00Z in round 1: http-404; until then it was page 12\n/)
  assert.doesNotMatch(told({ looks: null, gone: null }), /looked|gone/)
  const json = JSON.parse(explanationJson({ ...EXPLANATION, history: { looks, gone } }))
  assert.deepEqual([json.looks.due_at, json.gone.page_id], [9 * day, 12])
})

test('an explanation of a stored page shows it, of an unknown URL says so', () => {
  const stored = { ...ROW, state: 'stored' as const, nextAt: null, foundOn: null, depth: 0 }
  const text = explanationText({ ...EXPLANATION, row: stored, path: [], ahead: null, page: PAGE })
  assert.match(text, /found +a seed/)
  assert.match(text, /page +7: "Title of a.test\/1", 1.0 kB, en/)
  const unknown = {
    ...EXPLANATION,
    row: null,
    path: [],
    ahead: null,
    url: canonicalise('http://x/')!,
  }
  assert.match(explanationText(unknown), /never seen this URL[^\n]*\n$/)
  assert.equal(JSON.parse(explanationJson(unknown)).known, false)
})

test('an explanation tells a redirect and a sitemap from a link', () => {
  const found = (via: 'redirect' | 'sitemap' | null) => explanationText({ ...EXPLANATION, via })
  assert.match(found('redirect'), /found +redirected from http:\/\/a.test\/\n/)
  assert.match(found('sitemap'), /found +listed in http:\/\/a.test\/\n/)
  assert.match(found(null), /found +on http:\/\/a.test\/\n/)
})

test('a URL that robots.txt forbids was never tried', () => {
  const state = 'refused' as const
  const tries = (reason: string) =>
    explanationText({ ...EXPLANATION, ahead: null, row: { ...ROW, state, reason } })
  assert.match(tries('robots: /private'), /tries +none: it was refused before any request\n/)
  assert.match(tries('type: image/png'), /tries +1\n/)
  const row = { ...ROW, state, reason: 'type: image/png', tries: 0 }
  const untried = explanationText({ ...EXPLANATION, ahead: null, row })
  assert.match(untried, /tries +none: it was refused before any request\n/)
})

test('an explanation counts one thing as one thing', () => {
  const host = {
    ...{ host: 'a.test', site: 'a.test', queued: 1, inFlight: 0, stored: 0, delayMs: 1000 },
    ...{ failures: 1, trouble: 'http-503', restsUntil: 0 },
  }
  const text = explanationText({ ...EXPLANATION, ahead: 1, host })
  assert.match(text, /waits +1 URL of its host goes before it/)
  assert.match(text, /, 1 failure: http-503\n/)
  assert.match(
    explanationText({ ...EXPLANATION, host: { ...host, failures: 2 } }),
    /, 2 failures in a row, the last http-503\n/,
  )
})

test('an explanation shows what a score is made from, and by which options', () => {
  const parts = [
    { name: 'parent', value: 0.123456 },
    { name: 'anchor', value: -2 },
  ]
  const score = { options: { beta: 0.8, width: 10 }, score: 1.23456, parts }
  const text = explanationText({ ...EXPLANATION, score })
  assert.match(text, /^ {2}score +1\.23: parent 0\.123, anchor -2$/m)
  assert.match(text, /^ {2}ordering +breadth-first beta=0\.8 width=10$/m)
  const json = JSON.parse(explanationJson({ ...EXPLANATION, score }))
  assert.deepEqual(json.score_parts, { parent: 0.123456, anchor: -2 })
  assert.deepEqual([json.score, json.ordering_options], [1.23456, { beta: 0.8, width: 10 }])
  assert.doesNotMatch(explanationText(EXPLANATION), /^ {2}ordering/m)
})

test('an explanation of a judged page tells how relevant and how important it is', () => {
  const page = { ...PAGE, relevance: 0.8312, hot: true }
  const settings = { ...DEFAULT_SETTINGS, topic: 'solar power' }
  const importance = {
    ...{ importance: 0.75, similarity: 0.8312, backlinks: 1 },
    ...{ pagerank: 0.000123456, location: 0.5 },
  }
  const known = { ...EXPLANATION, job: { ...JOB, settings }, page, importance, ahead: null }
  const text = explanationText(known)
  assert.match(text, /^ {2}topic +relevance 0\.8312, hot \("solar power"\)$/m)
  assert.match(
    text,
    /^ {2}important +0\.75 of 1: similarity 0\.831, 1 backlink, PageRank 0\.000123, location 0\.5$/m,
  )
  assert.equal(JSON.parse(explanationJson(known)).importance.pagerank, 0.000123456)
})

test('an explanation says what keeps a URL out of a focused crawl, and what would let it in', () => {
  const settings = { ...DEFAULT_SETTINGS, ordering: 'naive-bayes', buffer: 100 }
  const why = (reason: string) => {
    const row = { ...ROW, state: 'refused' as const, reason }
    return explanationText({ ...EXPLANATION, job: { ...JOB, settings }, ahead: null, row })
  }
  assert.match(why('off-topic: relevance 0.12 below 0.5'), /why +.*--min-relevance/)
  assert.match(why('too-short: 12 of 50 words'), /why +.*--min-terms/)
  assert.match(why('focus'), /why +only pages off topic link to it, and naive-bayes follows none/)
  assert.match(why('buffer: worse than 100 others'), /why +.*the best 100 URLs.*--buffer/)
  assert.doesNotMatch(why('scope: x'), /why/)
})

test('a crawl that was gone over again tells what it found', () => {
  const none = { kept: 0, not_due: 0, not_yet: 0, unanswered: 0 }
  const found = { round: 2, new: 1, changed: 2000, gone: 3, unchanged: 4, ...none }
  const text = summaryText({ ...SUMMARY, refresh: found })
  assert.match(text, /round 2: 1 new, 2,000 changed, 3 gone, 4 unchanged\n/)
  assert.doesNotMatch(text, /per second/)
})

test('of pages a round has no answer about it is told why', () => {
  const nothing = { round: 2, new: 0, changed: 0, gone: 0, unchanged: 0 }
  const text = (refresh: RefreshSummary) => summaryText({ ...SUMMARY, refresh })
  const all = { ...nothing, kept: 1206, not_due: 1200, not_yet: 4, unanswered: 2 }
  assert.match(
    text(all),
    /unchanged, 1,200 not due, 4 not asked for yet, 2 kept without an answer\n/,
  )
  const down = { ...nothing, kept: 2, not_due: 0, not_yet: 0, unanswered: 2 }
  assert.match(text(down), /0 unchanged, 2 kept without an answer\n/)
  const early = { ...nothing, kept: 12, not_due: 12, not_yet: 0, unanswered: 0 }
  assert.match(text(early), /round 2: nothing of 12 pages is due\n/)
})

test('a list of crawls has rounds where there were some', () => {
  const row = { ...JOB, ...COUNTS }
  assert.doesNotMatch(table(crawlColumns([row]), [row]), /ROUND/)
  const rows = [{ ...row, round: 3 }, row]
  assert.match(table(crawlColumns(rows), rows), /ROUND/)
  assert.equal(JSON.parse(crawlJson({ ...row, round: 3 })).round, 3)
})
