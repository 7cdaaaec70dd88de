// Workers and stores, where the server shares its work: told by every stream of events, asked for where
// no stream is open. What is not there on one machine is asked for once.
import { type Signal, signal } from '@preact/signals'
import type { StoreShown, Workers } from '../../api/shapes/worker.ts'
import { get, signInNeeded } from '../api.ts'

const ASK_EVERY_MS = 2000
/** Streams send every second; after so long without news the state is asked for. */
const QUIET_MS = 3500
const RETURN_SHOWN_MS = 10_000

/** Null before the first word. */
export const fleet: Signal<Workers | null> = signal(null)
/** A store that was away while we looked, and has just come back. */
export const returned: Signal<StoreShown | null> = signal(null)

const backListeners = new Set<() => void>()
let toldAt = 0
let timer: ReturnType<typeof setInterval> | undefined
let hideTimer: ReturnType<typeof setTimeout> | undefined

/** Called when all stores are there again: what could not be had meanwhile can be now. */
export function onStoresBack(listener: () => void): () => void {
  backListeners.add(listener)
  return () => backListeners.delete(listener)
}

export function storesAway(told: Workers | null): readonly StoreShown[] {
  return (told?.stores ?? []).filter(({ up }) => !up)
}

export function tookWorkers(told: Workers): void {
  const before = storesAway(fleet.value)
  fleet.value = told
  toldAt = Date.now()
  const back = told.stores.find(({ store, up }) => up && before.some((one) => one.store === store))
  if (back !== undefined) showReturn(back)
  if (before.length > 0 && storesAway(told).length === 0) for (const tell of backListeners) tell()
}

/** From now on, as long as the page is open. */
export function watchFleet(): void {
  void askOnce()
  timer ??= setInterval(() => {
    if (fleet.value?.shared === false) return clearInterval(timer)
    const isTold = Date.now() - toldAt < QUIET_MS
    const isWatched = document.visibilityState === 'visible' && !signInNeeded.value
    if (!isTold && isWatched) void askOnce()
  }, ASK_EVERY_MS)
}

async function askOnce(): Promise<void> {
  const answer = await get<Workers>('/workers')
  if (answer.ok) tookWorkers(answer.value)
}

function showReturn(store: StoreShown): void {
  returned.value = store
  clearTimeout(hideTimer)
  hideTimer = setTimeout(() => {
    returned.value = null
  }, RETURN_SHOWN_MS)
}
