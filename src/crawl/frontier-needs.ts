// The options of a job's frontier, for every process and every kind of workspace.
import { createAdmission } from '../core/admission.ts'
import type { Job } from '../core/job.ts'
import { templateOf } from '../core/template.ts'
import { createIdentity } from '../core/url.ts'
import { hostPolicyNamed } from '../frontier/policy/index.ts'
import type { Clock } from '../lib/clock.ts'
import { optionValues, orderingOf } from '../ordering/index.ts'
import type { Ordering } from '../ordering/ordering.ts'
import type { FrontierNeeds } from '../workspace/workspace.ts'

/** `own`: the ordering of a plug-in, loaded; only scouters have it. */
export function frontierNeeds(job: Job, clock: Clock, own?: Ordering | null): FrontierNeeds {
  const { settings, seeds, salt } = job
  const ordering = own ?? orderingOf(settings)
  return {
    job,
    ordering,
    scorer: ordering.createScorer(optionValues(ordering, settings.orderingOptions), salt),
    policy: hostPolicyNamed(settings.hostPolicy),
    admit: createAdmission(seeds.map(createIdentity(settings.stripParams)), settings),
    templateOf,
    clock,
  }
}
