// One line that tells how a crawl is doing: live at the bottom of a terminal, now and then in a log.
import type { HostState } from '../../core/host.ts'
import { type Harvest, harvestRate } from '../../core/importance.ts'
import type { Clock } from '../../lib/clock.ts'
import {
  showBytes,
  showCount,
  showNumber,
  showPercent,
  showRate,
  showSeconds,
} from '../../lib/format.ts'
import { fit, safeText } from '../../lib/terminal.ts'
import { DEFAULT_SETTINGS } from '../../options/settings.ts'

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
  /** The largest hosts. */
  readonly hosts: readonly HostStatus[]
  /** The harvest of this run; null without a topic. */
  readonly harvest: Harvest | null
  /** URLs this run visits again; missing if this run is no recrawl. */
  readonly revisits?: Revisited
  /** How long the network has been away; left out: it is there. */
  readonly awayMs?: number
}

type Revisited = { readonly done: number; readonly of: number }

export type HostStatus = Pick<HostState, 'host' | 'stored' | 'queued' | 'trouble' | 'restsUntil'>

const HOSTS_SHOWN = 3
/** Slower than this nothing can be foretold. */
const MIN_PAGES_PER_SECOND = 0.05
/** A shorter rest is the gap between two requests, which is no news. */
const MIN_WAIT_MS = 3000

/** The most important first: what does not fit is left out from the end. */
export function statusLine(status: Status, width: number, now: number): string {
  const words = [
    pagesText(status),
    ...revisitsText(status),
    `${showRate(status.pagesPerSecond)}/s`,
    ...harvestText(status),
    ...(status.revisits === undefined || status.queued > 0
      ? [`${showCount(status.queued)} queued`]
      : []),
    ...(status.failed > 0 ? [`${showCount(status.failed)} failed`] : []),
    ...waiting(status, now),
    ...timeLeft(status),
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

function revisitsText({ revisits }: Status): string[] {
  if (revisits === undefined) return []
  return [`${showCount(revisits.done)} of ${showCount(revisits.of)} looked at again`]
}

/** The last pages say how it goes now; while they are all there are, they need no word of their own. */
function harvestText({ harvest }: Status): string[] {
  if (harvest === null) return []
  const { judged, hot, recentJudged, recentHot } = harvest
  const [rate, recent] = [harvestRate(hot, judged), harvestRate(recentHot, recentJudged)]
  if (rate === null || recent === null) return []
  const last = `last ${showCount(recentJudged)}: ${showPercent(recent)}`
  return [`harvest ${showPercent(rate)}${recentJudged < judged ? ` (${last})` : ''}`]
}

/** A limit nobody chose is worth a word only once the URLs at hand could reach it. */
function pagesText({ stored, maxPages, queued, inFlight }: Status): string {
  const isChosen = maxPages !== DEFAULT_SETTINGS.maxPages
  const isNear = stored + queued + inFlight >= maxPages
  return isChosen || isNear
    ? `${showCount(stored)}/${showNumber(maxPages, 'page')}`
    : showNumber(stored, 'page')
}

/**
 * At most what the limits leave. Where the queue would be empty before, only that is known: at
 * least so long, since pages still to come add to it.
 */
function timeLeft(status: Status): string[] {
  const { durationMs, elapsedMs, pagesPerSecond, queued, inFlight, revisits } = status
  const rated = pagesPerSecond >= MIN_PAGES_PER_SECOND
  const limit = rated ? roomLeft(status) / pagesPerSecond : Number.POSITIVE_INFINITY
  if (durationMs !== null) {
    return [atMost(Math.min(limit, (durationMs - elapsedMs) / 1000))]
  }
  if (!rated) return []
  const again = revisits === undefined ? 0 : revisits.of - revisits.done
  const queue = (again + queued + inFlight) / pagesPerSecond
  return [queue < limit ? `≥ ${showSeconds(queue)} left` : atMost(limit)]
}

/** Pages that may still come; what is visited again needs no room. */
function roomLeft({ maxPages, stored, revisits }: Status): number {
  return revisits === undefined ? maxPages - stored : Number.POSITIVE_INFINITY
}

function atMost(seconds: number): string {
  return `≤ ${showSeconds(seconds)} left`
}

/** Which host the crawl waits for, when it does nothing else: the one that is free first. */
function waiting({ inFlight, queued, hosts, awayMs }: Status, now: number): string[] {
  if (awayMs !== undefined) {
    return [`the network seems to be away, waiting for it since ${showSeconds(awayMs / 1000)}`]
  }
  if (inFlight > 0 || queued === 0) return []
  const [first] = hosts
    .filter((host) => host.queued > 0)
    .sort((a, b) => a.restsUntil - b.restsUntil)
  const waitMs = first === undefined ? 0 : first.restsUntil - now
  if (first === undefined || waitMs < MIN_WAIT_MS) return []
  const trouble = first.trouble === '' ? '' : ` (${fit(safeText(first.trouble), 40)})`
  return [`waiting for ${fit(safeText(first.host), 40)}, ${showSeconds(waitMs / 1000)}${trouble}`]
}

/** Cut, not rounded, and of all pages that anybody counted: so they never add up to more than all. */
function hostShares({ hosts, stored }: Status): string {
  const all = Math.max(
    stored,
    hosts.reduce((sum, host) => sum + host.stored, 0),
  )
  const top = [...hosts].sort((a, b) => b.stored - a.stored).slice(0, HOSTS_SHOWN)
  return top
    .map(({ host, stored: part }) => {
      const share = all === 0 ? 0 : Math.floor((part / all) * 100)
      return `${fit(safeText(host), 24)} ${share}%`
    })
    .join(' ')
}

/** As much of process.stderr as is needed. */
export type StatusStream = {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const PLAIN_EVERY_MS = 5000
const LIVE_EVERY_MS = 200
const PLAIN_WIDTH = 200
const CLEAR = '\r\x1b[2K'

export class StatusPrinter {
  readonly #stream: StatusStream
  readonly #clock: Clock
  readonly #live: boolean
  readonly #quiet: boolean
  #shownAt: number
  #line = ''

  constructor(options: { stream: StatusStream; clock: Clock; quiet: boolean }) {
    this.#stream = options.stream
    this.#clock = options.clock
    this.#quiet = options.quiet
    this.#live = options.stream.isTTY === true
    this.#shownAt = this.#live ? Number.NEGATIVE_INFINITY : options.clock.now()
  }

  show(status: Status): void {
    const now = this.#clock.now()
    if (now - this.#shownAt < (this.#live ? LIVE_EVERY_MS : PLAIN_EVERY_MS)) return
    this.#put((width) => statusLine(status, width, now))
  }

  /** What is done at the moment, where that is not crawling. In a log only when it takes long. */
  busy(text: string): void {
    const isNews = this.#live || this.#clock.now() - this.#shownAt >= PLAIN_EVERY_MS
    if (isNews) this.#put((width) => fit(safeText(text), width))
  }

  #put(lineFor: (width: number) => string): void {
    if (this.#quiet) return
    this.#shownAt = this.#clock.now()
    if (!this.#live) {
      this.#stream.write(`${lineFor(PLAIN_WIDTH)}\n`)
      return
    }
    // One column stays free: a full line would make some terminals scroll.
    this.#line = lineFor((this.#stream.columns ?? 80) - 1)
    this.#stream.write(CLEAR + this.#line)
  }

  /** A line that stays. */
  notice(text: string): void {
    if (this.#quiet) return
    const live = this.#line === '' ? '' : CLEAR
    this.#stream.write(`${live}${safeText(text)}\n${this.#line}`)
  }

  /** Takes the live line away; whatever is printed next starts clean. */
  end(): void {
    if (this.#line !== '') this.#stream.write(CLEAR)
    this.#line = ''
  }
}
