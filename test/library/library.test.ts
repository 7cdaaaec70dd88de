// The package as another program uses it: crawls of the sample web, and what they stored.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  BadOptions,
  type CrawlEvent,
  crawl,
  defineConfig,
  InvalidInput,
  openWorkspace,
  parsePage,
} from '../../src/main/library.ts'
import { expectedCrawl } from '../../src/sample-web/oracle.ts'
import { type ServedSite, startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { ROOT, temporaryFolder } from '../e2e/crawling.ts'

const rig = new AsyncDisposableStack()
after(() => rig.disposeAsync())

const site = createSite({ seed: 3, pages: 60, specials: 1 })
const FAST = defineConfig({
  delay: 0,
  perHost: 4,
  allowPrivate: true,
  scouters: 1,
  contact: 'test',
})
let served: ServedSite
let data = ''
const read: string[] = []
const events: CrawlEvent[] = []

before(async () => {
  served = rig.use(await startSite(site))
  data = rig.use(await temporaryFolder()).path
  const run = crawl({ ...FAST, seeds: served.seeds, data })
  const heard = (async () => {
    for await (const event of run.events) events.push(event)
  })()
  for await (const page of run) {
    assert.ok(page.id > 0)
    read.push(page.url)
  }
  assert.equal((await run.summary).status, 'completed')
  await heard
})

test('a program gets every stored page of a run once, when it is durable', () => {
  const { stored } = expectedCrawl(site, { seeds: served.seeds, scope: 'domain' })
  assert.deepEqual([...read].sort(), [...stored].sort())
})

test('a run tells its start, how it goes and its end', () => {
  assert.equal(events[0]?.type, 'start')
  assert.ok(events.some(({ type }) => type === 'progress'))
  const last = events.at(-1)
  assert.ok(last?.type === 'end' && last.summary.stored === read.length)
})

test('stored crawls are read: pages, URLs, one story, search, graph and exports', async () => {
  await using workspace = await openWorkspace(data)
  const [job] = await workspace.crawls()
  assert.deepEqual(
    [job?.status, [...(job?.seeds ?? [])].sort()],
    ['completed', [...served.seeds].sort()],
  )
  const pages = await Array.fromAsync(workspace.pages({ parts: ['links'] }))
  assert.ok(pages.length > 0 && pages.every(({ url, noindex }) => read.includes(url) && !noindex))
  assert.ok(pages.some(({ parts }) => (parts.links ?? '[]') !== '[]'))
  const stored = await Array.fromAsync(workspace.urls({ state: 'stored' }))
  assert.deepEqual(stored.map(({ url }) => url).sort(), [...read].sort())
  const url = pages[0]?.url ?? ''
  assert.equal((await workspace.page(url))?.url, url)
  assert.equal((await workspace.explain(url)).row?.state, 'stored')
  const word = /\p{L}{6,}/u.exec(pages[0]?.contentText ?? '')?.[0] ?? ''
  assert.ok((await workspace.search(word)).total > 0)
  assert.equal((await workspace.graph()).nodes.length, read.length)
  assert.ok((await workspace.siteGraph()).nodes.length > 0)
  const lines = (await workspace.export({ format: 'ndjson' }).toArray()).join('').trim().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).url),
    pages.map(({ url }) => url),
  )
})

test('whoever leaves an export early ends it', async () => {
  await using workspace = await openWorkspace(data)
  const stream = workspace.export({ format: 'ndjson' })
  for await (const _piece of stream) break
  // It closes when the export behind it has ended.
  if (!stream.closed) await new Promise((resolve) => stream.once('close', resolve))
  assert.equal(stream.readableEnded, false)
})

test('what is wrong with a question is said in an error that names it', async () => {
  await using workspace = await openWorkspace(data)
  await assert.rejects(workspace.page('nowhere'), { name: 'InvalidInput', at: 'url' })
  await assert.rejects(workspace.graph({ crawl: 'none' }), /there is no crawl "none"/)
  await assert.rejects(workspace.export({ format: 'text' }).toArray(), /several files/)
  await assert.rejects(workspace.export({ format: 'tex' }).toArray(), /needs one of ndjson/)
  await assert.rejects(openWorkspace(''), InvalidInput)
  // What only a compiler would refuse: it must not find nothing, or everything.
  // biome-ignore lint/suspicious/noExplicitAny: this is a program without types.
  const untyped = workspace as any
  const wrong: readonly (readonly [at: string, work: () => Promise<unknown>])[] = [
    ['parts', () => Array.fromAsync(untyped.pages({ parts: ['url); --'] }))],
    ['lang', () => Array.fromAsync(untyped.pages({ lang: 'en' }))],
    ['language', () => Array.fromAsync(untyped.pages({ language: 5 }))],
    ['state', () => Array.fromAsync(untyped.urls({ state: 'done' }))],
    ['text', () => untyped.search(5)],
    ['limit', () => untyped.search('tea', { limit: -1 })],
    ['top', () => untyped.graph({ top: 'all' })],
    ['url', () => untyped.page()],
    ['crawl', () => untyped.siteGraph({ crawl: 'none' })],
    ['host', () => untyped.export({ format: 'ndjson', host: 'none' }).toArray()],
    ['since', () => untyped.export({ format: 'ndjson', since: 'soon' }).toArray()],
    ['request', () => untyped.export().toArray()],
  ]
  for (const [at, work] of wrong) await assert.rejects(work, { name: 'InvalidInput', at })
})

test('what is no object of options, or no signal, is an error of the summary and nothing else', async () => {
  // biome-ignore lint/suspicious/noExplicitAny: this is a program without types.
  const untyped = crawl as any
  for (const options of [undefined, null, 'https://a.test/', ['https://a.test/']]) {
    await assert.rejects(untyped(options).summary, { name: 'InvalidInput', at: 'options' })
  }
  const controller = { seeds: 'https://a.test/', signal: new AbortController() }
  await assert.rejects(untyped(controller).summary, { name: 'InvalidInput', at: 'signal' })
  const odd: Record<string, unknown> = { seeds: 'https://a.test/', maxPages: 5n }
  odd.delay = odd
  await assert.rejects(untyped(odd).summary, BadOptions)
})

test('everything wrong with the options is reported at once, by the names that were given', async () => {
  // @ts-expect-error: a typing error, which the types refuse too.
  const run = crawl({ seeds: ['mailto:x'], maxPage: 3, perHost: 0, ordering: 'adaptive', data })
  const error = await run.summary.then(
    () => assert.fail('it was accepted'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof BadOptions)
  assert.deepEqual(error.problems.map(({ at }) => at).sort(), [
    'maxPage',
    'ordering',
    'perHost',
    'seeds[0]',
  ])
  assert.match(error.message, /give topic, keywords, topicModel, examples or classifier/)
  assert.match(error.message, /did you mean maxPages\?/)
  await assert.rejects(Array.fromAsync(run), BadOptions)
  await assert.rejects(Array.fromAsync(run.events), BadOptions)
})

test('a paused run is continued by the same options, and gives only the rest of the pages', async () => {
  const { path } = rig.use(await temporaryFolder())
  const options = { ...FAST, seeds: served.seeds, data: path, delay: 20, perHost: 1 }
  const first = crawl(options)
  const some: string[] = []
  for await (const page of first) {
    some.push(page.url)
    if (some.length === 5) await first.pause()
  }
  assert.equal((await first.summary).status, 'paused')
  assert.ok(some.length >= 5 && some.length < read.length)
  const rest = await Array.fromAsync(crawl({ ...options, delay: 0 }))
  assert.deepEqual([...some, ...rest.map(({ url }) => url)].sort(), [...read].sort())
})

test('an aborted run ends with its summary, and its pages with the reason', async () => {
  const { path } = rig.use(await temporaryFolder())
  const leaving = new AbortController()
  const run = crawl({ ...FAST, seeds: served.seeds, data: path, signal: leaving.signal, delay: 50 })
  const why = new Error('enough')
  const reading = (async () => {
    for await (const _page of run) leaving.abort(why)
  })()
  await assert.rejects(reading, why)
  assert.equal((await run.summary).status, 'stopped')
  const before = crawl({ ...FAST, seeds: served.seeds, data: path, signal: leaving.signal })
  await assert.rejects(before.summary, why)
})

test('one page is parsed without a crawl', async () => {
  const page = await parsePage(
    '<title>Tea</title><h1>Tea</h1><p>Green. <a href="/x">More</a></p>',
    {
      url: 'https://a.test/y',
    },
  )
  assert.equal(page.title, 'Tea')
  assert.match(page.markdown, /\[More\]\(https:\/\/a\.test\/x\)/)
  assert.deepEqual(
    page.parts.links?.map(({ url }) => url),
    ['https://a.test/x'],
  )
  await assert.rejects(parsePage('x', { url: 'tea' }), InvalidInput)
  // @ts-expect-error: a program without types.
  await assert.rejects(parsePage(5, { url: 'https://a.test/' }), { at: 'body' })
  // @ts-expect-error: a program without types.
  await assert.rejects(parsePage('x'), { name: 'InvalidInput', at: 'options' })
})

test('the options of the library are those of the command line', async () => {
  const { optionNames } = await import('../../src/library/crawl-options.ts')
  const tables = ['limits', 'network', 'focus'].map((name) => `options/table/${name}.ts`)
  const declared = ['library/crawl-options.ts', ...tables].flatMap((file) => {
    const text = readFileSync(join(ROOT, 'src', file), 'utf8')
    return [...text.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name)
  })
  assert.deepEqual(declared.sort(), [...optionNames()].sort())
})
