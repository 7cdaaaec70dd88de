import type { ApiDeps } from '../api-deps.ts'
import { leasesView, workersView } from '../fleet-views.ts'
import type { EventChannel } from './event-channel.ts'
import { frame } from './event-reader.ts'

type NewsWorld = Pick<ApiDeps, 'fleet' | 'dispatcher' | 'clock'>

/**
 * Tells everybody who listens how workers and stores are, and who watches one job that runs, what of it is in
 * whose hands. All of it is of the moment.
 */
export class FleetNews {
  readonly #world: NewsWorld
  readonly #channels: () => readonly EventChannel[]
  readonly #unsubscribe: () => void
  /** Jobs whose leases are being read. */
  readonly #reading = new Set<number>()

  constructor(world: NewsWorld, channels: () => readonly EventChannel[]) {
    this.#world = world
    this.#channels = channels
    this.#unsubscribe = world.fleet?.subscribe(() => this.#tell()) ?? (() => {})
  }

  close(): void {
    this.#unsubscribe()
  }

  #tell(): void {
    const channels = this.#channels()
    if (channels.length === 0) return
    const workers = workersView(this.#world)
    for (const channel of channels) channel.tell(frame('workers', workers, channel.cursor))
    const watched = new Set(channels.flatMap(({ subject }) => subject.crawlId ?? []))
    for (const crawlId of watched) {
      if (this.#world.dispatcher.live(crawlId) !== null) void this.#tellLeases(crawlId)
    }
  }

  async #tellLeases(crawlId: number): Promise<void> {
    if (this.#reading.has(crawlId)) return
    this.#reading.add(crawlId)
    // That Redis is away is told by the state of the stores.
    const leases = (await this.#world.fleet?.leases(crawlId).catch(() => null)) ?? null
    this.#reading.delete(crawlId)
    if (leases === null) return
    const shown = leasesView(leases)
    for (const channel of this.#channels()) {
      if (channel.subject.crawlId !== crawlId) continue
      channel.tell(frame('leases', shown, channel.cursor))
    }
  }
}
