// The job that the views inside of a job are about.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { LiveJob } from './live-job.ts'

export const JobContext = createContext<LiveJob | null>(null)

/** Only inside of a job's frame. */
export function useLiveJob(): LiveJob {
  const live = useContext(JobContext)
  if (live === null) throw new Error('This view belongs inside of a job.')
  return live
}
