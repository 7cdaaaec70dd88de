// A thread that counts the hot pages of a running crawl, so that its supervisor stays responsive.
import { parentPort, workerData } from 'node:worker_threads'
import { CrawlerError } from '../core/errors.ts'
import type { ImportanceWeights } from '../core/importance.ts'
import type { WorkspaceUrl } from '../core/workspace-url.ts'
import { openWorkspace } from '../workspace/open-workspace.ts'
import { countHot } from './importance.ts'

export type HotCountOrder = {
  readonly workspace: WorkspaceUrl
  readonly crawlId: number
  readonly weights: ImportanceWeights
  readonly threshold: number
}

if (parentPort === null) throw new CrawlerError('process-died', 'this thread is started by a crawl')
// The code that starts this thread passes exactly this.
const { workspace: text, crawlId, weights, threshold } = workerData as HotCountOrder
await using workspace = openWorkspace(text)
parentPort.postMessage(await countHot(workspace, crawlId, { weights, threshold }))
