// The settings of a run as scripts read them, from `meta`.
import { createScope } from '../../core/admission.ts'
import { type Budget, COSTS, requestsAllowed } from '../../core/budget.ts'
import { type CanonicalUrl, hostOf, siteOf } from '../../core/url.ts'
import { sitemapBudget } from '../sitemap-budget.ts'
import type { Word } from './calls.ts'
import type { LinkRules } from './link-arguments.ts'
import { needsOf } from './needs.ts'
import type { RedisFrontierOptions } from './options.ts'
import { scoresByDepthAlone } from './scoring.ts'

/** However few retries a URL gets: so many failures in a row may be bad luck. */
const MIN_HOST_FAILURES = 4
/** A patient crawl waits no longer than this, or than its own delay, for anything. */
const MAX_WAIT_MS = 2000

export function rulesOf({ admit, templateOf, job }: RedisFrontierOptions): LinkRules {
  const { trapBudget, scope } = job.settings
  return { admit, templateOf, trapBudget, inScope: createScope(job.seeds, scope) }
}

/** The words of `begin`. */
export function beginWords(options: RedisFrontierOptions): Word[] {
  const { joins = false, takeOver = false, mustExist = false, job } = options
  const settings = Object.entries(settingsOf(options))
  const sites = [...new Set(job.seeds.map((seed) => siteOf(hostOf(seed))))]
  return [
    ...[joins ? 'join' : 'own', takeOver ? 1 : 0, mustExist ? 1 : 0],
    ...[settings.length, ...settings.flat()],
    ...[sites.length, ...sites],
  ]
}

/** By the names that scripts know them by. */
export function settingsOf(options: RedisFrontierOptions): Readonly<Record<string, Word>> {
  const { job, ordering, scorer, policy } = options
  const { settings } = job
  const { rescoreOn } = ordering
  const exactDepth = settings.maxDepth !== null
  const needs = needsOf(ordering, scorer, { exactDepth })
  const wantsMaps = settings.sitemaps && (settings.maxDepth === null || settings.maxDepth >= 1)
  const probe = job.seeds[0] ?? ('http://localhost/' as CanonicalUrl)
  return {
    ...{ crawl: job.id, salt: job.salt, policy: policy.name, shards: options.shards ?? 1 },
    ...{ delayMs: Math.ceil(settings.delayMs), perHost: settings.perHost },
    ...{ maxPages: settings.maxPages, maxDepth: settings.maxDepth ?? '' },
    ...{ hostBudget: limitsOf(settings.hostBudget), domainBudget: limitsOf(settings.domainBudget) },
    ...{ maxRequests: requestsAllowed(settings) },
    ...{ trapBudget: settings.trapBudget, buffer: settings.buffer ?? '' },
    ...{ ignoreRobots: flag(settings.ignoreRobots), sitemaps: flag(wantsMaps) },
    ...{ maxRobotsFailures: settings.retries, ...mapWords(job) },
    maxHostFailures: Math.max(settings.retries, MIN_HOST_FAILURES),
    patienceMs: Math.ceil(settings.hostPatienceMs),
    patient: flag(ordering.focused === true && policy.patient === true && !settings.eager),
    maxWaitMs: Math.max(MAX_WAIT_MS, settings.delayMs),
    concurrency: settings.concurrency,
    depthMatters: flag(rescoreOn.includes('depth')),
    weighsDepth: flag(exactDepth || rescoreOn.includes('depth')),
    weighsLinks: flag(rescoreOn.includes('inLinks')),
    weighsSignals: flag(rescoreOn.includes('signals')),
    steered: flag(needs.links || needs.pages),
    scoresByDepth: flag(scoresByDepthAlone(scorer, probe)),
    edges: flag(exactDepth || scorer.ranking !== undefined),
    ...(options.keepsChanges === undefined ? {} : { copy: flag(options.keepsChanges) }),
  }
}

/** What of a host's sitemaps is read. */
function mapWords(job: RedisFrontierOptions['job']): Readonly<Record<string, Word>> {
  const { files, entries, bytes, barren } = sitemapBudget(job)
  return { maxMaps: files, mapEntries: entries, mapBytes: bytes, mapBarren: barren }
}

/** As spending.lua reads them. */
function limitsOf(budget: Budget): string {
  return COSTS.map((cost) => budget[cost]).join(',')
}

function flag(claim: boolean): 0 | 1 {
  return claim ? 1 : 0
}
