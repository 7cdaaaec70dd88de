// Other programs that follow the store, as docs/FEED.md shows them: the very lines of that page.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { KeptFeed } from '../../src/crawl/keep-feed.ts'
import { openFeedServer } from '../../src/feed/feed-server.ts'
import { startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { indexIsBehind } from '../../src/search/index/index-writer.ts'
import { feedPath } from '../../src/workspace/folder/paths.ts'
import { workspaceOf } from '../../src/workspace/open-workspace.ts'
import { eventually, FeedFixture, upTo } from '../support/feed-fixture.ts'
import { query, ROOT, temporaryFolder } from './crawling.ts'
import { runHere } from './in-process.ts'

const FAST = ['--delay', '0', '--per-host', '4', '--allow-private', '--quiet', '--json']

const CONSUMERS = [
  { language: 'python', command: 'python3', file: 'consumer.py' },
  { language: 'sh', command: 'sh', file: 'consumer.sh' },
] as const
type Consumer = (typeof CONSUMERS)[number]
const [PYTHON] = CONSUMERS

/** The lines of the page in that language, the one block there is of it. */
function documented(language: string): string {
  const page = readFileSync(join(ROOT, 'docs', 'FEED.md'), 'utf8')
  const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(
    ([, name]) => name === language,
  )
  assert.equal(blocks.length, 1)
  return blocks[0]![2]!
}

function missing(language: Consumer['language']): string | false {
  if (language === 'python') return has('python3', '--version') ? false : 'there is no python3'
  // Another netcat may know no Unix sockets.
  return has('nc', '-h') ? false : "there is no nc; Debian's netcat-openbsd has it"
}

function has(command: string, flag: string): boolean {
  return spawnSync(command, [flag]).error === undefined
}

/** One run of a consumer: it prints the lines it was told. */
function consume({ language, command, file }: Consumer, dataDir: string, folder: string) {
  const program = join(folder, file)
  if (!existsSync(program)) writeFileSync(program, documented(language))
  const child: ChildProcess = spawn(command, [program, dataDir, join(folder, 'cursor')], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  return {
    child,
    ended: once(child, 'close'),
    lines: () => text.split('\n').slice(0, -1),
  }
}

type Told = { readonly cursor: number; readonly id: number; readonly url: string }

for (const consumer of CONSUMERS) {
  const skip = missing(consumer.language)
  test(`the consumer of the documentation in ${consumer.language} goes on where it was`, {
    skip,
  }, async () => {
    await using place = await FeedFixture.open(3)
    const serveOnce = async (): Promise<number[]> => {
      await using server = await openFeedServer({ path: place.path, feed: place.changes })
      const { lines, ended } = consume(consumer, place.dir, place.dir)
      await eventually(() => server.listeners === 1, 'it to listen')
      await server.finish({ stallMs: 60_000, maxMs: 60_000 })
      await ended
      return lines().map((line) => JSON.parse(line).cursor)
    }
    assert.deepEqual(await serveOnce(), upTo(3))
    await place.save(4)
    assert.deepEqual(await serveOnce(), upTo(7, 4))
  })
}

test('a consumer that is killed during a crawl has every page once when it comes back', {
  skip: missing('python'),
}, async () => {
  await using served = await startSite(createSite({ seed: 31, pages: 250 }))
  await using folder = await temporaryFolder()
  await using own = await temporaryFolder()
  const told: Told[] = []
  let crawling = true
  let kills = 0
  const listen = async (isEnough: (lines: number) => boolean): Promise<void> => {
    const run = consume(PYTHON, folder.path, own.path)
    while (run.child.exitCode === null && !isEnough(run.lines().length)) await pause(5)
    if (run.child.exitCode === null) kills += Number(run.child.kill('SIGKILL'))
    await run.ended
    told.push(...run.lines().map((line) => JSON.parse(line)))
  }
  const consuming = (async () => {
    while (crawling) {
      await eventually(() => !crawling || existsSync(feedPath(folder.path)), 'the feed')
      // The first is killed soon; those after it hear the rest, until the crawl has ended.
      await listen((lines) => kills === 0 && lines >= 10)
    }
  })()
  const args = ['crawl', ...served.seeds, '--data', folder.path, '--max-pages', '5000', ...FAST]
  const { code } = await runHere([...args, '--index'])
  crawling = false
  assert.equal(code, 0)
  await consuming
  const pages = query<{ id: number; url: string }>(
    join(folder.path, 'jelajah.db'),
    'SELECT id, url FROM pages ORDER BY id',
  )
  // On a slow machine it may have come back when the crawl had ended: somebody else serves then.
  if (told.at(-1)?.cursor !== pages.length) {
    await using _feed = new KeptFeed({
      workspace: workspaceOf({ dataDir: folder.path }),
      onNotice: assert.fail,
    })
    await eventually(() => existsSync(feedPath(folder.path)), 'the feed')
    await listen((lines) => told.length + lines >= pages.length)
  }
  assert.ok(kills >= 1)
  const byId = new Map(told.map(({ id, url }) => [id, url]))
  assert.deepEqual(
    [...byId].sort(([a], [b]) => a - b).map(([id, url]) => ({ id, url })),
    pages.map(({ id, url }) => ({ id, url })),
  )
  assert.ok(told.length <= pages.length + kills, 'it went on from its cursor')
  // So did the indexer, unless it took too long; then the next one goes on.
  if (await indexIsBehind(workspaceOf({ dataDir: folder.path })))
    await runHere(['index', '--data', folder.path])
  assert.equal(await indexIsBehind(workspaceOf({ dataDir: folder.path })), false)
})
