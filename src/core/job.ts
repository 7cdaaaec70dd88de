// A job: one crawl, with its seeds, its settings and its state.
import type { CrawlSettings } from '../options/table.ts'
import type { CanonicalUrl } from './url.ts'

/** Everything a user can choose about a crawl; decoded once at the edge, plain JSON inside. */
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
/** `incomplete`: it ended, but something is missing that a later run may get. */
export type JobStatus = (typeof JOB_STATUSES)[number]

const FINAL: readonly JobStatus[] = ['completed', 'incomplete', 'stopped', 'failed']

/** A job that came to it has ended, whether or not it goes on later. */
export function isFinal(status: JobStatus): boolean {
  return FINAL.includes(status)
}

/** Who asked for a job. Over HTTP anybody may have: its seeds open no door that links would not. */
export const JOB_ORIGINS = ['cli', 'api'] as const
export type JobOrigin = (typeof JOB_ORIGINS)[number]

/** How a machine reaches the web. */
export type OwnNetwork = Pick<CrawlSettings, 'allowPrivate' | 'connectTo' | 'dns' | 'proxies'>

/** A topic as it was built before the crawl, in plain JSON; only src/topic/ looks inside. */
export type KeptTopic = Readonly<Record<string, unknown>> & {
  /** Differs when anything differs that changes a judgement. */
  readonly fingerprint: string
}

export type Job = {
  readonly id: number
  readonly name: string
  readonly origin: JobOrigin
  readonly seeds: readonly CanonicalUrl[]
  readonly settings: CrawlSettings
  /** Null when the crawl is about nothing in particular. */
  readonly topic: KeptTopic | null
  /** Keys this crawl's URL hashes, so that nobody can prepare colliding URLs. */
  readonly salt: number
  /** Times it was begun to be gone over again after it had finished; left out: none. */
  readonly round?: number
}

/** A job as `crawls` shows it. */
export type JobRecord = Job & {
  readonly status: JobStatus
  readonly startedAt: number
  readonly endedAt: number | null
  /** Why it ended, in words, where the status alone does not say. */
  readonly note: string
  /** Time it has been running, over all its runs, as it was last written. */
  readonly ranMs: number
}

/** One run of a job, from when it began; passwords of proxies are left out. */
export type JobRunRecord = Pick<Job, 'settings'> & {
  readonly startedAt: number
  /** Of its topic; null: it was about nothing in particular. */
  readonly topicFingerprint: string | null
}

/** Where to tell what becomes of a job. */
export type Webhook = {
  readonly url: string
  /** Signs every call. */
  readonly secret: string
  readonly events: readonly WebhookEvent[]
}
/** `page`: a page was stored. The others: the job came to that status. */
export const WEBHOOK_EVENTS = [
  'started',
  'running',
  'paused',
  'completed',
  'incomplete',
  'stopped',
  'failed',
  'page',
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]
