import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { commandNamed } from './commands.ts'
import { lookAround, serveDemo } from './demo.ts'

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
  const over = serveDemo(dataDir, ['http://a.localhost:1/'], out)
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
  process.emit('SIGHUP')
  await over
  await assert.rejects(fetch(`${url}/healthz`))
})
