// Leaves out pages that say nearly the same as another one of the export, by the clusters of the search
// index. Of each cluster one page stays: the one that stands for it, or the first where that one is not
// asked for. What an export has is decided before its first page is written.
import type { NearDuplicate, NearDuplicates } from '../search/near-duplicates.ts'
import type { OpenStep, Stepped } from './exporter.ts'

/** Asked of the index at once. */
const CHUNK = 1000

/** Counted: `near_duplicates` that were left out. */
export function withoutNearDuplicates(index: NearDuplicates): OpenStep {
  return async (store, range, signal) => {
    const ids = await store.ids(range)
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
