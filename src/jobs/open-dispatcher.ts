// The dispatcher with all it needs in a place.
import { isFinal, type JobRecord } from '../core/job.ts'
import type { WorkspaceUrl } from '../core/workspace-url.ts'
import { askForRecrawl } from '../crawl/recrawls.ts'
import type { KeptEvent } from '../store/job-journal.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Dispatcher } from './dispatcher.ts'
import { endOfError } from './end-of-error.ts'
import { createDispatcher, type DispatcherOptions } from './job-dispatcher.ts'
import { isRunning } from './job-reader.ts'
import type { JobCounts } from './resume-check.ts'
import { createThreadRunner } from './thread-runner.ts'

export type OpenDispatcherOptions = Omit<
  DispatcherOptions,
  'runJob' | 'endOfError' | 'carries' | 'isElsewhere' | 'standOf' | 'beginRound' | 'discard'
> & {
  readonly place: Workspace
  /** That the server was given. */
  readonly proxies?: readonly string[]
  /** Where the server of these jobs listens by now: no job leads there. */
  readonly listening?: () => Pick<WorkspaceUrl, 'listensOn'>
}

/** Jobs that should be running begin at once. `jobs` and `journal` stay the caller's. */
export async function openDispatcher({
  place,
  proxies = [],
  listening = () => ({}),
  ...options
}: OpenDispatcherOptions): Promise<Dispatcher> {
  const { maxConnections } = options
  // On servers there are workers for that; who takes and shows jobs never carries pages.
  const carries = place.folder !== null
  const dispatcher = await createDispatcher({
    ...options,
    carries,
    endOfError: (id, error) => endOfError(id, error, place.text),
    runJob: (job, listener) => {
      const text = { ...place.text, ...listening() }
      return createThreadRunner({ place: text, maxConnections, carries, proxies })(job, listener)
    },
    isElsewhere: (id) => isRunning(place, id),
    standOf: (job) => standOf(place, job),
    beginRound: (job, due) => askForRecrawl({ job, place }, due),
    discard: (id) => place.discard(id),
  })
  const onEvent = ({ crawlId, event }: KeptEvent): void => {
    if (event.type !== 'status' || !isFinal(event.status)) return
    // Its thread has copied what it stored; while others store, their threads do so later.
    if (isAlone(dispatcher, crawlId)) void place.emptyLogs(null)
  }
  dispatcher.subscribe({ onEvent, onProgress: () => {} })
  return dispatcher
}

function isAlone(dispatcher: Dispatcher, crawlId: number): boolean {
  return dispatcher.load().running === (dispatcher.live(crawlId) === null ? 0 : 1)
}

async function standOf(place: Workspace, job: JobRecord): Promise<JobCounts> {
  await using pages = await place.pageReader()
  const { stored, hot } = await pages.totals(job.id)
  await using ledger = await place.ledger(job)
  // A job that was stopped before it began has none yet.
  if (ledger === null) return { stored, hot, queued: 0 }
  const { queued, leased } = await ledger.counts()
  return { stored, hot, queued: queued + leased }
}
