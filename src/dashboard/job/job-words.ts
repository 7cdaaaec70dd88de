// What is to be said about a job besides its figures.
import type { JobGlance } from '../../api/shapes/job.ts'
import { t } from '../i18n/i18n.ts'

/** Why a job is as it is; '' where the status says it all. */
export function jobNote({ note, ahead }: JobGlance): string {
  if (ahead === null) return note
  return ahead === 0 ? t('job.next') : t('job.ahead', { n: ahead })
}

/** What can be asked of a job in its status. */
export function actionsFor(status: JobGlance['status']): {
  readonly pause: boolean
  readonly resume: boolean
  readonly stop: boolean
} {
  return {
    pause: status === 'started' || status === 'running',
    resume: status === 'paused' || status === 'stopped' || status === 'failed',
    stop: status === 'started' || status === 'running' || status === 'paused',
  }
}
