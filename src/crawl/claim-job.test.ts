import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleJob, urlFor } from '../../test/contract/sample-page.ts'
import { temporaryFolder } from '../../test/e2e/crawling.ts'
import { openSqliteJobStore } from '../../test/support/stores.ts'
import type { CrawlSettings } from '../core/job.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import type { JobStore } from '../store/job-store.ts'
import { storePath } from '../workspace/folder/paths.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { claimFinished, differencesOf, type WantedAgain } from './claim-job.ts'
import { askForRecrawl, endRecrawl, hasOpenRecrawl } from './recrawls.ts'

const NONE: WantedAgain = { crawl: null, name: null, seeds: [] }

async function inFolder(
  body: (
    dataDir: string,
    jobs: JobStore,
    claim: (wanted: Partial<WantedAgain>) => Promise<number>,
  ) => Promise<void>,
): Promise<void> {
  await using folder = await temporaryFolder()
  await using jobs = await openSqliteJobStore(storePath(folder.path))
  await body(folder.path, jobs, async (wanted) => {
    await using claimed = await claimFinished(jobs, workspaceOf({ dataDir: folder.path }), {
      ...NONE,
      ...wanted,
    })
    return claimed.job.id
  })
}

test('a finished crawl is found by its number, its name, its seeds, or as the newest', async () => {
  await inFolder(async (_dataDir, jobs, claim) => {
    const seeds = [urlFor('b.test/'), urlFor('a.test/')]
    for (const name of ['http://a.test/ http://b.test/', 'news']) {
      const { id } = await jobs.create(sampleJob({ name, seeds }))
      await jobs.setStatus(id, 'completed')
    }
    assert.equal(await claim({ crawl: 'crawl_1' }), 1)
    assert.equal(await claim({ name: 'news' }), 2)
    assert.equal(await claim({ seeds }), 1)
    assert.equal(await claim({}), 2)
  })
})

test('a crawl that is not there is refused with what to do', async () => {
  await inFolder(async (_dataDir, jobs, claim) => {
    await assert.rejects(claim({}), /there is no crawl in .* yet/)
    await jobs.create(sampleJob())
    await assert.rejects(claim({ name: 'x' }), /there is no crawl named "x" .*without/)
    await assert.rejects(claim({ seeds: [urlFor('z.test/')] }), /no crawl of these seeds/)
    await assert.rejects(claim({ crawl: '7' }), /there is no crawl "7"/)
  })
})

test('a crawl that has not finished is refused, one whose round has not goes on', async () => {
  await inFolder(async (dataDir, jobs, claim) => {
    const job = await jobs.create(sampleJob())
    for (const status of ['running', 'stopped', 'failed'] as const) {
      await jobs.setStatus(job.id, status)
      await assert.rejects(claim({}), /crawl 1 has not finished/)
    }
    await jobs.setStatus(job.id, 'completed')
    assert.equal(await claim({}), 1)
    assert.equal(
      await askForRecrawl({ job, workspace: workspaceOf({ dataDir }) }, false),
      false,
      'as it was made',
    )
    for (const status of ['completed', 'stopped'] as const) {
      assert.equal(
        await askForRecrawl(
          { job: { ...job, status }, workspace: workspaceOf({ dataDir }) },
          false,
        ),
        true,
      )
    }
    await jobs.setStatus(job.id, 'stopped')
    assert.equal(await hasOpenRecrawl({ job, workspace: workspaceOf({ dataDir }) }), true)
    assert.equal(await claim({}), 1)
    assert.equal((await jobs.get(1))?.round, 1)
    await endRecrawl(
      { job, workspace: workspaceOf({ dataDir }) },
      { round: 1, due: false, beganAt: 0, endedAt: null },
    )
    await assert.rejects(claim({}), /has not finished/)
  })
})

test('a crawl that was killed between the end of its round and its own is refreshed again', async () => {
  await inFolder(async (dataDir, jobs, claim) => {
    const job = await jobs.create(sampleJob())
    const workspace = workspaceOf({ dataDir })
    await askForRecrawl({ job: { ...job, status: 'completed' }, workspace }, false)
    await endRecrawl({ job, workspace }, { round: 1, due: false, beganAt: 0, endedAt: null })
    await jobs.setStatus(job.id, 'running')
    assert.equal(await claim({}), 1)
    assert.equal(
      await askForRecrawl({ job: { ...job, status: 'running' }, workspace }, false),
      true,
    )
    assert.equal((await jobs.get(1))?.round, 2)
  })
})

test('what a crawl is about and what it keeps must be the same to go on', () => {
  const now: CrawlSettings = {
    ...DEFAULT_SETTINGS,
    scope: 'any',
    ...{ topic: 'kesehatan', orderingOptions: { a: '1' }, keepHtml: true },
    sitemaps: false,
  }
  assert.deepEqual(differencesOf(DEFAULT_SETTINGS, now), [
    '--scope  domain → any',
    '--no-sitemaps  no → yes',
    '--ordering-option  (none) → a=1',
    '--keep-html  no → yes',
    '--topic  (none) → kesehatan',
  ])
})

test('which links are followed and what is one URL must be the same', () => {
  const now: CrawlSettings = { ...DEFAULT_SETTINGS, stripParams: [], followActions: true }
  const flags = differencesOf(DEFAULT_SETTINGS, now).map((line) => line.split(' ')[0])
  assert.deepEqual(flags, ['--strip-params', '--follow-actions'])
})

test('the same options in another order are the same', () => {
  const before: CrawlSettings = {
    ...DEFAULT_SETTINGS,
    ...{ include: ['*/a/*', '*/b/*'], keywords: ['x', 'y'], orderingOptions: { a: '1', b: '2' } },
  }
  const now: CrawlSettings = {
    ...DEFAULT_SETTINGS,
    ...{ include: ['*/b/*', '*/a/*'], keywords: ['y', 'x'], orderingOptions: { b: '2', a: '1' } },
  }
  assert.deepEqual(differencesOf(before, now), [])
  assert.equal(differencesOf(before, { ...now, include: ['*/b/*'] }).length, 1)
})

test('speed, network and limits may differ from run to run', () => {
  const now = {
    ...DEFAULT_SETTINGS,
    ...{ maxPages: 7, maxDepth: 3, delayMs: 5, concurrency: 1, userAgent: 'x', retries: 9 },
    ...{ durationMs: 1, proxies: ['http://p:1'], hostPatienceMs: 1, allowPrivate: true },
  }
  assert.deepEqual(differencesOf(DEFAULT_SETTINGS, now), [])
})
