// Longer than other files: its tests share one workspace that is filled once.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sample, sampleJob } from '../../../test/contract/sample-page.ts'
import { asStranger, openToReaders } from '../../../test/support/as-stranger.ts'
import { openSqliteJobStore } from '../../../test/support/stores.ts'
import { systemClock } from '../../lib/clock.ts'
import { openSqlitePageStore } from '../../store/sqlite/sqlite-page-store.ts'
import { storePath } from '../../workspace/folder/paths.ts'
import { EXIT, exitCodeOf } from '../exit-codes.ts'
import { parseExport } from './export.ts'
import { exportPages, runExportCommand } from './run-export.ts'

const PAGES = 1300
const dir = mkdtempSync(join(tmpdir(), 'jelajah-export-'))
const dataDir = join(dir, 'data')
after(() => rmSync(dir, { recursive: true }))

before(async () => {
  mkdirSync(dataDir)
  await using jobs = await openSqliteJobStore(storePath(dataDir))
  const older = await jobs.create(sampleJob({ name: 'older' }))
  await using first = await openSqlitePageStore({ path: storePath(dataDir), job: older })
  await first.save([
    sample('old.test/1', { contentText: 'green tea', contentHash: 'tea' }),
    sample('old.test/2', { contentText: 'green tea', contentHash: 'tea' }),
    sample('old.test/3', { contentText: '', noindex: true }),
    sample('old.test/4', { contentText: '', noindex: true }),
  ])
  const topic = { fingerprint: 'tea' }
  const settings = { ...older.settings, maxPages: 100_000, topic: 'tea' }
  const job = await jobs.create(sampleJob({ name: 'newer', settings, topic }))
  await using store = await openSqlitePageStore({ path: storePath(dataDir), job })
  const contentText = 'a long text about coffee. '.repeat(20)
  await store.save(
    Array.from({ length: PAGES }, (_, n) => {
      const text = n % 500 === 7 ? 'green tea' : contentText
      return sample(`a.test/${n}`, { contentText: text, hot: n < 3 })
    }),
  )
})

type Changes = {
  readonly signal?: AbortSignal
  /** On a terminal: what is shown there, page by page. */
  readonly onBar?: (text: string) => void
}

/** The command as it would be typed, without what it always needs. */
async function run(argv: readonly string[], { signal, onBar }: Changes = {}) {
  const printed = { stdout: '', stderr: '' }
  const written: Uint8Array[] = []
  let now = Date.now()
  const around = { cwd: dir, env: {}, cores: 1 }
  const command = parseExport(['--data', 'data', ...argv], around)
  const code = await exportPages(
    command,
    {
      write: async (text) => {
        printed.stdout += text
      },
      warn: (text) => {
        printed.stderr += text
      },
    },
    {
      signal: signal ?? new AbortController().signal,
      stdout: async (bytes) => {
        written.push(Buffer.from(bytes))
      },
      stderr: {
        isTTY: onBar !== undefined,
        columns: 100,
        write: (text) => {
          printed.stderr += text
          onBar?.(text)
        },
      },
      // Every page is a while after the last one, so that each of them is shown.
      clock: { ...systemClock, now: () => (now += 200) },
    },
  )
  return { code, ...printed, written: Buffer.concat(written) }
}

async function refusal(...argv: readonly string[]): Promise<string> {
  try {
    await run(argv)
  } catch (error) {
    assert.ok(error instanceof Error)
    assert.equal(exitCodeOf(error), EXIT.usage)
    return error.message
  }
  return assert.fail(`accepted: ${argv.join(' ')}`)
}

function read(name: string): string {
  return readFileSync(join(dir, name), 'utf8')
}

function linesOf(text: string): readonly Record<string, unknown>[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** What stands beside the result of that name. */
function beside(name: string): string[] {
  return readdirSync(dir).filter((other) => other.startsWith(`${name}.`))
}

test('the newest crawl goes to a file, and a summary says what went', async () => {
  const { code, stdout, stderr } = await run(['--format', 'ndjson', '--out', 'newest', '--json'])
  assert.equal(code, EXIT.done)
  assert.equal(stderr, '')
  assert.equal(linesOf(read('newest')).length, PAGES)
  const { seconds, ...summary } = JSON.parse(stdout)
  assert.equal(typeof seconds, 'number')
  const out = join(dir, 'newest')
  const bytes = Buffer.byteLength(read('newest'))
  assert.deepEqual(summary, {
    ...{ format: 'ndjson', what: 'pages', out, pages: PAGES, bytes, resumed: false },
    ...{ noindex: 0, duplicates: 0 },
  })
  assert.deepEqual(beside('newest'), [])
})

test('the pages of a crawl that are not in its export are counted, and so is what was looked for', async () => {
  const argv = ['--format', 'ndjson', '--crawl', 'older', '--out', '-']
  const told = await run(argv)
  const counted =
    /^Exported 1 of 4 pages \(\d+ B\) in .*s; 2 ask not to be indexed, 1 repeats another\n$/
  assert.match(told.stderr, counted)
  assert.match(
    (await run([...argv, '--limit', '1'])).stderr,
    /^Exported 1 page \(\d+ B\) in [\d.]+s\n$/,
  )
  const steps = ['--without-boilerplate', '--without-near-duplicates', '--min-words', '1']
  const { stderr } = await run([...argv, ...steps, '--json'])
  const { bytes: _, seconds: __, ...summary } = JSON.parse(stderr)
  assert.deepEqual(summary, {
    ...{ format: 'ndjson', what: 'pages', out: '-', pages: 1, resumed: false },
    ...{ noindex: 2, duplicates: 1, near_duplicates: 0, too_short: 0 },
    ...{ boilerplate_blocks: 0, boilerplate_pages: 0 },
  })
})

test('all crawls, one of them, some pages: filters are kept', async () => {
  const urls = async (...argv: string[]) => {
    const { written } = await run(['--format', 'ndjson', '--out', '-', ...argv])
    return linesOf(written.toString()).map(({ url }) => url)
  }
  assert.equal((await urls('--crawl', 'all')).length, PAGES + 1)
  assert.deepEqual(await urls('--crawl', 'older'), ['http://old.test/1'])
  const hot = ['http://a.test/0', 'http://a.test/1', 'http://a.test/2']
  assert.deepEqual(await urls('--hot'), hot)
  assert.deepEqual(await urls('--topic', 'tea', '--limit', '2'), hot.slice(0, 2))
  assert.deepEqual(await urls('--language', 'id'), [])
  assert.deepEqual(
    await urls('--min-words', '100', '--limit', '1', '--host', 'a.test'),
    hot.slice(0, 1),
  )
  assert.match(
    await refusal('--format', 'csv', '--out', 'x', '--topic', 'te'),
    /one is about "tea"/,
  )
  assert.match(await refusal('--format', 'csv', '--out', 'x', '--crawl', '9'), /no crawl "9"/)
  assert.match(
    await refusal('--format', 'csv', '--out', 'x', '--host', 'a.test:81'),
    /no page of a\.test:81; did you mean a\.test\?/,
  )
})

test('pages that a search finds are all there, in the order of the store', async () => {
  const query = ['--query', 'green tea', '--crawl', 'all']
  const { written } = await run(['--format', 'ndjson', '--out', '-', ...query])
  const found = linesOf(written.toString()).map(({ url }) => url)
  const expected = [7, 507, 1007].map((n) => `http://a.test/${n}`)
  assert.deepEqual(found, ['http://old.test/1', ...expected])
  const nothing = await run(['--format', 'ndjson', '--out', '-', '--query', '((("'])
  assert.deepEqual([nothing.code, nothing.written.length], [EXIT.done, 0])
  assert.match(nothing.stderr, /no page matches/)
})

test('an empty export of a crawl without pages names it, with what became of it', async () => {
  const empty = join(dir, 'empty')
  mkdirSync(empty)
  await using jobs = await openSqliteJobStore(storePath(empty))
  const { id } = await jobs.create(sampleJob({ name: 'lost' }))
  await jobs.setStatus(id, 'failed', 'no seed could be fetched')
  const { stderr } = await run(['--format', 'ndjson', '--out', '-', '--data', 'empty'])
  const why =
    'crawl 1, lost, has failed (no seed could be fetched) and has no page; --crawl takes another'
  assert.equal(stderr, `no page matches: the export is empty: ${why}\n`)
})

test('what is there is replaced only by force, and what is no export never', async () => {
  writeFileSync(join(dir, 'taken'), 'mine')
  const csv = ['--format', 'csv', '--limit', '1', '--quiet']
  assert.match(await refusal(...csv, '--out', 'taken'), /there already; --force replaces it/)
  assert.equal(read('taken'), 'mine')
  await run([...csv, '--out', 'taken', '--force'])
  assert.match(read('taken'), /^id,crawl_id,url/)
  const all = [...csv, '--what', 'all', '--out', 'folder/in/folder']
  await run(all)
  assert.match(await refusal(...all), /there already and not empty; --force/)
  await run([...all, '--force', '--limit', '2'])
  assert.equal(read('folder/in/folder/pages.csv').split('\r\n').length, 4)
  assert.deepEqual(readdirSync(join(dir, 'folder/in')), ['folder'])
  const home = [...csv, '--what', 'all', '--out', 'folder', '--force']
  assert.match(await refusal(...home), /holds something else than an export/)
  assert.match(await refusal(...csv, '--out', 'folder'), /is a folder; this export is one file/)
  assert.match(await refusal(...csv, '--out', 'nowhere/x.csv'), /there is no folder/)
  assert.match(await refusal(...csv, '--out', 'taken/x.csv'), /there is no folder/)
  assert.match(await refusal(...csv, '--what', 'all', '--out', 'taken'), /not a folder/)
  assert.match(await refusal(...csv, '--what', 'all', '--out', '-'), /give a folder, not -/)
})

test('a link to a device, as /dev/stdout is one, is written to and stays', async () => {
  symlinkSync('/dev/null', join(dir, 'sink'))
  const { code } = await run(['--format', 'csv', '--limit', '1', '--out', 'sink'])
  assert.equal(code, EXIT.done)
  assert.ok(lstatSync(join(dir, 'sink')).isSymbolicLink())
})

/** Runs on a terminal, and is told to stop there when it has written so many pages. */
async function interrupted(argv: readonly string[], pages: number) {
  const stop = new AbortController()
  return run(argv, {
    signal: stop.signal,
    onBar: (text) => {
      const [, seen = ''] = /([\d,]+) of 1,300 pages/.exec(text) ?? []
      if (Number(seen.replace(',', '')) >= pages) stop.abort()
    },
  })
}

test('an interrupted export goes on with the same command, and refuses another one', async () => {
  const argv = ['--format', 'ndjson', '--gzip', '--out', 'stopped']
  const first = await interrupted(argv, 1100)
  assert.equal(first.code, EXIT.interrupted)
  assert.match(first.stderr, /█+░+ \d+ %.* · 1,100 of 1,300 pages · [\d.]+\/s/)
  assert.match(first.stderr, /interrupted; the same command goes on where it stopped\n$/)
  assert.equal(existsSync(join(dir, 'stopped')), false)
  const others = await refusal(...argv, '--host', 'a.test', '--limit', '5')
  assert.match(others, /unfinished export with other options \(host, limit\); --fresh starts again/)
  const second = await run(argv)
  assert.equal(second.code, EXIT.done)
  assert.match(second.stderr, /going on with an interrupted export after 1,000 pages/)
  await run(['--format', 'ndjson', '--gzip', '--out', 'unstopped'])
  assert.deepEqual(readFileSync(join(dir, 'stopped')), readFileSync(join(dir, 'unstopped')))
  assert.deepEqual(beside('stopped'), [])
})

test('Ctrl-C is heard for as long as an export runs, and leaves only what the next run needs', async () => {
  const argv = ['--data', 'data', '--format', 'csv', '--out', 'signalled']
  const said: string[] = []
  const out = { write: async () => {}, warn: (text: string) => said.push(text) }
  const around = { cwd: dir, env: {}, cores: 1 }
  const running = runExportCommand(parseExport([...argv, '--json'], around), out)
  await nextTurn()
  process.emit('SIGINT')
  assert.equal(await running, EXIT.interrupted)
  assert.deepEqual(said, [])
  assert.equal(existsSync(join(dir, 'signalled')), false)
  assert.ok(!beside('signalled').some((name) => name.includes('lock')))
  assert.equal((await run(argv.slice(2))).code, EXIT.done)
  assert.deepEqual(beside('signalled'), [])
})

test('begun again, nothing is left of what was interrupted', async () => {
  const argv = ['--format', 'text', '--per', 'language', '--out', 'anew']
  await interrupted(argv, 1100)
  const { stderr } = await run([...argv, '--fresh', '--limit', '3'])
  assert.equal(stderr, '')
  assert.equal(read('anew/index.tsv').trimEnd().split('\n').length, 4)
  assert.deepEqual(readdirSync(join(dir, 'anew')), ['en.txt', 'export.json', 'index.tsv'])
  assert.deepEqual(beside('anew'), [])
})

test('interrupted right before or after it got its name, an export is complete', async () => {
  const argv = ['--format', 'csv', '--limit', '5', '--out', 'named']
  await interrupted([...argv.slice(0, 2), '--out', 'named'], 100)
  const state = JSON.parse(read('named.part.json'))
  await run([...argv, '--fresh'])
  const asked = { ...state.asked, limit: 5 }
  const complete = { ...state, asked, note: { ...state.note, pages: 5, complete: true } }
  writeFileSync(join(dir, 'named.part.json'), JSON.stringify(complete))
  const after = await run([...argv, '--json'])
  assert.deepEqual([after.code, JSON.parse(after.stdout).pages], [EXIT.done, 5])
  writeFileSync(join(dir, 'named.part.json'), JSON.stringify(complete))
  writeFileSync(join(dir, 'named.part'), 'everything')
  assert.match(await refusal(...argv), /there already; --force/)
  assert.equal((await run([...argv, '--force'])).code, EXIT.done)
  assert.equal(read('named'), 'everything')
  assert.deepEqual(beside('named'), [])
})

test('what stands in the way of an unfinished export is left alone', async () => {
  writeFileSync(join(dir, 'way.part'), 'mine')
  const argv = ['--format', 'csv', '--out', 'way']
  assert.match(await refusal(...argv), /way.part is in the way, and no unfinished export/)
  assert.match(await refusal(...argv, '--fresh'), /way.part is in the way/)
  writeFileSync(join(dir, 'way.part.json'), '{"not":"ours"}')
  assert.match(await refusal(...argv), /not of this version; --fresh starts again/)
  assert.equal(read('way.part'), 'mine')
})

test('only one export at a time goes to a place', async () => {
  const argv = ['--format', 'csv', '--out', 'busy']
  const both = await Promise.allSettled([run(argv), run(argv)])
  const failed = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  assert.equal(failed.length, 1)
  assert.match(String(failed[0]), /another export is writing|there already/)
  assert.deepEqual(beside('busy'), [])
})

test('a format that needs a file says so, and leaves nothing behind', async () => {
  const usual = process.env.TMPDIR
  process.env.TMPDIR = join(dir, 'tmp')
  mkdirSync(process.env.TMPDIR)
  try {
    assert.match(await refusal('--format', 'parquet', '--out', '-'), /cannot go to a pipe/)
    assert.deepEqual(readdirSync(join(dir, 'tmp')), [])
  } finally {
    if (usual === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = usual
  }
})

test('a full disk is said as what it is', async () => {
  const writing = run(['--format', 'csv', '--out', '/dev/full'])
  await assert.rejects(writing, {
    code: 'disk-full',
    message: /no room for \/dev\/full \(ENOSPC\)/,
  })
})

test('a folder that lets nobody write is named, not the lock that cannot be there', async () => {
  const closed = join(dir, 'closed')
  mkdirSync(closed)
  chmodSync(dir, 0o755)
  openToReaders(dataDir)
  await asStranger(closed, async () => {
    const message = await refusal('--format', 'csv', '--out', 'closed/x')
    assert.equal(message, `nothing can be written into the folder ${closed}`)
  })
  chmodSync(dataDir, 0o700)
})

test('without crawls there is nothing to export', async () => {
  const nothing = await refusal('--format', 'csv', '--out', 'x', '--data', 'nowhere')
  assert.match(nothing, /there is no folder .*nowhere/)
  assert.equal(existsSync(join(dir, 'nowhere')), false)
})

/** Kills its own process in the middle, as the clock is asked for every page. */
const KILLED = `
  import { parseExport } from ${JSON.stringify(join(import.meta.dirname, 'export.ts'))}
  import { exportPages } from ${JSON.stringify(join(import.meta.dirname, 'run-export.ts'))}
  let asked = 0
  const now = () => (++asked > 1150 ? process.kill(process.pid, 'SIGKILL') : asked)
  const write = () => {}
  await exportPages(
    parseExport(process.argv.slice(1), { cwd: process.cwd(), env: {}, cores: 1 }),
    { write, warn: write },
    { signal: new AbortController().signal, stdout: write, stderr: { write }, clock: { now } },
  )`

test('an export that is killed goes on with the same command', async () => {
  const argv = ['--format', 'csv', '--out', 'killed', '--gzip', '--data', 'data']
  const { signal } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', KILLED, '--', ...argv],
    { cwd: dir },
  )
  assert.equal(signal, 'SIGKILL')
  assert.ok(existsSync(join(dir, 'killed.part')) && !existsSync(join(dir, 'killed')))
  const { stderr } = await run(argv)
  assert.match(stderr, /after 1,000 pages/)
  await run(['--format', 'csv', '--out', 'unkilled', '--gzip'])
  assert.deepEqual(readFileSync(join(dir, 'killed')), readFileSync(join(dir, 'unkilled')))
  assert.deepEqual(beside('killed'), [])
})

test('a reader that has enough ends the export without a word', async () => {
  const main = join(import.meta.dirname, '../../main/jelajah.ts')
  const argv = ['export', '--data', dataDir, '--format', 'csv', '--out', '-']
  const child = spawn(process.execPath, [main, ...argv], { cwd: dir })
  const stderr = text(child.stderr)
  await once(child.stdout, 'data')
  child.stdout.destroy()
  assert.deepEqual(await once(child, 'close'), [EXIT.done, null])
  assert.equal(await stderr, '')
})
