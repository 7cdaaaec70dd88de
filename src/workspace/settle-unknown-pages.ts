// Tells a frontier of pages that the store has and the frontier does not know.
import type { Job } from '../core/job.ts'
import { createIdentity } from '../core/url.ts'
import type { Frontier, FrontierUpdate } from '../frontier/frontier.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import type { PageWithLinks } from '../store/page-store.ts'

const UNJUDGED = { nofollow: false, signals: null } as const

/** Settles pages with the links they have in the store, so that they are not fetched again. */
export async function settlePages(
  frontier: Frontier,
  job: Job,
  pages: readonly PageWithLinks[],
): Promise<number> {
  const hashUrl = createUrlHasher(job.salt)
  const settled = await frontier.settle(
    pages.flatMap((page): FrontierUpdate[] => {
      const { pageId, url, depth, duplicateOf, links } = page
      if (links === null) return []
      const lease = { kind: 'page', id: 0, token: null, url, depth } as const
      const found = links.map((link) => ({ ...link, hash: hashUrl(link.url), signals: null }))
      const came = { lease, found, judged: null }
      // An unknown likeness must not make two pages alike.
      return duplicateOf === null
        ? [{ ...came, outcome: 'stored', likeness: pageId >>> 0 }]
        : [{ ...came, outcome: 'duplicate', of: duplicateOf }]
    }),
  )
  // Without their links they must be fetched again; the store recognizes them.
  const unread = pages.filter(({ links }) => links === null)
  const found = unread.map(({ url }) => ({ ...UNJUDGED, url, hash: hashUrl(url) }))
  if (found.length > 0) await frontier.add(found, 'link')
  return settled
}

export async function addSeeds(frontier: Frontier, job: Job): Promise<void> {
  const hashUrl = createUrlHasher(job.salt)
  const urls = job.seeds.map(createIdentity(job.settings.stripParams))
  await frontier.add(
    urls.map((url) => ({ ...UNJUDGED, url, hash: hashUrl(url) })),
    'seed',
  )
}
