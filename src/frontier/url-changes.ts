// Changes of a frontier since its copy in the store was made. One process at a time takes them in order, and
// acknowledges them once they are durable there.
//
// A URL that changes again before its change is acknowledged is reported again, so the copy never misses
// anything for long. Applying a change twice is harmless.
import type { StatesBatch } from '../core/url-copy.ts'

export type SomeChanges = StatesBatch & {
  /** For each URL of the batch, in its order: the number of the reported change. Used by `copied`. */
  readonly marks: readonly number[]
}

export interface UrlChanges extends AsyncDisposable {
  /**
   * The URLs whose changes are oldest, in their current state, with their hosts. A settled URL comes after
   * the links of its page. An empty batch means that the copy is complete; null means that another process
   * makes the copy.
   */
  take(limit: number): Promise<SomeChanges | null>
  /** Marks them as copied, except for those that have changed since. */
  copied(changes: SomeChanges): Promise<void>
  /** Lets another process make the copy. */
  leave(): Promise<void>
}
