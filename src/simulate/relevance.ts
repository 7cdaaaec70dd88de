// How much of the topic was found, and how soon. Example pages are in none of the counts: neither
// in what was fetched (n), nor in what is relevant (R), nor in what could be reached.
import type { Replay } from './replay-result.ts'
import { pagesAt, wentTo, type Yardstick } from './yardstick.ts'

export const NAUC_SHARE = 0.2

export type RelevanceFigures = {
  readonly harvest: Float64Array
  readonly recall: Float64Array
  readonly ofIdeal: Float64Array
  readonly relevantHosts: Float64Array
}

/** After n counted fetches, at index n: relevant pages, and hosts they are on. */
type Found = { readonly pages: Uint32Array; readonly hosts: Uint32Array; readonly counted: number }

export type RelevanceMeter = {
  at(shares: ArrayLike<number>): RelevanceFigures
  nauc20(): number
}

export function openRelevanceMeter(yardstick: Yardstick, replay: Replay): RelevanceMeter {
  const found = countFound(yardstick, replay)
  return {
    at: (shares) => figuresAt(yardstick, replay, found, shares),
    nauc20: () => meanOfIdeal(yardstick, replay, found),
  }
}

function figuresAt(
  yardstick: Yardstick,
  replay: Replay,
  found: Found,
  shares: ArrayLike<number>,
): RelevanceFigures {
  const { relevant } = yardstick
  const blank = () => new Float64Array(shares.length).fill(Number.NaN)
  const figures = { harvest: blank(), recall: blank(), ofIdeal: blank(), relevantHosts: blank() }
  for (let at = 0; at < shares.length && relevant > 0; at++) {
    const share = shares[at] ?? 0
    if (!wentTo(share, yardstick, replay)) continue
    const n = pagesAt(share, countable(yardstick))
    const fetched = Math.min(n, found.counted)
    const pages = found.pages[fetched] ?? 0
    figures.harvest[at] = fetched === 0 ? 0 : (100 * pages) / fetched
    figures.recall[at] = (100 * pages) / relevant
    figures.ofIdeal[at] = (100 * pages) / Math.min(n, relevant)
    figures.relevantHosts[at] = found.hosts[fetched] ?? 0
  }
  return figures
}

/** A crawl that ran dry keeps what it has; one that was stopped before was not measured. */
function meanOfIdeal(yardstick: Yardstick, replay: Replay, found: Found): number {
  const { relevant } = yardstick
  if (relevant === 0 || !wentTo(NAUC_SHARE, yardstick, replay)) return Number.NaN
  const last = pagesAt(NAUC_SHARE, countable(yardstick))
  let sum = 0
  for (let n = 1; n <= last; n++) {
    sum += (found.pages[Math.min(n, found.counted)] ?? 0) / Math.min(n, relevant)
  }
  return (100 * sum) / last
}

function countable(yardstick: Yardstick): number {
  return yardstick.reachable - yardstick.leftOut
}

function countFound({ world, truth }: Yardstick, { fetched }: Replay): Found {
  const pages = new Uint32Array(fetched.length + 1)
  const hosts = new Uint32Array(fetched.length + 1)
  const known = new Set<number>()
  let counted = 0
  let relevant = 0
  for (const page of fetched) {
    if (truth.leftOut[page]) continue
    counted++
    if (truth.relevant[page]) {
      relevant++
      known.add(world.hostOf[page] ?? 0)
    }
    pages[counted] = relevant
    hosts[counted] = known.size
  }
  return { pages, hosts, counted }
}
