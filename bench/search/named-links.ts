// The links of a stored crawl with their texts, resolved to the pages they lead to: through redirects,
// and from pages that repeat another to that one.
import { hostOf } from '../../src/core/url.ts'
import { redirectsOf } from '../../src/crawl/importance.ts'
import { chooseCrawl } from '../../src/workspace/find-crawl.ts'
import { storePath } from '../../src/workspace/folder/paths.ts'
import { workspaceOf } from '../../src/workspace/open-workspace.ts'
import { openSqliteGraphReader, openSqlitePageReader } from '../../test/support/stores.ts'
import type { NamedLink } from './known-items.ts'

/** Of the newest crawl unless one is named. */
export async function* namedLinks(
  dataDir: string,
  crawl: string | null,
): AsyncGenerator<NamedLink> {
  const workspace = workspaceOf({ dataDir })
  const job = await chooseCrawl(workspace, crawl)
  await using urlStates = await workspace.urlStates(job)
  await using graph = await openSqliteGraphReader(storePath(dataDir))
  await using pages = await openSqlitePageReader(storePath(dataDir))
  const names = await graph.names(job.id, redirectsOf(urlStates))
  const urls = new Map<number, NamedPage>()
  for await (const { id, url } of graph.pages(job.id)) urls.set(id, { url, host: hostOf(url) })
  for (const [id, from] of urls) {
    for (const { url, anchor } of await pages.linksOf(id)) {
      const target = urls.get(names.find(url) ?? 0)
      if (target === undefined || target === from) continue
      yield { anchor, target: target.url, fromElsewhere: target.host !== from.host }
    }
  }
}

type NamedPage = { readonly url: string; readonly host: string }
