// Which pages an export is of: what was asked for, in terms of the store.

import { InvalidInput, shown } from '../../core/errors.ts'
import { redirectsOf } from '../../crawl/importance.ts'
import { nearest } from '../../lib/nearest.ts'
import { sinceTime } from '../../options/since.ts'
import { refuseUnknownHost } from '../../reads/known-host.ts'
import type { PageNames } from '../../store/graph-reader.ts'
import type { WholePageFilter } from '../../store/whole-pages.ts'
import { chooseCrawl } from '../../workspace/find-crawl.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { ExportFilter } from './export-options.ts'

/** Without what a search finds, which is asked for every time. */
export async function filterFrom(
  workspace: Workspace,
  asked: ExportFilter,
  { duplicates, now }: { readonly duplicates: boolean; readonly now: number },
): Promise<Omit<WholePageFilter, 'among'>> {
  const { host, language, kind, hot, since, minRelevance, topic } = asked
  const crawlIds = await crawlsFrom(workspace, asked)
  if (host !== null) await refuseUnknownHost(workspace, host, crawlIds)
  return {
    ...(crawlIds === null ? {} : { crawlIds }),
    ...(host === null ? {} : { host }),
    ...(language === null ? {} : { language }),
    ...(kind === null ? {} : { kind }),
    ...(hot || topic !== null ? { hot: true } : {}),
    ...(since === null ? {} : { since: sinceTime(since, now) }),
    ...(minRelevance === null ? {} : { minRelevance }),
    ...(duplicates ? { duplicates } : {}),
  }
}

/** Null: all there are. */
async function crawlsFrom(
  workspace: Workspace,
  { crawl, topic }: ExportFilter,
): Promise<readonly number[] | null> {
  // Also says when there is nothing here at all.
  const all = crawl === 'all' || (crawl === null && topic !== null)
  const chosen = await chooseCrawl(workspace, all ? null : crawl)
  const crawls = all ? null : [chosen.id]
  if (topic === null) return crawls
  const topics = await topicsIn(workspace)
  const about = [...topics].filter(([, words]) => words === topic).map(([id]) => id)
  const wanted = about.filter((id) => crawls === null || crawls.includes(id))
  if (wanted.length > 0) return wanted
  throw new InvalidInput('--topic', noSuchTopic(topic, [...new Set(topics.values())]))
}

async function topicsIn(workspace: Workspace): Promise<ReadonlyMap<number, string>> {
  await using feed = await workspace.pageFeed()
  return (await feed?.topics()) ?? new Map()
}

function noSuchTopic(topic: string, known: readonly string[]): string {
  const meant = nearest(topic, known) ?? known[0]
  const hint = meant === undefined ? '' : `; one is about ${shown(meant)}`
  return `none of these crawls is about ${shown(topic)}${hint}`
}

/** Which page of a crawl a URL stands for, also behind redirects. */
export async function namesOf(workspace: Workspace, crawlId: number): Promise<PageNames> {
  await using jobs = await workspace.jobReader()
  const job = await jobs?.get(crawlId)
  await using urlStates = job == null ? null : await workspace.ledger(job)
  await using graph = await workspace.graphReader()
  return await graph.names(crawlId, redirectsOf(urlStates))
}
