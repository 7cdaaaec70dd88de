// One request and its response, from the call to its single result. The time limits are enforced here: each
// phase has its own, none can be extended by sending a little at a time, and a total covers all.
import type { Dispatcher } from 'undici'
import { reasonCode } from '../core/visit.ts'
import type { Clock } from '../lib/clock.ts'
import { BodyReader, DRAIN_BYTES } from './body-reader.ts'
import {
  broken,
  crowdedCode,
  type Fault,
  faultOf,
  isGone,
  ours,
  type Stage,
  unwell,
} from './failure.ts'
import { type Fetched, type FetchRequest, type ResponseHeaders, readHeaders } from './fetched.ts'
import { type ConnectionUser, type HttpConnection, MAX_HEADER_BYTES } from './http-connection.ts'

export type FetchLimits = {
  /** Name lookup, TCP and TLS together. */
  readonly connectMs: number
  /** From the request to the end of the headers. */
  readonly headersMs: number
  /** Between two chunks of the body. */
  readonly idleMs: number
  /** From the call to the last byte. */
  readonly totalMs: number
}

type ExchangeOptions = {
  readonly request: FetchRequest
  readonly limits: FetchLimits
  readonly clock: Clock
  /** The request passes through a proxy. */
  readonly proxied: boolean
  /** Called once, with the result. The connection is idle or discarded by then. */
  readonly onResult: (fetched: Fetched) => void
  /** The response is complete and the connection is free. */
  readonly onFree: (connection: HttpConnection) => void
  /** HTTP/2 brought no response; called before the result. */
  readonly onHttp2Trouble?: () => void
}

const MAX_INTERIM = 10
/** The most bytes that an honest response adds to its body: interim responses, headers, one read ahead. */
const OVERHEAD_BYTES = (MAX_INTERIM + 1) * MAX_HEADER_BYTES + DRAIN_BYTES + 64 * 1024
const CANCELLED = ours('cancelled')
const BODYLESS = new Set([204, 205, 304])
const CONDITION = /^if-(?:none-match|modified-since)$/i

export class Exchange implements ConnectionUser {
  readonly request: FetchRequest
  readonly #options: ExchangeOptions
  readonly #calledAt = performance.now()
  #connection: HttpConnection | null = null
  #stage: Stage = 'connecting'
  #settled = false
  /** Epoch milliseconds; null until the request is sent. */
  #startedAt: number | null = null
  /** Monotonic: start of the current phase, or arrival of the last chunk. */
  #since = this.#calledAt
  #sentAt = this.#calledAt
  #interim = 0
  #status = 0
  #headers: ResponseHeaders | null = null
  #intake: BodyReader | null = null

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.request = options.request
  }

  /** Sends the request on this connection; the exchange then releases the connection. */
  sendOn(connection: HttpConnection, options: Dispatcher.DispatchOptions): void {
    if (this.#settled) {
      connection.discard()
      return
    }
    if (this.request.mayStart?.() === false) {
      connection.discard()
      this.#settle({ outcome: 'stale' })
      return
    }
    this.#connection = connection
    connection.send(options, this)
  }

  refuse(reason: string): void {
    this.#settle({ outcome: 'refused', reason })
  }

  fail(fault: Fault): void {
    if (this.#settled) return
    // The body is usable already, so a failure of the rest does not matter.
    if (this.#intake?.suffices) {
      this.#intake.cutHere()
      this.#hangUp(this.#intake)
    } else this.#settleFault(fault)
  }

  /** Ends the exchange if it has exceeded a limit by `now` (monotonic). */
  check(now: number): void {
    this.#connection?.measure()
    const { connectMs, headersMs, idleMs, totalMs } = this.#options.limits
    const phaseMs = now - this.#since
    if (now - this.#calledAt > totalMs) this.fail(unwell('timeout-total', `${totalMs} ms`))
    else if (this.#stage === 'connecting') {
      if (phaseMs > connectMs) this.fail(unwell('timeout-connect', `${connectMs} ms`))
    } else if (this.#stage === 'waiting') {
      if (phaseMs > headersMs) this.fail(unwell('timeout-headers', `${headersMs} ms`))
    } else if (phaseMs > idleMs) this.fail(unwell('timeout-idle', `${idleMs} ms`))
  }

  cancel(): void {
    this.fail(CANCELLED)
  }

  onRequestStart(): void {
    this.#connection?.begin(OVERHEAD_BYTES)
    this.#stage = 'waiting'
    this.#startedAt = this.#options.clock.now()
    this.#since = this.#sentAt = performance.now()
    this.request.onStart()
  }

  onInterim(): void {
    this.#interim += 1
    if (this.#interim > MAX_INTERIM) this.fail(broken('protocol', 'too many interim answers'))
  }

  onFlood(): void {
    this.fail(broken('protocol', 'more bytes on the wire than in the answer'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    raw: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (this.#settled) return
    const objection = this.#objectionTo(status)
    if (objection !== null) this.fail(objection)
    else if (status < 200) this.onInterim()
    else this.#expectBody(status, readHeaders(raw))
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    const intake = this.#intake
    if (this.#settled || intake === null) return
    this.#since = performance.now()
    intake.add(chunk)
    if (intake.overfull) this.#hangUp(intake)
  }

  onResponseEnd(): void {
    const connection = this.#connection
    const intake = this.#intake
    if (this.#settled || connection === null || intake === null) return
    this.#connection = null
    connection.end()
    this.#options.onFree(connection)
    this.#settleResponse(intake, connection.wireBytes)
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#settled) return
    const crowded = this.#stage === 'connecting' ? crowdedCode(error) : null
    if (crowded !== null) this.#settle({ outcome: 'stale', crowded })
    else if (this.#goneUnused(error)) this.#settle({ outcome: 'stale' })
    else this.fail(faultOf(error, this.#stage))
  }

  #objectionTo(status: number): Fault | null {
    if (status < 100 || status === 101 || status > 599) {
      return broken('protocol', `status ${status}`)
    }
    if (status === 407 && this.#options.proxied) return ours('the proxy answered 407')
    if (status !== 304) return null
    const conditional = Object.keys(this.request.headers ?? {}).some((name) => CONDITION.test(name))
    return conditional ? null : broken('protocol', '304 to a request without conditions')
  }

  /** True if the server closed an idle connection while the request was on its way. */
  #goneUnused(error: Error): boolean {
    const connection = this.#connection
    if (connection === null || connection.answered === 0 || connection.wireBytes > 0) return false
    return this.#stage === 'waiting' && isGone(error)
  }

  #expectBody(status: number, headers: ResponseHeaders): void {
    this.#status = status
    this.#headers = headers
    const bodyless = BODYLESS.has(status)
    const wanted = bodyless ? 0 : this.request.wants(status, headers)
    this.#stage = 'body'
    this.#since = performance.now()
    const length = bodyless ? null : headers.contentLength
    const intake = new BodyReader(wanted, length, this.request.share)
    this.#intake = intake
    // Framing of small chunks can double a body; an honest response needs no more.
    if (this.#connection !== null) this.#connection.wireLimit = OVERHEAD_BYTES + 2 * wanted
    if (intake.overfull) this.#hangUp(intake)
  }

  /** Accepts the response as received so far and closes the connection. */
  #hangUp(intake: BodyReader): void {
    this.#settleResponse(intake, this.#connection?.wireBytes ?? 0)
  }

  #settleResponse({ body, truncated }: BodyReader, wireBytes: number): void {
    const headers = this.#headers
    const startedAt = this.#startedAt
    if (headers === null || startedAt === null) return
    this.#settle({
      outcome: 'response',
      status: this.#status,
      headers,
      body,
      wireBytes,
      // A partial response that was not requested is incomplete.
      truncated: truncated || this.#status === 206,
      startedAt,
      tookMs: performance.now() - this.#sentAt,
    })
  }

  #settleFault(fault: Fault): void {
    if (this.#connection?.isHttp2 && this.#blamesHttp2(fault)) return
    const tookMs = performance.now() - this.#sentAt
    this.#settle({ outcome: 'failed', ...fault, startedAt: this.#startedAt, tookMs })
  }

  /**
   * Any failure may be caused by HTTP/2, so the origin is requested with HTTP/1.1 from now on. Returns true
   * if this request should be repeated, too; after a timeout it should not.
   */
  #blamesHttp2({ reason }: Fault): boolean {
    if (reason === CANCELLED.reason) return false
    this.#options.onHttp2Trouble?.()
    if (reasonCode(reason).startsWith('timeout')) return false
    this.#settle({ outcome: 'stale' })
    return true
  }

  #settle(fetched: Fetched): void {
    if (this.#settled) return
    // Must be first: closing the connection calls back at once.
    this.#settled = true
    this.#intake?.release()
    this.#connection?.discard()
    this.#connection = null
    this.#options.onResult(fetched)
  }
}
