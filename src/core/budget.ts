// How much a host, a registrable domain and a whole crawl may cost. Budgets end what would never end by
// itself. They are far above what an honest site needs. When one is used up, waiting URLs are refused
// with its reason; a later run with a larger budget reopens them.
import { InvalidInput } from './errors.ts'
import { type CanonicalUrl, pathOf } from './url.ts'

const COSTS = ['requests', 'bytes', 'cpu', 'barren', 'forbidden'] as const
type Cost = (typeof COSTS)[number]

/** Limits by resource; 0 means no limit. */
export type Budget = Readonly<Record<Cost, number>>

/** Resources spent. `cpu` is in milliseconds; `barren` and `forbidden` count in a row, in this run. */
export type Spent = { -readonly [Name in Cost]: number }

/** Statuses that shut this crawler out. A later run may be let in. */
export const FORBIDDEN_HOST = 'forbidden-host'

export const DEFAULT_HOST_BUDGET: Budget = {
  requests: 1_000_000,
  bytes: 20 * 2 ** 30,
  cpu: 3600,
  barren: 1000,
  forbidden: 50,
}

export const DEFAULT_DOMAIN_BUDGET: Budget = {
  requests: 2_000_000,
  bytes: 40 * 2 ** 30,
  cpu: 7200,
  barren: 5000,
  forbidden: 0,
}

/**
 * Requests per page of `--max-pages`. Redirects, dead links, copies and filtered pages cost requests, too
 * (crawl/stop-rules.ts reads at least a thousand of the latter).
 */
const REQUESTS_PER_PAGE = 20
const SPARE_REQUESTS = 2000

/** The number of requests (pages, sitemaps, robots.txt) that a whole crawl may make. */
export function requestsAllowed({
  maxRequests,
  maxPages,
}: {
  readonly maxRequests: number | null
  readonly maxPages: number
}): number {
  return maxRequests ?? REQUESTS_PER_PAGE * maxPages + SPARE_REQUESTS
}

export const NO_COSTS: Budget = { requests: 0, bytes: 0, cpu: 0, barren: 0, forbidden: 0 }

export function nothingSpent(): Spent {
  return { ...NO_COSTS }
}

/** Why a host or domain gets no more requests; null while it does. */
export function overBudget(whose: 'host' | 'domain', spent: Spent, budget: Budget): string | null {
  for (const cost of COSTS) {
    const limit = budget[cost]
    if (limit === 0 || spent[cost] < (cost === 'cpu' ? 1000 * limit : limit)) continue
    if (cost === 'forbidden') return `${FORBIDDEN_HOST}: ${limit} answers in a row`
    return `budget-${whose}-${cost}: ${limit}`
  }
  return null
}

/** The reason for URLs that remain after the last request of a crawl. */
export function overRequests(limit: number): string {
  return `budget-requests: ${limit}`
}

/** Parses `requests=1000,bytes=0`; resources that are not named keep their default. */
export function decodeBudget(text: string, defaults: Budget): Budget {
  const given = text.split(',').map((pair) => {
    const [name = '', value = ''] = pair.split('=', 2).map((word) => word.trim())
    const cost = COSTS.find((known) => known === name)
    if (cost === undefined || !/^\d{1,15}$/.test(value)) {
      const needs = `needs ${COSTS.map((known) => `${known}=N`).join(',')}, any of them`
      throw new InvalidInput('budget', `${needs}, not "${pair}"`)
    }
    return [cost, Number(value)] as const
  })
  return { ...defaults, ...Object.fromEntries(given) }
}

export function encodeBudget(budget: Budget): string {
  return COSTS.map((cost) => `${cost}=${budget[cost]}`).join(',')
}

/** As help shows it, with spaces where a line may break. */
export function shownBudget(budget: Budget): string {
  return COSTS.map((cost) => `${cost}=${budget[cost]}`).join(', ')
}

/** Closed folders after which the whole host is closed. */
const FEW_FOLDERS = 3

/** State of one run. */
export type Forbidden = {
  /** Folders of the current series; one more than the limit means "too many". */
  row: readonly string[]
  /** Closed folders. */
  shut: readonly string[]
}

/**
 * The first segment of a path: `/members` of `/members/12?tab=1`. A site may reserve some folders for its
 * members without shutting crawlers out. A series of "forbidden" responses closes the folders it came from
 * while they are few, and the host when they are many.
 */
export function folderOf(url: CanonicalUrl): string {
  return /^\/[^/?]*/.exec(pathOf(url))?.[0] ?? '/'
}

export function noteForbidden(forbidden: Forbidden, folder: string): void {
  const { row } = forbidden
  if (row.length <= FEW_FOLDERS && !row.includes(folder)) forbidden.row = [...row, folder]
}

/** Closes the folders of a finished series; false if there are too many. */
export function shutFolders(forbidden: Forbidden): boolean {
  const shut = [...new Set([...forbidden.shut, ...forbidden.row])]
  if (shut.length > FEW_FOLDERS) return false
  forbidden.shut = shut
  forbidden.row = []
  return true
}
