// The parser: bytes in, durable pages out. It takes bodies from the scouter, parses them in
// threads, stores pages in batches, and then sends the scouter a receipt for each.
//
// Order matters: a receipt is sent after its page is durable, and stays in the store until the
// scouter confirms that the frontier has settled it. So if a process dies at any time, a page is
// either fetched again or its receipt is delivered again; it is never half known.
//
// The parser does not know the network or the frontier. If the scouter goes away, the bodies it
// handed over are still parsed and stored, and the next scouter gets the receipts first.
import type { Job } from '../core/job.ts'
import type { CanonicalUrl } from '../core/url.ts'
import { orderingNamed } from '../ordering/index.ts'
import type { PageCheck, PageStore, PageToSave, Saved } from '../store/page-store.ts'
import type { PageText } from '../topic/topic.ts'
import { type Connection, connectTo, FRAME_TYPES } from '../wire/connection.ts'
import { type Again, decodeHandover, type HandoverHead } from '../wire/handover.ts'
import {
  decodeKept,
  decodeUrls,
  encodeIds,
  encodeKept,
  encodeReceipt,
  idAtParser,
  type KeptReceipt,
} from '../wire/receipt.ts'
import type { FocusOptions } from './focus.ts'
import { type AllCounts, PageCounts } from './page-counts.ts'
import {
  costOf,
  PARSE_LIMIT_MS,
  type ParseResult,
  type ReceiptedResult,
  receiptHead,
  receiptOf,
  type SitemapPart,
  savedHead,
} from './parse-result.ts'
import { ParserPool } from './pool.ts'

/** A commit costs one fsync, which this many pages share … */
const BATCH_PAGES = 64
/** … but no page waits longer for it than this … */
const BATCH_MS = 25
/** … or than this with a remote store, where a batch takes several round trips. */
const SHARED_BATCH_MS = 100
/** How often the pages of a shared store are counted: as often as progress is reported. */
const COUNT_MS = 250
/** On shutdown: how long to wait for the pages that threads have started. */
const STOP_MS = 1500
const RECONNECT_MS = 50
/** How often to look for receipts of remote parsers that died before they were settled. */
const ORPHANED_MS = 10_000
/** Receipts remembered as its own; a receipt that is delivered twice anyway is settled once. */
const MAX_SENT = 20_000

export type ParserOptions = {
  readonly job: Job
  readonly store: PageStore
  /** Pages of earlier runs, for a topic that learns from the pages of the crawl. */
  readonly seen?: readonly PageText[]
  /** The socket the scouter listens on. */
  readonly pagesSocket: string
  /** Parsers on other machines write to the same store; each looks for receipts of dead ones. */
  readonly storeIsShared?: boolean
  /** How often it looks; ten seconds except in tests. */
  readonly orphanedMs?: number
  /** Called when the store fails or no thread starts; the parser is unusable afterwards. */
  readonly onBroken: (error: unknown) => void
}

type Came = NonNullable<Again['came']>
type Ready = {
  readonly toSave: PageToSave | PageCheck
  readonly head: HandoverHead
  readonly cpuMs: number
}

const NOTHING_FOUND: KeptReceipt = { likeness: 0, judged: null, foundBlock: new Uint8Array(0) }

export class Parser implements AsyncDisposable {
  readonly #options: ParserOptions
  readonly #pages: ParserPool
  /** A separate pool, so that no page waits for a sitemap. */
  readonly #sitemaps: ParserPool
  #scouter: Connection | null = null
  #batch: Ready[] = []
  #batchTimer: NodeJS.Timeout | null = null
  #saving: Promise<void> = Promise.resolve()
  #isSaving = false
  /** When the last batch was saved, and when the pages were counted. */
  #savedAt = Number.NEGATIVE_INFINITY
  #countedAt = Number.NEGATIVE_INFINITY
  #closing = false
  /** URLs whose receipts this parser sent; other receipts in the store belong to other parsers. */
  readonly #sent = new Set<string>()
  readonly #counts: PageCounts

  constructor(options: ParserOptions) {
    this.#options = options
    const { settings, salt } = options.job
    this.#counts = new PageCounts(settings.harvestWindow)
    const pool = {
      limitMs: PARSE_LIMIT_MS,
      parse: {
        salt,
        stripParams: settings.stripParams,
        parts: settings.parts,
        keepHtml: settings.keepHtml,
        maxBodyBytes: settings.maxBodyBytes,
        maxLinksBytes: settings.maxLinksBytes,
        ...focusOf(options),
      },
      onBegin: (head: HandoverHead) => {
        this.#scouter?.send(FRAME_TYPES.begun, encodeIds([idAtParser(head)]))
      },
      onParsed: (head: HandoverHead, parsed: ParseResult) => this.#take(head, parsed),
      onPart: (head: HandoverHead, part: SitemapPart) => this.#pass(head, part),
      onBroken: options.onBroken,
    }
    this.#pages = new ParserPool({ ...pool, threads: settings.parserThreads })
    this.#sitemaps = new ParserPool({ ...pool, threads: 1 })
  }

  get counts(): AllCounts & { waiting: number } {
    return { ...this.#counts.all, waiting: this.#pending + this.#batch.length }
  }

  get #pending(): number {
    return this.#pages.pending + this.#sitemaps.pending
  }

  /** Serves scouters, one after the other, until it is asked to leave; then everything is stored. */
  async run(): Promise<void> {
    this.#counts.stored = await this.#options.store.count()
    // A resumed crawl may have nothing to do, but in a new one a page will come soon.
    if (this.#counts.stored === 0) this.#pages.prepare()
    while (!this.#closing) {
      const gone = Promise.withResolvers<void>()
      const scouter = await this.#connect(() => gone.resolve())
      if (scouter === null) continue
      await this.#drained()
      await this.#deliverOld(scouter, () => true)
      this.#scouter = scouter
      scouter.send(FRAME_TYPES.ready)
      const timer = this.#options.storeIsShared
        ? setInterval(() => this.#deliverOrphaned(scouter), this.#options.orphanedMs ?? ORPHANED_MS)
        : undefined
      await gone.promise
      clearInterval(timer)
      this.#scouter = null
    }
    await this.#drained()
  }

  /** Serves the current scouter to its end, and no other. */
  leave(): void {
    this.#closing = true
  }

  /**
   * Stores the parsed pages, then stops. Pages that are not settled are fetched again, and a page
   * that holds its thread for long is not waited for.
   */
  async close(): Promise<void> {
    this.#closing = true
    for (const pool of [this.#pages, this.#sitemaps]) pool.discardWaiting()
    await this.#drained(performance.now() + STOP_MS)
    await this.#scouter?.end()
    await this.#closePools()
  }

  /** Ends the threads. A page without an answer has no receipt, so it is handed over again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true
    await this.#closePools()
  }

  async #closePools(): Promise<void> {
    await Promise.all([this.#pages.closeAtOnce(), this.#sitemaps.closeAtOnce()])
  }

  async #connect(onClose: () => void): Promise<Connection | null> {
    try {
      return await connectTo(this.#options.pagesSocket, {
        onFrame: (type, payload) => this.#receive(type, payload),
        onClose,
      })
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
      return null
    }
  }

  /** Delivers receipts that an earlier scouter or run never received. */
  async #deliverOld(scouter: Connection, isNews: (url: CanonicalUrl) => boolean): Promise<void> {
    for (const undelivered of await this.#options.store.undelivered()) {
      const { url, urlId, depth, round, saved, receipt } = undelivered
      if (!isNews(url)) continue
      const { foundBlock, ...kept } = decodeKept(receipt)
      const page = { kind: 'page', id: urlId, token: null, url } as const
      const lease = depth === null ? page : { ...page, depth }
      const head = { ...savedHead(lease, saved), ...kept, round }
      this.#send(scouter, url, encodeReceipt(head, foundBlock))
    }
  }

  /** Delivers receipts of remote parsers that have died. */
  #deliverOrphaned(scouter: Connection): void {
    this.#deliverOld(scouter, (url) => !this.#sent.has(url)).catch(this.#options.onBroken)
  }

  #send(scouter: Connection | null, url: string, receipt: readonly Uint8Array[]): void {
    if (this.#sent.size >= MAX_SENT) this.#sent.clear()
    if (this.#options.storeIsShared) this.#sent.add(url)
    scouter?.send(FRAME_TYPES.receipt, ...receipt)
  }

  #receive(type: number, payload: Uint8Array<ArrayBuffer>): void {
    if (type === FRAME_TYPES.handover) {
      const { head, body } = decodeHandover(payload)
      const came = head.again?.came
      if (came === undefined) this.#poolFor(head).parse(head, body)
      else this.#note(head, came, { likeness: 0, judged: null, foundBlock: body })
    } else if (type === FRAME_TYPES.settled) {
      this.#options.store.acknowledge(decodeUrls(payload))
    }
  }

  #poolFor({ kind }: HandoverHead): ParserPool {
    return kind === 'sitemap' ? this.#sitemaps : this.#pages
  }

  /** Forwards some entries of a sitemap that is still being read. */
  #pass(head: HandoverHead, { foundBlock }: SitemapPart): void {
    this.#scouter?.send(
      FRAME_TYPES.receipt,
      ...encodeReceipt(receiptHead(head, 'part', ''), foundBlock),
    )
  }

  #take(head: HandoverHead, parsed: ParseResult): void {
    if (parsed.outcome === 'page') {
      const { page, foundBlock, likeness, judged, tookMs = 0 } = parsed
      const receipt = encodeKept({ likeness, judged, foundBlock })
      this.#batch.push({ toSave: { page, urlId: head.id, receipt }, head, cpuMs: tookMs })
      if (this.#batch.length >= BATCH_PAGES || this.#isIdle()) this.#flush()
      else this.#flushSoon()
      return
    }
    if (parsed.outcome === 'same') this.#note(head, { to: 'unchanged' }, NOTHING_FOUND)
    else if (parsed.outcome === 'refused' && head.again !== undefined) {
      this.#note(head, { to: 'refused', reason: parsed.reason }, parsed)
    } else {
      if (parsed.outcome === 'refused') this.#counts.addRefused(parsed)
      this.#reply(head, parsed)
    }
    if (this.#batch.length > 0 && this.#isIdle()) this.#flush()
  }

  /** Whether a batch has nothing to wait for; a remote store is not sent single pages. */
  #isIdle(): boolean {
    if (this.#pages.pending > 0) return false
    return !this.#options.storeIsShared || performance.now() >= this.#savedAt + SHARED_BATCH_MS
  }

  /** Records that a stored page was fetched again and keeps its old content. */
  #note(head: HandoverHead, came: Came, { likeness, judged, foundBlock }: KeptReceipt): void {
    const { url, id: urlId, fetchedAt: checkedAt, etag, lastModified } = head
    const receipt = encodeKept({ likeness, judged, foundBlock })
    const noted = came.to === 'unchanged' ? { to: came.to, etag, lastModified } : came
    this.#batch.push({ toSave: { url, urlId, checkedAt, receipt, came: noted }, head, cpuMs: 0 })
    if (this.#batch.length >= BATCH_PAGES) this.#flush()
    else this.#flushSoon()
  }

  #reply(head: HandoverHead, result: ReceiptedResult): void {
    const { head: receipt, found } = receiptOf(head, result)
    const answer = { ...receipt, cpuMs: costOf(result) }
    this.#scouter?.send(FRAME_TYPES.receipt, ...encodeReceipt(answer, found))
  }

  #flushSoon(): void {
    const sharedMs = this.#savedAt + SHARED_BATCH_MS - performance.now()
    const waitMs = this.#options.storeIsShared ? Math.max(BATCH_MS, sharedMs) : BATCH_MS
    this.#batchTimer ??= setTimeout(() => this.#flush(), waitMs)
  }

  /** Pages that arrive while a batch is being saved go into the next one. */
  #flush(): void {
    if (this.#batchTimer !== null) clearTimeout(this.#batchTimer)
    this.#batchTimer = null
    if (this.#isSaving || this.#batch.length === 0) return
    this.#isSaving = true
    this.#savedAt = performance.now()
    this.#saving = this.#save(this.#batch.splice(0, BATCH_PAGES))
      .catch(this.#options.onBroken)
      .finally(() => {
        this.#isSaving = false
        if (this.#batch.length >= BATCH_PAGES || this.#isIdle()) this.#flush()
        else if (this.#batch.length > 0) this.#flushSoon()
      })
  }

  async #save(batch: readonly Ready[]): Promise<void> {
    const answers = await this.#options.store.save(batch.map(({ toSave }) => toSave))
    await this.#countStored(answers)
    for (const [at, { head, toSave, cpuMs }] of batch.entries()) {
      const saved = answers[at]
      if (saved === undefined) continue
      if ('page' in toSave && head.again === undefined)
        this.#counts.addSaved(saved, toSave.page.fields)
      const { foundBlock, ...kept } = decodeKept(toSave.receipt)
      const answer = { ...savedHead(head, saved), ...kept, cpuMs }
      const found = saved.outcome === 'over-limit' ? new Uint8Array(0) : foundBlock
      this.#send(this.#scouter, head.url, encodeReceipt(answer, found))
    }
  }

  async #countStored(answers: readonly Saved[]): Promise<void> {
    const { store, storeIsShared } = this.#options
    if (storeIsShared && performance.now() < this.#countedAt + COUNT_MS) {
      this.#counts.stored += answers.filter(({ outcome }) => outcome === 'stored').length
      return
    }
    this.#counts.stored = await store.count()
    this.#countedAt = performance.now()
  }

  /** Resolves when every handed-over page is saved, or at `until` once the parsed ones are. */
  async #drained(until = Number.POSITIVE_INFINITY): Promise<void> {
    const waits = (): boolean => this.#pending > 0 && performance.now() < until
    while (waits() || this.#batch.length > 0) {
      this.#flush()
      await this.#saving
      if (waits()) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await this.#saving
  }
}

/** Undefined when the crawl has no focus. */
function focusOf({ job: { topic, settings }, seen = [] }: Pick<ParserOptions, 'job' | 'seen'>): {
  readonly focus?: FocusOptions
} {
  const { ordering, orderingOptions, hotThreshold, minRelevance, minTerms, languages } = settings
  const leavesOut = minTerms !== null || languages.length > 0
  const looks = topic !== null || leavesOut || orderingNamed(ordering).judge !== undefined
  if (!looks) return {}
  const kept = { minRelevance, minTerms, languages }
  return { focus: { topic, seen, ordering, orderingOptions, hotThreshold, ...kept } }
}
