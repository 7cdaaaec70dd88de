import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { urlFor } from '../../../test/contract/sample-page.ts'
import { type StoredPageOf, storeCrawl } from '../../../test/simulate/stored-crawl.ts'
import { buildDashboard } from '../../../test/support/build-dashboard.ts'
import { InvalidInput } from '../../core/errors.ts'
import { buildTopic } from '../../topic/build-topic.ts'
import { runSimulate } from './run-simulate.ts'
import { parseSimulate } from './simulate.ts'

const folder = mkdtempSync(join(tmpdir(), 'jelajah-simulate-'))
after(() => rmSync(folder, { recursive: true, force: true }))

type Printed = { readonly out: string; readonly err: string }

async function simulate(...argv: readonly string[]): Promise<Printed> {
  const options = await parseSimulate(argv, { cwd: folder, env: {}, cores: 2 })
  let [out, err] = ['', '']
  const code = await runSimulate(options, {
    write: async (text) => {
      out += text
    },
    warn: (text) => {
      err += text
    },
  })
  assert.equal(code, 0)
  return { out, err }
}

async function complaintAbout(...argv: readonly string[]): Promise<string> {
  const error: unknown = await simulate(...argv).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof InvalidInput) return `${error.at}: ${error.message}`
  return assert.fail(`${argv.join(' ')}: ${error}`)
}

function file(name: string, content: unknown): string {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return name
}

/** A front page with two halves; in the second tea is talked about. */
const PAGES: readonly StoredPageOf[] = [
  {
    url: 'a.test/',
    links: [
      ['a.test/1', 'news'],
      ['a.test/2', 'green tea'],
    ],
    text: 'welcome here',
  },
  { url: 'a.test/1', links: [['a.test/3'], ['a.test/4']], text: 'weather and traffic today' },
  {
    url: 'a.test/2',
    links: [
      ['a.test/5', 'tea pots'],
      ['a.test/6', 'tea leaves'],
    ],
    text: tea('a'),
  },
  { url: 'a.test/3', links: [], text: 'the weather of tomorrow' },
  { url: 'a.test/4', links: [], text: 'traffic on the bridge' },
  { url: 'a.test/5', links: [], text: tea('b') },
  { url: 'a.test/6', links: [], text: tea('c') },
]
const SEEDS = { seeds: [urlFor('a.test/')] }

function tea(name: string): string {
  return `tea ${name} tea tea tea tea tea tea tea tea tea tea tea`
}

const ofJson = (out: string) => JSON.parse(out)

test('the demo compares orderings on webs of different nature without any data', async () => {
  const { out, err } = await simulate('--demo', '--orderings', 'breadth-first,depth-first')
  assert.match(out, /^ordering +@2\/5\/10\/20%/m)
  assert.match(out, /^nAUC20, web by web\nordering +sites +encyclopedia +campus +news\n/m)
  assert.match(out, /^breadth-first( +\d+\.\d){4}$/m)
  assert.match(out, /Judged by the known truth/)
  assert.match(err, /^news: \d+ pages/m)
})

test('one web of the demo is a comparison like any other', async () => {
  const flags = ['--orderings', 'breadth-first', '--budget', '5%']
  const { out } = await simulate('--demo=news', ...flags, '--verbose')
  assert.doesNotMatch(out, /web by web/)
  assert.match(out, /^nAUC20|^recall/m)
  const one = ofJson((await simulate('--demo', 'campus', ...flags, '--json')).out)
  assert.deepEqual([one.web.name, one.topics[0].name], ['campus', 'tea'])
  assert.equal(one.topics[0].web, undefined)
  const two = ofJson((await simulate('--demo=news,campus', ...flags, '--json')).out)
  assert.deepEqual([two.web.name, two.topics[0].name], ['campus, news', 'campus/tea'])
  assert.equal(two.topics[0].web, 'campus')
  await assert.rejects(simulate('--demo=moon'), /--demo: needs any of sites, .*not "moon"/)
})

test('the same flags give the same bytes of JSON', async () => {
  const flags = ['--demo=news', '--orderings', 'breadth-first', '--budget', '5%']
  const run = () => simulate(...flags, '--json', '--quiet')
  const [first, again] = [await run(), await run()]
  assert.equal(first.out, again.out)
  assert.equal(first.err, '')
  const { format, judged_by } = ofJson(first.out)
  assert.deepEqual([format, judged_by], ['jelajah-simulation', 'truth'])
})

test('a stored crawl is replayed from its own seeds', async () => {
  using crawl = await storeCrawl(PAGES, SEEDS)
  const { out, err } = await simulate('--data', crawl.dataDir, '--json', '--budget', '100%')
  const json = ofJson(out)
  assert.equal(json.web.pages, 7)
  assert.equal(json.topics[0].reachable, 7)
  assert.equal(json.judged_by, 'nobody')
  assert.ok(json.orderings.length >= 2)
  assert.match(err, /7 pages, 6 links/)
})

test('a topic in words judges itself, and that is said', async () => {
  using crawl = await storeCrawl(PAGES, SEEDS)
  const flags = ['--data', crawl.dataDir, '--keywords', 'tea', '--budget', '100%']
  const { out } = await simulate(...flags, '--orderings', 'breadth-first')
  assert.match(out, /Self-judged/)
  const json = ofJson((await simulate(...flags, '--json')).out)
  assert.deepEqual([json.judged_by, json.topics[0].relevant], ['topic', 3])
})

test('a focused crawl is replayed with its own topic, and what it called hot counts', async () => {
  const judged = PAGES.map((page) => ({ ...page, relevance: 0.9, hot: page.url === 'a.test/5' }))
  const source = { words: '', positive: [], negative: [], model: null, language: 'en' }
  const topic = buildTopic({ ...source, keywords: ['tea'] })
  using crawl = await storeCrawl(judged, { ...SEEDS, topic })
  const json = ofJson((await simulate('--data', crawl.dataDir, '--json', '--budget', '100%')).out)
  assert.deepEqual([json.judged_by, json.topics[0].relevant], ['crawl', 1])
})

test('a truth alone is enough to grade orderings that need no topic', async () => {
  using crawl = await storeCrawl(PAGES, SEEDS)
  const truth = file('alone.jsonl', '{"url": "http://a.test/6", "topics": ["any"]}')
  const json = ofJson((await simulate('--data', crawl.dataDir, '--json', '--truth', truth)).out)
  assert.deepEqual([json.judged_by, json.topics[0].name], ['truth', 'any'])
})

test('topics and truth come from files, seeds from flags', async () => {
  using crawl = await storeCrawl(PAGES, SEEDS)
  const topics = file('topics.json', [{ id: 'tea', keywords: ['tea'], seeds: ['http://a.test/'] }])
  const truth = file('truth.jsonl', '{"url": "http://a.test/5", "topics": ["tea"]}\n')
  const flags = ['--data', crawl.dataDir, '--topics', topics, '--truth', truth, '--json']
  const json = ofJson((await simulate(...flags)).out)
  assert.deepEqual([json.topics[0].name, json.topics[0].relevant], ['tea', 1])
  const seeds = ['http://a.test/2', 'http://else.test/'].flatMap((url) => ['--seeds', url])
  const near = await simulate(...flags, ...seeds)
  assert.equal(ofJson(near.out).topics[0].reachable, 3)
  assert.match(
    near.err,
    /--seeds: seeds that are no pages of this crawl are left out \(1\): .*else/,
  )
})

test('a bad URL of a topic is named and left out, and so is a topic of which nothing is left', async () => {
  using crawl = await storeCrawl(PAGES, SEEDS)
  const seeds = ['http://a.test/', 'ftp://a.test/', 'http://else.test/']
  const lost = ['http://else.test/1', 'no address']
  const topics = file('bad.json', [
    { id: 'tea', keywords: ['tea'], seeds, examples_pos: lost, examples_neg: ['http://a.test/1'] },
    { id: 'lost', examples_pos: lost },
    { id: 'stray', keywords: ['tea'], seeds: ['http://else.test/'] },
    { id: 'misspelt', keywords: ['tea'], seeds: ['tea'] },
    { id: 'empty' },
    { id: 'nowhere', keywords: ['tea'], seeds: ['http://a.test/1'] },
  ])
  const flags = ['--data', crawl.dataDir, '--topics', topics, '--json', '--budget', '100%']
  const { out, err } = await simulate(...flags)
  const names = ofJson(out).topics.map(({ name }: { name: string }) => name)
  assert.deepEqual(names, ['tea'])
  for (const said of [
    /tea: addresses that are no http or https URLs are left out \(2\): "ftp:\/\/a.test\/" in seeds, "no address" in examples_pos/,
    /tea: examples that are no pages of this crawl are left out \(1\): http:\/\/else.test\/1/,
    /tea: seeds that are no pages of this crawl are left out \(1\): http:\/\/else.test\//,
    /topic left out: lost: topic: say what the crawl is about/,
    /topic left out: stray: none of its seeds is in this crawl/,
    /topic left out: misspelt: none of its seeds is an http or https URL/,
    /topic left out: empty: /,
    /topic left out: nowhere: --truth: no relevant page can be reached from the seeds/,
  ])
    assert.match(err, said)
})

test('a file of which no topic is left is refused, with the reasons', async () => {
  using crawl = await storeCrawl(PAGES, SEEDS)
  const topics = file('none.json', [{ id: 'x', positive: ['http://else.test/'] }, { id: 'y' }])
  const said = await complaintAbout('--data', crawl.dataDir, '--topics', topics)
  assert.match(
    said,
    /^--topics: none of the topics in none.json can be used\n--topics: x: .*\n.*y: /,
  )
})

test('a topic about which the truth says nothing is left out', async () => {
  using crawl = await storeCrawl(PAGES, SEEDS)
  const topics = file('two.json', [
    { id: 'tea', keywords: ['tea'] },
    { id: 'traffic', keywords: ['traffic'] },
  ])
  const lines = ['tea', 'milk'].map((id) => `{"url": "http://a.test/5", "topics": ["${id}"]}`)
  const truth = file('two.jsonl', `${lines.join('\n')}\n{"url": "no page", "topics": []}`)
  const flags = ['--data', crawl.dataDir, '--topics', topics, '--truth', truth]
  const { err } = await simulate(...flags)
  assert.match(
    err,
    /topic left out: traffic: --truth: it says nothing about "traffic", only about: tea, milk/,
  )
  assert.match(err, /1 of 3 URLs in two.jsonl are no pages of this crawl, such as no page/)
})

test('a report is written once, and over an older one only when told to', async () => {
  const flags = [
    '--demo=news',
    '--orderings',
    'breadth-first,depth-first',
    '--budget',
    '5%',
    '--quiet',
  ]
  buildDashboard()
  await simulate(...flags, '--out', 'report')
  assert.match(readFileSync(join(folder, 'report/report.html'), 'utf8'), /^<!doctype html>/)
  assert.equal(ofJson(readFileSync(join(folder, 'report/report.json'), 'utf8')).version, 1)
  assert.match(await complaintAbout(...flags, '--out', 'report'), /--out: .*is there already/)
  await simulate(...flags, '--out', 'report', '--force', '--language', 'id')
  assert.match(
    readFileSync(join(folder, 'report/report.html'), 'utf8'),
    /id="data">\{"language":"id"/,
  )
})

test('what cannot be replayed is said', async () => {
  assert.match(await complaintAbout('--data', 'nowhere'), /--data: there is no folder .*nowhere/)
  assert.equal(existsSync(join(folder, 'nowhere')), false)
  using empty = await storeCrawl([], SEEDS)
  assert.match(await complaintAbout('--data', empty.dataDir), /--data: .*has stored no page yet/)
  using loose = await storeCrawl(
    PAGES.map((page) => ({ ...page, links: [] })),
    SEEDS,
  )
  assert.match(
    await complaintAbout('--data', loose.dataDir),
    /there are no links between its pages/,
  )
})

test('what does not fit the crawl is said', async () => {
  using crawl = await storeCrawl(PAGES, SEEDS)
  const data = ['--data', crawl.dataDir] as const
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['--crawl', '99'], /--crawl: there is no crawl "99"/],
    [
      ['--seeds', 'http://else.test/'],
      /--seeds: .*none of its seeds is in this crawl: http:\/\/else/,
    ],
    [
      ['--truth', file('t2.jsonl', '{"url": "http://else.test/", "topics": ["x"]}')],
      /--truth: none of the 1 URLs/,
    ],
    [
      ['--truth', file('t3.jsonl', '{"url": "http://a.test/1", "topics": []}')],
      /--truth: t3.jsonl names no topic/,
    ],
    [
      [
        ...['--keywords', 'tea', '--truth'],
        file('t4.jsonl', '{"url": "http://a.test/1", "topics": ["x", "y"]}'),
      ],
      /--truth: it says nothing about "tea", only about: x, y/,
    ],
    [
      ['--seeds', 'http://a.test/1', '--keywords', 'tea'],
      /--truth: tea: no relevant page can be reached from the seeds/,
    ],
  ]
  for (const [flags, says] of cases) assert.match(await complaintAbout(...data, ...flags), says)
})

test('a topic of stop words is refused without advice that means something else here', async () => {
  using crawl = await storeCrawl(PAGES, SEEDS)
  const complaint = await complaintAbout('--data', crawl.dataDir, '--topic', 'dan yang')
  assert.match(complaint, /only stop words \(dan, yang\).*: give words of the subject/)
  assert.match(complaint, /use crawl --language id$/)
})
