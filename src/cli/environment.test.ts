import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { BadOptions } from '../options/bad-options.ts'
import { parseClassify } from './classify.ts'
import { COMMANDS, optionsOf } from './commands.ts'
import { parseCrawl } from './crawl/crawl.ts'
import { exitCodeOf } from './exit-codes.ts'
import { parseExport } from './export/export.ts'
import { parsePages } from './pages.ts'
import { parseSearch } from './search/search.ts'
import { parseServe } from './serve/serve.ts'
import { variablesOf, variableWarnings, warnOfVariables } from './sources.ts'
import { parseTrain } from './train.ts'
import { parseWords } from './words.ts'

type Env = Readonly<Record<string, string>>
const LOADED = await Promise.all(COMMANDS.map(({ load }) => load()))
const ALL = LOADED.flatMap(({ command }) => optionsOf(command))

let cwd = ''
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'jelajah-environment-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

const around = (env: Env) => ({ cwd, env, cores: 2 })

function crawl(argv: readonly string[], env: Env) {
  const needs = { readStdin: async () => '', checkTopic: () => {} }
  return parseCrawl(argv, { ...around(env), ...needs })
}

async function messageOf(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (error instanceof BadOptions) return `${exitCodeOf(error)} ${error.message}`
    throw error
  }
  return assert.fail('it was taken')
}

test('every option of every command has a variable of its own name, but the folder of the demo', () => {
  const without = ALL.filter((option) => {
    const name = `JELAJAH_${option.name.replaceAll('-', '_').toUpperCase()}`
    return !variablesOf(option).some((variable) => variable.name === name)
  })
  assert.deepEqual(
    without.map(({ name, help }) => [name, help]),
    [['data', 'the folder where crawls live']],
  )
})

test('variables set what the flags of that name set', async () => {
  const env = {
    JELAJAH_MAX_PAGES: '7',
    JELAJAH_DEPTH: '2',
    JELAJAH_KEYWORDS: 'solar power, heat pump',
    JELAJAH_INCLUDE: '/{a,b}/** /c,*.test',
    JELAJAH_NO_SITEMAPS: '1',
    JELAJAH_KEEP_HTML: 'TRUE',
    JELAJAH_ALLOW_PRIVATE: '10.0.0.0/8, 127.0.0.1:80',
    JELAJAH_SEEDS: 'http://a.test/ http://b.test/',
    JELAJAH_DELAY: '5',
    CRAWL_DELAY_MS: '6',
  }
  const { settings, seeds } = await crawl([], env)
  assert.equal(settings.maxPages, 7)
  assert.equal(settings.maxDepth, 2)
  assert.deepEqual(settings.keywords, ['solar power', 'heat pump'])
  assert.deepEqual(settings.include, ['/{a,b}/**', '/c', '*.test'])
  assert.equal(settings.sitemaps, false)
  assert.equal(settings.keepHtml, true)
  assert.deepEqual(settings.allowPrivate, ['10.0.0.0/8', '127.0.0.1:80'])
  assert.deepEqual(seeds, ['http://a.test/', 'http://b.test/'])
  assert.equal(settings.delayMs, 5)
  assert.equal((await crawl(['a.test', '--max-pages', '9'], env)).settings.maxPages, 9)
  assert.equal((await crawl(['a.test'], { CRAWL_DELAY_MS: '6' })).settings.delayMs, 6)
})

test('commands that read, train and serve take them as well', async () => {
  assert.equal(parsePages([], around({ JELAJAH_LIMIT: '3' })).limit, 3)
  assert.equal(parseSearch(['tea'], around({ JELAJAH_LIMIT: '4' })).limit, 4)
  const serve = parseServe([], { ...around({ JELAJAH_PORT: '9000' }), memoryBytes: 1 })
  assert.equal(serve.port, 9000)
  const exported = parseExport([], around({ JELAJAH_FORMAT: 'csv', JELAJAH_OUT: '-' }))
  assert.deepEqual([exported.exporter.name, exported.out], ['csv', null])
  writeFileSync(join(cwd, 't.jsonl'), '')
  const trained = await parseTrain(['t.jsonl'], around({ JELAJAH_OUT: 'm', JELAJAH_FOLDS: '3' }))
  assert.deepEqual([trained.out, trained.folds], [join(cwd, 'm'), 3])
  const words = { ...around({ JELAJAH_LANGUAGE: 'id' }), isTerminal: true }
  assert.equal((await parseWords(['kata'], words)).language, 'id')
})

test('a text is classified by itself, whatever place of crawls the environment names', () => {
  writeFileSync(join(cwd, 'm.json'), '')
  const env = { JELAJAH_DATA: './web', JELAJAH_MODEL: 'm.json' }
  assert.equal(parseClassify(['some text'], around(env)).source.kind, 'text')
  assert.equal(parseClassify([], around(env)).source.kind, 'crawl')
})

test('an error names the variable that an option came from, not the config file', async () => {
  const inCrawl = (env: Env) => messageOf(() => crawl(['a.test'], env))
  assert.match(await inCrawl({ JELAJAH_MAX_PAGES: 'x' }), /^4 JELAJAH_MAX_PAGES: needs a whole/)
  assert.match(
    await inCrawl({ JELAJAH_ORDERING: 'adaptive' }),
    /^4 JELAJAH_ORDERING: adaptive needs/,
  )
  assert.match(
    await inCrawl({ JELAJAH_TOPIC: 'tea', JELAJAH_STOP_WORDS: 'gone.txt' }),
    /^4 JELAJAH_STOP_WORDS: gone.txt does not exist$/,
  )
  writeFileSync(join(cwd, 'none.txt'), '- off topic')
  assert.match(
    await inCrawl({ JELAJAH_EXAMPLES: 'none.txt' }),
    /^4 JELAJAH_EXAMPLES: none.txt has no/,
  )
  writeFileSync(join(cwd, 'bad.txt'), 'a\n{"x"')
  assert.match(
    await inCrawl({ JELAJAH_EXAMPLES: 'bad.txt' }),
    /^4 JELAJAH_EXAMPLES: bad.txt line 2: /,
  )
  const seeds = await messageOf(() => crawl([], { JELAJAH_SEEDS: 'mailto:x' }))
  assert.match(seeds, /^4 JELAJAH_SEEDS: "mailto:x" is not/)
  const data = { JELAJAH_DATA: join(cwd, 'bad.txt') }
  assert.match(await messageOf(() => parsePages([], around(data))), /^4 JELAJAH_DATA: .* is a file/)
  const host = { ...around({ JELAJAH_HOST: '0.0.0.0' }), memoryBytes: 1 }
  assert.match(await messageOf(() => parseServe([], host)), /^4 JELAJAH_HOST: others can reach/)
})

test('an error of the config file still names the file', async () => {
  writeFileSync(join(cwd, 'jelajah.config.json'), '{"ordering": "adaptive"}')
  const message = await messageOf(() => crawl(['a.test'], {}))
  assert.match(message, /^4 jelajah.config.json: ordering: adaptive needs/)
})

test('a server opens private addresses by hand, not by a file of its folder', () => {
  const allowed = (env: Env) => parseServe([], { ...around(env), memoryBytes: 1 }).allowPrivate
  writeFileSync(join(cwd, '.env'), 'JELAJAH_ALLOW_PRIVATE=1\nJELAJAH_JOBS=7\n')
  assert.equal(allowed({}), false)
  assert.equal(allowed({ JELAJAH_ALLOW_PRIVATE: '1' }), true)
  assert.equal(parseServe([], { ...around({}), memoryBytes: 1 }).jobs, 7)
})

test('a variable that sets no option is named with the one that was probably meant', () => {
  const env = {
    JELAJAH_MAX_PAGE: '5',
    JELAJAH_QWERTYUIOP: 's3cret',
    JELAJAH_DATA: 'x',
    JELAJAH_NO_SITEMAPS: '1',
    JELAJAH_DEPTH: '',
    HOME: '/',
  }
  assert.deepEqual(variableWarnings(env, ALL), [
    'JELAJAH_MAX_PAGE in the environment sets no option; did you mean JELAJAH_MAX_PAGES?',
    'JELAJAH_QWERTYUIOP in the environment sets no option',
  ])
  const many = Object.fromEntries(Array.from({ length: 14 }, (_, nth) => [`JELAJAH_Q${nth}`, '1']))
  assert.match(variableWarnings(many, ALL).at(-1) ?? '', /^4 more variables/)
})

test('the languages of a crawl do not disturb commands that take one language', async () => {
  const env = { JELAJAH_LANGUAGE: 'id,en' }
  assert.deepEqual((await crawl(['a.test'], env)).settings.languages, ['id', 'en'])
  assert.equal(parseSearch(['tea'], around(env)).language, undefined)
  assert.equal((await parseWords(['kata'], { ...around(env), isTerminal: true })).language, '')
  const one = { JELAJAH_LANGUAGE: 'xx' }
  assert.match(await messageOf(() => parseSearch(['tea'], around(one))), /^4 JELAJAH_LANGUAGE: /)
})

test('variables of a .env that set no option are named, too', async () => {
  writeFileSync(join(cwd, '.env'), 'JELAJAH_TOPIK=tea\n')
  const told: string[] = []
  const tell = (line: string) => void told.push(line)
  await warnOfVariables({ ...around({ JELAJAH_X_Y_Z: '1' }), tell }, [], async () => ALL)
  assert.deepEqual(told, [
    'JELAJAH_X_Y_Z in the environment sets no option',
    'JELAJAH_TOPIK in .env sets no option; did you mean JELAJAH_TOPIC?',
  ])
})

test('an empty topic is one problem, not also a missing one', async () => {
  const message = await messageOf(() =>
    crawl(['a.test', '--topic', '', '--ordering', 'adaptive'], {}),
  )
  assert.equal(message, '2 --topic: needs a text, not ""')
  const others = ['--topic', ' ', '--min-relevance', '0.5', '--max-hot', '3']
  assert.equal(
    await messageOf(() => crawl(['a.test', ...others], {})),
    '2 --topic: needs a text, not " "',
  )
})

test('a language that there is not is refused, with those that there are', async () => {
  const language = ['--language', 'xx']
  assert.match(await messageOf(() => parseSearch(['tea', ...language], around({}))), /not "xx"$/)
  const wanted = ['--format', 'csv', '--out', '-', ...language]
  assert.match(
    await messageOf(() => parseExport(wanted, around({}))),
    /such as id or en, not "xx"$/,
  )
  writeFileSync(join(cwd, 't.jsonl'), '')
  const train = (tag: string) => () =>
    parseTrain(['t.jsonl', '--out', 'm', '--language', tag], around({}))
  for (const tag of ['xx', 'ga']) {
    assert.match(await messageOf(train(tag)), /needs one of af, .*, or none for words as they are/)
  }
  assert.equal((await train('pt-BR')()).language, 'pt-BR')
  assert.equal(parseSearch(['tea', '--language', 'ga'], around({})).language, 'ga')
})
