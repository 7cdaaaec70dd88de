// A crawl at a glance: what the status line, the summary and the dashboard show.
import { type Harvest, NO_HARVEST } from '../core/harvest.ts'
import type { HostState, UrlCounts } from '../core/host.ts'
import { URL_STATES } from '../core/visit.ts'
import type { FromChild } from '../wire/control.ts'

export type Progress = {
  /** Pages stored, duplicates not counted; includes earlier runs of the same crawl. */
  readonly stored: number
  readonly counts: UrlCounts
  /** The hosts with the most pages. */
  readonly hosts: readonly HostState[]
  readonly inFlight: number
  /** Bytes received in this run. */
  readonly bytes: number
  readonly scouterRssBytes: number
  readonly parserRssBytes: number
  /** Children started again after they died. */
  readonly restarts: number
  /** Of this run; all 0 without a topic. */
  readonly harvest: Harvest
}

const NO_COUNTS = Object.fromEntries(URL_STATES.map((state) => [state, 0])) as UrlCounts

export const NO_PROGRESS: Progress = {
  stored: 0,
  counts: NO_COUNTS,
  hosts: [],
  inFlight: 0,
  bytes: 0,
  scouterRssBytes: 0,
  parserRssBytes: 0,
  restarts: 0,
  harvest: NO_HARVEST,
}

/** The progress after one more heartbeat. `earlier`: what parsers that died in this run had judged. */
export function withBeat(
  before: Progress,
  beat: Extract<FromChild, { type: 'beat' }>,
  earlier: Harvest,
): Progress {
  if (beat.role === 'parser') {
    const { stored, rssBytes: parserRssBytes, recentJudged, recentHot } = beat
    const harvest = {
      judged: earlier.judged + beat.judged,
      hot: earlier.hot + beat.hot,
      leftOut: earlier.leftOut + beat.leftOut,
      recentJudged,
      recentHot,
    }
    return { ...before, stored, parserRssBytes, harvest }
  }
  const { counts, hosts, inFlight, bytes, rssBytes } = beat
  return { ...before, counts, hosts, inFlight, bytes, scouterRssBytes: rssBytes }
}
