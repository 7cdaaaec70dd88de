import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setEnvironmentData } from 'node:worker_threads'
import { until } from '../../test/support/scripted-pair.ts'
import type { CrawlerError } from '../core/errors.ts'
import { canonicalise } from '../core/url.ts'
import type { HandoverHead } from '../wire/handover.ts'
import type { ParseResult } from './parse-result.ts'
import { ParserPool, type PoolOptions } from './pool.ts'

const LIMIT_MS = 300

/** Answers every page as failed with its own path; some paths do what a hostile page would do. */
const SMALL_PROGRAM = program(`
  import { readlinkSync } from 'node:fs'
  import { getEnvironmentData, parentPort } from 'node:worker_threads'
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  if (getEnvironmentData('no more threads')) throw new Error('no more threads')
  parentPort.on('message', (request) => {
    if (request === null) return parentPort.close()
    for (const { head } of request.pages) answer(head)
  })
  function answer(head) {
    const { pathname } = new URL(head.url)
    if (pathname === '/hang') for (;;);
    if (pathname === '/wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900)
    if (pathname === '/keep') return parentPort.postMessage({ outcome: 'kept' })
    if (pathname === '/exit') process.exit(1)
    if (pathname === '/throw') throw new Error('no good')
    if (pathname === '/memory') for (const held = []; ; ) held.push(new Array(1e6).fill(held))
    parentPort.postMessage({ outcome: 'failed', reason: 'read ' + pathname })
  }
  parentPort.postMessage({ thread })`)

/** Answers the pages of a message together, and says in between how many it has parsed. */
const GROUPING_PROGRAM = program(`
  import { parentPort, workerData } from 'node:worker_threads'
  const shared = new Int32Array(workerData.shared)
  parentPort.on('message', (request) => {
    if (request === null) return parentPort.close()
    const answers = request.pages.map(({ head }) => {
      if (new URL(head.url).pathname === '/exit') process.exit(1)
      Atomics.add(shared, 1, 1)
      return { outcome: 'kept' }
    })
    parentPort.postMessage({ answers })
  })
  parentPort.postMessage({ thread: 0 })`)

test('a pool that gets no page starts no thread', async () => {
  const pool = openPool()
  assert.equal(pool.threads, 0)
  await pool.close()
})

test('pages that come one after the other need one thread', async () => {
  const pool = openPool()
  for (let nth = 0; nth < 20; nth++) assert.equal(await pool.outcomeOf(`/${nth}`), `read /${nth}`)
  assert.equal(pool.threads, 1)
  await pool.close()
})

test('many pages at once are answered once each', async () => {
  const pool = openPool({ threads: 3 })
  const paths = Array.from({ length: 3000 }, (_, nth) => `/${nth}`)
  const reasons = await Promise.all(paths.map((path) => pool.outcomeOf(path)))
  assert.deepEqual(
    reasons,
    paths.map((path) => `read ${path}`),
  )
  assert.equal(pool.pending, 0)
  await pool.close()
})

test('a page after one that hangs gets another thread', async () => {
  const pool = openPool({ threads: 2 })
  const reasons = await Promise.all(['/hang', '/a'].map((path) => pool.outcomeOf(path)))
  assert.deepEqual(reasons, [`parse-timeout: more than ${LIMIT_MS} ms of work`, 'read /a'])
  await pool.close()
})

test('a page that waits for the processor is not given up: only CPU time counts', async () => {
  const pool = openPool({ threads: 1 })
  assert.equal(await pool.outcomeOf('/wait'), 'read /wait')
  await pool.close()
})

test('pages of other sites do not wait for a slow one, although there is one thread', async () => {
  const pool = openPool({ threads: 1, limitMs: 60_000 })
  await pool.outcomeOf('/first')
  void pool.outcomeOf('/hang')
  // In the inbox of the hanging thread, and so given back.
  assert.equal(await pool.outcomeOf('/behind', 'b.test'), 'lost')
  void pool.outcomeOf('/own')
  assert.equal(await pool.outcomeOf('/again', 'b.test'), 'read /again')
  assert.equal(pool.pending, 2)
  await pool.closeAtOnce()
})

test('pages that no thread has started can be discarded', async () => {
  const pool = openPool({ threads: 1, limitMs: 60_000 })
  await pool.outcomeOf('/first')
  void pool.outcomeOf('/hang')
  for (let nth = 1; nth <= 9; nth++) void pool.outcomeOf(`/${nth}`)
  pool.discardWaiting()
  assert.equal(pool.pending, 6, 'those that are in the thread')
  await pool.closeAtOnce()
})

for (const [path, reason] of [
  ['/exit', 'parser-crash: the thread ended'],
  ['/throw', 'parser-crash: no good'],
  ['/memory', 'parse-memory: more than 128 MB'],
] as const) {
  test(`a page that does what ${path} does costs its thread, and the next is read`, async () => {
    const memory = { heapMb: 128, rssMb: 1e6 }
    const pool = openPool({ threads: 1, limitMs: 60_000, memory })
    assert.equal(await pool.outcomeOf(path), reason)
    assert.equal(await pool.outcomeOf('/next'), 'read /next')
    await pool.close()
  })
}

test('a page in the inbox of a lost thread is given back, not blamed', async () => {
  const pool = openPool({ threads: 1 })
  await pool.outcomeOf('/first')
  const [guilty, innocent] = [pool.outcomeOf('/exit'), pool.outcomeOf('/innocent')]
  assert.equal(await guilty, 'parser-crash: the thread ended')
  assert.equal(await innocent, 'lost')
  await pool.close()
})

test('the page that a thread was parsing is blamed, although it had not answered those before', async () => {
  const outcomes = new Map<number, string>()
  const pool = openPool({
    threads: 1,
    program: GROUPING_PROGRAM,
    onParsed: ({ id }, parsed) => outcomes.set(id, told(parsed)),
  })
  for (const path of ['/a', '/b', '/exit', '/c']) void pool.outcomeOf(path)
  await until(() => outcomes.size === 4, 'all have an outcome')
  const reason = 'parser-crash: the thread ended'
  assert.deepEqual([...outcomes].toSorted(), [[0, 'lost'], [1, 'lost'], [2, reason], [3, 'lost']]) // biome-ignore format: one line
  await pool.close()
})

test('pages that a lost thread has kept and not saved are given back, not blamed', async () => {
  const outcomes: string[] = []
  const pool = openPool({ threads: 1, onParsed: (_, parsed) => outcomes.push(told(parsed)) })
  void pool.outcomeOf('/keep')
  void pool.outcomeOf('/exit')
  await until(() => outcomes.length === 3, 'the thread is gone')
  assert.deepEqual(outcomes, ['kept', 'lost', 'parser-crash: the thread ended'])
  await pool.close()
})

test('a pool closes while a page hangs in it', async () => {
  const pool = openPool({ threads: 1 })
  await pool.outcomeOf('/first')
  void pool.outcomeOf('/hang')
  await pool.close()
})

test('threads that cannot start are given up after some tries', async () => {
  const { promise, resolve } = Promise.withResolvers<CrawlerError>()
  const nonsense = program('throw new Error("no such thing")')
  const pool = openPool({ threads: 4, program: nonsense, onBroken: resolve })
  void pool.outcomeOf('/')
  const { code, message } = await promise
  assert.equal(code, 'process-died')
  assert.match(message, /no such thing/)
  await pool.close()
})

test('running threads go on when no more can be started', async () => {
  const pool = openPool({ threads: 4 })
  await pool.outcomeOf('/first')
  setEnvironmentData('no more threads', true)
  const paths = Array.from({ length: 5000 }, (_, nth) => `/${nth}`)
  const reasons = await Promise.all(paths.map((path) => pool.outcomeOf(path)))
  setEnvironmentData('no more threads', undefined)
  assert.ok(reasons.every((reason) => reason.startsWith('read ')))
  await pool.close()
})

test('a pool closed while its threads start ends its process cleanly at any time', async () => {
  for (const afterMs of [0, 10, 30, 90]) {
    const { code, stderr } = await closeInProcess(afterMs)
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, `closed after ${afterMs} ms`)
  }
})

type OpenPool = {
  readonly threads: number
  readonly pending: number
  readonly close: () => Promise<void>
  /** Hands over one page; returns why it failed, or its outcome. */
  readonly outcomeOf: (path: string, host?: string) => Promise<string>
  readonly closeAtOnce: () => Promise<void>
  readonly discardWaiting: () => void
}

function openPool(options: Partial<PoolOptions> = {}): OpenPool {
  const asked = new Map<number, (reason: string) => void>()
  const pool = new ParserPool({
    threads: 4,
    limitMs: LIMIT_MS,
    parse: { salt: 1, parts: [], keepHtml: false, maxBodyBytes: 1000 },
    onBegin: () => {},
    onParsed: ({ id }, parsed) => asked.get(id)?.(told(parsed)),
    onBroken: assert.fail,
    program: SMALL_PROGRAM,
    ...options,
  })
  return {
    get threads() {
      return pool.threads
    },
    get pending() {
      return pool.pending
    },
    close: () => pool.close(),
    closeAtOnce: () => pool.closeAtOnce(),
    discardWaiting: () => pool.discardWaiting(),
    outcomeOf: (path, host) => {
      const id = asked.size
      return new Promise((resolve) => {
        asked.set(id, resolve)
        pool.parse(headOf(path, id, host), new Uint8Array(10))
      })
    },
  }
}

function told(parsed: ParseResult): string {
  return parsed.outcome === 'failed' ? parsed.reason : parsed.outcome
}

function headOf(path: string, id: number, host = 'a.test'): HandoverHead {
  const url = canonicalise(`http://${host}${path}`)!
  const sent = { contentType: 'text/html', contentEncoding: '', robotsTag: [], etag: '' }
  const fetched = { lastModified: '', fetchedAt: 0, fetchMs: 0, truncated: false }
  return { kind: 'page', id, token: 1, url, depth: 0, status: 200, ...sent, ...fetched }
}

function program(source: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`)
}

/** Uses the parser's own threads and many pages, and ends after a moment. */
async function closeInProcess(afterMs: number): Promise<{ code: number; stderr: string }> {
  const source = `
    import { ParserPool } from ${JSON.stringify(import.meta.resolve('./pool.ts'))}
    const pool = new ParserPool({
      threads: 8,
      limitMs: 60_000,
      parse: { salt: 1, parts: [], keepHtml: false, maxBodyBytes: 100_000 },
      onBegin: () => {},
      onParsed: () => {},
      onBroken: (error) => { throw error },
    })
    const head = ${JSON.stringify(headOf('/', 1))}
    for (let n = 0; n < 2000; n++) pool.parse(head, new TextEncoder().encode('<p>word '.repeat(5000)))
    await new Promise((resolve) => setTimeout(resolve, ${afterMs}))
    await pool.close()
    process.exit(0)`
  const args = ['--disable-warning=ExperimentalWarning', '-e', source]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { code, stderr }
}
