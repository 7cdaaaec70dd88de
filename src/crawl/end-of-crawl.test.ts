import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { sample, sampleJob, urlFor } from '../../test/contract/sample-page.ts'
import { openSqliteImportanceReader, openSqliteJobStore } from '../../test/support/stores.ts'
import { decodeImportance } from '../core/importance.ts'
import type { CrawlSettings } from '../core/job.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import { openSqlitePageStore } from '../store/sqlite/sqlite-page-store.ts'
import { storePath } from '../workspace/folder/paths.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { endOfCrawlImportance, type GraphLimits } from './end-of-crawl.ts'

const NO_TOTALS = { stored: 0, duplicates: 0, bytes: 0, judged: 0, hot: 0, hosts: new Map() }
const LINKS = JSON.stringify([
  [urlFor('a.test/1'), '', ''],
  [urlFor('a.test/2'), '', ''],
])

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'jelajah-end-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

/**
 * Runs the end of a crawl of three pages and two links; returns the notices and the number of pages with an
 * importance.
 */
async function endOf(
  settings: Partial<CrawlSettings>,
  { limits, links = LINKS }: { readonly limits?: GraphLimits; readonly links?: string },
): Promise<{ readonly notices: readonly string[]; readonly pages: number }> {
  const path = storePath(dataDir)
  await using jobs = await openSqliteJobStore(path)
  const job = await jobs.create({
    ...sampleJob(),
    settings: { ...DEFAULT_SETTINGS, ...settings },
  })
  await using store = await openSqlitePageStore({ path, job })
  await store.save([sample('a.test/', {}, { parts: { links } })])
  await store.save([sample('a.test/1'), sample('a.test/2')])
  const notices: string[] = []
  const watcher = { onBusy: () => {}, onNotice: (text: string) => void notices.push(text) }
  await endOfCrawlImportance(
    { job, last: null, before: NO_TOTALS, workspace: workspaceOf({ dataDir }), watcher },
    limits,
  )
  await using importance = await openSqliteImportanceReader(path)
  return { notices, pages: (await importance.best(job.id, 10)).length }
}

test('a crawl as usual gets its importance without a word', async () => {
  assert.deepEqual(await endOf({}, {}), { notices: [], pages: 3 })
  assert.deepEqual(await endOf({}, { limits: { pages: 3, links: 2 } }), { notices: [], pages: 3 })
})

test('a graph too large to be computed unasked is left alone, and how to ask is reported', async () => {
  for (const limits of [
    { pages: 2, links: 9 },
    { pages: 9, links: 1 },
  ]) {
    const { notices, pages } = await endOf({}, { limits })
    assert.equal(pages, 0)
    assert.match(notices.join(), /more than (2 pages|1 link); continue it with --importance/)
  }
})

test('who asks for importance gets it, whatever the size', async () => {
  const importance = decodeImportance('pagerank')
  const { notices, pages } = await endOf({ importance }, { limits: { pages: 0, links: 0 } })
  assert.deepEqual([notices, pages], [[], 3])
})

test('what goes wrong on the way is a notice and never fails the crawl', async () => {
  const { notices, pages } = await endOf({}, { links: '[["cut off' })
  assert.equal(pages, 0)
  assert.match(notices.join(), /^the importance of pages could not be computed: .*JSON/)
})
