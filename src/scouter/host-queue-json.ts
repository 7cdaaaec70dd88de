// The queue of a host as text, for adapters that keep it.
import type { CrawlAtHost, HostQueue } from './host-limiter-rules.ts'

export function encodeShares({ shares }: HostQueue): string {
  return JSON.stringify(
    shares.map((share) => [
      ...[share.holder, share.asked, share.askedUntil, share.delayMs, share.perHost],
      ...[share.inFlight, share.unstarted, share.busyUntil],
    ]),
  )
}

export function decodeShares(text: string): CrawlAtHost[] {
  const rows: unknown = JSON.parse(text)
  if (!Array.isArray(rows)) return []
  return rows.map(([holder, ...numbers]) => {
    const [asked = 0, askedUntil = 0, delayMs = 0, perHost = 1, ...rest] = numbers.map(Number)
    const [inFlight = 0, unstarted = 0, busyUntil = 0] = rest
    return {
      holder: String(holder),
      ...{ asked, askedUntil, delayMs, perHost, inFlight, unstarted, busyUntil },
    }
  })
}

export function encodeQueue(queue: HostQueue): string {
  const { lastStart, startedBy, heardAt, restsUntil, trouble } = queue
  return JSON.stringify([lastStart, startedBy, heardAt, restsUntil, trouble, encodeShares(queue)])
}

export function decodeQueue(text: string): HostQueue {
  const values: unknown = JSON.parse(text)
  const [lastStart, startedBy, heardAt, restsUntil, trouble, shares] = Array.isArray(values)
    ? values
    : []
  return {
    ...{ lastStart: Number(lastStart), startedBy: String(startedBy), heardAt: Number(heardAt) },
    ...{ restsUntil: Number(restsUntil), trouble: String(trouble) },
    shares: decodeShares(String(shares)),
  }
}

/** The text that stands in the JSON of a queue in which this process has a share. */
export function sharePattern(holder: string): string {
  // Shares are text within text.
  return JSON.stringify(JSON.stringify(holder)).slice(1, -1)
}
