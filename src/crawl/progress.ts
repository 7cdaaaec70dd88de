// The progress of a crawl, for the status line, the summary and the dashboard.
import { type HostState, NO_COUNTS, type UrlCounts } from '../core/host.ts'
import { type Harvest, NO_HARVEST } from '../core/importance.ts'
import { given } from '../lib/present.ts'
import type { FromChild } from '../wire/control.ts'

export type Progress = {
  /** Pages stored, duplicates not counted; includes earlier runs of the same crawl. */
  readonly stored: number
  /** The part that the parsers of this run stored themselves. */
  readonly saved: number
  readonly counts: UrlCounts
  /** The hosts with the most pages. */
  readonly hosts: readonly HostState[]
  /** Jain's index over seeds' domains, relative to what each could have been given. */
  readonly fairness: number
  readonly inFlight: number
  /** Bytes received: of this run in reports of its supervisor, of all runs in sums. */
  readonly bytes: number
  readonly scouterRssBytes: number
  readonly parserRssBytes: number
  /** CPU time of the current process; it falls when a new process is started. */
  readonly scouterCpuMs: number
  readonly parserCpuMs: number
  /** 0 until its first message. */
  readonly scouterPid: number
  readonly parserPid: number
  /** Children started again after they died. */
  readonly restarts: number
  /** Harvest of this run; all 0 without a topic. */
  readonly harvest: Harvest
  /** URLs still to be visited again; left out if this is no recrawl. */
  readonly revisits?: number
  /** How long the network of this machine has been down; left out if it is up. */
  readonly awayMs?: number
}

/** The progress known from store and frontier, whether the crawl runs or not. */
export type KnownProgress = Pick<Progress, 'stored' | 'counts' | 'hosts' | 'fairness'>

export const NO_PROGRESS: Progress = {
  stored: 0,
  saved: 0,
  counts: NO_COUNTS,
  hosts: [],
  fairness: 1,
  inFlight: 0,
  bytes: 0,
  scouterRssBytes: 0,
  parserRssBytes: 0,
  scouterCpuMs: 0,
  parserCpuMs: 0,
  scouterPid: 0,
  parserPid: 0,
  restarts: 0,
  harvest: NO_HARVEST,
}

/**
 * Totals of the children of this run that have exited: pages judged and stored by parsers, bytes received by
 * scouters.
 */
export type OfTheDead = Pick<Progress, 'harvest' | 'bytes' | 'saved'>

export const NOBODY_DIED: OfTheDead = { harvest: NO_HARVEST, bytes: 0, saved: 0 }

/** The progress after one more heartbeat. */
export function withBeat(
  before: Progress,
  beat: Extract<FromChild, { type: 'beat' }>,
  dead: OfTheDead,
): Progress {
  if (beat.role === 'parser') {
    const { stored, recentJudged, recentHot } = beat
    const saved = dead.saved + beat.saved
    const { rssBytes: parserRssBytes, cpuMs: parserCpuMs, pid: parserPid } = beat
    const harvest = {
      judged: dead.harvest.judged + beat.judged,
      hot: dead.harvest.hot + beat.hot,
      leftOut: dead.harvest.leftOut + beat.leftOut,
      recentJudged,
      recentHot,
    }
    return { ...before, stored, saved, parserRssBytes, parserCpuMs, parserPid, harvest }
  }
  const { counts, hosts, fairness, inFlight, awayMs } = beat
  const { awayMs: _, ...known } = before
  const { rssBytes: scouterRssBytes, cpuMs: scouterCpuMs, pid: scouterPid } = beat
  const now = {
    counts,
    hosts,
    fairness,
    inFlight,
    bytes: dead.bytes + beat.bytes,
    scouterRssBytes,
    scouterCpuMs,
    scouterPid,
    ...given({ revisits: beat.revisits, awayMs }),
  }
  return { ...known, ...now }
}
