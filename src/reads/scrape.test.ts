import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { canonicalise } from '../core/url.ts'
import { systemClock } from '../lib/clock.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import { openWorkspace } from '../workspace/open-workspace.ts'
import { WebReads } from './scrape.ts'

/** Reads of a server on this machine that has only these answers. */
async function readsOf(stack: AsyncDisposableStack, listener: RequestListener) {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-scrape-'))
  stack.defer(() => rmSync(folder, { recursive: true }))
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stack.defer(() => server.closeAllConnections())
  stack.defer(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : null
  const url = canonicalise(`http://127.0.0.1:${port}/`)
  assert.ok(url)
  const workspace = stack.use(openWorkspace({ data: folder, frontier: null }))
  await workspace.make()
  return { url, reads: stack.use(new WebReads(workspace, systemClock)) }
}

const SETTINGS = { ...DEFAULT_SETTINGS, allowPrivate: true, delayMs: 1 }

test('requests with other settings at the same moment do not end each other', async () => {
  await using stack = new AsyncDisposableStack()
  const { url, reads } = await readsOf(stack, ({ url: path }, response) => {
    const isPage = path === '/'
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' })
    response.end(isPage ? '<title>Tea</title><p>Green tea' : '')
  })
  const scrape = async (ignoreRobots: boolean) => {
    const request = { url, timeoutMs: 20_000, formats: [], settings: { ...SETTINGS, ignoreRobots } }
    const page = await reads.scrape(request)
    return 'title' in page ? page.title : page.message
  }
  assert.equal(await scrape(false), 'Tea')
  const both = await Promise.all([scrape(false), scrape(true), scrape(false), scrape(true)])
  assert.deepEqual(both, ['Tea', 'Tea', 'Tea', 'Tea'])
})

test('robots.txt is asked for once, however requests take turns', async () => {
  await using stack = new AsyncDisposableStack()
  const asked: (string | undefined)[] = []
  const { url, reads } = await readsOf(stack, ({ url: path }, response) => {
    asked.push(path)
    response.end('<p>x')
  })
  for (const ignoreRobots of [false, true, false, true, false]) {
    const settings = { ...SETTINGS, ignoreRobots }
    await reads.scrape({ url, timeoutMs: 20_000, formats: [], settings })
  }
  assert.deepEqual(asked, ['/robots.txt', '/', '/', '/', '/', '/'])
})

test('a body under way ends with the time of its request', async () => {
  await using stack = new AsyncDisposableStack()
  const begun = Promise.withResolvers<IncomingMessage>()
  const { url, reads } = await readsOf(stack, (request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    if (request.url === '/robots.txt') response.end()
    else {
      response.write('<p>a body without an end')
      begun.resolve(request)
    }
  })
  const page = reads.scrape({ url, timeoutMs: 1000, formats: [], settings: SETTINGS })
  await once((await begun.promise).socket, 'close')
  assert.deepEqual('reason' in (await page), true)
})
