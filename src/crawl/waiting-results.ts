// Receipts that wait in the store, as results for the frontier: of pages that an earlier run stored, when it
// was killed before its scouters had settled them.
import type { Job } from '../core/job.ts'
import type { FrontierUpdate } from '../frontier/frontier.ts'
import type { Workspace } from '../workspace/workspace.ts'

export async function waitingResults(
  workspace: Pick<Workspace, 'pageStore'>,
  job: Job,
): Promise<readonly FrontierUpdate[]> {
  await using store = await workspace.pageStore(job)
  const waiting = await store.undelivered()
  if (waiting.length === 0) return []
  // Loaded only when they are needed: the supervisor neither parses nor settles otherwise.
  const { receiptAgain } = await import('../parser/parse-result.ts')
  const { updateFrom } = await import('../scouter/receipts.ts')
  const { decodeFound } = await import('../wire/receipt.ts')
  return waiting.map((undelivered) => {
    const { head, found } = receiptAgain(undelivered)
    return updateFrom({ ...head, found: decodeFound(found) })
  })
}
