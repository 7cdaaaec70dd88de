import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { eventually, FeedPlace, upTo } from '../../test/support/feed-place.ts'
import { KeptFeed } from '../crawl/keep-feed.ts'
import { openLock } from '../db/lock.ts'
import { openSqliteSearchReader } from '../search/sqlite/open-search-index.ts'
import { lockPath, searchPath } from '../workspace/folder/paths.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { type IndexDeps, runIndex } from './index-command.ts'

type Flags = { readonly follow?: boolean; readonly rebuild?: boolean; readonly json?: boolean }

async function run(place: FeedPlace, flags: Flags = {}, deps: Partial<IndexDeps> = {}) {
  const said = { out: '', err: '', bar: '' }
  const options = { follow: false, rebuild: false, json: true, quiet: false, ...flags }
  const code = await runIndex(
    { ...options, dataDir: place.dir },
    {
      write: async (text) => {
        said.out += text
      },
      warn: (text) => {
        said.err += text
      },
    },
    {
      progress: {
        write: (text) => {
          said.bar += text
        },
      },
      othersMs: 0,
      ...deps,
    },
  )
  return { code, ...said, figures: said.out.startsWith('{') ? JSON.parse(said.out) : null }
}

async function cursorOf(place: FeedPlace): Promise<number> {
  const path = searchPath(place.dir)
  await using reader = await openSqliteSearchReader({ path, pagesOf: async () => [] })
  return (await reader?.position())?.cursor ?? 0
}

test('an index is brought up to date, and the next time only with what came since', async () => {
  await using place = await FeedPlace.open(700)
  const first = await run(place)
  const { read, behind, pages, cursor, rebuilt } = first.figures
  assert.deepEqual([first.code, read, behind, pages, cursor, rebuilt], [0, 700, 0, 700, 700, false])
  await place.save(1)
  const { out } = await run(place, { json: false })
  assert.match(out, /^1 change read in [\d.]+s; 701 pages can be searched\n$/)
})

test('it is built again when that is asked, or when another version made it, which is said', async () => {
  await using place = await FeedPlace.open(3)
  await run(place)
  const rebuilt = await run(place, { rebuild: true })
  assert.deepEqual([rebuilt.figures.read, rebuilt.figures.rebuilt, rebuilt.err], [3, true, ''])
  const db = new DatabaseSync(searchPath(place.dir))
  db.exec('UPDATE search_version SET version = 999')
  db.close()
  const other = await run(place)
  assert.deepEqual([other.figures.read, other.figures.rebuilt], [3, true])
  assert.match(other.err, /another version.*built again/)
})

test('who is stopped keeps what was read, and says how it goes on', async () => {
  await using place = await FeedPlace.open(2)
  const { code, err } = await run(place, {}, { stopped: Promise.resolve() })
  assert.equal(code, 11)
  assert.match(err, /the same command goes on/)
  assert.equal((await run(place)).figures.pages, 2)
})

test('while another process keeps the index there is nothing to do here', async () => {
  await using place = await FeedPlace.open(1)
  await using _lock = await openLock(lockPath(place.dir, 'search'))
  await assert.rejects(run(place), { code: 'store-busy', message: /another process keeps/ })
})

test('a folder without a crawl is told', async () => {
  await using place = await FeedPlace.open()
  const nowhere = run({ dir: `${place.dir}/nowhere` } as FeedPlace)
  await assert.rejects(nowhere, { at: '--data', message: /there is no crawl/ })
})

for (const [who, isServed] of [
  ['another process', true],
  ['itself', false],
] as const) {
  test(`an index follows what is stored, told by ${who}, until it is stopped`, async () => {
    await using place = await FeedPlace.open(2)
    await using other = isServed ? keptFeed(place) : null
    const stop = Promise.withResolvers<void>()
    const running = run(place, { follow: true }, { stopped: stop.promise })
    try {
      if (other !== null) await eventually(() => other.listeners === 1, 'the indexer to listen')
      for (const upTo of [5, 9]) {
        await place.save(upTo === 5 ? 3 : 4)
        await eventually(async () => (await cursorOf(place)) === upTo, `${upTo} changes`)
      }
      if (!isServed) {
        using listener = await place.listen('{"after":0}\n')
        await listener.until(9)
        assert.deepEqual(listener.cursors, upTo(9))
      }
    } finally {
      stop.resolve()
    }
    const { code, figures, err } = await running
    assert.deepEqual([code, figures.read, figures.pages], [0, 9, 9])
    assert.match(err, /follows/)
  })
}

function keptFeed(place: FeedPlace): KeptFeed {
  return new KeptFeed({ workspace: workspaceOf({ dataDir: place.dir }), onNotice: assert.fail })
}

test('a feed goes from the one who leaves to the next who waits', async () => {
  await using place = await FeedPlace.open(2)
  const first = keptFeed(place)
  await eventually(() => first.isServing, 'the first')
  await using second = keptFeed(place)
  using listener = await place.listen('{"after":1}\n')
  await listener.until(1)
  await first.finish()
  await listener.closed
  await eventually(() => second.isServing, 'the second')
  using again = await place.listen('{"after":1}\n')
  await again.until(1)
})
