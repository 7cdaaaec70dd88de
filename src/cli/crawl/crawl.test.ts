import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { BadOptions } from '../../options/bad-options.ts'
import { exitCodeOf } from '../exit-codes.ts'
import { parsePages } from '../pages.ts'
import { parseCrawl } from './crawl.ts'

let cwd = ''
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'jelajah-cli-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

function parse(argv: string, env: Record<string, string> = {}, stdin = '') {
  const words = argv.split(' ').filter(Boolean)
  const readStdin = async () => stdin
  return parseCrawl(words, { cwd, env, cores: 2, readStdin, checkTopic: () => {} })
}

async function problemsOf(argv: string, env: Record<string, string> = {}): Promise<BadOptions> {
  try {
    await parse(argv, env)
  } catch (error) {
    if (error instanceof BadOptions) return error
    throw error
  }
  return assert.fail('it was accepted')
}

test('seeds and flags may stand in any order', async () => {
  const options = await parse('--max-pages 5 http://a.test/x --fresh --delay=0 http://b.test')
  assert.deepEqual(options.seeds, ['http://a.test/x', 'http://b.test/'])
  assert.equal(options.settings.maxPages, 5)
  assert.equal(options.settings.delayMs, 0)
  assert.equal(options.fresh, true)
})

test('aliases mean the same, and the last one given counts', async () => {
  const { settings } = await parse('a.test --limit 5 --depth 2 --max-pages 7')
  assert.deepEqual([settings.maxPages, settings.maxDepth], [7, 2])
})

test('what is not said has its default', async () => {
  const { settings, ...rest } = await parse('http://a.localhost:80/')
  assert.equal(settings.maxPages, 1000)
  assert.deepEqual(rest, {
    seeds: ['http://a.localhost/'],
    topic: null,
    dataDir: join(cwd, 'jelajah-data'),
    name: null,
    fresh: false,
    refresh: null,
    index: false,
    dryRun: false,
    json: false,
    quiet: false,
    verbose: false,
    warnings: [],
  })
})

test('a flag wins over the environment, that over .env, that over the file', async () => {
  const delay = async (argv: string, env: Record<string, string> = {}) =>
    (await parse(`a.test ${argv}`, env)).settings.delayMs
  writeFileSync(join(cwd, 'jelajah.config.json'), '{"delay": 1}')
  assert.equal(await delay(''), 1)
  writeFileSync(join(cwd, '.env'), 'CRAWL_DELAY_MS=2\n')
  assert.equal(await delay(''), 2)
  assert.equal(await delay('', { CRAWL_DELAY_MS: '3' }), 3)
  assert.equal(await delay('--delay 4', { CRAWL_DELAY_MS: '3' }), 4)
})

test('an empty variable is as good as none', async () => {
  assert.equal((await parse('a.test', { CRAWL_DELAY_MS: ' ' })).settings.delayMs, 1000)
})

test('the file takes any spelling of a name, lists and truth values', async () => {
  const config = {
    max_pages: 9,
    perHost: 3,
    include: ['/a/**'],
    sitemaps: false,
    seeds: ['a.test'],
  }
  writeFileSync(join(cwd, 'jelajah.config.json'), JSON.stringify(config))
  const { settings, seeds } = await parse('')
  assert.deepEqual(seeds, ['https://a.test/'])
  assert.deepEqual(
    [settings.maxPages, settings.perHost, settings.include, settings.sitemaps],
    [9, 3, ['/a/**'], false],
  )
})

test('a flag can turn off what the file turned on', async () => {
  writeFileSync(join(cwd, 'jelajah.config.json'), '{"http2": true, "sitemaps": false}')
  const { settings } = await parse('a.test --no-http2 --sitemaps')
  assert.deepEqual([settings.http2, settings.sitemaps], [false, true])
})

test('all that is wrong is reported at once, each with its place', async () => {
  writeFileSync(join(cwd, 'jelajah.config.json'), '{"max-dept": 3, "retries": "many"}')
  const argv = '--max-pages x --dely 5 --scope moon --frontier http://x mailto:a'
  const { problems } = await problemsOf(argv, { CRAWLER_MAX_THREADS: '-1' })
  assert.deepEqual(problems.map(({ at }) => at).sort(), [
    '--dely',
    '--frontier',
    '--max-pages',
    '--scope',
    'CRAWLER_MAX_THREADS',
    'jelajah.config.json: max-dept',
    'jelajah.config.json: retries',
    'seed',
  ])
})

test('a slip is answered with what was probably meant', async () => {
  const hints = {
    '--dely': '--delay',
    '--max-page': '--max-pages',
    '--no-sitemap': '--no-sitemaps',
  }
  for (const [slip, meant] of Object.entries(hints)) {
    assert.match(
      (await problemsOf(`a.test ${slip} 1`)).message,
      new RegExp(`did you mean ${meant}?`),
    )
  }
})

test('a flag without its value is said to lack it', async () => {
  assert.match((await problemsOf('a.test --delay')).message, /--delay: needs a value: --delay MS/)
  assert.match((await problemsOf('a.test --delay --json')).message, /--delay: needs a value/)
})

test('wrong flags are bad usage, a wrong file or variable is bad configuration', async () => {
  assert.equal(exitCodeOf(await problemsOf('a.test --delay x')), 2)
  assert.equal(exitCodeOf(await problemsOf('a.test', { CRAWL_DELAY_MS: 'x' })), 4)
  assert.equal(exitCodeOf(await problemsOf('', { CRAWLER_START_URLS: 'ftp://x' })), 4)
  assert.equal(exitCodeOf(await problemsOf('a.test', { JELAJAH_FRONTIER: 'redis://x' })), 4)
  writeFileSync(join(cwd, 'jelajah.config.json'), '{')
  assert.equal(exitCodeOf(await problemsOf('a.test')), 4)
  writeFileSync(join(cwd, 'jelajah.config.json'), '[]')
  assert.equal(exitCodeOf(await problemsOf('a.test')), 4)
})

test('a folder called .env is not ours to complain about', async () => {
  mkdirSync(join(cwd, '.env'))
  assert.equal((await parse('a.test')).seeds.length, 1)
})

test('without any seed it says so', async () => {
  assert.match(
    (await problemsOf('--delay 5')).message,
    /give at least one URL to start from, such as jelajah crawl http/,
  )
})

test('a config file that cannot be read is the only problem of a crawl without seeds', async () => {
  writeFileSync(join(cwd, 'jelajah.config.json'), '{ "seeds": ["http://a.test"],, }')
  const problem = await problemsOf('')
  assert.match(problem.message, /^jelajah\.config\.json: is not valid JSON.*$/)
  assert.equal(exitCodeOf(problem), 4)
})

test('a seed file has a URL per line, with comments; a bad line is named', async () => {
  writeFileSync(
    join(cwd, 'seeds.txt'),
    '\ufeff# mine\r\nhttp://a.test/\r\n\r\nb.test/x\nhttp://a.test\n',
  )
  assert.deepEqual((await parse('--seed-file seeds.txt http://c.test/')).seeds, [
    'http://c.test/',
    'http://a.test/',
    'https://b.test/x',
  ])
  writeFileSync(join(cwd, 'seeds.txt'), 'a.test\nnot a url\n')
  const [problem] = (await problemsOf('--seed-file seeds.txt')).problems
  assert.equal(problem?.at, 'seeds.txt line 2')
  assert.match((await problemsOf('--seed-file none.txt')).message, /none.txt does not exist/)
})

test('a seed file called - is stdin', async () => {
  assert.deepEqual((await parse('--seed-file -', {}, 'a.test\n')).seeds, ['https://a.test/'])
})

test('the variable gives seeds only when the command does not', async () => {
  const env = { CRAWLER_START_URLS: 'http://x.test/, http://y.test/' }
  assert.deepEqual((await parse('', env)).seeds, ['http://x.test/', 'http://y.test/'])
  assert.deepEqual((await parse('http://z.test/', env)).seeds, ['http://z.test/'])
})

test('a crawl abroad without a contact is warned about, one at home is not', async () => {
  assert.match((await parse('a.test')).warnings.join(), /no contact/)
  assert.deepEqual((await parse('a.test', { JELAJAH_CONTACT: 'me@a.test' })).warnings, [])
  assert.deepEqual((await parse('a.localhost:8080 127.0.0.1:80 http://[::1]/')).warnings, [])
})

test('an option that the ordering does not have is refused, naming the ordering', async () => {
  const flags = 'a.test --ordering depth-first --ordering-option a=1'
  assert.match(
    (await problemsOf(flags)).message,
    /^--ordering-option: depth-first has no option "a"; it has none/,
  )
  writeFileSync(join(cwd, 'jelajah.config.json'), '{"ordering-option": ["a=1"]}')
  const problems = await problemsOf('a.test')
  assert.match(problems.message, /breadth-first has no option "a"/)
  assert.equal(exitCodeOf(problems), 4)
})

test('a file in place of the data folder is called a file', async () => {
  writeFileSync(join(cwd, 'notes'), '')
  for (const data of ['notes', 'notes/below']) {
    const { message } = await problemsOf(`a.test --data ${data}`)
    assert.equal(message, `--data: ${join(cwd, 'notes')} is a file, not a folder`)
  }
  const around = { cwd, env: {}, cores: 1 }
  assert.throws(() => parsePages(['--data', 'notes'], around), /is a file, not a folder/)
})

test('credentials in a seed are warned about, not repeated', async () => {
  const { seeds, warnings } = await parse('http://me:secret@a.localhost/x http://b.localhost/@y')
  assert.deepEqual(seeds, ['http://a.localhost/x', 'http://b.localhost/@y'])
  assert.deepEqual(warnings, [
    'http://a.localhost/x: the user name and password of this seed are not used.',
  ])
})

test('a host is read in the spelling of URLs', () => {
  const cases: [string, string][] = [
    ['Bücher.Example', 'xn--bcher-kva.example'],
    ['LOCALHOST:8080', 'localhost:8080'],
    ['a.test:443', 'a.test'],
    ['https://a.test/', 'a.test'],
    ['[::1]:80', '[::1]'],
  ]
  for (const [written, host] of cases) {
    const options = parsePages(['--host', written], { cwd, env: {}, cores: 1 })
    assert.equal(options.host, host, written)
  }
  for (const written of ['a.test/x', 'two words', '::1', '@']) {
    const parse = () => parsePages(['--host', written], { cwd, env: {}, cores: 1 })
    assert.throws(parse, /--host: needs a host/, written)
  }
})

test('after -- everything is a seed', async () => {
  assert.match((await problemsOf('a.test -- --json')).message, /"--json" is not an http/)
})

test('a refresh needs no seeds, and takes what is said of the way to the pages', async () => {
  const plain = await parse('--refresh')
  assert.deepEqual(plain.refresh, { due: false, crawl: null, changes: {} })
  assert.deepEqual(plain.seeds, [])
  const argv = '--refresh --due --crawl 3 --delay 5 --connect-to a=127.0.0.1:1 --contact me@b.test'
  const { refresh } = await parse(argv, { CRAWLER_MAX_THREADS: '4' })
  const { userAgent = '', ...changes } = refresh?.changes ?? {}
  assert.match(userAgent, /me@b\.test/)
  assert.deepEqual(
    { ...refresh, changes },
    {
      due: true,
      crawl: '3',
      changes: {
        delayMs: 5,
        concurrency: 4,
        connectTo: [{ pattern: 'a', address: '127.0.0.1', port: 1 }],
      },
    },
  )
})

test('a refresh keeps what the crawl is, whatever the config file says', async () => {
  writeFileSync(
    join(cwd, 'jelajah.config.json'),
    '{"scope": "any", "delay": 7, "seeds": ["b.test"]}',
  )
  const { refresh, seeds } = await parse('--refresh')
  assert.deepEqual([refresh?.changes, seeds], [{ delayMs: 7 }, []])
  const { problems } = await problemsOf(
    'a.test --refresh --scope any --topic tea --fresh --crawl 1',
  )
  const places = problems.map(({ at }) => at)
  assert.deepEqual(places.sort(), ['--crawl', '--fresh', '--scope', '--topic'])
})

test('which crawl, and what is due, is asked for with a refresh only', async () => {
  const { problems } = await problemsOf('a.test --due --crawl 1')
  assert.deepEqual(problems.map(({ at }) => at).sort(), ['--crawl', '--due'])
})

test('private addresses are allowed all, or by name, network and port', async () => {
  const cases: Readonly<Record<string, unknown>> = {
    'a.test': false,
    'a.test --allow-private': true,
    '--allow-private a.test': true,
    '--allow-private=10.0.0.0/8 a.test': ['10.0.0.0/8'],
    '--allow-private 10.0.0.0/8 a.test': ['10.0.0.0/8'],
    '--allow-private=Intranet.test:81 --allow-private fd00::/8 a.test': [
      'intranet.test:81',
      'fd00::/8',
    ],
    'a.test --allow-private --allow-private=10.0.0.1': true,
    'a.test --allow-private=10.0.0.1 --no-allow-private': false,
    'a.test --allow-private=false': false,
  }
  for (const [argv, expected] of Object.entries(cases)) {
    const { seeds, settings } = await parse(argv)
    assert.deepEqual(settings.allowPrivate, expected, argv)
    assert.deepEqual(seeds, ['https://a.test/'], argv)
  }
  assert.deepEqual((await parse('--allow-private 10.0.0.5')).seeds, ['https://10.0.0.5/'])
  const { problems } = await problemsOf('a.test --allow-private=http://b.test/ --max-pages 0')
  assert.deepEqual(problems.map(({ at }) => at).sort(), ['--allow-private', '--max-pages'])
  writeFileSync(join(cwd, 'jelajah.config.json'), '{"allowPrivate": ["10.0.0.0/8", "b.test"]}')
  assert.deepEqual((await parse('a.test')).settings.allowPrivate, ['10.0.0.0/8', 'b.test'])
})

test('only what the user typed, and says itself where it leads, is noted as typed', async () => {
  const typed = async (...args: Parameters<typeof parse>) =>
    (await parse(...args)).settings.typedHosts
  const words = 'http://10.0.0.5:81/x localhost:3000 a.localhost inside.test http://[::1]/'
  const hosts = ['10.0.0.5:81', 'localhost:3000', 'a.localhost', '[::1]']
  assert.deepEqual(await typed(words), hosts)
  writeFileSync(join(cwd, 'seeds.txt'), 'http://169.254.169.254/\n')
  assert.deepEqual(await typed('localhost --seed-file seeds.txt'), ['localhost'])
  assert.deepEqual(await typed('', { CRAWLER_START_URLS: 'http://127.0.0.1/' }), ['127.0.0.1'])
  writeFileSync(join(cwd, '.env'), 'CRAWLER_START_URLS=http://169.254.169.254/\n')
  assert.deepEqual(await typed(''), [])
  rmSync(join(cwd, '.env'))
  writeFileSync(join(cwd, 'jelajah.config.json'), '{"seeds": ["http://169.254.169.254/"]}')
  assert.deepEqual(await typed(''), [])
})
