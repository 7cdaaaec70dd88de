// The states of all URLs of a workspace on servers, wherever its frontier keeps them.
import { openWorkspace } from '../../src/workspace/open-workspace.ts'

export type UrlRow = {
  readonly url: string
  readonly state: string
  readonly reason: string
  readonly host: string
}

const AT_ONCE = 1000

/** `crawlId`: of one crawl; of all if it is left out. */
export async function readUrlRows(
  { data, frontier }: { readonly data: string; readonly frontier: string | null },
  crawlId?: number,
): Promise<readonly UrlRow[]> {
  await using workspace = openWorkspace({ data, frontier })
  await using jobs = await workspace.jobStore()
  const rows: UrlRow[] = []
  for (const job of await jobs.list()) {
    if (crawlId !== undefined && job.id !== crawlId) continue
    await using states = await workspace.urlStates(job)
    for (let after = 0; states !== null; ) {
      const some = await states.list({ after, limit: AT_ONCE })
      const last = some.at(-1)
      if (last === undefined) break
      rows.push(...some)
      after = last.position
    }
  }
  return rows
}
