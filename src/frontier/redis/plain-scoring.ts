// What orderings make of settlements that weigh nothing but what is at hand: most of them, and then one
// script settles a batch. Links that would change nothing are left out.
import type { Scorer } from '../../ordering/ordering.ts'
import type { Settlement } from '../frontier.ts'
import type { Calls } from './calls.ts'
import { FamiliarLinks } from './familiar-links.ts'
import { needsOf } from './needs.ts'
import type { RedisFrontierOptions } from './options.ts'
import type { OwnLeases } from './own-leases.ts'
import { decodeStaleRow } from './reply.ts'
import { scoreNew } from './scoring.ts'
import { depthBehind, linksOf, type SettledUrl, type ToSettle } from './settlement-words.ts'

export class PlainScoring {
  readonly #scorer: Scorer
  readonly #calls: Calls
  readonly #own: OwnLeases
  /** Null where every link counts. */
  readonly #familiar: FamiliarLinks | null

  constructor(options: RedisFrontierOptions, calls: Calls, own: OwnLeases) {
    const { ordering, scorer, job } = options
    this.#scorer = scorer
    this.#calls = calls
    this.#own = own
    const needs = needsOf(ordering, scorer, { exactDepth: job.settings.maxDepth !== null })
    const everyCounts = needs.links || needs.pages || needs.edges
    this.#familiar = everyCounts ? null : new FamiliarLinks({ weighsDepth: needs.depths })
  }

  /** `lastId`: as far as URLs are known to be numbered. */
  async settlements(
    settlements: readonly Settlement[],
    lastId: number,
  ): Promise<readonly ToSettle[]> {
    const known = await this.#knownOf(settlements)
    return settlements.map((settlement) => {
      const url = known.get(settlement)
      const depth = depthBehind(settlement, url)
      const facts = { depth, foundAt: lastId + 1, isLink: isLinked(settlement) }
      const familiar = settlement.outcome === 'redirected' ? null : this.#familiar
      const scored = linksOf(settlement).map((link) =>
        familiar?.has(link, depth) ? null : scoreNew(this.#scorer, link, facts),
      )
      return { settlement, known: url, scored }
    })
  }

  /** What the server knew it may know no more. */
  forget(): void {
    this.#familiar?.clear()
  }

  /** All of them were taken, with their links. */
  taken(settled: readonly ToSettle[]): void {
    const familiar = this.#familiar
    if (familiar === null) return
    for (const { settlement, known } of settled) {
      const depth = depthBehind(settlement, known)
      for (const link of linksOf(settlement)) familiar.learn(link, depth)
    }
  }

  /** URL and depth of pages that are settled; asked for where this session has no lease of them. */
  async #knownOf(settlements: readonly Settlement[]): Promise<ReadonlyMap<Settlement, SettledUrl>> {
    const known = new Map<Settlement, SettledUrl>()
    const unknown: Settlement[] = []
    for (const settlement of settlements) {
      const lease = this.#own.leaseOf(settlement.lease)
      const { token, url, depth } = settlement.lease
      if (token === null && url !== undefined && depth !== undefined) {
        known.set(settlement, { url, depth })
      } else if (lease !== undefined) known.set(settlement, lease)
      else if (settlement.lease.kind === 'page') unknown.push(settlement)
    }
    if (unknown.length === 0) return known
    const ids = unknown.map(({ lease }) => lease.id)
    const { reply } = await this.#calls.run('peek', [ids.length, ...ids])
    for (const [at, settlement] of unknown.entries()) {
      if (reply[at]) known.set(settlement, decodeStaleRow(reply[at]))
    }
    return known
  }
}

function isLinked({ outcome }: Settlement): boolean {
  return outcome === 'stored' || outcome === 'duplicate' || outcome === 'refused'
}
