// What a crawl tells while it runs. Each reader has its own short queue: of progress only the newest counts,
// so a slow reader misses some figures and holds nothing up.
import type { CrawlSummary } from '../core/summary.ts'
import type { Progress } from '../crawl/progress.ts'

/** Figures of a crawl that runs. */
export type CrawlProgress = {
  /** Pages stored, earlier runs of the same crawl included. */
  readonly stored: number
  readonly queued: number
  readonly inFlight: number
  readonly duplicates: number
  readonly refused: number
  readonly failed: number
  /** Bytes received by this run. */
  readonly bytes: number
  /** Pages that a topic judged in this run, and hot ones among them. */
  readonly judged: number
  readonly hot: number
}

export type CrawlEvent =
  | { readonly type: 'start'; readonly crawl: number; readonly continued: boolean }
  | ({ readonly type: 'progress' } & CrawlProgress)
  /** Something that a person may want to know: a process was started again, a host was given up. */
  | { readonly type: 'notice'; readonly text: string }
  /** The current work while no page is fetched, before and after the crawl. */
  | { readonly type: 'busy'; readonly text: string }
  | { readonly type: 'end'; readonly summary: CrawlSummary }

export function shownProgress({ stored, inFlight, bytes, counts, harvest }: Progress): CrawlEvent {
  const { queued, duplicate: duplicates, refused, failed } = counts
  const { judged, hot } = harvest
  const urls = { stored, queued, inFlight, duplicates, refused, failed }
  return { type: 'progress', ...urls, bytes, judged, hot }
}

/** Notices of a reader who does not read; older ones are dropped. */
const MAX_WAITING = 1000
/** Only the newest of these says something. */
const REPLACED: readonly CrawlEvent['type'][] = ['progress', 'busy']

type Reader = { waiting: CrawlEvent[]; wake: () => void }

export class EventStream implements AsyncIterable<CrawlEvent> {
  readonly #readers = new Set<Reader>()
  #start: CrawlEvent | null = null
  #end: { readonly last: CrawlEvent } | { readonly error: unknown } | null = null

  tell(event: CrawlEvent): void {
    if (event.type === 'start') this.#start = event
    for (const reader of this.#readers) {
      const { waiting } = reader
      const last = waiting.at(-1)
      if (last?.type === event.type && REPLACED.includes(event.type)) waiting.pop()
      if (waiting.length >= MAX_WAITING) waiting.shift()
      waiting.push(event)
      reader.wake()
    }
  }

  end(summary: CrawlSummary): void {
    this.#end = { last: { type: 'end', summary } }
    for (const { wake } of this.#readers) wake()
  }

  fail(error: unknown): void {
    this.#end = { error }
    for (const { wake } of this.#readers) wake()
  }

  /** Gets every event from now on, and the start if that was before. */
  [Symbol.asyncIterator](): AsyncGenerator<CrawlEvent, void, void> {
    const reader: Reader = { waiting: this.#start === null ? [] : [this.#start], wake: () => {} }
    this.#readers.add(reader)
    return this.#read(reader)
  }

  async *#read(reader: Reader): AsyncGenerator<CrawlEvent, void, void> {
    try {
      for (;;) {
        const event = reader.waiting.shift()
        if (event !== undefined) yield event
        else if (this.#end === null) await this.#news(reader)
        else break
      }
      if ('error' in this.#end) throw this.#end.error
      yield this.#end.last
    } finally {
      this.#readers.delete(reader)
    }
  }

  #news(reader: Reader): Promise<void> {
    return new Promise((resolve) => {
      reader.wake = resolve
    })
  }
}
