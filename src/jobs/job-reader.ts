// Reads jobs with their true status. A killed job could not write its status, so its row still says that it
// runs.
import { CrawlerError } from '../core/errors.ts'
import type { JobOrigin, JobRecord, JobRunRecord, JobStatus } from '../core/job.ts'
import type { JobReader, ListOptions } from '../store/job-store.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Null if there is no store. */
export async function openJobReader(workspace: Workspace): Promise<JobReader | null> {
  const kept = await workspace.jobReader()
  return kept === null ? null : jobsAsTheyAre(kept, workspace)
}

/**
 * The same jobs, with the true status of those whose rows say running. `isOurs`: it runs, or starts, here.
 */
export function jobsAsTheyAre(
  kept: JobReader,
  workspace: Workspace,
  isOurs: (crawlId: number) => boolean = () => false,
): JobReader {
  return new TrueJobReader(kept, async (id) => isOurs(id) || (await isRunning(workspace, id)))
}

/** Whether any process runs that crawl now, this one included. */
export async function isRunning(workspace: Workspace, crawlId: number): Promise<boolean> {
  try {
    return await workspace.isLocked(`crawl-${crawlId}`)
  } catch (error) {
    // A lock that this user may not read counts as held: no answer is better than a wrong one.
    if (error instanceof CrawlerError) return true
    throw error
  }
}

class TrueJobReader implements JobReader {
  readonly #kept: JobReader
  readonly #runs: (crawlId: number) => Promise<boolean>

  constructor(kept: JobReader, runs: (crawlId: number) => Promise<boolean>) {
    this.#kept = kept
    this.#runs = runs
  }

  async findByName(name: string, origin?: JobOrigin): Promise<JobRecord | null> {
    const job = await this.#kept.findByName(name, origin)
    return job === null ? null : this.#asItIs(job)
  }

  async get(id: number): Promise<JobRecord | null> {
    const job = await this.#kept.get(id)
    return job === null ? null : this.#asItIs(job)
  }

  async list(options: ListOptions = {}): Promise<readonly JobRecord[]> {
    const { status, limit } = options
    if (status === 'running') {
      return (await this.#claimingToRun(options)).filter(isRunningIndeed).slice(0, limit)
    }
    const jobs = await this.#kept.list(options)
    if (status !== 'stopped') return Promise.all(jobs.map((job) => this.#asItIs(job)))
    const killed = (await this.#claimingToRun(options)).filter(wasKilled)
    return [...jobs, ...killed].sort((a, b) => b.id - a.id).slice(0, limit)
  }

  async counts(): Promise<Readonly<Record<JobStatus, number>>> {
    const counts = await this.#kept.counts()
    if (counts.running === 0) return counts
    const killed = (await this.#claimingToRun({})).filter(wasKilled).length
    return { ...counts, running: counts.running - killed, stopped: counts.stopped + killed }
  }

  runs(id: number): Promise<readonly JobRunRecord[]> {
    return this.#kept.runs(id)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.#kept[Symbol.asyncDispose]())
  }

  /** The jobs whose rows say running, with their true status; never many. */
  async #claimingToRun({ before }: ListOptions): Promise<readonly JobRecord[]> {
    const jobs = await this.#kept.list({
      status: 'running',
      ...(before === undefined ? {} : { before }),
    })
    return Promise.all(jobs.map((job) => this.#asItIs(job)))
  }

  async #asItIs(job: JobRecord): Promise<JobRecord> {
    if (job.status !== 'running' || (await this.#runs(job.id))) return job
    // It may have ended between the two reads.
    const now = (await this.#kept.get(job.id)) ?? job
    if (now.status !== 'running') return now
    return { ...now, status: 'stopped', note: INTERRUPTED }
  }
}

const INTERRUPTED = 'interrupted'

function isRunningIndeed({ status }: JobRecord): boolean {
  return status === 'running'
}

/** Not a job that has just ended. */
function wasKilled({ status, note }: JobRecord): boolean {
  return status === 'stopped' && note === INTERRUPTED
}
