// What a frontier in Redis is opened with.
import type { Job } from '../../core/job.ts'
import type { UrlTemplate } from '../../core/template.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { RedisConnection } from '../../db/redis.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Ordering, Scorer } from '../../ordering/ordering.ts'
import type { HostPolicy } from '../policy/host-policy.ts'
import type { Elsewhere } from './elsewhere.ts'

export type RedisFrontierOptions = {
  /** Stays open when the frontier is closed: others may use it, too. */
  readonly connection: RedisConnection
  readonly job: Job
  readonly ordering: Ordering
  /** The ordering's side here, made for this run: `ordering.steer(…)`. */
  readonly scorer: Scorer
  readonly policy: HostPolicy
  readonly admit: (url: CanonicalUrl, host: string) => string | null
  readonly templateOf: (url: CanonicalUrl) => UrlTemplate | null
  readonly clock: Clock
  /** The clock is everybody's, as in tests; otherwise the server's is. */
  readonly clockIsShared?: boolean
  readonly shard?: number
  /** Links that belong to other shards; left out: none do. */
  readonly elsewhere?: Elsewhere
  /** Into how many shards the frontier is cut, for the first of them to know; left out: one. */
  readonly shards?: number
  /** Comes to a run that somebody else has begun: settings are as they are there. */
  readonly joins?: boolean
  /** All other sessions are known to be dead: what they hold is free at once. */
  readonly takeOver?: boolean
  /** There are pages of this crawl: a frontier that is not there was lost, and is not begun anew. */
  readonly mustExist?: boolean
  /** Every change of a row is noted for a copy elsewhere. */
  readonly keepsChanges?: boolean
  /** Its name, where one session has several shards open; left out: a new one. */
  readonly session?: string
  /** How long this session lives without a word from it. */
  readonly sessionMs?: number
}
