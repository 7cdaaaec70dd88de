// Which partition of a frontier a host belongs to, and how numbers tell it. All hosts of a registrable domain
// are in one partition, so everything they share is counted in one place.
import { InvalidInput } from '../../core/errors.ts'
import { siteOf } from '../../core/url.ts'
import type { FrontierOptions } from '../engine/frontier-options.ts'

/** Hosts whose hashes are kept. Every link asks, and most lead to the same hosts. */
const MAX_KNOWN = 20_000
const known = new Map<string, number>()

export function partitionOf(host: string, count: number): number {
  if (count === 1) return 0
  let hash = known.get(host)
  if (hash === undefined) {
    hash = hashOf(siteOf(host))
    if (known.size === MAX_KNOWN) known.clear()
    known.set(host, hash)
  }
  return hash % count
}

/** FNV-1a: the same in every process and version. */
function hashOf(site: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < site.length; at++) {
    hash = Math.imul(hash ^ site.charCodeAt(at), 0x01000193) >>> 0
  }
  return (hash ^ (hash >>> 15)) >>> 0
}

/** The number over all partitions of a row that has this id in its own. Numbers grow about in order of discovery. */
export function numberOf(id: number, partition: number, count: number): number {
  return id * count + partition
}

export function idIn(number: number, count: number): number {
  return Math.floor(number / count)
}

export function partitionOfNumber(number: number, count: number): number {
  return number % count
}

type Divided = Pick<FrontierOptions, 'job' | 'scorer'>

/**
 * Why a crawl must stay in one partition; null if it can be divided. A limited buffer compares everything
 * that waits, and a ranking needs the whole graph.
 */
export function whyUndivided({ job, scorer }: Divided): string | null {
  const { buffer, ordering } = job.settings
  if (buffer !== null) return '--buffer'
  return scorer.ranking === undefined ? null : `--ordering ${ordering}`
}

/** A later run may have settings that its divided frontier does not allow. */
export function refuseUndivided(options: Divided, partitions: number): void {
  const why = partitions === 1 ? null : whyUndivided(options)
  if (why === null) return
  const text =
    `the frontier of crawl ${options.job.id} is divided into ${partitions} partitions, which does not go ` +
    `with ${why}: change the settings back, or use --fresh`
  throw new InvalidInput(why, text)
}
