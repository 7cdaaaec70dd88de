// Opens the dispatcher of a workspace with everything it needs.
import { isFinal, type JobRecord } from '../core/job.ts'
import type { WorkspaceUrl } from '../core/workspace-url.ts'
import { askForRecrawl } from '../crawl/recrawls.ts'
import type { KeptEvent } from '../store/job-journal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Dispatcher } from './dispatcher.ts'
import { createDispatcher, type DispatcherOptions } from './job-dispatcher.ts'
import { isRunning } from './job-reader.ts'
import { endOfError } from './note-of-error.ts'
import type { JobCounts } from './resume-check.ts'
import { createThreadRunner } from './thread-runner.ts'

export type OpenDispatcherOptions = Omit<
  DispatcherOptions,
  'runJob' | 'endOfError' | 'carries' | 'isElsewhere' | 'standOf' | 'beginRound' | 'discard'
> & {
  readonly workspace: Workspace
  /** Proxies that the server was given. */
  readonly proxies?: readonly string[]
  /** Where the server of these jobs listens: no job may connect there. */
  readonly listening?: () => Pick<WorkspaceUrl, 'listensOn'>
}

/** Jobs that should be running start at once. The caller closes `jobs` and `journal`. */
export async function openDispatcher({
  workspace,
  proxies = [],
  listening = () => ({}),
  ...options
}: OpenDispatcherOptions): Promise<Dispatcher> {
  const { maxConnections } = options
  // On servers, workers fetch the pages; a server that accepts and shows jobs never does.
  const carries = workspace.folder !== null
  const dispatcher = await createDispatcher({
    ...options,
    carries,
    endOfError: (id, error) => endOfError(id, error, workspace.text),
    runJob: (job, listener) => {
      const text = { ...workspace.text, ...listening() }
      return createThreadRunner({ workspace: text, maxConnections, carries, proxies })(
        job,
        listener,
      )
    },
    isElsewhere: (id) => isRunning(workspace, id),
    standOf: (job) => standOf(workspace, job),
    beginRound: (job, due) => askForRecrawl({ job, workspace }, due),
    discard: (id) => workspace.discard(id),
  })
  const onEvent = ({ crawlId, event }: KeptEvent): void => {
    if (event.type !== 'status' || !isFinal(event.status)) return
    // Its thread has copied what it stored. While other jobs run, their threads copy later.
    if (isAlone(dispatcher, crawlId)) void workspace.emptyLogs(null)
  }
  dispatcher.subscribe({ onEvent, onProgress: () => {} })
  return dispatcher
}

function isAlone(dispatcher: Dispatcher, crawlId: number): boolean {
  return dispatcher.load().running === (dispatcher.live(crawlId) === null ? 0 : 1)
}

async function standOf(workspace: Workspace, job: JobRecord): Promise<JobCounts> {
  await using pages = await workspace.pageReader()
  const { stored, hot } = await pages.totals(job.id)
  await using urlStates = await workspace.ledger(job)
  // A job that was stopped before it began has no frontier yet.
  if (urlStates === null) return { stored, hot, queued: 0 }
  const { queued, leased } = await urlStates.counts()
  return { stored, hot, queued: queued + leased }
}
