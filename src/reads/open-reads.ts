// What a place has to tell, read in threads: one for what is answered in milliseconds, one for what
// looks at every page or URL of a crawl, one for its link graph, one for search. None waits for
// another, and the server for none; a thread starts when it is first needed.

import type { WorkspaceUrl } from '../core/workspace-url.ts'
import { ReadingThread } from './reading-thread.ts'
import type { WorkspaceReads } from './workspace-reads.ts'

export async function openReads(workspace: WorkspaceUrl): Promise<WorkspaceReads> {
  const quick = new ReadingThread({ workspace, name: 'thread for short reads' })
  const heavy = new ReadingThread({ workspace, name: 'thread for long reads' })
  const maps = new ReadingThread({ workspace, name: 'thread for maps' })
  const seeking = new ReadingThread({ workspace, name: 'thread for search' })
  return {
    totals: (crawlIds) => quick.call('totals', crawlIds),
    fetchedPages: (crawlId, after, limit) => quick.call('fetchedPages', crawlId, after, limit),
    // A filter may have to look at every page before it finds one.
    pageRows: (options) =>
      (Object.keys(options.filter).length === 0 ? quick : heavy).call('pageRows', options),
    lastPageId: (crawlId) => quick.call('lastPageId', crawlId),
    pageIds: (options) => heavy.call('pageIds', options),
    rowsOf: (crawlId, ids) => quick.call('rowsOf', crawlId, ids),
    async page(crawlId, id) {
      const page = await quick.call('page', crawlId, id)
      return page && { ...page, links_in: await maps.call('linksIn', crawlId, id) }
    },
    html: (crawlId, id) => quick.call('html', crawlId, id),
    urls: (options) => heavy.call('urls', options),
    reasons: (crawlId) => heavy.call('reasons', crawlId),
    hosts: (crawlId, limit) => quick.call('hosts', crawlId, limit),
    explain: (crawlId, url) => quick.call('explain', crawlId, url),
    rank: (crawlId, limit) => maps.call('rank', crawlId, limit),
    pageGraph: (crawlId, options) => maps.call('pageGraph', crawlId, options),
    siteGraph: (crawlId, options) => maps.call('siteGraph', crawlId, options),
    search: (request) => seeking.call('search', request),
    async [Symbol.asyncDispose]() {
      const threads = [quick, heavy, maps, seeking]
      await Promise.all(threads.map((thread) => thread[Symbol.asyncDispose]()))
    },
  }
}
