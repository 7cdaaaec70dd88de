import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sampleFields, sampleJob, urlFor } from '../../test/contract/sample-page.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { PartitionedFrontier } from '../frontier/partitions/partitioned-frontier.ts'
import { systemClock } from '../lib/clock.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import { encodeFound, encodeKept } from '../wire/receipt.ts'
import { LocalWorkspace } from '../workspace/folder/local-workspace.ts'
import { frontierNeeds } from './frontier-needs.ts'
import { waitingResults } from './run-job.ts'

const SEEDS = ['a.test/', 'b.test/', 'c.test/', 'd.test/', 'e.test/', 'f.test/'].map(urlFor)
const PAIRS = [0, 1].map((nth) => ({ nth, of: 2 }))

async function openScene(folder: string) {
  const workspace = new LocalWorkspace({ data: folder, frontier: null })
  await workspace.make()
  const base = sampleJob({ seeds: SEEDS })
  const settings = { ...base.settings, scouters: 2, delayMs: 0, ignoreRobots: true }
  await using jobs = await workspace.jobStore()
  const job = await jobs.create({ ...base, settings: { ...settings, sitemaps: false } })
  const hash = createUrlHasher(job.salt)
  const found = (url: CanonicalUrl) => ({ url, hash: hash(url), nofollow: false, signals: null })

  const opened: PartitionedFrontier[] = []
  const openAll = async () => {
    const open = PAIRS.map((pair) => workspace.frontier(frontierNeeds(job, systemClock), pair))
    const all = (await Promise.all(open)).map(({ frontier }) => frontier as PartitionedFrontier)
    opened.push(...all)
    for (const frontier of all) await frontier.add(SEEDS.map(found), 'seed')
    return all
  }
  return {
    ...{ workspace, openAll },
    /** As if the scouters were killed. */
    abandon: () => {
      for (const frontier of opened.splice(0)) frontier.abandon()
    },
    begin: () =>
      workspace.beginRun(frontierNeeds(job, systemClock), () => waitingResults(workspace, job)),
    /** By the parser of one pair; the page has a link to another. */
    store: async (nth: number, leases: readonly { id: number; url: CanonicalUrl }[]) => {
      await using store = await workspace.pageStore(job, { nth, of: 2 })
      await store.save(
        leases.map(({ id, url }) => {
          const foundBlock = encodeFound([found(urlFor(`${url}next`))])
          const receipt = encodeKept({ likeness: id, judged: null, foundBlock })
          return { page: { fields: sampleFields(url), parts: {}, html: null }, urlId: id, receipt }
        }),
      )
    },
  }
}

test('after a kill no scouter requests a page that the parser of another has stored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-waiting-'))
  const scene = await openScene(join(folder, 'data'))
  try {
    assert.equal((await scene.begin()).pairs, 2)
    const killed = await scene.openAll()
    for (const [nth, frontier] of killed.entries()) {
      const leases = await frontier.lease(10)
      assert.ok(leases.length > 0, 'both scouters have hosts')
      await scene.store(1 - nth, leases)
    }
    scene.abandon()
    await scene.workspace[Symbol.asyncDispose]()

    await scene.begin()
    const again = await scene.openAll()
    const asked: CanonicalUrl[] = []
    for (const frontier of again) {
      asked.push(...(await frontier.lease(10)).map(({ url }) => url))
    }
    assert.deepEqual(asked.toSorted(), SEEDS.map((url) => urlFor(`${url}next`)).toSorted())
  } finally {
    scene.abandon()
    await scene.workspace[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  }
})
