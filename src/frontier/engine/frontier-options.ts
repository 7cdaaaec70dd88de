// What a frontier needs to know, wherever its rows are.
import type { Job } from '../../core/job.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Ordering, Scorer } from '../../ordering/ordering.ts'
import type { HostPolicy } from '../policy/host-policy.ts'
import type { Admit } from './admission.ts'
import type { TemplateOf } from './trap-budget.ts'

export type FrontierOptions = {
  readonly job: Job
  readonly ordering: Ordering
  /** The scorer of the ordering, created for this run with `createScorer`. */
  readonly scorer: Scorer
  readonly policy: HostPolicy
  readonly admit: Admit
  readonly templateOf: TemplateOf
  readonly clock: Clock
  /** Candidates in memory per origin; by default fewer the more hosts there are. */
  readonly headSize?: number
  /** Idle hosts that stay in memory. */
  readonly idleInMemory?: number
}
