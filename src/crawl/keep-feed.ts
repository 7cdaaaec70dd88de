// Serves the feed of a workspace while this process runs: at once, or as soon as the process that serves it
// now leaves. A feed that cannot be served is reported, and harms nothing else.
import { setTimeout as pause } from 'node:timers/promises'
import { type FeedServer, openFeedServer } from '../feed/feed-server.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Time between two checks whether the feed is free and a store exists. */
const LOOK_EVERY_MS = 500
const AT_THE_END = { stallMs: 5000, maxMs: 60_000 }
/** The same if the user waits for the end. */
const IN_A_HURRY = { stallMs: 1000, maxMs: 2000 }

type KeepFeedOptions = {
  readonly workspace: Workspace
  readonly onNotice: (text: string) => void
}

export class KeptFeed implements AsyncDisposable {
  readonly #options: KeepFeedOptions
  readonly #leaving = new AbortController()
  readonly #served: Promise<void>
  #server: FeedServer | null = null

  constructor(options: KeepFeedOptions) {
    this.#options = options
    this.#served = this.#serve()
  }

  get isServing(): boolean {
    return this.#server !== null
  }

  /** The current number of listeners here. */
  get listeners(): number {
    return this.#server?.listeners ?? 0
  }

  /** Listeners that keep reading get everything stored until now; then the feed ends. */
  async finish(isHurried = false): Promise<void> {
    await this.#server?.finish(isHurried ? IN_A_HURRY : AT_THE_END)
    await this[Symbol.asyncDispose]()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort()
    await this.#served
  }

  async #serve(): Promise<void> {
    try {
      while (!this.#leaving.signal.aborted) {
        await this.#serveIfFree()
        await pause(LOOK_EVERY_MS, undefined, { signal: this.#leaving.signal }).catch(() => {})
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.#options.onNotice(`${this.#options.workspace.feedSocket} is not served: ${why}`)
    }
  }

  /** Serves until the end, if the feed is free and there is a store. */
  async #serveIfFree(): Promise<void> {
    const { workspace } = this.#options
    await using lock = await workspace.lock('feed')
    if (lock === null) return
    await using feed = await workspace.changeFeed()
    if (feed === null) return
    await using server = await openFeedServer({ path: workspace.feedSocket, feed })
    this.#server = server
    await aborted(this.#leaving.signal)
    this.#server = null
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
