// Prepares a frontier for a recrawl. A large one takes a while, so it is done in chunks; only the last chunk
// records that the recrawl has begun.
import { setImmediate } from 'node:timers/promises'
import { createUrlHasher } from '../../lib/url-hash.ts'
import type { NewRecrawl, PageToRevisit } from '../recrawls.ts'
import { refuseOthers } from './begin-run.ts'
import type { RevisitRow, Rows, UrlRow } from './rows.ts'
import { SeenUrls } from './seen-urls.ts'
import { DUPLICATE, FAILED, QUEUED, REDIRECTED, STORED } from './states.ts'

/** URLs per transaction. */
const URLS_AT_ONCE = 20_000
/** Below the priority of any page. */
export const NO_PAGE_PRIORITY = -1

/** Does nothing if that recrawl has already begun. */
export async function beginRecrawl(rows: Rows, recrawl: NewRecrawl): Promise<void> {
  const { job, round, onlyPages } = recrawl
  refuseOthers(rows, job)
  if ((rows.crawl.get(job.id)?.round ?? 0) >= round) return
  rows.transaction(() => rows.revisit.clear())
  const beginning = new Beginning(rows, recrawl)
  await beginning.addPages()
  if (!onlyPages) await beginning.addOthers()
  rows.transaction(() => {
    expireAll(rows)
    rows.crawl.update(job.id, { round })
  })
  await rows.commit()
}

class Beginning {
  readonly #rows: Rows
  readonly #recrawl: NewRecrawl
  #urls = 0

  constructor(rows: Rows, recrawl: NewRecrawl) {
    this.#rows = rows
    this.#recrawl = recrawl
  }

  async addPages(): Promise<void> {
    const hashUrl = createUrlHasher(this.#recrawl.job.salt)
    const seen = new SeenUrls(this.#rows, hashUrl)
    for await (const pages of this.#recrawl.pages) {
      this.#step(() => {
        for (const page of pages) this.#addPage(page, seen.find(hashUrl(page.url)))
      })
    }
  }

  #addPage({ priority, etag, lastModified, contentHash }: PageToRevisit, id: number): void {
    const row = this.#rows.url.get(id)
    if (row === undefined || (row.state !== STORED && row.state !== DUPLICATE)) return
    this.#add(row, { priority, etag, lastModified, contentHash })
  }

  /** URLs that led to no page may lead to one now. */
  async addOthers(): Promise<void> {
    const { url, revisit } = this.#rows
    const lastId = url.lastId()
    const page = { priority: NO_PAGE_PRIORITY, etag: '', lastModified: '', contentHash: '' }
    for (let after = 0; after < lastId; after += URLS_AT_ONCE) {
      const part = { after, upTo: after + URLS_AT_ONCE, limit: URLS_AT_ONCE }
      this.#step(() => {
        for (const row of url.scan({ ...part, states: [REDIRECTED, FAILED] })) {
          if (row.originId > 0 && revisit.get(row.id) === undefined) this.#add(row, page)
        }
      })
      await setImmediate()
    }
  }

  #add(
    { id: urlId, originId }: UrlRow,
    page: Pick<RevisitRow, 'priority' | 'etag' | 'lastModified' | 'contentHash'>,
  ): void {
    this.#rows.revisit.put({ urlId, originId, ...page, tries: 0, nextAt: null })
    this.#urls += 1
  }

  #step(work: () => void): void {
    this.#rows.transaction(work)
    this.#recrawl.onProgress?.(this.#urls)
  }
}

/** Every robots.txt is requested again, and every sitemap is read again. */
function expireAll({ robots, sitemap }: Rows): void {
  for (const { origin, status } of [...robots.knownRobots()]) {
    if (status === 'unreachable') robots.drop(origin)
    else robots.update(origin, { expiresAt: 0 })
  }
  for (const { id, state } of [...sitemap.all()]) {
    if (state !== STORED && state !== REDIRECTED && state !== FAILED) continue
    sitemap.update(id, { state: QUEUED, reason: '', tries: 0, nextAt: null })
  }
}
