// What is to be said about a job besides its figures.
import type { JobHost, JobRefresh, JobSummary } from '../../reads/shapes/job.ts'
import { t } from '../i18n/i18n.ts'

/** Why a job is as it is; '' where the status says it all. */
export function jobNote({ note, ahead }: JobSummary): string {
  if (waitsForWorkers(note)) return t('waiting.title')
  if (ahead === null) return note
  return ahead === 0 ? t('job.next') : t('job.ahead', { n: ahead })
}

/** The server's words for it: what comes after them says why. */
const WAITING = 'waiting for workers'

/** True while it has no worker. */
export function waitsForWorkers(busy: string): boolean {
  return busy.startsWith(WAITING)
}

/** A running job as its progress tells it: the note of one that waits is of a moment ago. */
export function withBusy(job: JobSummary, busy: string): JobSummary {
  const note = waitsForWorkers(busy) ? busy : waitsForWorkers(job.note) ? '' : job.note
  return note === job.note ? job : { ...job, note }
}

/** Why none of those that are there joins; ''. */
export function whyNoneJoins(busy: string): string {
  return busy.slice(WAITING.length).replace(/^: /, '')
}

const ENDED: readonly JobSummary['status'][] = ['completed', 'incomplete', 'stopped', 'failed']

/** What ended is not on its way anywhere, however many pages it was allowed. */
export function hasEnded({ status }: Pick<JobSummary, 'status'>): boolean {
  return ENDED.includes(status)
}

/** True when it ended at its limit of pages, with more to fetch. */
export function canGoOn(
  job: Pick<JobSummary, 'status' | 'stored' | 'max_pages' | 'queued'>,
): boolean {
  return job.status === 'completed' && job.queued > 0 && job.stored >= job.max_pages
}

const FOUND = ['new', 'changed', 'gone', 'unchanged'] as const
const KEPT = ['not_due', 'not_yet', 'unanswered'] as const

/** What a round found; of pages it has no answer about, only where there are some. */
export function refreshWords(refresh: JobRefresh): string {
  const told = [...FOUND, ...KEPT.filter((name) => refresh[name] > 0)]
  const found = told.map((name) => t(`refresh.${name}`, { n: refresh[name] })).join(', ')
  return `${t('refresh.title', { n: refresh.round })}: ${found}`
}

/** While it runs: what is left of it. */
export function revisitsWords(round: number, left: number): string {
  return `${t('refresh.title', { n: round })}: ${t('refresh.left', { n: left })}`
}

const RESUMED: readonly JobSummary['status'][] = ['paused', 'incomplete', 'stopped', 'failed']

/** What can be asked of a job in its status. */
export function actionsFor({ status, elsewhere }: Pick<JobSummary, 'status' | 'elsewhere'>): {
  readonly pause: boolean
  readonly resume: boolean
  readonly stop: boolean
  readonly refresh: boolean
  readonly remove: boolean
} {
  // A crawl that runs elsewhere is controlled there.
  if (elsewhere) {
    return { pause: false, resume: false, stop: false, refresh: false, remove: false }
  }
  return {
    remove: true,
    pause: status === 'started' || status === 'running',
    resume: RESUMED.includes(status),
    stop: status === 'started' || status === 'running' || status === 'paused',
    refresh: status === 'completed' || status === 'incomplete',
  }
}

/** Sites are the server's to tell; a host it has not told of counts as one of its own. */
export function seedSites(
  seeds: readonly string[],
  hosts: readonly Pick<JobHost, 'host' | 'site'>[],
): number {
  const sites = new Map(hosts.map(({ host, site }) => [host, site]))
  const found = seeds.map((seed) => {
    const { host } = URL.parse(seed) ?? { host: '' }
    return sites.get(host) ?? host
  })
  return new Set(found).size
}
