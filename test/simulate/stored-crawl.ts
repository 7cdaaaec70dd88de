// A data folder with a small stored crawl, for tests that replay one.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Job } from '../../src/core/job.ts'
import { openSqlitePageStore } from '../../src/store/sqlite/sqlite-page-store.ts'
import { sample, sampleJob, urlFor } from '../contract/sample-page.ts'
import { openSqliteJobStore } from '../support/stores.ts'

export type StoredPageOf = {
  readonly url: string
  /** Target, anchor, rel, context; what is left out is ''. */
  readonly links: readonly (readonly string[])[]
  readonly text?: string
  /** Pages with the same mark repeat the first of them. */
  readonly same?: string
  readonly relevance?: number | null
  readonly hot?: boolean
}

export type StoredCrawlFolder = Disposable & {
  readonly dataDir: string
  /** The store's file. */
  readonly path: string
  readonly crawlId: number
}

export async function storeCrawl(
  pages: readonly StoredPageOf[],
  changes: Partial<Job> = {},
): Promise<StoredCrawlFolder> {
  const dataDir = mkdtempSync(join(tmpdir(), 'jelajah-replay-'))
  const path = join(dataDir, 'jelajah.db')
  await using jobs = await openSqliteJobStore(path)
  const job = await jobs.create(sampleJob(changes))
  await using store = await openSqlitePageStore({ path, job })
  await store.save(pages.map(toSave))
  return {
    dataDir,
    path,
    crawlId: job.id,
    [Symbol.dispose]: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

function toSave({ url, links, text, same, relevance = null, hot = false }: StoredPageOf) {
  const rows = links.map(([to = '', anchor = '', rel = '', context = '']) => [
    urlFor(to),
    anchor,
    rel,
    context,
  ])
  const changes = {
    ...{ relevance, hot },
    ...(text === undefined ? {} : { contentText: text }),
    ...(same === undefined ? {} : { contentHash: same }),
  }
  return sample(url, changes, { parts: { links: JSON.stringify(rows) } })
}
