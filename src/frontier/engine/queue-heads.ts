// The best candidates of an origin, from the disk and from the rows whose new facts are only in memory. This
// writes nothing: the disk returns its best by what it knows, changed rows are sorted in by their new score,
// and the list is cut where the disk could still have better ones.
import type { Ranked, Rows } from './rows.ts'
import type { UrlTable } from './url-table.ts'

export type QueueHeadsOptions = {
  readonly rows: Pick<Rows, 'transaction'>
  readonly urls: UrlTable
  readonly isHeld: (id: number) => boolean
  /** The number of leased URLs whose rows still have the state `queued`. */
  readonly heldUnmarked: () => number
}

export class QueueHeads {
  readonly #options: QueueHeadsOptions

  constructor(options: QueueHeadsOptions) {
    this.#options = options
  }

  /** At most `limit` candidates, best first, without leased ones. Empty only if none waits. */
  of(originId: number, limit: number): readonly Ranked[] {
    const { urls, isHeld, heldUnmarked } = this.#options
    // The row of a leased URL may still have the state `queued`: read that many more and skip them.
    const wanted = limit + heldUnmarked()
    const onDisk = urls.headOf(originId, wanted)
    const last = onDisk.length < wanted ? null : onDisk.at(-1)
    const risen = Array.from(urls.changedOf(originId), ({ id, priority }): Ranked => [id, priority])
    const unchanged = risen.length === 0 ? onDisk : onDisk.filter(([id]) => !urls.isChanged(id))
    const all = risen.length === 0 ? unchanged : [...unchanged, ...risen].sort(byRank)
    const sure = last ? all.filter((ranked) => byRank(ranked, last) <= 0) : all
    const head = sure.filter(([id]) => !isHeld(id)).slice(0, limit)
    return head.length === 0 && last ? this.#afterWriting(originId, limit) : head
  }

  /** Everything that the disk put in front has fallen behind, so only the disk knows what is better now. */
  #afterWriting(originId: number, limit: number): readonly Ranked[] {
    const { rows, urls } = this.#options
    rows.transaction(() => urls.writeBehind({ all: true }))
    return this.of(originId, limit)
  }
}

function byRank([idA, a]: Ranked, [idB, b]: Ranked): number {
  return b - a || idA - idB
}
