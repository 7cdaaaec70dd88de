// What every store of clusters promises.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from '../../src/core/job.ts'
import type { ClusterStore, KeptCluster, PageCluster } from '../../src/store/cluster-store.ts'
import type { JobStore } from '../../src/store/job-store.ts'
import type { PageReader } from '../../src/store/page-reader.ts'
import type { PageStore } from '../../src/store/page-store.ts'
import { sample, sampleJob } from './sample-page.ts'

export interface ClusterFixture extends AsyncDisposable {
  clusterStore(): Promise<ClusterStore>
  jobs(): Promise<JobStore>
  pages(job: Job): Promise<PageStore>
  pageReader(): Promise<PageReader>
}

const CLUSTERS: readonly KeptCluster[] = [
  { id: 0, terms: ['teh', 'kopi'], size: 2, cohesion: 0.5 },
  { id: 1, terms: ["o'clock", '日本'], size: 1, cohesion: 1 },
]

export function clusterStoreContract(
  name: string,
  openFixture: () => Promise<ClusterFixture>,
): void {
  test(`${name}: clusters are read once they are finished, and replaced as a whole`, async () => {
    await using fixture = await openFixture()
    await using jobs = await fixture.jobs()
    const job = await jobs.create(sampleJob())
    await using pages = await fixture.pages(job)
    await pages.save([sample('a.test/1'), sample('a.test/2')])
    await using store = await fixture.clusterStore()
    await using reader = await fixture.pageReader()
    assert.deepEqual(await reader.clusters(job.id), [])
    const rows = Array.from({ length: 250 }, (_, nth) => pageIn(nth % 2, nth + 1))
    await store.add(job.id, rows)
    // The same again, as after a lost answer.
    await store.add(job.id, rows.slice(0, 3))
    assert.deepEqual(await reader.clusters(job.id), [])
    await store.finish(job.id, CLUSTERS)
    assert.deepEqual(await reader.clusters(job.id), CLUSTERS)
    const found = await reader.clustersOf(job.id, [2, 250, 999])
    assert.deepEqual([...found.values()], [rows[1], rows[249]])
    assert.equal((await reader.clustersOf(job.id + 1, [2])).size, 0)
    await store.clear(job.id)
    await store.add(job.id, [pageIn(0, 7)])
    await store.finish(job.id, CLUSTERS.slice(0, 1))
    assert.equal((await reader.clusters(job.id)).length, 1)
    assert.deepEqual([...(await reader.clustersOf(job.id, [2, 7])).keys()], [7])
  })
}

function pageIn(cluster: number, pageId: number): PageCluster {
  return { pageId, cluster, score: 0.25, terms: ['kopi', 'a "quoted" word'] }
}
