// Adds up the progress of several machines that run one crawl.
import type { Harvest } from '../core/importance.ts'
import type { ProgressSnapshot, ProgressTotals } from '../fleet/worker-registry.ts'
import { NO_PROGRESS, type Progress } from './progress.ts'

const { counts: _counts, hosts: _hosts, fairness: _fairness, ...NONE } = NO_PROGRESS
export const NO_TOTALS: ProgressTotals = NONE

export function totalsOf(progress: Progress): ProgressTotals {
  const { counts: _c, hosts: _h, fairness: _f, revisits: _r, awayMs: _a, ...figures } = progress
  return figures
}

export function snapshotOf({ counts, hosts, fairness, revisits }: Progress): ProgressSnapshot {
  return { counts, hosts, fairness, ...(revisits === undefined ? {} : { revisits }) }
}

/** The page count is shared; all else adds up. */
export function sumOf(all: readonly ProgressTotals[]): ProgressTotals {
  return all.reduce(
    (sum, one) => ({
      stored: Math.max(sum.stored, one.stored),
      saved: sum.saved + one.saved,
      inFlight: sum.inFlight + one.inFlight,
      bytes: sum.bytes + one.bytes,
      scouterRssBytes: sum.scouterRssBytes + one.scouterRssBytes,
      parserRssBytes: sum.parserRssBytes + one.parserRssBytes,
      scouterCpuMs: sum.scouterCpuMs + one.scouterCpuMs,
      parserCpuMs: sum.parserCpuMs + one.parserCpuMs,
      scouterPid: sum.scouterPid || one.scouterPid,
      parserPid: sum.parserPid || one.parserPid,
      restarts: sum.restarts + one.restarts,
      harvest: bothHarvests(sum.harvest, one.harvest),
    }),
    NO_TOTALS,
  )
}

/** For processes that have ended: their results stay, their use of the machine does not. */
export function leftBehind(figures: ProgressTotals): ProgressTotals {
  const { stored, saved, bytes, restarts, harvest } = figures
  const { judged, hot, leftOut } = harvest
  const done = { judged, hot, leftOut, recentJudged: 0, recentHot: 0 }
  return { ...NO_TOTALS, stored, saved, bytes, restarts, harvest: done }
}

function bothHarvests(a: Harvest, b: Harvest): Harvest {
  return {
    judged: a.judged + b.judged,
    hot: a.hot + b.hot,
    leftOut: a.leftOut + b.leftOut,
    recentJudged: a.recentJudged + b.recentJudged,
    recentHot: a.recentHot + b.recentHot,
  }
}
