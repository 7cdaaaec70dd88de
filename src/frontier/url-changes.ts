// What changed in a frontier since its copy in the store was made: taken in order by one process at a
// time, and acknowledged once it is durable there.
//
// A URL that changes again before its change is acknowledged is told again: so nothing is ever missing
// from the copy for long, and whatever is told twice comes to the same.
import type { StatesBatch } from '../core/url-copy.ts'

export type SomeChanges = StatesBatch & {
  /** Of each URL in the batch, in its order: which change was told. For `copied`. */
  readonly marks: readonly number[]
}

export interface UrlChanges extends AsyncDisposable {
  /**
   * The oldest URLs that changed, as they are now, with their hosts; a URL that is settled comes after
   * the links it brought. No URLs: the copy has all. Null: another process makes the copy.
   */
  take(limit: number): Promise<SomeChanges | null>
  /** Keeps them from being told again, but for those that have changed since. */
  copied(changes: SomeChanges): Promise<void>
  /** Lets another process make the copy. */
  leave(): Promise<void>
}
