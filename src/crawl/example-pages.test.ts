import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../../test/e2e/crawling.ts'
import { type CanonicalUrl, canonicalise } from '../core/url.ts'
import { systemClock } from '../lib/clock.ts'
import type { Example } from '../options/examples-file.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import { type HostLimiter, NO_LIMITER } from '../scouter/host-limiter.ts'
import { type ExampleDeps, readExamplePages } from './example-pages.ts'

const HTML = `<title>Roofs</title><meta name="description" content="On roofs">
<h1>Roofs</h1><p>${'Tiles keep the rain out of the house. '.repeat(20)}</p>
<a href="/walls">Walls of brick</a><a href="/doors">Doors</a>`

function url(text: string): CanonicalUrl {
  return canonicalise(text) ?? assert.fail(`${text} is no URL`)
}

const byUrl = (text: string): Example => ({ kind: 'url', url: url(text) })

function deps(changes: Partial<ExampleDeps> = {}): ExampleDeps {
  return {
    settings: { ...DEFAULT_SETTINGS, delayMs: 0, allowPrivate: true },
    seeds: [],
    origin: 'cli',
    openLimiter: async () => NO_LIMITER,
    stored: async () => null,
    clock: systemClock,
    onProgress: () => {},
    onWait: () => {},
    ...changes,
  }
}

async function serveRoofs() {
  const asked: string[] = []
  const served = await serve((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    if (path.startsWith('/busy')) response.statusCode = 503
    else if (!path.startsWith('/roof')) response.statusCode = 404
    response.setHeader('content-type', path === '/roof.pdf' ? 'application/pdf' : 'text/html')
    response.end(HTML)
  })
  return Object.assign(served, {
    asked,
    at: (path: string) => `http://127.0.0.1:${served.port}${path}`,
  })
}

test('a page is read as a crawl reads it, with what its links say', async () => {
  await using web = await serveRoofs()
  const examples = { positive: [byUrl(web.at('/roof'))], negative: [] }
  const { positive, lost } = await readExamplePages(examples, deps())
  assert.deepEqual(lost, [])
  const [page] = positive
  assert.deepEqual([page?.title, page?.description], ['Roofs', 'On roofs'])
  assert.match(page?.text ?? '', /^.*Tiles keep the rain out/s)
  assert.deepEqual(page?.anchors, ['Walls of brick', 'Doors'])
})

test('what is stored, and what is given as a text, is not asked for', async () => {
  await using web = await serveRoofs()
  const kept = { url: url(web.at('/roof')), title: 'kept', description: '', text: '', anchors: [] }
  const text: Example = { kind: 'text', title: 'T', text: 'words' }
  const examples = { positive: [byUrl(kept.url), text], negative: [text] }
  const { positive, negative } = await readExamplePages(
    examples,
    deps({ stored: async () => kept }),
  )
  assert.deepEqual(
    positive.map(({ title }) => title),
    ['kept', 'T'],
  )
  assert.equal(negative[0]?.text, 'words')
  assert.deepEqual(web.asked, [])
})

test('what cannot be had is listed, each with the reason', async () => {
  await using web = await serveRoofs()
  const examples = {
    positive: ['/roof/1', '/none', '/roof.pdf'].map((path) => byUrl(web.at(path))),
    negative: [byUrl(web.at('/roof/2'))],
  }
  const progress: string[] = []
  const onProgress = (done: number, of: number) => progress.push(`${done}/${of}`)
  const { positive, negative, lost } = await readExamplePages(examples, deps({ onProgress }))
  assert.deepEqual([positive.length, negative.length], [1, 1])
  const reasons = lost.map(({ reason }) => reason.replace(/^\S+\d(?=\/)/, ''))
  assert.deepEqual(reasons, [
    '/none: the server answered 404 Not Found',
    '/roof.pdf: is application/pdf, which the parser does not read',
  ])
  assert.deepEqual(progress, ['0/4', '1/4', '2/4', '3/4', '4/4'])
})

test('a host in trouble is left in peace after the first answer', async () => {
  await using web = await serveRoofs()
  const positive = ['/busy/1', '/busy/2', '/roof'].map((path) => byUrl(web.at(path)))
  const { lost } = await readExamplePages({ positive, negative: [] }, deps())
  assert.deepEqual(web.asked, ['/robots.txt', '/busy/1'])
  assert.match(lost[1]?.reason ?? '', /\/busy\/2: was not asked for, since its host had failed/)
  assert.equal(lost.length, 3)
})

test('a private address is refused as in a crawl', async () => {
  await using web = await serveRoofs()
  const settings = { ...DEFAULT_SETTINGS, delayMs: 0 }
  const examples = { positive: [byUrl(web.at('/roof'))], negative: [] }
  const { lost } = await readExamplePages(examples, deps({ settings }))
  assert.match(lost[0]?.reason ?? '', /private address/)
  const trusted = deps({ settings, seeds: [url(web.at('/'))] })
  assert.deepEqual((await readExamplePages(examples, trusted)).lost, [])
  const overHttp = await readExamplePages(examples, { ...trusted, origin: 'api' })
  assert.match(overHttp.lost[0]?.reason ?? '', /private address/)
})

test('a page is asked for in turn with crawls that ask the same host', async () => {
  await using web = await serveRoofs()
  const told: string[] = []
  const slot = { requestSent: () => told.push('started'), done: () => told.push('done') }
  const busy = { slot: null, askAgainAt: systemClock.now(), trouble: '' }
  const answers = [busy, { slot }, { slot }]
  const openLimiter = async (): Promise<HostLimiter> => ({
    ...NO_LIMITER,
    ask: async (host) => {
      told.push(host)
      return answers.shift() ?? assert.fail('asked too often')
    },
  })
  const examples = { positive: [byUrl(web.at('/roof'))], negative: [] }
  const { lost } = await readExamplePages(examples, deps({ openLimiter }))
  assert.deepEqual(lost, [])
  const host = `127.0.0.1:${web.port}`
  assert.deepEqual(told, [host, host, 'started', 'done', host, 'started', 'done'])
})
