import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { demoSite } from '../sample-web/samples.ts'
import type { ServedSite } from '../sample-web/server.ts'
import { commandNamed } from './commands.ts'
import { lookAround, parseDemo, serveDemo } from './demo.ts'
import { serveWeb } from './demo-web.ts'

test('the demo ends with what can be done with its crawl, each with its folder', () => {
  const lines = lookAround('/tmp/demo', 'http://a.test/secret').split('\n').slice(1)
  const names = lines.map(
    (line) => /^ {2}bin\/jelajah (\w+) .*--data \/tmp\/demo\b/.exec(line)?.[1],
  )
  for (const name of names) assert.notEqual(commandNamed(name ?? ''), null, name)
  for (const name of ['search', 'rank', 'graph', 'export']) assert.ok(names.includes(name), name)
})

const dataDir = mkdtempSync(join(tmpdir(), 'jelajah-demo-'))
after(() => rmSync(dataDir, { recursive: true, maxRetries: 5 }))

/** Takes the usual port, unless somebody has it already. */
async function takeUsualPort(): Promise<Disposable> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.once('error', () => resolve()).listen(8088, '127.0.0.1', resolve)
  })
  return { [Symbol.dispose]: () => void server.close() }
}

test('the end of the demo serves its crawl on a port that is free, until it is told to stop', async () => {
  using _taken = await takeUsualPort()
  let said = ''
  const warn = (text: string): void => {
    said += text
  }
  const out = { write: async () => {}, warn }
  const added = new Map<string, Parameters<ServedSite['add']>[1]>()
  const add: ServedSite['add'] = (path, page) => void added.set(path, page)
  const over = serveDemo(dataDir, { seeds: ['http://a.localhost:1/'], add }, out)
  const deadline = performance.now() + 60_000
  while (!said.includes('Ctrl-C')) {
    assert.ok(performance.now() < deadline, 'it never listened')
    await wait(20)
  }
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? ''
  assert.notEqual(new URL(url).port, '8088')
  assert.match(said, /http:\/\/a\.localhost:1\//)
  const options = await (await fetch(`${url}/options`)).text()
  assert.match(options, /"allow_private":true/, 'the sample web is on this machine')
  assert.match(said, /search box: http:\/\/a\.localhost:1\/search-box\n/)
  const [host] = demoSite().hosts
  const html = added.get('/search-box')!(host!)
  assert.ok(html.includes(`<script src="${url}/search.js"`))
  const key = /<jelajah-search key="(\w+)"/.exec(html)![1]!
  const origin = 'http://a.localhost:1'
  const found = await fetch(`${url}/public/search?q=tea&key=${key}`, { headers: { origin } })
  assert.equal(found.headers.get('access-control-allow-origin'), origin)
  process.emit('SIGHUP')
  await over
  await assert.rejects(fetch(`${url}/healthz`))
})

/** What a command printed; `ready` resolves with its first line on stdout. */
function listener() {
  const { promise: ready, resolve } = Promise.withResolvers<string>()
  const said: string[] = []
  const write = async (text: string): Promise<void> => resolve(text)
  return { out: { write, warn: (text: string) => void said.push(text) }, ready, said }
}

test('the small web alone is served on the port that was asked for, until it is told to stop', async () => {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  const first = listener()
  const over = serveWeb({ port: 0, json: true, quiet: false }, first.out, stopped)
  const { port, seeds } = JSON.parse(await first.ready)
  const second = listener()
  try {
    assert.equal(new URL(seeds[0]).port, String(port))
    assert.equal(await statusOf(port, new URL(seeds[0]).host), 200)
    assert.equal(await serveWeb({ port, json: false, quiet: false }, second.out), 1)
  } finally {
    stop()
  }
  assert.match(second.said.join(''), /^jelajah: port \d+ is in use.*--port/)
  assert.equal(await over, 0)
  await assert.rejects(statusOf(port, 'a.localhost'))
})

async function statusOf(port: number, host: string): Promise<number | undefined> {
  const request = get({ host: '127.0.0.1', port, headers: { host }, agent: false })
  const [response] = await once(request, 'response')
  response.resume()
  return response.statusCode
}

test('a port is for the small web alone', () => {
  const around = { env: {}, cwd: dataDir, cores: 2 }
  const read = (...argv: string[]) => parseDemo(argv, around)
  assert.throws(() => read('--port', '1'), /--port: is for the small web alone: give --web/)
  assert.deepEqual([read('--web').port, read('--web', '--port', '1').port], [8099, 1])
})
