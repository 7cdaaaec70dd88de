// The rules of taking turns at a host: who holds a slot and who waits. No clock, no file, no process.
import type { SlotWanted } from './host-limiter.ts'

/** What one crawl has to do with a host at the moment. */
type CrawlAtHost = {
  readonly holder: string
  /** Since when it is in line, and its place: the least goes first. 0: it does not wait. */
  asked: number
  /** Its place is not kept longer than this. */
  askedUntil: number
  delayMs: number
  perHost: number
  /** Slots given, not given back. */
  inFlight: number
  /** Those of them whose request has not gone out. */
  unstarted: number
  /** Its slots are over by then, whatever it says. */
  busyUntil: number
}

export type HostQueue = {
  lastStart: number
  startedBy: string
  /**
   * When that was told, and from when the gap runs for others. On a busy machine a while may pass
   * between the start as the crawl knows it and the first byte on the wire; not after it came to tell.
   */
  heardAt: number
  restsUntil: number
  /** Why it rests. */
  trouble: string
  shares: CrawlAtHost[]
}

/** How long a place in line is kept for a crawl that is busy elsewhere when its time comes. */
const GRACE_MS = 2_000
/** Deadlines are noticed late, and a slot is given back a little after its request ended. */
const OVERDUE_MS = 5_000
/** Longer than this no host is left alone, whatever it asks for. */
const MAX_REST_MS = 24 * 60 * 60 * 1000
/** When nobody knows how long it will take: soon, and the less often the longer it takes. */
const RECHECK = { leastMs: 5, mostMs: 500, share: 0.25 }

export function emptyLine(): HostQueue {
  return { lastStart: 0, startedBy: '', heardAt: 0, restsUntil: 0, trouble: '', shares: [] }
}

/** A line that was written by a clock this far ahead: what lasts as long as it did, counted from now. */
export function setBack(line: HostQueue, byMs: number): void {
  line.lastStart -= byMs
  line.heardAt -= byMs
  line.restsUntil -= byMs
  for (const share of line.shares) {
    if (share.asked > 0) share.asked = Math.max(1, share.asked - byMs)
    share.askedUntil -= byMs
    share.busyUntil -= byMs
  }
}

/** Takes out whatever is over: crawls that died, places not used, a clock that was set back. */
export function tidy(line: HostQueue, now: number): void {
  for (const share of line.shares) {
    if (share.askedUntil < now) share.asked = 0
    if (share.busyUntil < now) {
      // Whether it went out was never said: it may have, until the end of its time.
      if (share.unstarted > 0) startedIn(line, share.holder, share.busyUntil, share.busyUntil)
      share.inFlight = share.unstarted = 0
    }
  }
  line.shares = line.shares.filter(({ asked, inFlight }) => asked > 0 || inFlight > 0)
  line.lastStart = Math.min(line.lastStart, now)
  line.heardAt = Math.min(line.heardAt, now)
  line.restsUntil = Math.min(line.restsUntil, now + MAX_REST_MS)
}

/** Gives a slot, and null; or a place in line, and when to ask again. Of a line that is tidy. */
export function askIn(
  line: HostQueue,
  holder: string,
  wanted: SlotWanted,
  now: number,
): number | null {
  const share = shareOf(line, holder)
  share.delayMs = wanted.delayMs
  share.perHost = wanted.perHost
  if (line.restsUntil > now) {
    share.asked = 0
    return line.restsUntil
  }
  const at = freeAt(line, share, wanted, now)
  if (at <= now) {
    share.asked = 0
    share.inFlight += 1
    share.unstarted += 1
    share.busyUntil = Math.max(share.busyUntil, now + wanted.forMs + OVERDUE_MS)
    return null
  }
  if (share.asked === 0) share.asked = Math.max(now, ...line.shares.map(({ asked }) => asked + 1))
  share.askedUntil = at + GRACE_MS
  return at
}

/** A request went out `at` a moment; it is reported `now`. */
export function startIn(line: HostQueue, holder: string, at: number, now: number): void {
  const share = shareOf(line, holder)
  share.unstarted = Math.max(0, share.unstarted - 1)
  startedIn(line, holder, at, now)
}

export function endIn(line: HostQueue, holder: string, hasStarted: boolean): void {
  const share = shareOf(line, holder)
  share.inFlight = Math.max(0, share.inFlight - 1)
  if (!hasStarted) share.unstarted = Math.max(0, share.unstarted - 1)
}

export function restIn(line: HostQueue, until: number, trouble: string): void {
  if (until <= line.restsUntil) return
  line.restsUntil = until
  line.trouble = trouble
}

/** A crawl is gone, perhaps without a word: what it had not said may have happened until now. */
export function leaveIn(line: HostQueue, holder: string, now: number): void {
  const { unstarted } = shareOf(line, holder)
  if (unstarted > 0) startedIn(line, holder, now, now)
  line.shares = line.shares.filter((share) => share.holder !== holder)
}

/**
 * The crawl of a process: the first two words of its name. The processes of one crawl do not wait for each
 * other here, because their frontier spaces their requests.
 */
export function crawlOf(holder: string): string {
  return /^\S+ \S+/.exec(holder)?.[0] ?? holder
}

/** How many processes of other crawls are at this host or wait for it. */
export function othersIn({ shares }: HostQueue, holder: string): number {
  const own = crawlOf(holder)
  return shares.filter((share) => crawlOf(share.holder) !== own).length
}

/** When it could be this crawl's slot, as far as can be known; `now` or earlier: it is. */
function freeAt(line: HostQueue, mine: CrawlAtHost, { delayMs, perHost }: SlotWanted, now: number) {
  const own = crawlOf(mine.holder)
  const shares = line.shares.filter((share) => share === mine || crawlOf(share.holder) !== own)
  const ahead = shares.filter((share) => share !== mine && isAhead(share, mine))
  const isAwaited = shares.some(
    ({ unstarted, delayMs: theirs }) => unstarted > 0 && Math.max(theirs, delayMs) > 0,
  )
  const restedAt = delayMs + (crawlOf(line.startedBy) === own ? line.lastStart : line.heardAt)
  if (ahead.length === 0 && !isAwaited && hasRoom(shares, perHost)) return restedAt
  const lineMs = ahead.reduce((sum, share) => sum + share.delayMs, 0)
  // Whoever is before this one starts now at the earliest.
  const startsAt = ahead.length > 0 || isAwaited ? now + delayMs : now
  return Math.max(restedAt + lineMs, startsAt, now + recheckMs(mine, now))
}

function startedIn(line: HostQueue, holder: string, at: number, now: number): void {
  if (at >= line.lastStart) {
    line.lastStart = at
    line.startedBy = holder
  }
  line.heardAt = Math.max(line.heardAt, now)
}

/** As many may be there as each of those who are allows. */
function hasRoom(shares: readonly CrawlAtHost[], perHost: number): boolean {
  const present = shares.filter((share) => share.inFlight > 0)
  const inFlight = present.reduce((sum, share) => sum + share.inFlight, 0)
  return inFlight < Math.min(perHost, ...present.map((share) => share.perHost))
}

function isAhead(other: CrawlAtHost, mine: CrawlAtHost): boolean {
  return other.asked > 0 && (mine.asked === 0 || other.asked < mine.asked)
}

/** The queue with the news of one process in it, which has kept its own copy. */
export function mergeIn(line: HostQueue, holder: string, kept: HostQueue): void {
  startedIn(line, kept.startedBy, kept.lastStart, kept.heardAt)
  restIn(line, kept.restsUntil, kept.trouble)
  const own = kept.shares.filter((share) => share.holder === holder)
  line.shares = [...line.shares.filter((share) => share.holder !== holder), ...own]
}

function recheckMs({ asked }: CrawlAtHost, now: number): number {
  const waitedMs = asked === 0 ? 0 : now - asked
  return Math.ceil(Math.min(RECHECK.mostMs, Math.max(RECHECK.leastMs, waitedMs * RECHECK.share)))
}

function shareOf(line: HostQueue, holder: string): CrawlAtHost {
  const known = line.shares.find((share) => share.holder === holder)
  if (known !== undefined) return known
  const share: CrawlAtHost = {
    holder,
    ...{ asked: 0, askedUntil: 0, delayMs: 0, perHost: 1 },
    ...{ inFlight: 0, unstarted: 0, busyUntil: 0 },
  }
  line.shares.push(share)
  return share
}

/** The queue of a host as text, for adapters that keep it. */
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
