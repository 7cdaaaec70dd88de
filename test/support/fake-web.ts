// A web without a network: answers by URL, and the moment of every request on the clock of the test.
import { canonicalise } from '../../src/core/url.ts'
import { readHeaders } from '../../src/http/fetched.ts'
import type { Fetched, Fetcher, FetchRequest } from '../../src/http/fetcher.ts'
import type { ManualClock } from '../../src/lib/clock.ts'

export type FakeAnswer =
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
      readonly tookMs?: number
    }
  | Fetched

/** A list is given out one after the other, its last answer again and again. */
export type FakeAnswers = Readonly<Record<string, FakeAnswer | FakeAnswer[]>>

export const STALE: Fetched = { outcome: 'stale' }

export function failed(reason: string): Fetched {
  return {
    ...{ outcome: 'failed', reason, transient: true, hostFault: true },
    ...{ startedAt: null, tookMs: 1 },
  }
}

export class FakeWeb implements Fetcher {
  /** `<clock> <url>`, in the order of the requests. */
  readonly asked: string[] = []
  readonly sentHeaders = new Map<string, FetchRequest['headers']>()
  readonly #answers: FakeAnswers
  readonly #clock: ManualClock

  /** What `answers` lacks is 404. */
  constructor(clock: ManualClock, answers: FakeAnswers) {
    this.#clock = clock
    this.#answers = answers
  }

  /** The URLs that were requested, without the robots.txt files. */
  get pages(): string[] {
    return this.asked
      .map((line) => line.split(' ')[1]!)
      .filter((url) => !url.endsWith('robots.txt'))
  }

  /** When a URL was requested. */
  timesOf(url: string): number[] {
    const lines = this.asked.filter((line) => line.endsWith(` ${canonicalise(url)}`))
    return lines.map((line) => Number(line.split(' ')[0]))
  }

  addressesOf(): readonly string[] {
    return ['192.0.2.1']
  }

  async lookUp(): Promise<number> {
    return 0
  }

  async fetch(request: FetchRequest): Promise<Fetched> {
    if (request.mayStart?.() === false) return STALE
    const now = this.#clock.now()
    this.asked.push(`${now} ${request.url}`)
    this.sentHeaders.set(request.url, request.headers)
    request.onStart()
    const found = this.#answers[request.url] ?? { status: 404 }
    const answer = Array.isArray(found) ? (found.length > 1 ? found.shift()! : found[0]!) : found
    if ('outcome' in answer) return answer
    const { status = 200, body = '', tookMs = 5 } = answer
    const headers = readHeaders({ 'content-type': 'text/html', ...answer.headers })
    const wanted = Buffer.from(body).subarray(0, request.wants(status, headers))
    const truncated = wanted.byteLength < body.length
    const timing = { startedAt: now, tookMs, wireBytes: body.length }
    return { outcome: 'response', status, headers, body: [wanted], truncated, ...timing }
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
