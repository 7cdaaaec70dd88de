// The HTTP job API: what a request may ask, what it gets back, and who may ask at all. It decodes and
// shows; it runs nothing itself. Jobs run behind `Dispatcher`, pages are read behind `PlaceReads`.
//
//   request ─▶ guard (host, origin, token) ─▶ route ─▶ decoder ─▶ dispatcher | reads ─▶ shape ─▶ answer
//
// Everything that comes in is hostile, and so is everything stored that goes out. What is absent: HTML
// made from stored content, CORS, sessions in memory, any path of this machine in an answer.

import type { ConnectTo } from '../core/crawl-terms.ts'
import type { AllowPrivate } from '../core/private-access.ts'
import type { LookedFor } from '../core/topic-text.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Dispatcher } from '../jobs/dispatcher.ts'
import type { Clock } from '../lib/clock.ts'
import type { Problems } from '../options/bad-options.ts'
import type { JobCeilings } from '../options/job-ceilings.ts'
import type { TopicRequest } from '../options/topic-request.ts'
import type { WorkspaceReads } from '../reads/reads.ts'
import type { JobJournal } from '../store/job-journal.ts'
import type { JobReader } from '../store/job-store.ts'

/** How the server was started, as far as requests have to do with it. */
export type ServeSettings = {
  /** The address it is bound to. */
  readonly host: string
  /** 0: any that is free; who asks is told by the socket. */
  readonly port: number
  /** Null: none is needed. */
  readonly token: string | null
  /** Further names under which it may be asked, each `name` or `name:port`. */
  readonly allowedHosts: readonly string[]
  /** What jobs may reach that is private; where that is all, they may name other ways and proxies, too. */
  readonly allowPrivate: AllowPrivate
  /** Every job gets these. */
  readonly connectTo: readonly ConnectTo[]
  readonly dns: readonly string[]
  readonly proxies: readonly string[]
  /** What a job has when its request does not say; null: as everywhere. */
  readonly defaults: {
    readonly delayMs: number | null
    readonly contact: string | null
    readonly userAgent: string | null
  }
  /** What a job may ask for at most. */
  readonly ceilings: JobCeilings
  readonly cores: number
  readonly version: string
  /** Event streams at once; null: 2000. */
  readonly maxStreams: number | null
  /** Requests for new jobs per minute and address; null: 300. */
  readonly jobsPerMinute: number | null
}

export type ApiDeps = {
  readonly dispatcher: Dispatcher
  readonly jobs: JobReader
  readonly journal: JobJournal
  readonly reads: WorkspaceReads
  /** Who shares the work; left out where everything is done here. */
  readonly fleet?: Fleet
  readonly settings: ServeSettings
  readonly clock: Clock
  /** The built dashboard; null: there is none. */
  readonly assetsDir: string | null
  /** Says what is wrong with a topic as far as that can be told before pages are fetched. */
  readonly checkTopic: (request: TopicRequest, problems: Problems) => void
  /** What a topic in words looks for; of one that was checked. */
  readonly showTopic: (request: TopicRequest) => LookedFor
  /** What the one who runs the server should see; never shown to who asks. */
  readonly log: (text: string) => void
}
