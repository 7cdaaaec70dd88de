// Live events of the server. The browser's own EventSource reconnects after most accidents and then
// says what it saw last; where it gives up (an error reply), we open a new one that says the same.
// A browser has six connections to a server, over all tabs: a hidden tab closes its own.
import { type Signal, signal } from '@preact/signals'
import { addressOf, checkSession } from './api.ts'
import { onStoresBack, tookWorkers } from './state/fleet.ts'

/** `open`: events come in. `lost`: the server does not answer; it is tried again and again. */
export type LinkState = 'connecting' | 'open' | 'lost'

type Listeners = Readonly<Record<string, (content: ReturnType<typeof JSON.parse>) => void>>

const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 15_000
const HIDDEN_FOR_MS = 20_000

type EventLinkOptions = {
  readonly path: string
  /** By name of the event; each gets the decoded JSON. */
  readonly listeners: Listeners
  /** Events may have been missed and are not sent again: what is shown should be loaded again. */
  readonly onReturn: () => void
}

export class EventLink {
  readonly state: Signal<LinkState> = signal('connecting')
  readonly #options: EventLinkOptions
  #source: EventSource | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #retryMs = FIRST_RETRY_MS
  #last = ''
  #interrupted = false
  readonly #forgetStores: () => void

  /** Listens until it is closed. */
  constructor(options: EventLinkOptions) {
    this.#options = options
    this.#forgetStores = onStoresBack(options.onReturn)
    document.addEventListener('visibilitychange', this.#onVisibility)
    this.#open()
  }

  close(): void {
    this.#forgetStores()
    document.removeEventListener('visibilitychange', this.#onVisibility)
    this.#letGo()
  }

  #open(): void {
    this.#letGo()
    const { path, listeners: own } = this.#options
    // Every stream tells of these.
    const listeners: Listeners = { ...own, workers: tookWorkers }
    const source = new EventSource(addressOf(path, { after: this.#last }))
    this.#source = source
    source.onopen = () => this.#opened()
    source.onerror = () => this.#failed(source)
    for (const [name, listener] of Object.entries(listeners)) {
      source.addEventListener(name, (event: MessageEvent<string>) => {
        if (event.lastEventId !== '') this.#last = event.lastEventId
        listener(JSON.parse(event.data))
      })
    }
  }

  #letGo(): void {
    clearTimeout(this.#timer)
    this.#source?.close()
    this.#source = null
  }

  #opened(): void {
    this.#retryMs = FIRST_RETRY_MS
    this.state.value = 'open'
    if (this.#interrupted) this.#options.onReturn()
    this.#interrupted = false
  }

  #failed(source: EventSource): void {
    this.state.value = 'lost'
    this.#interrupted = true
    if (source.readyState !== EventSource.CLOSED) return
    // It may be that we are not let in any more; the reply itself cannot be seen from here.
    void checkSession()
    this.#timer = setTimeout(() => this.#open(), this.#retryMs)
    this.#retryMs = Math.min(LAST_RETRY_MS, this.#retryMs * 2)
  }

  readonly #onVisibility = (): void => {
    clearTimeout(this.#timer)
    if (document.visibilityState === 'visible') {
      if (this.#source === null || this.#source.readyState === EventSource.CLOSED) this.#open()
      return
    }
    this.#timer = setTimeout(() => {
      this.#interrupted = true
      this.#letGo()
    }, HIDDEN_FOR_MS)
  }
}
