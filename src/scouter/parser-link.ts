// The scouter's end of the socket to the parser: hands pages over and takes receipts back. A body is
// kept until its receipt is here, so that a parser that dies costs a second parse but never a second
// request.
import { createServer, type Server, type Socket } from 'node:net'
import type { CanonicalUrl } from '../core/url.ts'
import type { Lease } from '../frontier/frontier.ts'
import { Connection } from '../wire/connection.ts'
import { FRAME_TYPES } from '../wire/frame.ts'
import { encodeHandover, type HandoverHead } from '../wire/handover.ts'
import { decodeIds, decodeReceipt, encodeUrls, type Receipt } from '../wire/receipt.ts'
import { Unanswered } from './unanswered.ts'

export type ParserLinkHandlers = {
  readonly onReceipt: (receipt: Receipt) => void
  /** A parser is connected and has delivered all receipts of earlier runs. */
  readonly onReady: () => void
}

/** A page the parser has not answered. */
type Handover = {
  readonly lease: Lease
  readonly head: HandoverHead
  readonly body: readonly Uint8Array[]
  readonly bytes: number
  /** A parser thread has it. */
  begun: boolean
}

export class ParserLink {
  readonly #handlers: ParserLinkHandlers
  readonly #server: Server
  readonly #unanswered = new Map<string, Handover>()
  #parser: Connection | null = null
  #ready = false
  readonly #waiting = new Unanswered()

  constructor(handlers: ParserLinkHandlers) {
    this.#handlers = handlers
    this.#server = createServer((socket) => this.#accept(socket))
  }

  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(path, () => resolve())
    })
  }

  get ready(): boolean {
    return this.#ready
  }

  /** What waits for its receipt. */
  get waiting(): Unanswered {
    return this.#waiting
  }

  /** Hands a body over: now, or as soon as there is a parser. */
  handOver(lease: Lease, head: HandoverHead, body: readonly Uint8Array[]): void {
    let bytes = 0
    for (const chunk of body) bytes += chunk.byteLength
    const handover = { lease, head, body, bytes, begun: false }
    this.#unanswered.set(keyOf(lease), handover)
    this.#waiting.add(lease.host, bytes)
    if (this.#ready) this.#send(handover)
  }

  /**
   * Gives a new parser what its predecessor did not answer, except pages that `spared` says no to:
   * it is asked about those the old one had begun with. Returns the leases of the exceptions.
   */
  handOverAgain(spared: (lease: Lease) => boolean): readonly Lease[] {
    const condemned: Lease[] = []
    for (const handover of [...this.#unanswered.values()]) {
      if (handover.begun && !spared(handover.lease)) {
        this.#forget(handover.lease)
        condemned.push(handover.lease)
      } else {
        this.#send(handover)
      }
    }
    return condemned
  }

  /** The leases of all pages that were not answered; they are not waited for any more. */
  giveBack(): readonly Lease[] {
    const leases = Array.from(this.#unanswered.values(), ({ lease }) => lease)
    for (const lease of leases) this.#forget(lease)
    return leases
  }

  /** Tells the parser that the frontier has settled these pages. */
  acknowledge(urls: readonly CanonicalUrl[]): void {
    if (urls.length > 0) this.#parser?.send(FRAME_TYPES.settled, encodeUrls(urls))
  }

  close(): void {
    this.#server.close()
    this.#parser?.destroy()
  }

  #accept(socket: Socket): void {
    this.#parser?.destroy()
    this.#ready = false
    const parser = new Connection(socket, {
      onFrame: (type, payload) => this.#receive(type, payload),
      onClose: () => {
        // A new parser may be here before the old one's line is seen to break.
        if (this.#parser !== parser) return
        this.#parser = null
        this.#ready = false
      },
    })
    this.#parser = parser
  }

  #receive(type: number, payload: Uint8Array<ArrayBuffer>): void {
    if (type === FRAME_TYPES.receipt) {
      this.#answer(decodeReceipt(payload))
    } else if (type === FRAME_TYPES.begun) {
      for (const id of decodeIds(payload)) {
        const kind = id < 0 ? 'sitemap' : 'page'
        const handover = this.#unanswered.get(keyOf({ kind, id: Math.abs(id) }))
        if (handover !== undefined) handover.begun = true
      }
    } else if (type === FRAME_TYPES.ready) {
      this.#ready = true
      this.#handlers.onReady()
    }
  }

  #answer(receipt: Receipt): void {
    const handover = this.#unanswered.get(keyOf(receipt))
    // An old receipt may bear a number that another URL has now.
    const isIts = receipt.url === undefined || receipt.url === handover?.head.url
    if (receipt.outcome === 'lost') {
      if (handover !== undefined) this.#send(handover)
      return
    }
    // Of a sitemap that is still being read: its body may be needed again.
    if (isIts && receipt.outcome !== 'part') this.#forget(receipt)
    this.#handlers.onReceipt(receipt)
  }

  #send(handover: Handover): void {
    handover.begun = false
    this.#parser?.send(FRAME_TYPES.handover, ...encodeHandover(handover.head, handover.body))
  }

  #forget(page: Pick<Lease, 'kind' | 'id'>): void {
    const handover = this.#unanswered.get(keyOf(page))
    if (handover === undefined) return
    this.#unanswered.delete(keyOf(page))
    this.#waiting.remove(handover.lease.host, handover.bytes)
  }
}

function keyOf({ kind, id }: Pick<Lease, 'kind' | 'id'>): string {
  return `${kind} ${id}`
}
