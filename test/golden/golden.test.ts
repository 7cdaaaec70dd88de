// What users and other programs rely on, frozen: help texts, JSON, the API, the tables, the promises.
// Accept a change that is meant with `UPDATE_GOLDEN=1 sh scripts/test test/golden/golden.test.ts`.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ServedSite, startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { jelajah, temporaryFolder } from '../e2e/crawling.ts'
import { runHere } from '../e2e/in-process.ts'
import { startServer, until } from '../e2e/serving.ts'
import { testPlace } from '../servers/server-fixture.ts'
import { assertGolden, assertGoldenFolder, lineDiff } from './golden-file.ts'
import { layOut, type Names, normalise, normaliseJson } from './normalise.ts'
import { promises } from './promises.ts'
import { postgresSchema, sqliteSchemas } from './schemas.ts'

/** What is around must not be seen in what is compared: no settings of whoever runs this. */
for (const name of Object.keys(process.env)) {
  if (name.startsWith('JELAJAH_') && name !== 'JELAJAH_CONTACT') delete process.env[name]
}

/** Everything happens in one order: one host, one request at a time, no sitemap beside the links. */
const SITE = createSite({
  seed: 3,
  hosts: [{ name: 'tea', pages: 4, language: 'en', style: 'blog' }],
  ...{ meanBytes: 2000, specials: 12, sitemaps: false, gzip: false },
})
const ONE_BY_ONE = [
  ...['--delay', '0', '--concurrency', '1', '--parser-threads', '1', '--no-sitemaps', '--quiet'],
]
const TEXTS = ['tea grows', 'tea leaves', 'green tea', 'a bank', 'bank loans', 'the bank']
const PLAN = {
  name: 'golden',
  kind: 'simulate',
  factors: { ordering: ['breadth-first'] },
  importance: ['backlinks'],
  stop: ['50%'],
  tables: [{ columns: ['pages', 'p_cs/backlinks@50%'] }],
  figures: [{ curve: 'p_cs/backlinks' }],
}
/** Commands that print JSON which another command prints, too. */
const SAME_AS: Readonly<Record<string, string>> = { demo: 'crawl' }

test('the help of the program and of every command says what it said', async () => {
  const texts = new Map([['jelajah', await helpOf([])]])
  texts.set('orderings', (await runHere(['help', 'orderings'])).stdout)
  for (const command of commandsIn(texts.get('jelajah')!)) {
    texts.set(command, await helpOf([command]))
  }
  assert.ok(texts.size > 15, `commands: ${[...texts.keys()].join(' ')}`)
  assertGoldenFolder('help', named(texts, 'txt'))
})

test('JSON, SQLite tables and OpenAPI of a small crawl are what they were', async () => {
  await using folder = await temporaryFolder()
  await using served = await startSite(SITE)
  const names: Names = new Map([
    [folder.path, '<folder>'],
    [`:${served.port}`, ':<port>'],
    [process.version.slice(1), '<node>'],
  ])
  const printed = await jsonOfCommands(folder.path, served)
  const { serving, openapi } = await serverWords(join(folder.path, 'data'))
  printed.set('serve', serving)
  printed.set('worker', await workerWords())
  for (const [name, text] of printed) printed.set(name, normaliseJson(text, names))
  assertGoldenFolder('json', named(printed, 'json'))
  assertGolden('openapi.json', `${layOut(openapi)}\n`)
  assertGoldenFolder('schema/sqlite', named(sqliteSchemas(join(folder.path, 'data')), 'sql'))
  for (const command of commandsIn(await helpOf([]))) {
    const isCompared = [...printed.keys()].some((name) => name.split('-')[0] === command)
    if (isCompared || command in SAME_AS) continue
    assert.doesNotMatch(
      await helpOf([command]),
      /^ {2}--json/m,
      `${command} --json is not compared`,
    )
  }
})

test('the tables in PostgreSQL are what they were', async () => {
  await using place = await testPlace()
  await using served = await startSite(SITE)
  const seed = served.url('tea')
  await run(['crawl', seed, '--max-pages', '1', ...ONE_BY_ONE, ...place.flags])
  await run(['index', '--quiet', '--data', place.data])
  assertGolden('schema/postgres.txt', await postgresSchema(place.data))
})

test('the contract suites promise what they promised', () => {
  assertGolden('promises.txt', `${promises().join('\n')}\n`)
})

test('a golden file shows what changed, with the lines around it', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh'
  assert.equal(lineDiff(before, before), '')
  assert.equal(
    lineDiff(before, 'a\nb\nc\nD\ne\nf\nf2\ng'),
    '  b\n  c\n- d\n+ D\n  e\n  f\n+ f2\n  g\n- h',
  )
})

test('what differs from run to run is not compared, what was chosen is', () => {
  const names = new Map([['/tmp/x', '<folder>']])
  const given = { a_at: 5, out: '/tmp/x/y', settings: { delay_ms: 5 }, n: 3, r: 0.25, at: null }
  assert.deepEqual(normalise(given, names), {
    ...{ a_at: '<time>', out: '<folder>/y', settings: { delay_ms: 5 }, n: 3, r: '<fraction>' },
    at: null,
  })
})

function named(texts: ReadonlyMap<string, string>, ending: string): Map<string, string> {
  return new Map([...texts].map(([name, text]) => [`${name}.${ending}`, text]))
}

async function jsonOfCommands(folder: string, served: ServedSite): Promise<Map<string, string>> {
  const [data, texts, model] = ['data', 'texts.jsonl', 'model.json'].map((n) => join(folder, n))
  const seed = served.url('tea')
  mkdirSync(data!)
  const labelled = TEXTS.map((text, at) => ({ text, label: at < 3 ? 'tea' : 'money' }))
  writeFileSync(texts!, labelled.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const topic = ['--topic', 'symptom and vitamin']
  const commands: Readonly<Record<string, readonly string[]>> = {
    'crawl-dry-run': ['crawl', seed, '--dry-run', ...topic],
    crawl: ['crawl', seed, ...ONE_BY_ONE, ...topic],
    'crawl-refresh': ['crawl', seed, ...ONE_BY_ONE, '--refresh'],
    crawls: ['crawls'],
    pages: ['pages', '--limit', '2'],
    urls: ['urls'],
    explain: ['explain', seed],
    index: ['index', '--quiet'],
    search: ['search', 'symptom', '--limit', '2'],
    rank: ['rank', '--top', '2', '--quiet'],
    'rank-hosts': ['rank', '--hosts', '--quiet'],
    seeds: ['seeds', '--quiet'],
    cluster: ['cluster', '--k', '2', '--quiet'],
    'graph-pages': ['graph', 'pages'],
    'graph-sites': ['graph', 'sites'],
    'graph-sites-beyond': ['graph', 'sites', '--beyond', '5'],
    export: ['export', '--format', 'ndjson', '--out', join(folder, 'pages.ndjson'), '--quiet'],
    simulate: ['simulate', ...topic, '--orderings', 'breadth-first', '--budget', '100%', '--quiet'],
    doctor: ['doctor'],
  }
  const printed = new Map<string, string>()
  for (const [name, args] of Object.entries(commands)) {
    printed.set(name, await run([...args, '--json', '--data', data!]))
  }
  const plan = join(folder, 'plan.json')
  writeFileSync(plan, JSON.stringify({ ...PLAN, web: { data } }))
  const results = ['--out', join(folder, 'results')]
  printed.set('experiment', await run(['experiment', plan, '--json', '--quiet', ...results]))
  printed.set('parse', await run(['parse', seed, '--json']))
  printed.set('words', await run(['words', 'green tea and coffee', '--json']))
  printed.set(
    'train',
    await run(['train', texts!, '--out', model!, '--json', '--quiet', '--folds', '3']),
  )
  printed.set('classify', await run(['classify', 'a cup of tea', '--model', model!, '--json']))
  return printed
}

async function serverWords(data: string): Promise<{ serving: string; openapi: unknown }> {
  await using server = await startServer(data)
  const { text } = await server.ask('/openapi.json')
  server.run.process.kill('SIGTERM')
  const { stdout } = await server.run.ended
  const port = new URL(server.url).port
  const serving = stdout.replaceAll(`:${port}`, ':<port>')
  return { serving, openapi: JSON.parse(text, withoutCores) }
}

/** A machine with many cores allows more threads. */
function withoutCores(key: string, value: unknown): unknown {
  return key === 'parser_threads' ? { ...(value as object), maximum: '<cores>' } : value
}

async function workerWords(): Promise<string> {
  await using place = await testPlace()
  const worker = jelajah(['worker', '--name', 'one', '--pairs', '1', '--json'], { env: place.env })
  let listed = ''
  try {
    await until(async () => {
      listed = await run(['worker', '--list', '--json', ...place.flags])
      return listed !== ''
    }, 'a worker')
  } finally {
    worker.process.kill('SIGTERM')
    await worker.ended
  }
  return listed
}

async function run(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere(args)
  assert.equal(code, 0, `jelajah ${args.join(' ')}\n${stderr}`)
  return stdout
}

function helpOf(words: readonly string[]): Promise<string> {
  return run([...words, '--help'])
}

function commandsIn(help: string): string[] {
  return [...help.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name!)
}
