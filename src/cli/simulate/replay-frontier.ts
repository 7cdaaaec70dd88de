// The real frontier for a replay, in memory: no robots, no sitemaps, no rules of admission, since the
// crawl that is replayed has had all of them already.
import { NO_COSTS } from '../../core/budget.ts'
import type { Job } from '../../core/job.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import { hostPolicyNamed } from '../../frontier/policy/index.ts'
import { openSqliteFrontier } from '../../frontier/sqlite/sqlite-frontier.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'
import { REPLAY_SALT } from '../../simulate/page-links.ts'
import type { FrontierSetup } from '../../simulate/replay.ts'

export function openReplayFrontier(setup: FrontierSetup): Promise<Frontier> {
  const { ordering, scorer, hostPolicy, clock } = setup
  const policy = hostPolicyNamed(hostPolicy)
  return openSqliteFrontier({
    path: ':memory:',
    job: jobFor(setup, policy.name),
    ...{ ordering, scorer, policy, clock },
    admit: () => null,
    templateOf: () => null,
  })
}

function jobFor(setup: FrontierSetup, hostPolicy: Job['settings']['hostPolicy']): Job {
  const { ordering, seeds, concurrency, perHost, delayMs } = setup
  const settings = {
    ...DEFAULT_SETTINGS,
    ...{ hostPolicy, concurrency, perHost, delayMs },
    ordering: ordering.name,
    maxPages: Number.MAX_SAFE_INTEGER,
    scope: 'any',
    ignoreRobots: true,
    sitemaps: false,
    trapBudget: 0,
    hostBudget: NO_COSTS,
    domainBudget: NO_COSTS,
    maxRequests: Number.MAX_SAFE_INTEGER,
  } as const
  return { id: 1, name: 'replay', origin: 'cli', seeds, settings, topic: null, salt: REPLAY_SALT }
}
