// Rebuilds the frontier of a crawl in Redis from PostgreSQL: from the copy of its states, which is a moment
// old, and the pages, which are current. URLs of pages that the copy does not know are first added to it;
// then the frontier is built from the copy, and these pages are settled again with the links they have in the
// store. This is done in small steps, and starts again if it was interrupted. If links are not stored, the
// pages are fetched again, and the store recognizes them. Pages whose receipts still exist are settled by
// these in the next run.
import { randomUUID } from 'node:crypto'
import { CrawlerError } from '../../core/errors.ts'
import { hostOf } from '../../core/url.ts'
import type { HostCopy, UrlCopy } from '../../core/url-copy.ts'
import type { Postgres } from '../../db/postgres.ts'
import type { RedisConnection } from '../../db/redis.ts'
import { finiteScore } from '../../frontier/finite-score.ts'
import type { Settlement } from '../../frontier/frontier.ts'
import { numberOf, shardOf } from '../../frontier/partitions/partition-of.ts'
import { discardRedisFrontier, rebuildRedisFrontier } from '../../frontier/redis/rebuild.ts'
import { isDivisible } from '../../frontier/redis/shard-count.ts'
import { notedShards } from '../../frontier/redis/sharded-url-changes.ts'
import { openWholeFrontier } from '../../frontier/redis/whole-frontier.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import { createPostgresUrlStateCopy } from '../../store/postgres/postgres-url-state-copy.ts'
import type { PageBehind, UrlStateCopy } from '../../store/url-state-copy.ts'
import type { FrontierNeeds } from '../workspace.ts'

const AT_ONCE = 2_000
const PAGES_AT_ONCE = 50

type Rebuilding = {
  readonly db: Postgres
  readonly connection: RedisConnection
  readonly needs: FrontierNeeds
  readonly onProgress?: (urls: number) => void
}

/** Returns the number of its URLs. No other process may have the crawl open. */
export async function rebuildFrontier(options: Rebuilding): Promise<number> {
  const { db, connection, needs, onProgress } = options
  const states = createPostgresUrlStateCopy(db)
  const { id: crawlId } = needs.job
  const base = { ...needs, connection, keepsChanges: true, takeOver: true }
  // Ids do not change: they need as many shards as before, or one, if there are gaps between them.
  const noted = notedShards(await states.notes(crawlId))
  const shards = isDivisible(base) ? noted : 1
  if (noted > shards) await discardRedisFrontier(connection, crawlId, noted)
  const frontier = { ...base, shards }
  await using _index = await states.findable(crawlId)
  await copyMissing(states, needs, shards)
  const urls = await rebuildRedisFrontier({
    frontier,
    urls: urlsOf(states, crawlId),
    hosts: hostsOf(states, crawlId),
    ...(onProgress === undefined ? {} : { onProgress }),
  })
  await using open = await openWholeFrontier(frontier)
  for await (const pages of pagesBehind(states, crawlId)) {
    await open.settle(settlementsOf(pages, needs))
  }
  return urls
}

/** URLs of stored pages that the copy lacks, under the id in their receipts, or after all others. */
async function copyMissing(
  states: UrlStateCopy,
  { job, scorer }: FrontierNeeds,
  shards: number,
): Promise<void> {
  const copier = randomUUID()
  await states.claim(job.id, copier)
  let next = Math.floor((await states.lastPosition(job.id)) / shards) + 1
  const numberFor = ({ url }: PageBehind): number =>
    numberOf(next++, shardOf(hostOf(url), shards), shards)
  for await (const pages of pagesBehind(states, job.id)) {
    const urls = pages
      .filter(({ position }) => position === null)
      .map((page) => queuedCopy(page, page.receiptOf ?? numberFor(page), scorer))
    if (await states.save(job.id, { urls, hosts: [], notes: [] }, copier)) continue
    throw new CrawlerError('store-busy', `somebody else writes the copy of crawl ${job.id}`)
  }
}

function queuedCopy(
  { url, depth }: PageBehind,
  position: number,
  scorer: FrontierNeeds['scorer'],
): UrlCopy {
  const facts = { url, depth, foundAt: position, inLinks: 1, signals: null }
  return {
    ...{ ...facts, position, state: 'queued', outOfReach: false, reason: '', hops: 0 },
    ...{ foundOn: null, foundIn: null, via: 'link', priority: finiteScore(scorer, facts) },
    ...{ tries: 1, nextAt: null },
  }
}

async function* urlsOf(states: UrlStateCopy, crawlId: number): AsyncIterable<readonly UrlCopy[]> {
  for (let after = 0; ; ) {
    const some = await states.list(crawlId, after, AT_ONCE)
    const last = some.at(-1)
    if (last === undefined) return
    yield some
    after = last.position
  }
}

async function* hostsOf(states: UrlStateCopy, crawlId: number): AsyncIterable<readonly HostCopy[]> {
  for (let after = ''; ; ) {
    const some = await states.hosts(crawlId, after, AT_ONCE)
    const last = some.at(-1)
    if (last === undefined) return
    yield some
    after = last.host
  }
}

async function* pagesBehind(
  states: UrlStateCopy,
  crawlId: number,
): AsyncIterable<readonly PageBehind[]> {
  for (let after = 0; ; ) {
    const some = await states.pagesBehind(crawlId, after, PAGES_AT_ONCE)
    const last = some.at(-1)
    if (last === undefined) return
    yield some
    after = last.pageId
  }
}

/** The settlements of pages that have no receipt. */
function settlementsOf(
  pages: readonly PageBehind[],
  { job }: FrontierNeeds,
): readonly Settlement[] {
  const hashUrl = createUrlHasher(job.salt)
  return pages.flatMap((page): Settlement[] => {
    const { position: id, links, receiptOf, duplicateOf } = page
    if (id === null || links === null || receiptOf !== null) return []
    const lease = { kind: 'page', id, token: null, url: page.url, depth: page.depth } as const
    const found = links.map((link) => ({ ...link, hash: hashUrl(link.url), signals: null }))
    const came = { lease, found, judged: null }
    return duplicateOf === null
      ? [{ ...came, outcome: 'stored', likeness: likenessOf(page) }]
      : [{ ...came, outcome: 'duplicate', of: duplicateOf }]
  })
}

/** Unique: an unknown likeness must not make two pages alike. */
function likenessOf({ pageId }: PageBehind): number {
  return pageId >>> 0
}
