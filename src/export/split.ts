// Which file a page belongs to where an export is divided, and the clusters it may be divided by.
import { InvalidInput } from '../core/errors.ts'
import type { KeptCluster } from '../store/cluster-store.ts'
import type { PageReader, WholePage } from '../store/page-reader.ts'
import type { OpenStep, Split } from './exporter.ts'

/** For pages without a known language. */
const UNKNOWN = 'und'

/** Contains nothing that a page could choose freely. */
export function splitName({ language, kind, clustered }: WholePage, split: Split): string {
  if (split === 'language') return languageOf(language)
  if (split === 'kind') return /^[a-z-]{1,40}$/.test(kind) ? kind : 'other'
  if (clustered === undefined) return 'unclustered'
  return `cluster-${String(clustered.cluster).padStart(3, '0')}`
}

function languageOf(tag: string): string {
  return /^([a-z]{2,3})(?:[-_]|$)/.exec(tag.toLowerCase())?.[1] ?? UNKNOWN
}

/** Adds to every page where it belongs. Throws InvalidInput for a crawl that was not clustered. */
export const withClusters: OpenStep = async (store, { filter: { crawlIds = [] } }) => {
  const labels = new Map<number, readonly KeptCluster[]>()
  const clustersIn = async (crawlId: number) => {
    const known = labels.get(crawlId) ?? (await store.clusters(crawlId))
    labels.set(crawlId, known)
    return known
  }
  for (const crawlId of crawlIds) {
    if ((await clustersIn(crawlId)).length > 0) continue
    const message = `crawl ${crawlId} was not clustered yet; 'jelajah cluster' does it`
    throw new InvalidInput('--clusters', message)
  }
  return {
    apply: async (pages) => {
      const found = await clustersOfAll(store, pages)
      const stepped = pages.map(async (page) => {
        const clustered = found.get(page.id)
        if (clustered === undefined) return { page }
        const label = (await clustersIn(page.crawlId))[clustered.cluster]?.terms ?? []
        return { page: { ...page, clustered: { ...clustered, label } } }
      })
      return Promise.all(stepped)
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

async function clustersOfAll(store: Pick<PageReader, 'clustersOf'>, pages: readonly WholePage[]) {
  const byCrawl = Map.groupBy(pages, ({ crawlId }) => crawlId)
  const found = await Promise.all(
    [...byCrawl].map(([crawlId, some]) =>
      store.clustersOf(
        crawlId,
        some.map(({ id }) => id),
      ),
    ),
  )
  return new Map(found.flatMap((part) => [...part]))
}
