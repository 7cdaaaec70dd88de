// What scripts answer: JSON text with lists of numbers; the decoder of this edge.
import type { UrlCounts } from '../../core/host.ts'
import type { Shown } from '../../core/template.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { Candidate } from '../../ordering/ordering.ts'
import type { Lease } from '../frontier.ts'
import { signalsOfText } from './signals-text.ts'

/** The frontier as a whole, as of a moment of the server's. */
export type Standing = {
  readonly now: number
  readonly readyAt: number | null
  readonly unsettled: number
  /** Of `unsettled`: those of this session. */
  readonly mine: number
  readonly onlyUnreachable: boolean
  readonly revisits: number
  readonly revisiting: number
  readonly lastId: number
  /** Pages that an ordering has learned from, over all sessions. */
  readonly learned: number
  readonly counts: UrlCounts
  /** It was taken for dead, and holds nothing of what it held. */
  readonly isReborn: boolean
  /** Another one: the server may have lost its last moment. */
  readonly epoch: number
  /** Shorter paths were found that have not been followed to their ends. */
  readonly isLowering: boolean
  /** Somebody is ready but waits for others, beside those that `readyAt` speaks of. */
  readonly isHeldBack: boolean
}

/** A lease, and whether it is outside the queue. */
export type GivenLease = {
  readonly lease: Lease
  readonly outside: boolean
  /** Templates of its host that may be closed, with what speaks for it. */
  readonly suspects: ReadonlyMap<string, Shown>
}

/** A host as of the answer that gave a lease of it. */
export type HostClock = {
  readonly name: string
  readonly restsUntil: number
  readonly inFlight: number
  readonly unstarted: number
  readonly robotsOut: number
  readonly awaitedUntil: number
  /** When it has something to fetch; Infinity: nothing. */
  readonly workAt: number
  readonly ownDelayMs: number
  readonly site: string
  readonly queued: number
  readonly stored: number
  readonly failures: number
  readonly trouble: string
}

/** A row whose score must be computed anew. */
export type StaleRow = Candidate & {
  readonly id: number
  /** Of the link whose signals are to be merged first, as text; '' of none. */
  readonly hash: string
}

const KINDS = { p: 'page', r: 'robots', s: 'sitemap' } as const

export function parseReply(reply: unknown): readonly unknown[] {
  const parsed: unknown = JSON.parse(String(reply))
  return listOf(parsed)
}

/** Lua knows no difference between an empty list and an empty object. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function decodeStanding(value: unknown): Standing {
  const [
    now,
    readyAt,
    unsettled,
    mine,
    hopeless,
    revisits,
    revisiting,
    lastId,
    learned,
    ...states
  ] = listOf(value).map(Number)
  const [queued, leased, stored, duplicate, redirected, refused, failed, ...marks] = states
  const [reborn, held, epoch, lowering, outside = 0] = marks
  return {
    now: now ?? 0,
    readyAt: readyAt === undefined || readyAt < 0 ? null : readyAt,
    ...{ unsettled: unsettled ?? 0, mine: mine ?? 0, onlyUnreachable: hopeless === 1 },
    ...{ revisits: revisits ?? 0, revisiting: revisiting ?? 0 },
    ...{ lastId: lastId ?? 0, learned: learned ?? 0 },
    isReborn: reborn === 1,
    isHeldBack: held === 1,
    epoch: epoch ?? 0,
    isLowering: lowering === 1,
    counts: {
      ...{ queued: queued ?? 0, leased: leased ?? 0, stored: stored ?? 0 },
      ...{ duplicate: duplicate ?? 0, redirected: redirected ?? 0 },
      ...{ refused: (refused ?? 0) - outside, outside, failed: failed ?? 0 },
    },
  }
}

export function decodeLease(value: unknown): GivenLease {
  const [kind, id, token, url, host, depth, hops, tries, failures, delayMs, outside, ...more] =
    listOf(value)
  const [revisit, pace, downMs, answered, closed] = more
  const lease: Lease = {
    kind: KINDS[kind === 'p' || kind === 's' ? kind : 'r'],
    id: Number(id),
    token: Number(token),
    url: String(url) as CanonicalUrl,
    host: String(host),
    ...{ depth: Number(depth), hops: Number(hops), tries: Number(tries) },
    ...{ hostFailures: Number(failures), delayMs: Number(delayMs) },
    ...(pace === 0 ? { pace: 'new' } : pace === 2 ? { pace: 'slow' } : {}),
    ...{ hostDownMs: Number(downMs), hostAnswered: answered === 1 },
  }
  const known = listOf(revisit)
  const again = {
    stored: known[0] === 1,
    etag: String(known[1] ?? ''),
    lastModified: String(known[2] ?? ''),
    contentHash: String(known[3] ?? ''),
  }
  return {
    lease: known.length > 0 ? { ...lease, revisit: again } : lease,
    outside: outside === 1,
    suspects: decodeSuspects(listOf(closed)),
  }
}

/** Templates and what they have shown, by turns. */
function decodeSuspects(flat: readonly unknown[]): GivenLease['suspects'] {
  const suspects = new Map<string, Shown>()
  for (let at = 0; at < flat.length; at += 2) {
    const [debt = 0, streak = 0, ...pairs] = String(flat[at + 1])
      .split(' ')
      .map(Number)
    suspects.set(String(flat[at]), { debt, streak, pairs })
  }
  return suspects
}

export function decodeHostClock(value: unknown): HostClock {
  const [name, restsUntil, inFlight, unstarted, robotsOut, awaitedUntil, workAt, ...rest] =
    listOf(value)
  const [ownDelayMs, site, queued, stored, failures, trouble] = rest
  return {
    ...{ name: String(name), site: String(site), trouble: String(trouble) },
    ...{ restsUntil: Number(restsUntil), inFlight: Number(inFlight) },
    ...{ unstarted: Number(unstarted), robotsOut: Number(robotsOut) },
    awaitedUntil: Number(awaitedUntil),
    workAt: Number(workAt) < 0 ? Number.POSITIVE_INFINITY : Number(workAt),
    ...{ ownDelayMs: Number(ownDelayMs), queued: Number(queued) },
    ...{ stored: Number(stored), failures: Number(failures) },
  }
}

export function decodeStaleRow(value: unknown): StaleRow {
  const [id, url, depth, foundAt, inLinks, signals, hash] = listOf(value)
  return {
    id: Number(id),
    url: String(url) as CanonicalUrl,
    hash: String(hash ?? ''),
    ...{ depth: Number(depth), foundAt: Number(foundAt), inLinks: Number(inLinks) },
    signals: typeof signals === 'string' ? signalsOfText(signals) : null,
  }
}

/** How good the best is that a shard could give now. */
export type Rank = {
  /** The least goes first; null: there is nothing to give. */
  readonly rank: number | null
  /** Of equals the least goes first. */
  readonly member: string
  /** Of seeds' domains that could be visited before long: number, least served, sum, sum of squares. */
  readonly seeds: readonly number[]
  /** Requests that it has counted. */
  readonly requests: number
}

export function numbersOf(value: unknown): readonly number[] {
  return listOf(value).map(Number)
}
