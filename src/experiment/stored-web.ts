// A stored crawl, opened as a web to be crawled again.
import { InvalidInput } from '../core/errors.ts'
import type { JobRecord } from '../core/job.ts'
import type { CanonicalUrl } from '../core/url.ts'
import { redirectsOf } from '../crawl/importance.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import { ResourceStack } from '../lib/resource-stack.ts'
import type { ReplayWorld } from '../simulate/replay-world.ts'
import { loadStoredWorld } from '../simulate/stored-world.ts'
import { chooseCrawl } from '../workspace/find-crawl.ts'
import type { Workspace } from '../workspace/workspace.ts'

const CHUNK = 1000

/** The world reads from the store as long as it is used: dispose of this when it is done. */
export type StoredWeb = AsyncDisposable & {
  /** As people call it. */
  readonly name: string
  readonly job: Pick<JobRecord, 'seeds' | 'topic' | 'settings'>
  readonly world: ReplayWorld
}

export async function openStoredWeb(options: {
  readonly workspace: Workspace
  readonly crawl: string | null
  readonly deadLinks: boolean
}): Promise<StoredWeb> {
  const { workspace, crawl, deadLinks } = options
  const job = await chooseCrawl(workspace, crawl)
  await using opened = new ResourceStack()
  const pages = opened.use(await workspace.pageReader())
  const graph = opened.use(await workspace.graphReader())
  const urlStates = opened.use(await workspace.urlStates(job))
  const redirects = await Array.fromAsync(redirectsOf(urlStates))
  const dead = deadLinks && urlStates !== null ? await failedUrls(urlStates) : []
  const world = await loadStoredWorld({ crawlId: job.id, pages, graph, redirects, dead })
  if (world.alive === 0) {
    throw new InvalidInput('--data', `crawl ${job.id} in ${workspace.shown} has stored no page yet`)
  }
  if (world.links.edges === 0) throw new InvalidInput('--data', NO_LINKS)
  const kept = opened.move()
  const name = `crawl ${job.id} (${job.name})`
  return { name, job, world, [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose]() }
}

const NO_LINKS =
  'there are no links between its pages; was it crawled without the part links (--parts)?'

async function failedUrls(urlStates: UrlStates): Promise<CanonicalUrl[]> {
  const urls: CanonicalUrl[] = []
  for (let after = 0; ; ) {
    const found = await urlStates.list({ after, limit: CHUNK, state: 'failed' })
    for (const { url } of found) urls.push(url)
    const last = found.at(-1)
    if (last === undefined) return urls
    after = last.position
  }
}
