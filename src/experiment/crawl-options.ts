// The options of a cell as options of a crawl.
import type { CrawlOptions } from '../library/crawl-options.ts'
import type { Choices } from './experiment.ts'

/** Options of a cell that are no options of a crawl. */
const OWN_OPTIONS = ['bandwidth', 'bandwidthPerConnection', 'latency', 'budget']

/**
 * The options of a cell as `crawl()` takes them. An ordering may have its own options behind colons:
 * `shark-search:beta=0.5`.
 */
export function crawlOptions(options: Choices, seeds: readonly string[]): CrawlOptions
// Its values are checked where they are read: by `readCrawlOptions`, and by `crawl()`.
export function crawlOptions(options: Choices, seeds: readonly string[]): object {
  const known = Object.entries(options).filter(([name]) => !OWN_OPTIONS.includes(name))
  const { ordering, orderingOption, ...rest } = Object.fromEntries(known)
  const parts = typeof ordering === 'string' ? ordering.split(':') : []
  const name = parts.filter((part) => !part.includes('=')).join(':')
  const pairs = parts.filter((part) => part.includes('='))
  return {
    seeds,
    ...rest,
    ...(ordering !== undefined && { ordering: parts.length > 0 ? name : ordering }),
    ...(orderingOption !== undefined && { orderingOption }),
    ...(pairs.length > 0 && { orderingOption: [...pairsIn(orderingOption), ...pairs] }),
  }
}

/** A text, a list of them, or an object. */
function pairsIn(written: unknown): readonly unknown[] {
  if (typeof written !== 'object' || written === null) return written === undefined ? [] : [written]
  return Array.isArray(written) ? written : Object.entries(written).map((pair) => pair.join('='))
}
