import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { eventually, FeedFixture, upTo } from '../../test/support/feed-fixture.ts'
import { KeptFeed } from '../crawl/keep-feed.ts'
import { openLock } from '../db/lock.ts'
import { openSqliteSearchReader } from '../search/sqlite/open-search-index.ts'
import { lockPath, searchPath } from '../workspace/folder/paths.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { type IndexDeps, runIndex } from './index-command.ts'

type Flags = { readonly follow?: boolean; readonly rebuild?: boolean; readonly json?: boolean }

async function run(fixture: FeedFixture, flags: Flags = {}, deps: Partial<IndexDeps> = {}) {
  const said = { out: '', err: '', bar: '' }
  const options = { follow: false, rebuild: false, json: true, quiet: false, ...flags }
  const code = await runIndex(
    { ...options, dataDir: fixture.dir },
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

async function cursorOf(fixture: FeedFixture): Promise<number> {
  const path = searchPath(fixture.dir)
  await using reader = await openSqliteSearchReader({ path, pagesOf: async () => [] })
  return (await reader?.position())?.cursor ?? 0
}

test('an index is brought up to date, and the next time only with what came since', async () => {
  await using fixture = await FeedFixture.open(700)
  const first = await run(fixture)
  const { read, behind, pages, cursor, rebuilt } = first.figures
  assert.deepEqual([first.code, read, behind, pages, cursor, rebuilt], [0, 700, 0, 700, 700, false])
  await fixture.save(1)
  const { out } = await run(fixture, { json: false })
  assert.match(out, /^1 change read in [\d.]+s; 701 pages can be searched\n$/)
})

test('it is built again when that is asked, or when another version made it, which is said', async () => {
  await using fixture = await FeedFixture.open(3)
  await run(fixture)
  const rebuilt = await run(fixture, { rebuild: true })
  assert.deepEqual([rebuilt.figures.read, rebuilt.figures.rebuilt, rebuilt.err], [3, true, ''])
  const db = new DatabaseSync(searchPath(fixture.dir))
  db.exec('UPDATE search_version SET version = 999')
  db.close()
  const other = await run(fixture)
  assert.deepEqual([other.figures.read, other.figures.rebuilt], [3, true])
  assert.match(other.err, /another version.*built again/)
})

test('who is stopped keeps what was read, and says how it goes on', async () => {
  await using fixture = await FeedFixture.open(2)
  const { code, err } = await run(fixture, {}, { stopped: Promise.resolve() })
  assert.equal(code, 11)
  assert.match(err, /the same command goes on/)
  assert.equal((await run(fixture)).figures.pages, 2)
})

test('while another process keeps the index there is nothing to do here', async () => {
  await using fixture = await FeedFixture.open(1)
  await using _lock = await openLock(lockPath(fixture.dir, 'search'))
  await assert.rejects(run(fixture), { code: 'store-busy', message: /another process keeps/ })
})

test('a folder without a crawl is reported', async () => {
  await using fixture = await FeedFixture.open()
  const nowhere = run({ dir: `${fixture.dir}/nowhere` } as FeedFixture)
  await assert.rejects(nowhere, { at: '--data', message: /there is no folder .*makes one/ })
})

for (const [who, isServed] of [
  ['another process', true],
  ['itself', false],
] as const) {
  test(`an index follows what is stored, told by ${who}, until it is stopped`, async () => {
    await using fixture = await FeedFixture.open(2)
    await using other = isServed ? keptFeed(fixture) : null
    const stop = Promise.withResolvers<void>()
    const running = run(fixture, { follow: true }, { stopped: stop.promise })
    try {
      if (other !== null) await eventually(() => other.listeners === 1, 'the indexer to listen')
      for (const upTo of [5, 9]) {
        await fixture.save(upTo === 5 ? 3 : 4)
        await eventually(async () => (await cursorOf(fixture)) === upTo, `${upTo} changes`)
      }
      if (!isServed) {
        using listener = await fixture.listen('{"after":0}\n')
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

test('an index that somebody deletes while it is kept is built again', async () => {
  await using fixture = await FeedFixture.open(2)
  const stop = Promise.withResolvers<void>()
  const running = run(fixture, { follow: true }, { stopped: stop.promise })
  try {
    await eventually(async () => (await cursorOf(fixture)) === 2, 'the index')
    rmSync(searchPath(fixture.dir))
    await eventually(async () => (await cursorOf(fixture)) === 2, 'another index')
    await fixture.save(1)
    await eventually(async () => (await cursorOf(fixture)) === 3, 'what came since')
  } finally {
    stop.resolve()
  }
  assert.equal((await running).code, 0)
})

function keptFeed(fixture: FeedFixture): KeptFeed {
  return new KeptFeed({ workspace: workspaceOf({ dataDir: fixture.dir }), onNotice: assert.fail })
}

test('a feed goes from the one who leaves to the next who waits', async () => {
  await using fixture = await FeedFixture.open(2)
  const first = keptFeed(fixture)
  await eventually(() => first.isServing, 'the first')
  await using second = keptFeed(fixture)
  using listener = await fixture.listen('{"after":1}\n')
  await listener.until(1)
  await first.finish()
  await listener.closed
  await eventually(() => second.isServing, 'the second')
  using again = await fixture.listen('{"after":1}\n')
  await again.until(1)
})
