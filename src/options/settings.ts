// The settings of a crawl nobody chose anything about, and settings read back from where they
// were kept. How a user chooses them is in options.ts.
import { DEFAULT_DOMAIN_BUDGET, DEFAULT_HOST_BUDGET } from '../core/budget.ts'
import type { CrawlSettings } from '../core/job.ts'
import { PARTS } from '../core/page.ts'
import { VERSION } from '../core/version.ts'

export const DEFAULT_SETTINGS: CrawlSettings = {
  maxPages: 1000,
  maxDepth: null,
  maxRequests: null,
  durationMs: null,
  concurrency: 32,
  perHost: 1,
  perIp: null,
  delayMs: 1000,
  scope: 'domain',
  include: [],
  exclude: [],
  ordering: 'breadth-first',
  orderingOptions: {},
  hostPolicy: 'fair',
  buffer: null,
  proxies: [],
  userAgent: userAgentFor(null),
  maxBodyBytes: 1024 * 1024,
  maxLinksBytes: 16 * 1024 * 1024,
  timeoutMs: 60_000,
  retries: 3,
  // A host that is down for five minutes is asked once more after that.
  hostPatienceMs: 420_000,
  maxCrawlDelayMs: 30_000,
  parts: PARTS,
  keepHtml: false,
  connectTo: [],
  dns: [],
  ignoreRobots: false,
  allowPrivate: false,
  typedHosts: null,
  seedUrl: null,
  sitemaps: true,
  maxSitemaps: 100,
  hostBudget: DEFAULT_HOST_BUDGET,
  domainBudget: DEFAULT_DOMAIN_BUDGET,
  trapBudget: 200,
  stripParams: ['tracking', 'session'],
  followActions: false,
  http2: false,
  insecureTls: false,
  parserThreads: 1,
  topic: '',
  keywords: [],
  examples: null,
  classifier: null,
  stopWords: null,
  languages: [],
  minRelevance: null,
  minTerms: null,
  eager: false,
  hotThreshold: 0.5,
  maxHot: null,
  harvestFloor: null,
  harvestWindow: 500,
  importance: {},
}

/** What servers see. Without a contact it says so: an operator should know whom not to ask. */
export function userAgentFor(contact: string | null): string {
  return `Jelajah/${VERSION} (+${contact ?? 'no-contact-given'})`
}

/** Settings as we once wrote them; what an older version did not know yet has its default. */
export function decodeSettings(json: unknown): CrawlSettings {
  const kept = typeof json === 'object' && json !== null ? json : {}
  return { ...DEFAULT_SETTINGS, ...kept }
}
