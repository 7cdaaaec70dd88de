import assert from 'node:assert/strict'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { eventually, FeedFixture } from '../../../test/support/feed-fixture.ts'
import { KeptFeed } from '../../crawl/keep-feed.ts'
import { workspaceOf } from '../../workspace/open-workspace.ts'
import { indexIsBehind } from './index-writer.ts'
import { KeptIndexer } from './keep-indexer.ts'

test('an indexer is started when it is needed, and again when it was killed, says so, and loses nothing', async () => {
  await using fixture = await FeedFixture.open(3)
  await using _feed = new KeptFeed({
    workspace: workspaceOf({ dataDir: fixture.dir }),
    onNotice: assert.fail,
  })
  const heard: (() => void)[] = []
  const said: string[] = []
  await using kept = new KeptIndexer({
    workspace: { data: fixture.dir, frontier: null },
    whenNeeded: (need) => {
      heard.push(need)
      return () => heard.splice(0)
    },
    log: (text) => said.push(text),
    firstWaitMs: 1,
  })
  assert.equal(kept.pid, null)
  heard[0]!()
  await eventually(
    async () => !(await indexIsBehind(workspaceOf({ dataDir: fixture.dir }))),
    'three pages',
  )
  const first = kept.pid
  assert.ok(first)
  assert.ok(getPriority(first) >= 10)
  await fixture.save(2000)
  process.kill(first, 'SIGKILL')
  await eventually(() => kept.pid !== null && kept.pid !== first, 'another one')
  await fixture.save(5)
  await eventually(
    async () => !(await indexIsBehind(workspaceOf({ dataDir: fixture.dir }))),
    'all of them',
  )
  assert.deepEqual(said, [
    'the search index is not kept up to date at the moment: the indexer died; it is started again at once',
  ])
  await fixture.save(100)
  assert.equal(await kept.finish(60_000, () => {}), true)
  assert.equal(await indexIsBehind(workspaceOf({ dataDir: fixture.dir })), false)
  assert.equal(kept.pid, null)
  assert.equal(heard.length, 0)
})
