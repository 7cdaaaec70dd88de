// A scouter and its parser: several pairs may work on one crawl of a folder.
import type { CrawlSettings } from './job.ts'

/** `nth` counts from 0. */
export type Pair = { readonly nth: number; readonly of: number }

export const ONLY_PAIR: Pair = { nth: 0, of: 1 }

type Shared = Pick<CrawlSettings, 'concurrency' | 'perIp' | 'parserThreads'>

/** The most pairs among which the limits of a crawl can be shared out. */
export function maxPairs({ concurrency, perIp }: Shared): number {
  return Math.min(concurrency, perIp ?? Number.POSITIVE_INFINITY)
}

/** The settings of one pair: its part of what all pairs may use together. */
export function settingsOfPair<S extends Shared>(settings: S, pair: Pair): S {
  const { concurrency, perIp, parserThreads } = settings
  return {
    ...settings,
    concurrency: partOf(concurrency, pair),
    perIp: perIp === null ? null : partOf(perIp, pair),
    parserThreads: partOf(parserThreads, pair),
  }
}

/** The parts of all pairs add up to the whole; each has at least one. */
function partOf(whole: number, { nth, of }: Pair): number {
  return Math.max(1, Math.floor(whole / of) + (nth < whole % of ? 1 : 0))
}
