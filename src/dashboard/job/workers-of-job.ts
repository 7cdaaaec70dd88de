// The workers of one job, and the server that runs it where it has a pair of processes of its own.
import type { JobLeases, WorkerShown } from '../../api/shapes/worker.ts'

export type JobWorker = {
  readonly key: string
  readonly name: string
  readonly machine: string
  readonly pid: number
  /** 0 for the server that runs the job. */
  readonly pairs: number
  /** Null where it is not counted. */
  readonly stored: number | null
  readonly leases: number
  readonly hosts: number
  readonly trouble: string
}

export function workersOfJob(
  jobId: string,
  workers: readonly WorkerShown[],
  sessions: JobLeases['sessions'],
): readonly JobWorker[] {
  const heldBy = (isOne: (session: JobLeases['sessions'][number]) => boolean) => {
    const own = sessions.filter(isOne)
    const leases = own.reduce((sum, one) => sum + one.leases, 0)
    return { leases, hosts: own.reduce((sum, one) => sum + one.hosts, 0) }
  }
  const joined = workers.flatMap(({ id, name, machine, pid, crawls, condition }) => {
    const share = crawls.find((crawl) => crawl.id === jobId)
    if (share === undefined || condition === 'gone') return []
    const { pairs, stored, trouble } = share
    const held = heldBy(({ worker }) => worker === id)
    return [{ key: id, name, machine, pid, pairs, stored, ...held, trouble }]
  })
  const owners = new Map(
    sessions
      .filter(({ worker, pid, leases }) => worker === null && (pid > 0 || leases > 0))
      .map((session) => [`${session.machine} ${session.pid}`, session]),
  )
  const others = [...owners].map(([key, { name, machine, pid }]) => {
    const held = heldBy((one) => one.worker === null && `${one.machine} ${one.pid}` === key)
    return { key, name, machine, pid, pairs: 0, stored: null, ...held, trouble: '' }
  })
  return [...joined, ...others]
}
