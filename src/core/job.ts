// A job: one crawl, with its seeds, its settings and its state.
import type { Budget } from './budget.ts'
import type { Part } from './page.ts'
import type { AllowPrivate } from './private-access.ts'
import type { CanonicalUrl } from './url.ts'

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

export const SCOPES = ['host', 'domain', 'any'] as const
export type Scope = (typeof SCOPES)[number]

export const HOST_POLICIES = ['fair', 'largest', 'best'] as const
export type HostPolicyName = (typeof HOST_POLICIES)[number]

/** `PATTERN=ADDR:PORT` of `--connect-to`: hosts that match are reached under that address. */
export type ConnectTo = {
  readonly pattern: string
  readonly address: string
  readonly port: number
}

/** Everything a user can choose about a crawl; decoded once at the edge, plain JSON inside. */
export type CrawlSettings = {
  readonly maxPages: number
  readonly maxDepth: number | null
  /** Requests of the whole crawl; null: as budget.ts has it. */
  readonly maxRequests: number | null
  readonly durationMs: number | null
  readonly concurrency: number
  readonly perHost: number
  /** Requests in flight to one address, over all hosts that it serves; null: no limit. */
  readonly perIp: number | null
  readonly delayMs: number
  readonly scope: Scope
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly ordering: string
  readonly orderingOptions: Readonly<Record<string, string>>
  readonly hostPolicy: HostPolicyName
  /** The frontier keeps only the best N; null: all of them. */
  readonly buffer: number | null
  readonly proxies: readonly string[]
  readonly userAgent: string
  readonly maxBodyBytes: number
  /** Of a longer body the links are read up to here; less than the other: no further than that. */
  readonly maxLinksBytes: number
  /** Deadline of one request from start to last byte. */
  readonly timeoutMs: number
  readonly retries: number
  /** How long a crawl with nothing else to do waits for a host that answered before and is down. */
  readonly hostPatienceMs: number
  /** A host whose robots.txt asks for a longer gap is left alone. */
  readonly maxCrawlDelayMs: number
  readonly parts: readonly Part[]
  readonly keepHtml: boolean
  readonly connectTo: readonly ConnectTo[]
  /** Name servers asked in place of the system's, `ADDRESS` or `ADDRESS:PORT` each. */
  readonly dns: readonly string[]
  readonly ignoreRobots: boolean
  readonly allowPrivate: AllowPrivate
  /**
   * `URL.host` of the seeds that the user typed: literal addresses, `localhost` and names under it may be
   * private there. Null: nobody noted it, so all seeds of a job of the command line count.
   */
  readonly typedHosts: readonly string[] | null
  /** The first seed as it was asked for over HTTP; null: by its canonical URL. */
  readonly seedUrl: string | null
  readonly sitemaps: boolean
  /** Files of one host that are read at most. */
  readonly maxSitemaps: number
  readonly hostBudget: Budget
  readonly domainBudget: Budget
  /** Pages of one path template of a host that show nothing new before it is a trap; 0: no limit. */
  readonly trapBudget: number
  /** Parts of queries and sessions that no URL keeps: see url-identity.ts. */
  readonly stripParams: readonly string[]
  /** Also links that do something rather than show something. */
  readonly followActions: boolean
  readonly http2: boolean
  /** Accept certificates that do not verify. */
  readonly insecureTls: boolean
  /** Worker threads of the parser. */
  readonly parserThreads: number
  /** What the crawl is about, in words, or the label of a classifier; '': not said. */
  readonly topic: string
  /** Words and phrases of the topic. */
  readonly keywords: readonly string[]
  /** A file of pages on and off topic, and one with a trained model; paths as they were given. */
  readonly examples: string | null
  readonly classifier: string | null
  /** A file of words that say nothing about the topic; the path as it was given. */
  readonly stopWords: string | null
  /** Codes of languages: pages in others are not stored; empty: all are. A single one is the topic's. */
  readonly languages: readonly string[]
  /** Less relevant pages, and pages with fewer words, are not stored; null: all are. */
  readonly minRelevance: number | null
  readonly minTerms: number | null
  /** A focused crawl that takes what is ready, and does not wait for the hosts of better URLs. */
  readonly eager: boolean
  /** A page is hot at or above this. */
  readonly hotThreshold: number
  /** Stop after this many hot pages; null: never. */
  readonly maxHot: number | null
  /** Stop when fewer of the last `harvestWindow` pages are hot, as a share from 0 to 1; null: never. */
  readonly harvestFloor: number | null
  readonly harvestWindow: number
  /** Weights of the metrics that make a page important; empty: as core/importance.ts has them. */
  readonly importance: Readonly<Record<string, number>>
}

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
