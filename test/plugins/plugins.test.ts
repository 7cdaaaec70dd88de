// Plug-ins in real crawls: the examples as a user runs them, and plug-ins that misbehave.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { BadOptions, crawl, openWorkspace } from '../../src/main/library.ts'
import { checkPlugins } from '../../src/plugin/check-plugins.ts'
import { ROOT, temporaryFolder } from '../e2e/crawling.ts'
import { runHere } from '../e2e/in-process.ts'
import { type Served, startServer } from '../e2e/serving.ts'
import {
  cookies,
  crawled,
  EXAMPLES,
  FAST,
  ORDERING,
  pluginFile,
  rig,
  seedUrl,
  stateOf,
} from './crawl-with.ts'

test('examples: links are admitted, requests and pages changed, and all is recorded', async () => {
  process.env.SHOP_LOGIN = `${seedUrl()}login`
  const plugin = ['section.ts', 'session.ts', 'reading-time.ts'].map((name) => join(EXAMPLES, name))
  const ended = await crawled({ plugin })
  delete process.env.SHOP_LOGIN
  assert.equal(ended.summary.status, 'completed')
  assert.equal(stateOf(ended, '/tea/1?print=1'), 'refused plugin-link: refused by admit')
  assert.match(stateOf(ended, '/tea/3'), /^refused plugin: reading-time: only \d words$/)
  assert.ok(cookies.includes('/tea/2 session=abc id, en;q=0.5'))
  await using workspace = await openWorkspace(ended.data)
  const page = await workspace.page(`${seedUrl()}tea/2`)
  assert.equal(page?.title, 'Page /tea/2')
  assert.deepEqual(Object.keys(JSON.parse(page?.about ?? '').fields), ['words', 'minutes'])
})

test('examples: a focused crawler derived from breadth-first, and a format of its own', async () => {
  const focused = join(EXAMPLES, 'focused.ts')
  const options = { ordering: focused, plugin: focused, perHost: 1, concurrency: 1, maxPages: 2 }
  const ended = await crawled(options)
  assert.equal(ended.summary.ordering, 'textbook-focused')
  assert.equal(stateOf(ended, '/health/1'), 'stored', 'the link that promises most went first')
  await using workspace = await openWorkspace(ended.data)
  const page = await workspace.page(`${seedUrl()}health/1`)
  assert.deepEqual([page?.relevance, page?.hot], [1, true])
  const out = join(ended.data, 'titles.md')
  const titles = join(EXAMPLES, 'titles.ts')
  const flags = ['--plugin', titles, '--format', 'titles', '--out', out, '--data', ended.data]
  assert.equal((await runHere(['export', ...flags, '--quiet'])).code, 0)
  assert.match(readFileSync(out, 'utf8'), /^- \[Page \/ \| The Kitchen\]\(<http/m)
})

test('a hook that throws, exits, answers nonsense or never answers costs its page a reason', async () => {
  const plugin = await pluginFile(`
    parsed({ url }) {
      if (url.endsWith('/1')) throw new Error('no\\nluck')
      if (url.endsWith('/2')) return { titel: 'x' }
      if (url.endsWith('/3')) process.exit(3)
      if (url.endsWith('/4')) return new Promise(() => {})
    },
    judge: ({ url }) => url.endsWith('/5') ? 7 : 0.5,
    admit: ({ url }) => { if (url.includes('print')) throw new Error('no') },`)
  const ended = await crawled({ plugin })
  assert.equal(stateOf(ended, '/tea/1'), 'failed plugin-error: mine.parsed: no luck')
  assert.match(
    stateOf(ended, '/tea/2'),
    /^failed plugin-error: mine.parsed: it answered with "titel"/,
  )
  assert.equal(stateOf(ended, '/tea/4'), 'failed plugin-error: mine.parsed: no answer within 5 s')
  assert.match(stateOf(ended, '/tea/3'), /^failed plugin-error: mine.parsed: parser-crash: /)
  assert.match(stateOf(ended, '/tea/5'), /^failed plugin-error: mine.judge: it answered 7/)
  assert.equal(stateOf(ended, '/tea/1?print=1'), 'refused plugin-link: admit gave no answer')
  assert.deepEqual([ended.summary.status, ended.summary.stored], ['completed', 1])
})

test('what a hook leaves behind ends no thread, and answers of any kind end no crawl', async () => {
  const plugin = await pluginFile(`
    parsed({ url }) {
      Promise.reject(new Error('nobody waits for it'))
      process.nextTick(() => { throw new Error('later') })
      if (url.endsWith('/1')) return { then: (done) => done({ title: 'from another library' }) }
      if (url.endsWith('/2')) throw Object.create(null)
      if (url.endsWith('/3')) return { publishedAt: 1e300 }
      if (url.endsWith('/4')) return { get title() { throw new Error('no title') } }
    },
    judge: ({ url }) => url.endsWith('/5') ? Object.create(null) : 0.5,
    request() { Promise.reject(new Error('nobody waits for it')) },`)
  const ended = await crawled({ plugin })
  assert.deepEqual([ended.summary.status, ended.summary.stored], ['completed', 4])
  assert.equal(stateOf(ended, '/tea/1?print=1'), 'stored')
  const textless = 'something that has no text'
  assert.equal(stateOf(ended, '/tea/2'), `failed plugin-error: mine.parsed: ${textless}`)
  assert.match(
    stateOf(ended, '/tea/3'),
    /^failed plugin-error: mine.parsed: publishedAt is neither/,
  )
  assert.equal(stateOf(ended, '/tea/4'), 'failed plugin-error: mine.parsed: no title')
  assert.match(stateOf(ended, '/tea/5'), /^failed plugin-error: mine.judge: it answered something/)
})

test('a request on which a hook fails or exits is not sent; the others are', async () => {
  const plugin = await pluginFile(`
    request({ url }) {
      if (url.endsWith('/tea/1')) throw new Error('no ticket')
      if (url.endsWith('/3')) process.exit(3)
      if (url.endsWith('/4')) return { headers: { Host: 'elsewhere' } }
      return { headers: { 'x-mine': 'yes' } }
    },`)
  const ended = await crawled({ plugin })
  assert.equal(stateOf(ended, '/tea/1'), 'failed plugin-error: mine.request: no ticket')
  assert.equal(stateOf(ended, '/tea/3'), 'failed plugin-error: mine.request: it ended the thread')
  assert.equal(
    stateOf(ended, '/tea/4'),
    'failed plugin-error: mine.request: the header host cannot be set',
  )
  assert.equal(ended.summary.stored, 5)
})

test('an ordering that throws, exits or answers nonsense is told of, and the crawl goes on', async () => {
  const score = `score({ url }) {
    if (url.endsWith('/1')) throw new Error('no score')
    if (url.endsWith('/2')) process.exit(1)
    if (url.endsWith('/4')) throw Object.create(null)
    if (url.endsWith('/5')) return Promise.reject(new Error('later'))
    return url.endsWith('/3') ? 'much' : 1
  }`
  const ended = await crawled({ ordering: await pluginFile(ORDERING(score)) })
  assert.deepEqual([ended.summary.status, ended.summary.stored], ['completed', 8])
  assert.match(ended.notices.join('\n'), /score of the ordering of mine failed.*: no score/)
  assert.doesNotMatch(ended.notices.join('\n'), /died/)
})

test('the plug-ins that the document shows are plug-ins', async () => {
  const text = readFileSync(join(ROOT, 'docs', 'PLUGINS.md'), 'utf8')
  const modules = [...text.matchAll(/^```js\n(.*?)^```/gms)].map(([, module = '']) => module)
  const { path } = rig.use(await temporaryFolder())
  const files = modules.map((_, at) => join(path, `${at}.mjs`))
  for (const [at, file] of files.entries()) await writeFile(file, modules[at] ?? '')
  const records = await checkPlugins(files, path, (_from, message) => assert.fail(message))
  assert.deepEqual(
    records.map(({ name, hooks }) => `${name} ${hooks}`),
    ['only-tea parsed', 'newest ordering'],
  )
})

test('everything wrong with plug-ins is said at once, before the crawl begins', async () => {
  const files = {
    typo: await pluginFile("parse() {}, judge: 3, version: '1'", 'typo'),
    exits: await pluginFile('parsed() {}, version: process.exit(0)', 'exits'),
    none: await pluginFile(''),
    gone: './gone.mjs',
    pack: 'no-such-package',
  }
  const run = crawl({
    ...FAST,
    seeds: seedUrl(),
    plugin: Object.values(files),
    ordering: files.typo,
    maxPages: 0,
  })
  const error = await run.summary.catch((error: unknown) => error)
  assert.ok(error instanceof BadOptions)
  const said = error.message
  assert.match(said, /typo\.mjs has no use for "parse"; did you mean parsed\?/)
  assert.match(said, /typo\.mjs judge is no function/)
  assert.match(said, /exits\.mjs cannot be loaded: it ends the process/)
  assert.match(said, /mine\.mjs has none of admit, request, parsed, judge, ordering, exporter/)
  assert.match(said, /gone\.mjs does not exist/)
  assert.match(said, /no-such-package is not installed/)
  assert.match(said, /maxPages: needs/)
})

test('a package that is damaged is told of as any other that cannot be found', async () => {
  const { path } = rig.use(await temporaryFolder())
  const folder = join(path, 'node_modules', 'broken')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{')
  const problems: string[] = []
  await checkPlugins(['broken', '/dev/null'], path, (_from, message) => problems.push(message))
  assert.match(problems.join('\n'), /^broken is not installed in .*\n\/dev\/null is no file$/)
})

test('a crawl goes on with the plug-ins it began with, and says when one has changed', async () => {
  const plugin = await pluginFile("version: '1', parsed() {},")
  const { data } = await crawled({ plugin, maxPages: 1 })
  await assert.rejects(crawled({ data, maxPages: 2 }), /--plugin {2}mine → \(none\)/)
  await writeFile(plugin, "export default { name: 'mine', version: '2', parsed() {} }")
  const { notices } = await crawled({ data, plugin, maxPages: 2 })
  assert.match(
    notices.join('\n'),
    /the plug-in mine has changed since the last run: it was mine 1 /,
  )
})

test('the code of a recorded plug-in runs in a refresh only if it is named again', async () => {
  const plugin = await pluginFile('parsed: () => ({ title: "as the plug-in says" }),')
  const { data } = await crawled({ plugin, maxPages: 2 })
  const refresh = [
    'crawl',
    '--refresh',
    '--data',
    data,
    '--allow-private',
    '--delay',
    '0',
    '--quiet',
  ]
  const unnamed = await runHere(refresh)
  assert.equal(unnamed.code, 2)
  assert.match(unnamed.stderr, /--plugin: the crawl uses the plug-in mine, whose code runs only if/)
  const named = await runHere([...refresh, '--plugin', plugin])
  assert.equal(named.code, 0, named.stderr)
})

test('a server runs the code of no plug-in that it was not given, whatever its data folder says', async () => {
  const plugin = await pluginFile('parsed: () => ({ title: "as the plug-in says" }),')
  const { path } = rig.use(await temporaryFolder())
  const flags = ['--allow-private', '--delay', '0', '--quiet']
  const id = await withServer(path, [...flags, '--plugin', plugin], async (server) => {
    const made = await server.crawl({ url: seedUrl(), max_pages: 2, plugin: ['mine'] })
    const { status, pages } = await server.ended(made)
    assert.deepEqual([status, pages[0]?.title], ['completed', 'as the plug-in says'])
    return made
  })
  await withServer(path, flags, async (server) => {
    const { status, text } = await server.post(`/crawl/${id}/refresh`, {})
    assert.equal(status, 200, text)
    await server.ended(id, ['failed'])
    const { job } = (await server.ask(`/crawl/${id}/overview`)).json
    assert.equal(job.status, 'failed')
    assert.match(job.note, /the plug-in mine, whose code runs only if it is named for this run/)
  })
})

async function withServer<T>(
  data: string,
  flags: readonly string[],
  use: (server: Served) => Promise<T>,
): Promise<T> {
  await using server = await startServer(data, flags)
  return await use(server)
}
