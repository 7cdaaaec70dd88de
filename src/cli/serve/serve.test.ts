import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { BadOptions } from '../../options/bad-options.ts'
import { DEFAULT_CEILINGS } from '../../options/job-ceilings.ts'
import { exitCodeOf } from '../exit-codes.ts'
import { parseServe } from './serve.ts'

const TOKEN = 'a-secret-of-some-length'
let cwd = ''
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'jelajah-serve-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

function parse(argv = '', env: Record<string, string> = {}, cores = 4) {
  const words = argv.split(' ').filter(Boolean)
  return parseServe(words, { cwd, env, cores, memoryBytes: 8 * 2 ** 30 })
}

function problemsOf(argv: string, env: Record<string, string> = {}): BadOptions {
  try {
    parse(argv, env)
  } catch (error) {
    if (error instanceof BadOptions) return error
    throw error
  }
  return assert.fail('it was accepted')
}

test('without options it serves this machine on port 8088', () => {
  assert.deepEqual(parse(), {
    port: 8088,
    host: '127.0.0.1',
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
    jobs: 4,
    connections: 128,
    memoryBytes: 4 * 2 ** 30,
    delayMs: null,
    contact: null,
    ceilings: DEFAULT_CEILINGS,
    dataDir: join(cwd, 'jelajah-data'),
    json: false,
    quiet: false,
    verbose: false,
  })
})

test('a machine with one core runs two jobs at once', () => {
  assert.equal(parse('', {}, 1).jobs, 2)
})

test('port, address, token and delay come from the environment, and a flag wins', () => {
  const env = { PORT: '9000', HOST: '::1', JELAJAH_TOKEN: TOKEN, CRAWL_DELAY_MS: '250' }
  const { port, host, token, delayMs } = parse('', env)
  assert.deepEqual([port, host, token, delayMs], [9000, '::1', TOKEN, 250])
  assert.equal(parse('--port 0 --host localhost', env).port, 0)
  assert.equal(parse('--port 0 --host localhost', env).host, '127.0.0.1')
})

test('an address that others can reach needs a token, and the message says how to get one', () => {
  for (const host of ['0.0.0.0', '::', '[::]', '192.168.1.4', 'crawler.example', '128.0.0.1']) {
    const problems = problemsOf(`--host ${host}`)
    assert.equal(exitCodeOf(problems), 2)
    assert.match(problems.message, /--host: others can reach .*JELAJAH_TOKEN/, host)
    assert.equal(parse(`--host ${host} --token ${TOKEN}`).token, TOKEN)
  }
  assert.equal(exitCodeOf(problemsOf('', { HOST: '0.0.0.0' })), 4)
  for (const host of ['127.0.0.1', '127.9.9.9', '::1', '[::1]', 'localhost', 'LocalHost']) {
    assert.equal(parse(`--host ${host}`).token, null, host)
  }
})

test('a token that is too short is reported without showing it', () => {
  const { message } = problemsOf('--host 0.0.0.0 --token hunter2')
  assert.match(message, /^--token: needs 16 to 512/)
  assert.doesNotMatch(message, /hunter2/)
  assert.doesNotMatch(problemsOf('', { JELAJAH_TOKEN: 'hunter2' }).message, /hunter2/)
})

test('names it may be asked under are kept as a Host header spells them', () => {
  const argv = '--allow-host Crawler.Example.ORG --allow-host a.test:80 --allow-host b.test:8443'
  const { allowedHosts } = parse(argv)
  assert.deepEqual(allowedHosts, ['crawler.example.org', 'a.test:80', 'b.test:8443'])
  for (const wrong of ['http://a.test/', 'a.test/x', 'user@a.test', 'a.test:99999']) {
    assert.match(problemsOf(`--allow-host ${wrong}`).message, /needs a name/, wrong)
  }
})

test('everything that is wrong is said at once', () => {
  const argv = 'word --port 70000 --jobs 0 --memory lots --connections x --proxy nowhere --nope'
  const { message } = problemsOf(argv)
  for (const at of ['word', '--port', '--jobs', '--memory', '--connections', '--proxy', '--nope']) {
    assert.match(message, new RegExp(`^${at}: `, 'm'))
  }
})

test('the config file of crawls gives what harms nobody, and opens no door', () => {
  const config = { data: 'there', contact: 'me@a.test', delay: 5, port: 1, allowPrivate: true }
  writeFileSync(join(cwd, 'jelajah.config.json'), JSON.stringify({ ...config, maxPages: 3 }))
  const { dataDir, contact, delayMs, port, allowPrivate } = parse()
  assert.deepEqual(
    [dataDir, contact, delayMs, port, allowPrivate],
    [join(cwd, 'there'), 'me@a.test', 5, 8088, false],
  )
})

const KEY = 'a-public-key-of-some-length'
const LOCAL = `--public-search http://docs.localhost:3000 --public-crawl docs`

test('search is opened to the sites and the crawls that are named', () => {
  const more = `--public-search https://Example.ORG/ --public-crawl crawl_3 --public-rate 5`
  const { publicSearch } = parse(`${LOCAL} ${more} --public-key ${KEY} --token ${TOKEN}`)
  assert.deepEqual(publicSearch, {
    origins: ['http://docs.localhost:3000', 'https://example.org'],
    crawls: ['docs', 'crawl_3'],
    key: KEY,
    rate: 5,
  })
  assert.equal(parse(LOCAL, { JELAJAH_PUBLIC_KEY: KEY }).publicSearch?.rate, 60)
})

test('a site is named by its origin, and by no pattern', () => {
  const wrong = ['*', 'null', 'example.org', 'https://*.a.test', 'https://a.test/x', 'ftp://a.test']
  for (const origin of [...wrong, 'https://u@a.test', 'https://a.test?', 'https://']) {
    const argv = `--public-search ${origin} --public-crawl a --public-key ${KEY}`
    assert.match(problemsOf(argv).message, /^--public-search: needs an origin such as/, origin)
  }
})

test('a public search without crawls, without a key or without a token is refused at once', () => {
  const { message } = problemsOf('--public-search https://example.org')
  assert.match(message, /^--public-crawl: is missing/m)
  assert.match(message, /^--public-key: is missing.* --public-key [0-9a-f]{32}$/m)
  assert.match(message, /^--public-search: visitors of https:\/\/example\.org .*JELAJAH_TOKEN/m)
  assert.match(problemsOf(`${LOCAL} --public-key short`).message, /^--public-key: needs 16 to 512/)
  const same = `${LOCAL} --token ${TOKEN} --public-key ${TOKEN}`
  assert.match(problemsOf(same).message, /^--public-key: is the token/)
  assert.match(problemsOf('--public-crawl docs').message, /^--public-search: is missing/)
})

test('no file of the folder opens the search or trusts a proxy', () => {
  const lines = ['PUBLIC_SEARCH=http://a.localhost', 'PUBLIC_CRAWL=a', 'TRUST_PROXY=10.0.0.1']
  writeFileSync(join(cwd, '.env'), lines.map((line) => `JELAJAH_${line}\n`).join(''))
  const { publicSearch, trustedProxies } = parse()
  assert.deepEqual([publicSearch, trustedProxies], [null, []])
})

test('a proxy is trusted by its address or its network', () => {
  const { trustedProxies } = parse('--trust-proxy 127.0.0.1 --trust-proxy fd00::/8')
  assert.deepEqual(trustedProxies, ['127.0.0.1', 'fd00::/8'])
  for (const wrong of ['proxy.test', '10.0.0.0/33', '10.0.0.0/', '::/129', '1.2.3.4/8/8', 'true']) {
    assert.match(problemsOf(`--trust-proxy ${wrong}`).message, /needs an address/, wrong)
  }
})
