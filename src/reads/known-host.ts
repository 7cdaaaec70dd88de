// A host that no page is of is a slip, mostly a port left away: said by every command in the same words.
import { InvalidInput } from '../core/errors.ts'
import { nearest } from '../lib/edit-steps.ts'
import type { PageReader } from '../store/page-reader.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Among so many, the largest, one is looked for that is spelt nearly so. */
const COMPARED = 1000

/** InvalidInput where none of these crawls has a page of the host; `crawlIds` null: all there are. */
export async function refuseUnknownHost(
  workspace: Workspace,
  host: string,
  crawlIds: readonly number[] | null,
): Promise<void> {
  await using pages = await workspace.pageReader()
  const hosts = new Set<string>()
  for (const crawlId of crawlIds ?? (await allIn(workspace))) {
    if (await hasPageOf(pages, crawlId, host, hosts)) return
  }
  throw new InvalidInput('--host', noPageOf(host, [...hosts], crawlIds?.length === 1))
}

/** Adds the hosts of the crawl. Where all pages of a host are copies of others, only these know it. */
async function hasPageOf(
  pages: PageReader,
  crawlId: number,
  host: string,
  hosts: Set<string>,
): Promise<boolean> {
  const known = (await pages.totals(crawlId)).hosts
  if (known.has(host)) return true
  for (const other of known.keys()) hosts.add(other)
  return (await pages.list({ crawlId, after: 0, limit: 1, host })).length > 0
}

async function allIn(workspace: Workspace): Promise<number[]> {
  await using jobs = await workspace.jobReader()
  return ((await jobs?.list()) ?? []).map(({ id }) => id)
}

function noPageOf(host: string, known: readonly string[], isOneCrawl: boolean): string {
  const meant =
    known.find((other) => isSameName(host, other)) ?? nearest(host, known.slice(0, COMPARED))
  const whose = isOneCrawl ? 'this crawl has no page' : 'no crawl here has a page'
  return `${whose} of ${host}${meant === null ? '' : `; did you mean ${meant}?`}`
}

/** But for the port. */
export function isSameName(host: string, other: string): boolean {
  return nameIn(host) === nameIn(other)
}

function nameIn(host: string): string {
  return host.replace(/:\d+$/, '')
}
