// The frontier of a replay.
import { NO_COSTS } from '../core/budget.ts'
import type { Job } from '../core/job.ts'
import { openEngineFrontier } from '../frontier/engine/engine-frontier.ts'
import type { Frontier } from '../frontier/frontier.ts'
import { MemoryRows } from '../frontier/memory/memory-rows.ts'
import { hostPolicyNamed } from '../frontier/policy/index.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import { REPLAY_SALT } from '../simulate/page-links.ts'
import type { FrontierSetup } from '../simulate/replay.ts'

/**
 * The real frontier, in memory. It has no robots, no sitemaps and no rules of admission: the crawl that is
 * replayed has applied all of them already.
 */
export function openReplayFrontier(setup: FrontierSetup): Promise<Frontier> {
  const { ordering, scorer, hostPolicy, clock } = setup
  const policy = hostPolicyNamed(hostPolicy)
  return openEngineFrontier(new MemoryRows(), {
    job: replayJob(setup, policy.name),
    ...{ ordering, scorer, policy, clock },
    admit: () => null,
    templateOf: () => null,
  })
}

/** A job that allows everything. */
export function replayJob(setup: FrontierSetup, hostPolicy: Job['settings']['hostPolicy']): Job {
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
