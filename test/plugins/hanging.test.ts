// Hooks that hang or take all memory, with shorter limits than those of a crawl: hanging.long.ts has the real ones.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { PluginHook, PluginRecord } from '../../src/core/plugin.ts'
import { canonicalise } from '../../src/core/url.ts'
import { ParserPool, type PoolOptions } from '../../src/parser/pool.ts'
import { hashOf } from '../../src/plugin/load-plugin.ts'
import { ROOT } from '../e2e/crawling.ts'

const folder = mkdtempSync(join(tmpdir(), 'jelajah-hanging-'))
after(() => rmSync(folder, { recursive: true }))

function recorded(body: string, hooks: readonly PluginHook[]): PluginRecord {
  const file = join(folder, `${hooks.join('-')}.mjs`)
  writeFileSync(file, `export default { name: 'mine', ${body} }`)
  const known = { from: file, file, name: 'mine', version: '', hash: hashOf(file), hooks }
  const ordering = { name: 'own', about: '', focused: false, rescoreOn: [], options: [] }
  return { ...known, ordering: hooks.includes('ordering') ? { ...ordering, judges: false } : null }
}

test('a page in which a hook hangs is blamed with the name of the hook, and the next is read', async () => {
  const hook = "parsed({ url }) { if (url.endsWith('/1')) for (;;); },"
  // On a busy machine time runs out before there was any work.
  await expectsBlame(hook, { limitMs: 300 }, /^plugin-error: mine\.parsed: parse-timeout: /)
})

test('a page in which a hook takes memory without end is blamed so, in the heap and outside of it', async () => {
  const more = "parsed({ url }) { if (url.endsWith('/1')) for (const all = []; ; ) "
  const heap = `${more} all.push(new Array(1e5).fill(url)) },`
  const blame = /^plugin-error: mine\.parsed: parse-memory: more than 128 MB/
  await expectsBlame(heap, { limitMs: 60_000, memory: { heapMb: 128, rssMb: 1e6 } }, blame)
  // It stops before it takes all that this machine has.
  const buffers = `${more} if (all.length < 24) all.push(Buffer.alloc(2 ** 24, 1)) },`
  const rssMb = Math.ceil(process.memoryUsage.rss() / 2 ** 20) + 150
  const whole = new RegExp(`parse-memory: the parser has more than ${rssMb} MB`)
  await expectsBlame(buffers, { limitMs: 4000, memory: { heapMb: 512, rssMb } }, whole)
})

type Limits = Pick<PoolOptions, 'limitMs' | 'memory'>

/** The page /1 gets this reason, and the thread that comes next reads the page /2. */
async function expectsBlame(hook: string, limits: Limits, blame: RegExp): Promise<void> {
  const plugin = recorded(hook, ['parsed'])
  const outcomes = Promise.withResolvers<void>()
  const seen: string[] = []
  const pool = new ParserPool({
    ...{ threads: 1, ...limits },
    parse: { salt: 1, parts: [], keepHtml: false, maxBodyBytes: 1e6, plugins: [plugin] },
    onBegin: () => {},
    onBroken: outcomes.reject,
    onParsed: (_head, parsed) => {
      seen.push('reason' in parsed ? parsed.reason : parsed.outcome)
      if (seen.length === 2) outcomes.resolve()
    },
  })
  for (const path of ['1', '2']) {
    pool.parse(headOf(path), new Uint8Array(Buffer.from('<title>x</title><p>Tea.</p>')))
    if (path === '1')
      while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await outcomes.promise
  await pool.close()
  assert.match(seen[0] ?? '', blame)
  assert.equal(seen[1], 'page')
}

function headOf(path: string) {
  return {
    ...({ kind: 'page', id: 1, token: 1, depth: 0, status: 200, truncated: false } as const),
    ...{ url: canonicalise(`http://a.test/${path}`)!, contentType: 'text/html', fetchMs: 1 },
    ...{ contentEncoding: '', robotsTag: [], etag: '', lastModified: '', fetchedAt: 1 },
  }
}

test('a process in which an ordering hangs is ended by a signal that says so', () => {
  const ordering = `{ name: 'own', about: '', rescoreOn: [], createScorer: () => ({ score() { for (;;); } }) }`
  const plugin = recorded(`ordering: ${ordering},`, ['ordering'])
  const job = { settings: { ordering: 'own', plugins: [plugin] } }
  const program = `import { openOwnOrdering } from ${JSON.stringify(join(ROOT, 'src/plugin/own-ordering.ts'))}
    const own = await openOwnOrdering(${JSON.stringify(job)}, () => {}, 100)
    await new Promise((resolve) => setTimeout(resolve, 300))
    own.createScorer({}, 1).score({})`
  const file = join(folder, 'program.mjs')
  writeFileSync(file, program)
  const { signal, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
  assert.equal(signal, 'SIGXCPU', stderr)
})
