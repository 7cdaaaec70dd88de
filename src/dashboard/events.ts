// Live events of the server. The browser's own EventSource reconnects after most accidents and then
// says what it saw last; where it gives up (an error reply), we open a new one that says the same.
import { type Signal, signal } from '@preact/signals'
import { addressOf, type Query } from './api.ts'

/** `open`: events come in. `lost`: the server does not answer; it is tried again and again. */
export type LinkState = 'connecting' | 'open' | 'lost'

export type Listeners = Readonly<Record<string, (content: ReturnType<typeof JSON.parse>) => void>>

export type EventLink = {
  readonly state: Signal<LinkState>
  readonly close: () => void
}

const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 15_000

/** Listens until it is closed. A listener gets the decoded JSON of the event of its name. */
export function listen(path: string, listeners: Listeners, query: Query = {}): EventLink {
  const state = signal<LinkState>('connecting')
  let source: EventSource | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  let waitMs = FIRST_RETRY_MS
  let last = ''

  const open = (): void => {
    const after = last === '' ? {} : { after: last }
    source = new EventSource(addressOf(path, { ...query, ...after }))
    source.onopen = () => {
      waitMs = FIRST_RETRY_MS
      state.value = 'open'
    }
    source.onerror = () => {
      state.value = 'lost'
      if (source?.readyState !== EventSource.CLOSED) return
      retry = setTimeout(open, waitMs)
      waitMs = Math.min(LAST_RETRY_MS, waitMs * 2)
    }
    for (const [name, listener] of Object.entries(listeners)) {
      source.addEventListener(name, (event: MessageEvent<string>) => {
        if (event.lastEventId !== '') last = event.lastEventId
        listener(JSON.parse(event.data))
      })
    }
  }
  open()
  return {
    state,
    close: () => {
      clearTimeout(retry)
      source?.close()
    },
  }
}
