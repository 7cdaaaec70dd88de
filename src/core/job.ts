// A job: one crawl, with its seeds, its settings and its state.
import type { CrawlSettings } from '../options/table.ts'
import type { CanonicalUrl } from './url.ts'

/** Everything a user can choose about a crawl: decoded once at the edge, plain JSON inside. */
export type { CrawlSettings } from '../options/table.ts'

export const JOB_STATUSES = [
  'started',
  'running',
  'paused',
  'completed',
  'incomplete',
  'stopped',
  'failed',
] as const
/** `incomplete`: it ended, but a later run may get what is missing. */
export type JobStatus = (typeof JOB_STATUSES)[number]

const FINAL: readonly JobStatus[] = ['completed', 'incomplete', 'stopped', 'failed']

/** A job in one of these states has ended; it may still be resumed. */
export function isFinal(status: JobStatus): boolean {
  return FINAL.includes(status)
}

/** Where a job came from. Seeds given over HTTP have no more rights than links. */
export const JOB_ORIGINS = ['cli', 'api'] as const
export type JobOrigin = (typeof JOB_ORIGINS)[number]

/** How a machine reaches the web. */
export type OwnNetwork = Pick<CrawlSettings, 'allowPrivate' | 'connectTo' | 'dns' | 'proxies'>

/** A topic as built before the crawl, in plain JSON. Only src/topic/ reads its contents. */
export type KeptTopic = Readonly<Record<string, unknown>> & {
  /** Differs if anything differs that changes a verdict. */
  readonly fingerprint: string
}

export type Job = {
  readonly id: number
  readonly name: string
  readonly origin: JobOrigin
  readonly seeds: readonly CanonicalUrl[]
  readonly settings: CrawlSettings
  /** Null if the crawl has no topic. */
  readonly topic: KeptTopic | null
  /** Salts the URL hashes of this crawl, so that nobody can prepare colliding URLs. */
  readonly salt: number
  /** The number of recrawls begun so far; missing if none. */
  readonly round?: number
}

/** A job as `crawls` shows it. */
export type JobRecord = Job & {
  readonly status: JobStatus
  readonly startedAt: number
  readonly endedAt: number | null
  /** Why it ended, if the status alone does not say it. */
  readonly note: string
  /** Running time over all runs, as last written. */
  readonly ranMs: number
}

/** One run of a job with its settings, without passwords of proxies. */
export type JobRunRecord = Pick<Job, 'settings'> & {
  readonly startedAt: number
  /** The fingerprint of its topic; null if it had none. */
  readonly topicFingerprint: string | null
}

/** Where events of a job are sent. */
export type Webhook = {
  readonly url: string
  /** Signs every call. */
  readonly secret: string
  readonly events: readonly WebhookEvent[]
}
/** `page`: a page was stored. The others: the job reached that status. */
export const WEBHOOK_EVENTS = [...JOB_STATUSES, 'page'] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

const FORM = /^crawl_([1-9][0-9]{0,14})$/

/** Jobs have numbers inside and names outside: `crawl_7`. */
export function jobId(crawlId: number): string {
  return `crawl_${crawlId}`
}

/** Null when that is not how a job is named. */
export function readJobId(id: string): number | null {
  const digits = FORM.exec(id)?.[1]
  return digits === undefined ? null : Number(digits)
}
