// Gives other shards what settlements bring them, before they are settled here.
import { type Handed, splitLinks, withoutLoop } from './elsewhere.ts'
import type { ShardName } from './keys.ts'
import type { RedisFrontierOptions } from './options.ts'
import type { OwnLeases } from './own-leases.ts'
import { runReading } from './read-scripts.ts'
import { listOf } from './reply.ts'
import type { ToSettle } from './settlement-words.ts'

export type Handing = {
  readonly options: Pick<RedisFrontierOptions, 'connection' | 'elsewhere'>
  readonly name: ShardName
  readonly own: OwnLeases
}

/** `own`: what is left for this shard, in the same order. */
export async function handOver(
  toSettle: readonly ToSettle[],
  handing: Handing,
): Promise<{ readonly own: readonly ToSettle[]; readonly handed: readonly Handed[] }> {
  const { elsewhere } = handing.options
  if (elsewhere === undefined) return { own: toSettle, handed: [] }
  const levels = await mapLevels(toSettle, handing)
  const parts = await Promise.all(
    toSettle.map(async (each) => {
      const { lease: settled } = each.settlement
      const lease = handing.own.leaseOf(settled)
      const level = levels.get(settled.id) ?? 0
      const known = await withoutLoop(each, elsewhere.leads)
      const { own, away } = splitLinks(known, { lease, level }, elsewhere.isElsewhere)
      // It will not be taken: whoever holds it now tells what it leads to.
      const isLost = lease === undefined && settled.token !== null
      return { own, away: isLost ? null : away }
    }),
  )
  const away = parts.flatMap((part) => (part.away === null ? [] : [part.away]))
  const handed = away.length === 0 ? [] : await elsewhere.handOver(away)
  return { own: parts.map(({ own }) => own), handed }
}

/** Of sitemaps: how many led to each. */
async function mapLevels(
  toSettle: readonly ToSettle[],
  { options: { connection }, name }: Handing,
): Promise<ReadonlyMap<number, number>> {
  const ids = toSettle.flatMap(({ settlement: { lease } }) =>
    lease.kind === 'sitemap' ? [lease.id] : [],
  )
  if (ids.length === 0) return new Map()
  const levels = listOf(await runReading(connection, name, 'map-levels', ...ids))
  return new Map(ids.map((id, at) => [id, Number(levels[at])]))
}
