// What one host, one registrable domain and a whole crawl may cost. Budgets end what would go on for
// ever: they are far above what an honest site needs, and each that is used up leaves its own reason
// with the URLs that were still to come. A later run with a larger one takes them up again.
import { InvalidInput } from './errors.ts'
import { type CanonicalUrl, pathOf } from './url.ts'

export const COSTS = ['requests', 'bytes', 'cpu', 'barren', 'forbidden'] as const
export type Cost = (typeof COSTS)[number]

/** Limits by what they limit; 0: no limit. */
export type Budget = Readonly<Record<Cost, number>>

/** What was spent; cpu in milliseconds, `barren` and `forbidden` in a row and of this run. */
export type Spent = { -readonly [Name in Cost]: number }

/** An answer in a row that says: not you. A later run may be let in. */
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
 * Redirects, dead links and copies cost requests, too; few sites have more than a handful a page. So do
 * the pages that filters leave out, of which a thousand are read at least (crawl/enough.ts).
 */
const REQUESTS_PER_PAGE = 20
const SPARE_REQUESTS = 2000

/** How many requests for pages, sitemaps and robots.txt the whole crawl may make. */
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

/** Why a host, or a domain, gets no more requests; null while it may. */
export function overBudget(whose: 'host' | 'domain', spent: Spent, budget: Budget): string | null {
  for (const cost of COSTS) {
    const limit = budget[cost]
    if (limit === 0 || spent[cost] < (cost === 'cpu' ? 1000 * limit : limit)) continue
    if (cost === 'forbidden') return `${FORBIDDEN_HOST}: ${limit} answers in a row`
    return `budget-${whose}-${cost}: ${limit}`
  }
  return null
}

/** The reason of what comes after the last request of a crawl. */
export function overRequests(limit: number): string {
  return `budget-requests: ${limit}`
}

/** `requests=1000,bytes=0`: what is not named has its default. */
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

/** For people, in lines that can be broken. */
export function shownBudget(budget: Budget): string {
  return COSTS.map((cost) => `${cost}=${budget[cost]}`).join(', ')
}

// A site that keeps some of its folders to its members is not one that shuts us out. A row of answers that
// forbid ends the folders it came from while they are few, and the host when they are many.

/** Folders that one run leaves alone before it leaves the host alone. */
const FEW_FOLDERS = 3

/** Of one run; spending.lua has the same rules for Redis. */
export type Forbidden = {
  /** Where the row came from; one more than are few says that they are many. */
  row: readonly string[]
  /** What is not asked for any more. */
  shut: readonly string[]
}

/** The first name of a path: `/members` of `/members/12?tab=1`. */
export function folderOf(url: CanonicalUrl): string {
  return /^\/[^/?]*/.exec(pathOf(url))?.[0] ?? '/'
}

export function noteForbidden(forbidden: Forbidden, folder: string): void {
  const { row } = forbidden
  if (row.length <= FEW_FOLDERS && !row.includes(folder)) forbidden.row = [...row, folder]
}

/** Shuts the folders of a row that is over; false when they are too many for that. */
export function shutFolders(forbidden: Forbidden): boolean {
  const shut = [...new Set([...forbidden.shut, ...forbidden.row])]
  if (shut.length > FEW_FOLDERS) return false
  forbidden.shut = shut
  forbidden.row = []
  return true
}
