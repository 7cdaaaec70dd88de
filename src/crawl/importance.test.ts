import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sample, sampleJob, urlFor } from '../../test/contract/sample-page.ts'
import { openSqliteImportanceReader, openSqliteJobStore } from '../../test/support/stores.ts'
import { createAdmission } from '../core/admission.ts'
import { DEFAULT_IMPORTANCE, decodeImportance } from '../core/importance.ts'
import type { JobRecord } from '../core/job.ts'
import { templateOf } from '../core/template.ts'
import { hostPolicyNamed } from '../frontier/policy/index.ts'
import { openSqliteFrontier } from '../frontier/sqlite/sqlite-frontier.ts'
import { ManualClock } from '../lib/clock.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import { breadthFirst } from '../ordering/breadth-first.ts'
import { openSqlitePageStore } from '../store/sqlite/sqlite-page-store.ts'
import { frontierPath, storePath } from '../workspace/folder/paths.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { refreshImportance } from './importance.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'jelajah-importance-'))
after(() => rmSync(dataDir, { recursive: true }))

let job: JobRecord
before(async () => {
  await using jobs = await openSqliteJobStore(storePath(dataDir), new ManualClock())
  const given = sampleJob()
  const settings = { ...given.settings, ignoreRobots: true, sitemaps: false, delayMs: 0 }
  job = await jobs.create({ ...given, settings })
  await using pages = await openSqlitePageStore({ path: storePath(dataDir), job })
  await pages.save([
    page('a.test/', ['a.test/old', 'a.test/topic']),
    page('a.test/new', ['a.test/']),
    page('a.test/topic', ['a.test/old'], { relevance: 1 }),
    page('a.test/copy', ['a.test/'], { contentHash: 'hash of a.test/new' }),
  ])
})

function page(url: string, links: readonly string[], changes: Parameters<typeof sample>[1] = {}) {
  const rows = links.map((link) => [urlFor(link), 'anchor', ''])
  const fields = { relevance: 0, ...changes }
  return sample(url, fields, { parts: { links: JSON.stringify(rows) } })
}

/** A frontier that has seen one redirect. */
async function redirect(from: string, to: string): Promise<void> {
  await using frontier = await openSqliteFrontier({
    path: frontierPath(dataDir, job.id),
    job,
    ordering: breadthFirst,
    scorer: breadthFirst.createScorer({}, 1),
    policy: hostPolicyNamed('fair'),
    admit: createAdmission(job.seeds, job.settings),
    templateOf,
    clock: new ManualClock(),
  })
  const hash = createUrlHasher(job.salt)
  const [source, target] = [from, to].map((text) => {
    const url = urlFor(text)
    return { url, hash: hash(url), nofollow: false, signals: null }
  })
  await frontier.add([source!], 'seed')
  const [lease] = await frontier.lease(1)
  await frontier.settle([{ lease: lease!, outcome: 'redirected', to: target! }])
}

/** The stored values, the best page first. */
async function best() {
  await using reader = await openSqliteImportanceReader(storePath(dataDir))
  return reader.best(job.id, 10)
}

test('pages get their importance, those that repeat another none of their own', async () => {
  const refreshed = await refreshImportance(
    workspaceOf({ dataDir }),
    job.id,
    decodeImportance('location'),
  )
  assert.deepEqual([refreshed.pages, refreshed.edges], [3, 2])
  const pages = await best()
  assert.deepEqual(
    pages.map(({ similarity, backlinks, location, importance }) => [
      similarity,
      backlinks,
      location === importance,
    ]),
    [
      [0, 1, true],
      [0, 0, true],
      [1, 1, true],
    ],
  )
  assert.ok(Math.abs(pages.reduce((sum, { pagerank }) => sum + pagerank, 0) - 1) < 1e-12)
})

test('importance is computed again with other weights', async () => {
  await refreshImportance(workspaceOf({ dataDir }), job.id, decodeImportance('similarity'))
  assert.deepEqual(
    (await best()).map(({ importance }) => importance),
    [1, 0, 0],
  )
})

test('a link to a URL that redirected counts for the page it led to', async () => {
  await redirect('a.test/old', 'a.test/new')
  const { edges } = await refreshImportance(workspaceOf({ dataDir }), job.id, DEFAULT_IMPORTANCE)
  assert.equal(edges, 4)
  const backlinks = (await best()).map(({ backlinks }) => backlinks)
  assert.deepEqual(backlinks.sort(), [1, 1, 2])
})

test('a crawl that is not there is refused', async () => {
  const refreshed = refreshImportance(workspaceOf({ dataDir }), 99, DEFAULT_IMPORTANCE)
  await assert.rejects(refreshed, { name: 'InvalidInput', message: /no crawl 99/ })
})
