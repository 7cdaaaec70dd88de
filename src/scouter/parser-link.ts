// The scouter's end of the socket to the parser: it hands pages over and takes receipts back. It keeps a
// body until its receipt has arrived, so a parser that dies costs a second parse but never a second request.
import { createServer, type Server, type Socket } from 'node:net'
import { type CanonicalUrl, siteOf } from '../core/url.ts'
import type { Frontier, HostFeedback, Lease } from '../frontier/frontier.ts'
import { Connection, FRAME_TYPES } from '../wire/connection.ts'
import { encodeHandover, type HandoverHead } from '../wire/handover.ts'
import { decodeIds, decodeReceipt, encodeUrls, type Receipt } from '../wire/receipt.ts'

type ParserLinkHandlers = {
  readonly onReceipt: (receipt: Receipt) => void
  /** Nothing can be fetched until the parser answers; left out: never. */
  readonly isWaiting?: () => boolean
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
  readonly #suspects = new CrashSuspects()
  /** The bodies that were handed over and not answered. */
  readonly backlog = new ParserBacklog()

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

  /** Hands a body over: now, or as soon as there is a parser. */
  handOver(lease: Lease, head: HandoverHead, body: readonly Uint8Array[]): void {
    let bytes = 0
    for (const chunk of body) bytes += chunk.byteLength
    const handover = { lease, head, body, bytes, begun: false }
    // A page of a partition that was lost and came back is fetched again while its first body waits.
    const before = this.#unanswered.get(keyOf(lease))
    if (before !== undefined) this.backlog.remove(before.lease.host, before.bytes)
    this.#unanswered.set(keyOf(lease), handover)
    this.backlog.add(lease.host, bytes)
    if (this.#ready) this.#send(handover)
  }

  /** The parser died; `killed` when by SIGKILL. */
  parserDied(killed: boolean): void {
    this.#suspects.parserDied(killed)
  }

  /**
   * Gives a new parser what the last one did not answer, except pages that were being parsed each time
   * a parser died. Returns the leases of those.
   */
  handOverAgain(): readonly Lease[] {
    const guilty: Lease[] = []
    for (const handover of [...this.#unanswered.values()]) {
      if (handover.begun && this.#suspects.isGuilty(keyOf(handover.lease))) {
        this.#forget(handover.lease)
        guilty.push(handover.lease)
      } else {
        this.#send(handover, handover.begun ? { isSuspect: true } : {})
      }
    }
    return guilty
  }

  /** Stops waiting for pages that were not answered, and returns their leases. */
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
        // A new parser may connect before the old connection is seen to break.
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
    // An old receipt may have an id that belongs to another URL now, or be of an earlier lease.
    const isOfHandover =
      (receipt.url === undefined || receipt.url === handover?.head.url) &&
      (receipt.token === null || receipt.token === handover?.head.token)
    if (receipt.outcome === 'lost') {
      if (handover !== undefined) this.#send(handover)
      return
    }
    // `part`: the sitemap is still being read, and its body may be needed again.
    if (isOfHandover && receipt.outcome !== 'part') this.#forget(receipt)
    this.#handlers.onReceipt(receipt)
  }

  #send(handover: Handover, more: Pick<HandoverHead, 'isSuspect'> = {}): void {
    handover.begun = false
    const awaited = this.#handlers.isWaiting?.() ? ({ isAwaited: true } as const) : {}
    const head = { ...handover.head, ...awaited, ...more }
    this.#parser?.send(FRAME_TYPES.handover, ...encodeHandover(head, handover.body))
  }

  #forget(page: Pick<Lease, 'kind' | 'id'>): void {
    const handover = this.#unanswered.get(keyOf(page))
    if (handover === undefined) return
    this.#unanswered.delete(keyOf(page))
    this.#suspects.clear(keyOf(page))
    this.backlog.remove(handover.lease.host, handover.bytes)
  }
}

function keyOf({ kind, id }: Pick<Lease, 'kind' | 'id'>): string {
  return `${kind} ${id}`
}

/** A parser that ended by itself (out of memory, a crash) makes suspects of what it was parsing. */
const OWN_DEATHS = 2
/** SIGKILL may also come from outside (an operator, the kernel under pressure): weaker evidence. */
const KILLS = 3

/**
 * Pages that were being parsed when the parser died. One death may be the fault of any of them; a page
 * that was there each time is refused for good.
 */
export class CrashSuspects {
  readonly #evidence = new Map<string, number>()
  #weight = 1 / KILLS

  parserDied(killed: boolean): void {
    this.#weight = 1 / (killed ? KILLS : OWN_DEATHS)
  }

  /** Counts one more death against a page; true when there have been enough. */
  isGuilty(page: string): boolean {
    const evidence = (this.#evidence.get(page) ?? 0) + this.#weight
    this.#evidence.set(page, evidence)
    // Thirds do not add up to one exactly.
    return evidence > 0.99
  }

  clear(page: string): void {
    if (this.#evidence.size > 0) this.#evidence.delete(page)
  }
}

const MAX_BYTES = 32 * 1024 * 1024
const MAX_PAGES = 256

type Amount = { pages: number; bytes: number }

/**
 * Bodies that the parser has not answered, by site: what waits for the parser is bounded, and never one
 * site's alone.
 */
export class ParserBacklog {
  readonly #sites = new Map<string, Amount>()
  readonly #all: Amount = { pages: 0, bytes: 0 }

  get isFull(): boolean {
    return this.#all.bytes >= MAX_BYTES || this.#all.pages >= MAX_PAGES
  }

  /** Whether a site has more than its share: as much must be left for a site that has nothing yet. */
  isBehind(site: string): boolean {
    const own = this.#sites.get(site)
    if (own === undefined) return false
    const shares = this.#sites.size + 1
    return own.pages > MAX_PAGES / shares || own.bytes > MAX_BYTES / shares
  }

  add(host: string, bytes: number): void {
    const site = siteOf(host)
    const own = this.#sites.get(site) ?? { pages: 0, bytes: 0 }
    this.#sites.set(site, own)
    change(own, 1, bytes)
    change(this.#all, 1, bytes)
  }

  remove(host: string, bytes: number): void {
    const site = siteOf(host)
    const own = this.#sites.get(site)
    if (own === undefined) return
    change(own, -1, bytes)
    change(this.#all, -1, bytes)
    if (own.pages === 0) this.#sites.delete(site)
  }
}

function change(amount: Amount, pages: 1 | -1, bytes: number): void {
  amount.pages += pages
  amount.bytes += pages * bytes
}

type EndedRequest = { readonly lease: Lease; readonly feedback: HostFeedback }

/**
 * Ends requests at the frontier: at once, unless the parser is behind with the site. The host then stays
 * busy until the parser has caught up.
 */
export class SiteBackpressure {
  readonly #frontier: Pick<Frontier, 'requestEnded'>
  readonly #backlog: ParserBacklog
  readonly #held = new Map<string, EndedRequest[]>()
  #isOff = false

  constructor(frontier: Pick<Frontier, 'requestEnded'>, backlog: ParserBacklog) {
    this.#frontier = frontier
    this.#backlog = backlog
  }

  requestEnded(lease: Lease, feedback: HostFeedback): void {
    const site = siteOf(lease.host)
    if (this.#isOff || lease.kind === 'robots' || !this.#backlog.isBehind(site)) {
      this.#frontier.requestEnded(lease, feedback)
      return
    }
    const held = this.#held.get(site)
    if (held === undefined) this.#held.set(site, [{ lease, feedback }])
    else held.push({ lease, feedback })
  }

  /** Ends the requests of sites that the parser has caught up with. */
  release(): void {
    for (const [site, held] of this.#held) {
      if (!this.#isOff && this.#backlog.isBehind(site)) continue
      this.#held.delete(site)
      for (const { lease, feedback } of held) this.#frontier.requestEnded(lease, feedback)
    }
  }

  /** Holds nothing from now on. */
  turnOff(): void {
    this.#isOff = true
    this.release()
  }
}
