// The settings of a job as they would be written in the body of a request. What is as empty as if it
// had not been given is left out, and so are files: their names are nobody's business over HTTP.
import { encodeBudget } from '../core/budget.ts'
import { encodeImportance, hotIsImportance, weightsOf } from '../core/importance.ts'
import type { ConnectTo, CrawlSettings, JobRecord } from '../core/job.ts'
import { withoutPassword } from '../core/workspace-url.ts'

export type BodyFields = Record<string, unknown>

export function encodeOptions({ name, seeds, settings }: JobRecord): BodyFields {
  const all = {
    name,
    urls: seeds,
    ...limitsOf(settings),
    ...mannersOf(settings),
    ...restOf(settings),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => !isEmpty(value)))
}

function limitsOf(settings: CrawlSettings): BodyFields {
  const { durationMs, include, exclude } = settings
  return {
    max_pages: settings.maxPages,
    max_depth: settings.maxDepth,
    duration: durationMs === null ? null : durationMs / 1000,
    scope: settings.scope,
    include,
    exclude,
    trap_budget: settings.trapBudget,
    max_requests: settings.maxRequests,
    host_budget: encodeBudget(settings.hostBudget),
    domain_budget: encodeBudget(settings.domainBudget),
    // An empty list means the usual ones, in a body.
    strip_params: settings.stripParams.length === 0 ? ['none'] : settings.stripParams,
    follow_actions: settings.followActions,
    ordering: settings.ordering,
    ordering_option: settings.orderingOptions,
    host_policy: settings.hostPolicy,
    buffer: settings.buffer,
  }
}

function mannersOf(settings: CrawlSettings): BodyFields {
  return {
    delay: settings.delayMs,
    concurrency: settings.concurrency,
    per_host: settings.perHost,
    per_ip: settings.perIp,
    user_agent: settings.userAgent,
    ignore_robots: settings.ignoreRobots,
    sitemaps: settings.sitemaps,
    max_sitemaps: settings.maxSitemaps,
    timeout: settings.timeoutMs,
    retries: settings.retries,
    host_patience: settings.hostPatienceMs / 1000,
    max_crawl_delay: settings.maxCrawlDelayMs / 1000,
    max_body: settings.maxBodyBytes,
    max_links_body: settings.maxLinksBytes,
    proxy: settings.proxies.map(withoutPassword),
    connect_to: settings.connectTo.map(connectToText),
    dns: settings.dns,
    allow_private: settings.allowPrivate,
    http2: settings.http2,
    insecure_tls: settings.insecureTls,
  }
}

function restOf(settings: CrawlSettings): BodyFields {
  const { harvestFloor } = settings
  const hasWeights = hotIsImportance(settings) || Object.keys(settings.importance).length > 0
  return {
    // An empty list means all of them, in a body.
    parts: settings.parts.length === 0 ? ['none'] : settings.parts,
    keep_html: settings.keepHtml,
    parser_threads: settings.parserThreads,
    topic: settings.topic,
    keywords: settings.keywords,
    language: settings.languages,
    min_relevance: settings.minRelevance,
    min_terms: settings.minTerms,
    hot_threshold: settings.hotThreshold,
    max_hot: settings.maxHot,
    harvest_floor: harvestFloor === null ? null : Math.round(harvestFloor * 1e9) / 1e7,
    harvest_window: settings.harvestWindow,
    eager: settings.eager,
    importance: hasWeights ? encodeImportance(weightsOf(settings)) : null,
  }
}

function connectToText({ pattern, address, port }: ConnectTo): string {
  return `${pattern}=${address}:${port}`
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
