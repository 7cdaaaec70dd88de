import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sample, sampleJob, urlFor } from '../../../test/contract/sample-page.ts'
import {
  openSqliteChangeFeed,
  openSqliteGraphReader,
  openSqliteJobStore,
} from '../../../test/support/stores.ts'
import type { Redirect } from '../../store/graph-reader.ts'
import { openSqlitePageStore } from '../../store/sqlite/sqlite-page-store.ts'
import { FollowedGraph } from './ranks.ts'

function page(url: string, links: readonly string[]) {
  const rows = links.map((link) => [urlFor(link)])
  return sample(url, {}, { parts: { links: JSON.stringify(rows) } })
}

test('a graph follows its crawl: pages that come, change and go, each read when it did', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-followed-'))
  try {
    const path = join(folder, 'jelajah.db')
    await using jobs = await openSqliteJobStore(path)
    const job = await jobs.create(sampleJob())
    const other = await jobs.create(sampleJob({ name: 'other' }))
    await using store = await openSqlitePageStore({ path, job })
    await using others = await openSqlitePageStore({ path, job: other })
    await store.save([page('a.test/1', ['a.test/2', 'a.test/old'])])
    await using reader = await openSqliteGraphReader(path)
    await using changes = await openSqliteChangeFeed(path)
    const read: string[] = []
    async function* redirects(): AsyncGenerator<Redirect> {
      yield { from: urlFor('a.test/old'), to: urlFor('a.test/3') }
    }
    const followed = new FollowedGraph({
      ...{ crawlId: job.id, reader, changes: changes!, redirects },
      note: ({ url }) => read.push(url.slice('http://a.test/'.length)),
    })
    const edges = async () => {
      await followed.catchUp()
      return followed.ranks().graph.edges
    }
    assert.equal(await edges(), 0)
    await store.save([page('a.test/2', ['a.test/1']), page('a.test/3', [])])
    await others.save([page('a.test/4', ['a.test/1'])])
    assert.equal(await edges(), 3)
    assert.equal(await edges(), 3)
    assert.deepEqual(read, ['1', '2', '3'])
    using db = new DatabaseSync(path)
    const tell = (change: string, url: string) =>
      db.exec(`INSERT INTO page_changes (crawl_id, page_id, change, at, url, reason)
        SELECT crawl_id, id, '${change}', 0, url, '' FROM pages WHERE url = '${urlFor(url)}'`)
    db.exec(`UPDATE page_parts SET links = '[]' WHERE page_id = (
      SELECT id FROM pages WHERE url = '${urlFor('a.test/2')}')`)
    tell('change', 'a.test/2')
    assert.equal(await edges(), 2)
    tell('delete', 'a.test/3')
    db.exec(`DELETE FROM pages WHERE url = '${urlFor('a.test/3')}'`)
    assert.equal(await edges(), 1)
    assert.deepEqual(read, ['1', '2', '3', '2'])
    const small = new FollowedGraph({ crawlId: job.id, reader, changes: changes!, maxLinks: 1 })
    await small.catchUp()
    assert.deepEqual([small.graph.pages, small.graph.links], [1, 2])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
