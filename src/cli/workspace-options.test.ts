import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadOptions } from '../options/bad-options.ts'
import { parseCrawl } from './crawl/crawl.ts'
import { exitCodeOf } from './exit-codes.ts'
import { parsePages } from './pages.ts'

import { parseWorker } from './worker.ts'

const DATA = 'postgres://ann:rahasia@db:5432/web'
const FRONTIER = 'redis://:rahasia@cache:6379/0?prefix=a'
const BOTH = ['--data', DATA, '--frontier', FRONTIER]
const around = { cwd: '/nowhere', env: {}, cores: 4 }
type Env = Readonly<Record<string, string>>

function crawl(argv: readonly string[], env: Env = {}) {
  const needs = { readStdin: async () => '', checkTopic: () => {} }
  return parseCrawl(['a.test', ...argv], { ...around, env, ...needs })
}

async function problemsOf(argv: readonly string[], env: Env = {}): Promise<BadOptions> {
  const error = await crawl(argv, env).then(
    () => assert.fail('it was taken'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof BadOptions)
  assert.doesNotMatch(error.message, /rahasia/)
  return error
}

test('a crawl takes a folder, or a database, with or without a frontier beside it', async () => {
  const alone = await crawl(['--data', 'web'])
  assert.deepEqual([alone.dataDir, alone.frontier], ['/nowhere/web', undefined])
  for (const frontier of [FRONTIER, 'rediss://cache', 'redis+cluster://a:1,b:2,[::1]:3']) {
    const shared = await crawl(['--data', DATA, '--frontier', frontier])
    assert.deepEqual([shared.dataDir, shared.frontier], [DATA, frontier])
  }
  const env = { JELAJAH_DATA: 'postgresql://db/web', JELAJAH_FRONTIER: FRONTIER }
  const fromEnv = await crawl(['--store-timeout', '1.5'], env)
  assert.deepEqual(
    [fromEnv.dataDir, fromEnv.frontier, fromEnv.storeTimeoutMs],
    ['postgresql://db/web', FRONTIER, 1500],
  )
})

test('a database alone is enough, a frontier alone is refused with what is missing', async () => {
  const lone = await crawl(['--data', DATA])
  assert.deepEqual([lone.dataDir, lone.frontier], [DATA, undefined])
  const other = await problemsOf(['--frontier', FRONTIER])
  assert.match(other.message, /^--frontier: is for crawls in a database: give --data postgres/)
  const byEnv = await problemsOf([], { JELAJAH_FRONTIER: FRONTIER })
  assert.match(byEnv.message, /^JELAJAH_FRONTIER: is for crawls in a database/)
  assert.equal(exitCodeOf(byEnv), 4)
})

test('a folder on the command line is meant, whatever the environment has for other commands', async () => {
  const env = { JELAJAH_DATA: DATA, JELAJAH_FRONTIER: FRONTIER }
  const { dataDir, frontier } = await crawl(['--data', './here'], env)
  assert.deepEqual([dataDir, frontier], ['/nowhere/here', undefined])
})

test('a URL of another kind is refused, and never repeated', async () => {
  const wrong: [string[], RegExp][] = [
    [
      ['--data', 'mysql://ann:rahasia@db/web', '--frontier', FRONTIER],
      /--data: needs a folder or pos/,
    ],
    [['--data', 'postgres://', '--frontier', FRONTIER], /--data: is not a URL such as/],
    [['--data', DATA, '--frontier', 'http://:rahasia@cache'], /--frontier: needs redis:/],
    [['--data', DATA, '--frontier', 'redis://:rahasia@a:b:c'], /--frontier: is not a URL such as/],
    [['--data', DATA, '--frontier', 'rahasia'], /--frontier: needs redis:/],
    [[...BOTH, '--store-timeout', '0'], /--store-timeout: needs a number from/],
  ]
  for (const [argv, message] of wrong) {
    const { problems, message: said } = await problemsOf(argv)
    assert.match(said, message)
    assert.equal(problems.length, 1, said)
  }
})

test('a reader needs the database alone, and takes a frontier all the same', () => {
  assert.equal(parsePages(['--data', DATA], around).dataDir, DATA)
  assert.equal(parsePages(BOTH, around).frontier, FRONTIER)
})

test('a worker needs a database, has a pair for two cores, and its own way to the web', () => {
  const worker = parseWorker(
    [...BOTH, '--allow-private', '--connect-to', '*.test=127.0.0.1:80'],
    around,
  )
  assert.equal(worker.pairs, 2)
  assert.equal(parseWorker(BOTH, { ...around, cores: 1 }).pairs, 1)
  assert.equal(worker.network.allowPrivate, true)
  assert.equal(worker.network.connectTo.length, 1)
  assert.throws(
    () => parseWorker(['--data', './folder'], around),
    /a worker joins crawls of a data/,
  )
})
