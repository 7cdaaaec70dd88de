// Removes blocks that recur over the pages of a site (text/recurring-blocks.ts). A site is a host within one
// crawl. All its pages count, including those not exported, so what is removed from a page does not depend on
// the rest of the request.
import { hostOf } from '../core/url.ts'
import type { NearDuplicate, NearDuplicates } from '../search/clusters.ts'
import type { WholePage } from '../store/page-reader.ts'
import { RecurringBlocks } from '../text/recurring-blocks.ts'
import { tokens } from '../text/tokens.ts'
import type { OpenStep, Stepped } from './exporter.ts'
import { pageStream } from './run-export.ts'

type Visit = (site: string, text: string) => void

/** Counts the removed blocks as `boilerplate_blocks`, and the pages that had any as `boilerplate_pages`. */
export const withoutBoilerplate: OpenStep = async (store, { filter, upTo }, signal) => {
  const { crawlIds } = filter
  const range = { filter: crawlIds === undefined ? {} : { crawlIds }, after: 0, upTo }
  const recurring = new RecurringBlocks(await store.count(range))
  const visitAll = async (visit: Visit) => {
    for await (const { page } of pageStream({ store, range, needs: {}, steps: [] })) {
      signal.throwIfAborted()
      if (page !== null) visit(siteOf(page), page.contentText)
    }
  }
  await visitAll((site, text) => recurring.estimate(site, text))
  await visitAll((site, text) => recurring.confirm(site, text))
  recurring.confirmed()
  return {
    apply: async (pages) => pages.map((page) => cleaned(page, recurring)),
    async [Symbol.asyncDispose]() {},
  }
}

function cleaned(page: WholePage, recurring: RecurringBlocks): Stepped {
  const { text, blocks } = recurring.without(siteOf(page), page.contentText)
  if (blocks === 0) return { page }
  return {
    page: { ...page, contentText: text },
    counts: { boilerplate_blocks: blocks, boilerplate_pages: 1 },
  }
}

function siteOf({ crawlId, url }: WholePage): string {
  return `${crawlId} ${hostOf(url)}`
}

export function countWords(text: string): number {
  return tokens(text).length
}

/** Counts the pages with fewer words as `too_short`. */
/** Leaves out pages with few words. */
export function atLeastWords(least: number): OpenStep {
  const hasEnough = (text: string) => tokens(text, { max: least }).length >= least
  return async () => ({
    async apply(pages) {
      return pages.map((page): Stepped => {
        return hasEnough(page.contentText) ? { page } : { page: null, counts: { too_short: 1 } }
      })
    },
    async [Symbol.asyncDispose]() {},
  })
}

/** Pages per request to the index. */
const CHUNK = 1000

/**
 * Leaves out near-duplicates within the export, by the clusters of the search index, and counts them as
 * `near_duplicates`. One page of each cluster stays: its representative, or the first page if that one is
 * not in the export. The pages are chosen before the first one is written.
 */
export function withoutNearDuplicates(index: NearDuplicates): OpenStep {
  return async (store, range, signal) => {
    const ids = await store.idsIn(range)
    const members: NearDuplicate[] = []
    for (let at = 0; at < ids.length; at += CHUNK) {
      signal.throwIfAborted()
      members.push(...(await index.nearDuplicates(ids.slice(at, at + CHUNK))))
    }
    const left = leftOut(members)
    return {
      apply: async (pages) =>
        pages.map((page): Stepped => {
          return left.has(page.id) ? { page: null, counts: { near_duplicates: 1 } } : { page }
        }),
      async [Symbol.asyncDispose]() {},
    }
  }
}

function leftOut(members: readonly NearDuplicate[]): ReadonlySet<number> {
  const stays = new Map<number, number>()
  for (const { pageId, cluster, representative } of members) {
    const other = stays.get(cluster)
    if (pageId === representative || other === undefined) stays.set(cluster, pageId)
    else if (other !== representative) stays.set(cluster, Math.min(other, pageId))
  }
  const left = members.filter(({ pageId, cluster }) => stays.get(cluster) !== pageId)
  return new Set(left.map(({ pageId }) => pageId))
}
