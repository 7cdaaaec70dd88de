// The scouter's end of the socket to the parser: hands pages over, takes receipts back, and knows
// at any moment which pages the parser has and how many bytes they weigh.
import { createServer, type Server } from 'node:net'
import type { Lease } from '../frontier/frontier.ts'
import { Connection } from '../wire/connection.ts'
import { FRAME_TYPES } from '../wire/frame.ts'
import { encodeHandover, type HandoverHead } from '../wire/handover.ts'
import { decodeIds, decodeReceipt, encodeIds, type Receipt } from '../wire/receipt.ts'

export type ParserLinkHandlers = {
  readonly onReceipt: (receipt: Receipt) => void
  /** A parser is connected and has delivered all receipts of earlier runs. */
  readonly onReady: () => void
  readonly onLost: () => void
}

type HandedOver = { readonly lease: Lease; readonly bytes: number; begun: boolean }

export class ParserLink {
  readonly #handlers: ParserLinkHandlers
  readonly #server: Server
  readonly #handedOver = new Map<string, HandedOver>()
  #parser: Connection | null = null
  #ready = false
  #bytes = 0

  constructor(handlers: ParserLinkHandlers) {
    this.#handlers = handlers
    this.#server = createServer((socket) => {
      this.#parser?.destroy()
      this.#parser = new Connection(socket, {
        onFrame: (type, payload) => this.#receive(type, payload),
        onClose: () => this.#lose(),
      })
    })
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

  /** Bytes the parser has and has not answered. */
  get bytes(): number {
    return this.#bytes
  }

  get pages(): number {
    return this.#handedOver.size
  }

  /** Hands a body over; false when there is no parser to take it. */
  handOver(lease: Lease, head: HandoverHead, body: readonly Uint8Array[]): boolean {
    if (!this.#ready || this.#parser === null) return false
    let bytes = 0
    for (const chunk of body) bytes += chunk.byteLength
    this.#handedOver.set(keyOf(lease), { lease, bytes, begun: false })
    this.#bytes += bytes
    this.#parser.send(FRAME_TYPES.handover, ...encodeHandover(head, body))
    return true
  }

  /** Tells the parser that the frontier has settled these pages. */
  acknowledge(ids: readonly number[]): void {
    if (ids.length > 0) this.#parser?.send(FRAME_TYPES.settled, encodeIds(ids))
  }

  /** Takes back every page the lost parser did not answer. */
  takeUnanswered(): readonly Readonly<HandedOver>[] {
    const unanswered = [...this.#handedOver.values()]
    this.#handedOver.clear()
    this.#bytes = 0
    return unanswered
  }

  close(): void {
    this.#server.close()
    this.#parser?.destroy()
  }

  #receive(type: number, payload: Uint8Array<ArrayBuffer>): void {
    if (type === FRAME_TYPES.receipt) {
      const receipt = decodeReceipt(payload)
      this.#forget(receipt)
      this.#handlers.onReceipt(receipt)
    } else if (type === FRAME_TYPES.begun) {
      for (const id of decodeIds(payload)) {
        const page = this.#handedOver.get(`page ${id}`)
        if (page !== undefined) page.begun = true
      }
    } else if (type === FRAME_TYPES.ready) {
      this.#ready = true
      this.#handlers.onReady()
    }
  }

  #forget(receipt: Receipt): void {
    const page = this.#handedOver.get(keyOf(receipt))
    if (page === undefined) return
    this.#handedOver.delete(keyOf(receipt))
    this.#bytes -= page.bytes
  }

  #lose(): void {
    this.#parser = null
    this.#ready = false
    this.#handlers.onLost()
  }
}

function keyOf({ kind, id }: Pick<Receipt, 'kind' | 'id'> | Pick<Lease, 'kind' | 'id'>): string {
  return `${kind} ${id}`
}
