// A crawl that is told to stop while its servers hang and its parser stands still: it ends all the same,
// and whatever was under way is there for the next run.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { jelajah, pidOf, readPages, readUrls, serve, temporaryFolder } from './crawling.ts'
import { runHere } from './in-process.ts'

const PATHS = ['/', '/1', '/2', '/3', '/hangs']

/** Pages that link to each other; `/hangs` does not answer before it is told to. */
function pages() {
  let hangs = true
  const asked: string[] = []
  return {
    asked,
    heal: () => {
      hangs = false
    },
    listener: ({ url = '' }: { url?: string | undefined }, response: ServerResponse) => {
      asked.push(url)
      if (url === '/hangs' && hangs) return
      if (!PATHS.includes(url)) return void response.writeHead(404).end()
      const links = PATHS.map((path) => `<a href="${path}">${path}</a>`)
      response.setHeader('content-type', 'text/html')
      response.end(`<title>${url}</title><p>This is ${url}.</p>${links.join(' ')}`)
    },
  }
}

async function until(claim: () => boolean): Promise<void> {
  while (!claim()) await wait(10)
}

function statesIn(path: string): Record<string, string> {
  return Object.fromEntries(readUrls(path).map(({ url, state }) => [new URL(url).pathname, state]))
}

test('the first signal ends a crawl whose server hangs and whose parser stands still', async () => {
  const site = pages()
  await using server = await serve(site.listener)
  await using folder = await temporaryFolder()
  const args = ['crawl', `http://127.0.0.1:${server.port}/`, '--data', folder.path]
  const usual = [...args, '--delay', '0', '--per-host', '8', '--json']
  const run = jelajah(usual)
  await until(() => site.asked.includes('/'))
  const parser = pidOf(run.process.pid ?? 0, 'parser') ?? 0
  await until(() => site.asked.includes('/hangs'))
  process.kill(parser, 'SIGSTOP')
  run.process.kill('SIGTERM')
  const { code, stdout } = await run.ended
  assert.equal(code, 11)
  assert.equal(JSON.parse(stdout).status, 'stopped')
  const states = statesIn(folder.path)
  assert.equal(states['/hangs'], 'queued')
  assert.ok(!Object.values(states).some((state) => state === 'leased' || state === 'failed'))
  site.heal()
  assert.equal((await runHere(usual)).code, 0)
  const urls = readPages(folder.path).map(({ url }) => new URL(url).pathname)
  assert.deepEqual(urls.sort(), [...PATHS].sort())
})

test('the time limit does not wait for a server that hangs', async () => {
  const site = pages()
  await using server = await serve(site.listener)
  await using folder = await temporaryFolder()
  const args = ['crawl', `http://127.0.0.1:${server.port}/hangs`, '--data', folder.path]
  const { code } = await runHere([...args, '--delay', '0', '--duration', '1', '--json'])
  assert.equal(code, 15)
  assert.equal(statesIn(folder.path)['/hangs'], 'queued')
})
