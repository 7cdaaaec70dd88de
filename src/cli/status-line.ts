// One line that tells how a crawl is doing.
import { fit, safeText } from '../lib/terminal.ts'
import { showBytes, showCount, showRate, showSeconds } from './format.ts'

export type Status = {
  readonly stored: number
  readonly maxPages: number
  readonly pagesPerSecond: number
  readonly queued: number
  readonly inFlight: number
  readonly failed: number
  readonly refused: number
  readonly bytes: number
  readonly elapsedMs: number
  /** Null without a time limit. */
  readonly durationMs: number | null
  /** Stored pages of each host. */
  readonly hosts: readonly { readonly host: string; readonly stored: number }[]
}

const HOSTS_SHOWN = 3

/** The most important first: what does not fit is left out from the end. */
export function statusLine(status: Status, width: number): string {
  const left = secondsLeft(status)
  const words = [
    `${showCount(status.stored)}/${showCount(status.maxPages)} pages`,
    `${showRate(status.pagesPerSecond)}/s`,
    `${showCount(status.queued)} queued`,
    ...(status.failed > 0 ? [`${showCount(status.failed)} failed`] : []),
    ...(left === null ? [] : [`≤ ${showSeconds(left)} left`]),
    ...(status.hosts.length > 1 ? [hostShares(status)] : []),
    `${showCount(status.inFlight)} in flight`,
    ...(status.refused > 0 ? [`${showCount(status.refused)} refused`] : []),
    showBytes(status.bytes),
    showSeconds(status.elapsedMs / 1000),
  ]
  const [first = '', ...rest] = words
  const line = rest.reduce((text, word) => {
    const longer = `${text} · ${word}`
    return longer.length <= width ? longer : text
  }, first)
  return fit(line, width)
}

/** What the time limit, the page limit or the queue leaves at most; null when nothing says. */
export function secondsLeft(status: Status): number | null {
  const limits: number[] = []
  if (status.durationMs !== null) limits.push((status.durationMs - status.elapsedMs) / 1000)
  if (status.pagesPerSecond > 0) {
    limits.push((status.maxPages - status.stored) / status.pagesPerSecond)
  }
  return limits.length === 0 ? null : Math.max(0, Math.min(...limits))
}

function hostShares({ hosts, stored }: Status): string {
  const top = [...hosts].sort((a, b) => b.stored - a.stored).slice(0, HOSTS_SHOWN)
  return top
    .map(({ host, stored: part }) => {
      const share = stored === 0 ? 0 : Math.min(100, Math.round((part / stored) * 100))
      return `${fit(safeText(host), 24)} ${share}%`
    })
    .join(' ')
}
