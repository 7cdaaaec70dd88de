// What a fetch asks for and what it brings.
import type { CanonicalUrl } from '../core/url.ts'
import type { RoomShare } from './body-room.ts'
import type { ResponseHeaders } from './response-headers.ts'

export type Fetched =
  | {
      readonly outcome: 'response'
      readonly status: number
      readonly headers: ResponseHeaders
      /** As it came, up to what was wanted; still encoded. */
      readonly body: readonly Uint8Array[]
      /** All that was received for it, headers and framing included. */
      readonly wireBytes: number
      /** The server had more of it than was wanted, or sent only a part. */
      readonly truncated: boolean
      /** Epoch milliseconds. */
      readonly startedAt: number
      readonly tookMs: number
    }
  /**
   * A kept connection that the server had closed: nothing came back. Asking again is right, but it is
   * one more request, so in the host's own time. `crowded`: this machine has no file, port or memory left
   * for a connection, as this code says; nothing was sent.
   */
  | { readonly outcome: 'stale'; readonly crowded?: string }
  /** `private-address: 10.0.0.1`, `port: 6379`: nothing was sent. */
  | { readonly outcome: 'refused'; readonly reason: string }
  | {
      readonly outcome: 'failed'
      /** A code of FAILURES, then what helps a person. */
      readonly reason: string
      /** Trying again may help. */
      readonly transient: boolean
      /** It says something about the host, not only about this URL. */
      readonly hostFault: boolean
      /** Null when no request went out. */
      readonly startedAt: number | null
      readonly tookMs: number
    }

export type FetchRequest = {
  readonly url: CanonicalUrl
  /** Asked once at the headers: how many bytes of the body are wanted; 0: none. */
  wants(status: number, headers: ResponseHeaders): number
  /** Of the memory for long bodies; left out: it may have what it wants. */
  readonly share?: RoomShare
  /** Asked when it is about to go out: false, and it does not, but comes back as `stale`. */
  mayStart?(): boolean
  /** The request goes out on a connection now. */
  onStart(): void
  /** What is sent along, which makes it a POST; absent: a GET. */
  readonly post?: Uint8Array
  /** Besides our own, or in their place; lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}
