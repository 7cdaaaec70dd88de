// Which partition of a frontier a host belongs to, and how numbers tell it. All hosts of a registrable domain
// are in one partition, so everything they share is counted in one place.
import { siteOf } from '../../core/url.ts'

export function partitionOf(host: string, count: number): number {
  if (count === 1) return 0
  const site = siteOf(host)
  // FNV-1a: the same in every process and version.
  let hash = 0x811c9dc5
  for (let at = 0; at < site.length; at++) {
    hash = Math.imul(hash ^ site.charCodeAt(at), 0x01000193) >>> 0
  }
  return ((hash ^ (hash >>> 15)) >>> 0) % count
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
