import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sample, sampleJob } from '../../test/contract/sample-page.ts'
import { openSqliteJobStore } from '../../test/support/stores.ts'
import { openSqlitePageStore } from '../store/sqlite/sqlite-page-store.ts'
import { storePath } from '../workspace/folder/paths.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { refuseUnknownHost } from './known-host.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'jelajah-host-'))
after(() => rmSync(dataDir, { recursive: true }))

before(async () => {
  const path = storePath(dataDir)
  await using jobs = await openSqliteJobStore(path)
  for (const urls of [['open-roads.test:8199/', 'copies.test/'], ['green-delta.test/']]) {
    const job = await jobs.create(sampleJob({ name: urls.join() }))
    await using store = await openSqlitePageStore({ path, job })
    await store.save(urls.map((url) => sample(url, { contentHash: 'same' })))
  }
})

const refused = (host: string, crawlIds: readonly number[] | null) =>
  refuseUnknownHost(workspaceOf({ dataDir }), host, crawlIds).then(
    () => '',
    (error: Error) => error.message,
  )

test('a host without its port, or with a letter wrong, is refused with the one that was meant', async () => {
  const cases: readonly (readonly [host: string, crawls: readonly number[] | null, RegExp])[] = [
    ['open-roads.test', [1], /this crawl has no page of .*; did you mean open-roads\.test:8199\?/],
    ['open-roads.test:80', null, /no crawl here has a page of .* mean open-roads\.test:8199\?/],
    ['green-delta.test:8199', [2], /did you mean green-delta\.test\?/],
    ['gren-delta.test', null, /did you mean green-delta\.test\?/],
    ['nope.example', null, /a page of nope\.example$/],
  ]
  for (const [host, crawls, said] of cases) assert.match(await refused(host, crawls), said)
})

test('a host is known by any page of it, copies of others too, in the crawls that are asked for', async () => {
  assert.equal(await refused('open-roads.test:8199', [1]), '')
  assert.equal(await refused('copies.test', [1]), '')
  assert.equal(await refused('green-delta.test', null), '')
  assert.match(await refused('green-delta.test', [1]), /this crawl has no page/)
})
