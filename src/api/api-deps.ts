// The HTTP job API: the requests, their answers, and who may send them. It decodes and shows; it runs nothing
// itself. Jobs run behind `Dispatcher`, pages are read behind `WorkspaceReads`.
//
//   request ─▶ guard (host, origin, token) ─▶ route ─▶ decoder ─▶ dispatcher | reads ─▶ shape ─▶ answer
//
// All input is hostile, and so is all stored content in the output. Not here: HTML made from stored content,
// sessions in memory, paths of this machine in an answer. Pages of other sites may ask nothing but the public
// search (public-door.ts), where there is one.
import type { ConnectTo } from '../core/crawl-terms.ts'
import type { PluginRecord } from '../core/plugin.ts'
import type { AllowPrivate } from '../core/private-access.ts'
import type { LookedFor } from '../core/topic-text.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Dispatcher } from '../jobs/dispatcher.ts'
import type { Clock } from '../lib/clock.ts'
import type { Problems } from '../options/bad-options.ts'
import type { JobCeilings } from '../options/job-ceilings.ts'
import type { TopicRequest } from '../options/topic-request.ts'
import type { WorkspaceReads } from '../reads/reads.ts'
import type { Synonyms } from '../search/synonyms.ts'
import type { JobJournal } from '../store/job-journal.ts'
import type { JobReader } from '../store/job-store.ts'
import type { SavedSearches } from '../store/saved-searches.ts'

/** What pages of other sites may search. */
export type PublicSearch = {
  /** As browsers send them: scheme, host, and port if it is not the usual one. */
  readonly origins: readonly string[]
  /** Crawls by name or number, as they were written; a request names one in the same way. */
  readonly crawls: readonly [string, ...string[]]
  /** Everybody can read it in the pages that ask: it opens the public search and nothing else. */
  readonly key: string
  /** Requests per address in 10 seconds. */
  readonly rate: number
}

/** The options of the server that matter for requests. */
export type ServeSettings = {
  /** The address to listen on. */
  readonly host: string
  /** 0: any free port; the socket knows which. */
  readonly port: number
  /** Null if none is needed. */
  readonly token: string | null
  /** Further names of the server, each `name` or `name:port`. */
  readonly allowedHosts: readonly string[]
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** Null: no page of another site may ask anything. */
  readonly publicSearch: PublicSearch | null
  /** Words that stand for each other in searches; null: none. */
  readonly synonyms: Synonyms | null
  /**
   * The private addresses that jobs may reach. If all are allowed, jobs may also name proxies and other
   * routes.
   */
  readonly allowPrivate: AllowPrivate
  /** Applied to every job. */
  readonly connectTo: readonly ConnectTo[]
  readonly dns: readonly string[]
  readonly proxies: readonly string[]
  /** Those that jobs may ask for, by name. */
  readonly plugins: readonly PluginRecord[]
  /** Defaults of a job on this server; null: the general default. */
  readonly defaults: {
    readonly delayMs: number | null
    readonly contact: string | null
    readonly userAgent: string | null
  }
  /** The limits of a job. */
  readonly ceilings: JobCeilings
  readonly cores: number
  readonly version: string
  /** Maximum number of event streams at once; null: 2000. */
  readonly maxStreams: number | null
  /** Requests for new jobs per minute and address; null: 300. */
  readonly jobsPerMinute: number | null
}

export type ApiDeps = {
  readonly dispatcher: Dispatcher
  readonly jobs: JobReader
  readonly journal: JobJournal
  readonly reads: WorkspaceReads
  /** The workers; left out if everything is done here. */
  readonly fleet?: Fleet
  /** Searches that somebody saved; missing where nothing can be saved. */
  readonly saved?: SavedSearches
  readonly settings: ServeSettings
  readonly clock: Clock
  /** The built dashboard; null if there is none. */
  readonly assetsDir: string | null
  /** Reports the problems of a topic that can be found before pages are fetched. */
  readonly checkTopic: (request: TopicRequest, problems: Problems) => void
  /** Shows what a topic in words looks for; only for a checked topic. */
  readonly showTopic: (request: TopicRequest) => LookedFor
  /** For the operator of the server; never shown to clients. */
  readonly log: (text: string) => void
}
