// The states of a URL in the tables. There are two more than users see: a queued URL that waits for its next
// try, and a refused one that a later run tries again.
import { URL_STATES, type UrlState } from '../../core/visit.ts'

export const QUEUED = 0
export const LEASED = 1
export const STORED = 2
export const DUPLICATE = 3
export const REDIRECTED = 4
export const REFUSED = 5
export const FAILED = 6
/** Queued, but not before `next_at`; not in the queue's index. */
export const DELAYED = 7
/** Refused because it was unreachable; a later run tries it again. */
export const UNREACHABLE = 8

export type StateNumber = number

export function shownState(state: StateNumber): UrlState {
  if (state === DELAYED) return 'queued'
  return URL_STATES[state] ?? 'refused'
}

/** True while its page may still be fetched. */
export function isOpen(state: StateNumber): boolean {
  return state === QUEUED || state === LEASED || state === DELAYED
}

/** Whether a URL in this state has a page in the store. */
export function hasPage(state: StateNumber): boolean {
  return state === STORED || state === DUPLICATE
}
