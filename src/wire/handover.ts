// Scouter → parser: a fetched body with the facts about its fetch. Payload: 4-byte length of the head, the
// head as JSON, the body as received.
import { CrawlerError } from '../core/errors.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { PageLoss } from '../core/visit.ts'

export type HandoverHead = {
  readonly kind: 'page' | 'sitemap'
  /** Id and token of the lease. */
  readonly id: number
  readonly token: number
  readonly url: CanonicalUrl
  readonly depth: number
  readonly status: number
  /** As sent; '' if absent. */
  readonly contentType: string
  readonly contentEncoding: string
  readonly robotsTag: readonly string[]
  readonly etag: string
  readonly lastModified: string
  readonly fetchedAt: number
  readonly fetchMs: number
  /** The body was cut at the limit of wire bytes. */
  readonly truncated: boolean
  /** The scouter has nothing else to fetch: the page's links should not wait for other pages. */
  readonly isAwaited?: true
  /** A parser died while it had this page: it is parsed while no other such page is. */
  readonly isSuspect?: true
  /** Only for a stored page that was requested again. */
  readonly again?: Again
}

export type Again = {
  /** The hash of the stored page; '' if equal bytes do not mean that nothing changed. */
  readonly contentHash: string
  /** The outcome if there is nothing to parse; then the body is a block of found links. */
  readonly came?: { readonly to: 'unchanged' } | PageLoss
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The pieces of the payload, for sendFrame. */
export function encodeHandover(head: HandoverHead, body: readonly Uint8Array[]): Uint8Array[] {
  const json = encoder.encode(JSON.stringify(head))
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, json.byteLength, true)
  return [length, json, ...body]
}

export function decodeHandover(payload: Uint8Array<ArrayBuffer>): {
  readonly head: HandoverHead
  readonly body: Uint8Array<ArrayBuffer>
} {
  const length = new DataView(payload.buffer, payload.byteOffset).getUint32(0, true)
  if (4 + length > payload.byteLength) {
    throw new CrawlerError('wire-broken', 'a hand-over is shorter than its head says')
  }
  // Both ends are our own processes of the same version, on a socket that only this user can open.
  const head = JSON.parse(decoder.decode(payload.subarray(4, 4 + length))) as HandoverHead
  return { head, body: payload.subarray(4 + length) }
}
