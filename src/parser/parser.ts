// The parser: bytes in, durable pages out. It takes bodies from the scouter and has threads parse and
// save them; then it sends the scouter a receipt for each. Pages of a remote store it saves itself.
//
// Order matters: a receipt is sent after its page is durable, and stays in the store until the
// scouter confirms that the frontier has settled it. So if a process dies at any time, a page that is
// not saved is handed over again, or fetched again if the scouter's copy is gone, too; of a saved page the
// receipt is delivered again. It is never half known.
//
// The parser does not know the network or the frontier. If the scouter goes away, the bodies it
// handed over are still parsed and stored, and the next scouter gets the receipts first.
import type { CrawlSettings, Job } from '../core/job.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { ThreadFlags } from '../lib/work-flags.ts'
import { orderingOf } from '../ordering/index.ts'
import type { PageStore, StoreOfThreads } from '../store/page-store.ts'
import type { PageText } from '../topic/topic.ts'
import { type Connection, connectTo, FRAME_TYPES } from '../wire/connection.ts'
import { decodeHandover, type HandoverHead } from '../wire/handover.ts'
import { decodeUrls, encodeIds, encodeReceipt, idAtParser } from '../wire/receipt.ts'
import type { FocusOptions } from './focus.ts'
import { type AllCounts, PageCounts } from './page-counts.ts'
import { PageSaver, type SavedPage } from './page-saver.ts'
import {
  costOf,
  noteOf,
  PARSE_LIMIT_MS,
  type ParseResult,
  receiptAgain,
  receiptHead,
  receiptOf,
  type SitemapPart,
  type UnstoredResult,
} from './parse-result.ts'
import { ParserPool } from './pool.ts'
import type { Task } from './thread.ts'
import type { WorkerOptions } from './thread-program.ts'

/** On shutdown: how long to wait for the pages that threads have started. */
const STOP_MS = 1500
const RECONNECT_MS = 50
/** How often to look for receipts of remote parsers that died before they were settled. */
const ORPHANED_MS = 10_000
/** Receipts remembered as its own; a receipt that is delivered twice anyway is settled once. */
const MAX_SENT = 20_000

type ParserOptions = {
  readonly job: Job
  readonly store: PageStore
  /** Pages of earlier runs, for a topic that learns from the pages of the crawl. */
  readonly seen?: readonly PageText[]
  /** Opens the store in threads, which then save their pages; null: this object saves all of them. */
  readonly storeOfThreads?: StoreOfThreads | null
  /** The socket the scouter listens on. */
  readonly pagesSocket: string
  /** Parsers on other machines write to the same store; each looks for receipts of dead ones. */
  readonly storeIsShared?: boolean
  /** Of this process; absent: they stay as they are. */
  readonly flags?: ThreadFlags
  /** How often it looks; ten seconds except in tests. */
  readonly orphanedMs?: number
  /** Called when the store fails or no thread starts; the parser is unusable afterwards. */
  readonly onBroken: (error: unknown) => void
}

export class Parser implements AsyncDisposable {
  readonly #options: ParserOptions
  readonly #pages: ParserPool
  /** A separate pool, so that no page waits for a sitemap. */
  readonly #sitemaps: ParserPool
  #scouter: Connection | null = null
  readonly #saver: PageSaver
  /** Pages that the last parser had when it died, except the one that is being parsed or saved. */
  #suspects: Task[] = []
  #suspect: HandoverHead | null = null
  /** A thread has parsed it, and keeps it until it is saved. */
  #isSuspectKept = false
  #closing = false
  /** URLs whose receipts this parser sent; other receipts in the store belong to other parsers. */
  readonly #sent = new Set<string>()
  readonly #counts: PageCounts

  constructor(options: ParserOptions) {
    this.#options = options
    const { settings, salt } = options.job
    this.#counts = new PageCounts(settings.harvestWindow)
    this.#saver = new PageSaver({
      store: options.store,
      storeIsShared: options.storeIsShared ?? false,
      isIdle: () => this.#pages.pending === 0,
      onSaved: (pages, stored) => this.#tellSaved(pages, stored),
      onBroken: options.onBroken,
    })
    const pool = {
      limitMs: PARSE_LIMIT_MS,
      parse: {
        salt,
        stripParams: settings.stripParams,
        parts: settings.parts,
        keepHtml: settings.keepHtml || settings.keep.includes('html'),
        markdown: settings.keep.includes('markdown'),
        maxBodyBytes: settings.maxBodyBytes,
        maxLinksBytes: settings.maxLinksBytes,
        ...focusOf(options),
        ...pluginsOf(settings),
        ...(settings.fields && { fields: settings.fields }),
      },
      onBegin: (head: HandoverHead) => {
        this.#scouter?.send(FRAME_TYPES.begun, encodeIds([idAtParser(head)]))
      },
      onParsed: (head: HandoverHead, parsed: ParseResult) => this.#take(head, parsed),
      onPart: (head: HandoverHead, part: SitemapPart) => this.#pass(head, part),
      onBroken: options.onBroken,
      ...(options.flags && { flags: options.flags }),
    }
    this.#pages = new ParserPool({
      ...pool,
      threads: settings.parserThreads,
      parse: {
        ...pool.parse,
        ...(options.storeOfThreads ? { store: options.storeOfThreads } : {}),
      },
      onLost: () => options.store.inherit?.(),
      onSaved: ({ counts, stored, receipts }) => {
        for (const page of counts) this.#counts.addSaved(page)
        this.#counts.stored = stored
        this.#scouter?.sendFrames(receipts)
        const isKept = this.#suspect !== null && this.#pages.keeps(this.#suspect)
        if (this.#isSuspectKept && !isKept) this.#endSuspect()
      },
    })
    this.#sitemaps = new ParserPool({ ...pool, threads: 1 })
  }

  get counts(): AllCounts & { waiting: number } {
    return { ...this.#counts.all, waiting: this.#pending + this.#saver.waiting }
  }

  get #pending(): number {
    const inPools = this.#pages.pending + this.#pages.kept + this.#sitemaps.pending
    return inPools + this.#suspects.length
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
    this.#suspects = []
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
      const { url } = undelivered
      if (!isNews(url)) continue
      const { head, found } = receiptAgain(undelivered)
      this.#send(scouter, url, encodeReceipt(head, found))
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
      if (came !== undefined) {
        this.#saver.note(head, came, { likeness: 0, judged: null, foundBlock: body })
      } else if (head.isSuspect) {
        this.#suspects.push({ head, body })
        this.#tryNextSuspect()
      } else this.#poolFor(head).parse(head, body)
    } else if (type === FRAME_TYPES.settled) {
      // Whoever saved a page forgets its receipt.
      this.#options.store.acknowledge(decodeUrls(payload))
      this.#pages.settled(payload)
    }
  }

  /** One at a time until it is saved, so that the next death of a parser blames only one of them again. */
  #tryNextSuspect(): void {
    if (this.#suspect !== null) return
    const next = this.#suspects.shift()
    if (next === undefined) return
    this.#suspect = next.head
    this.#poolFor(next.head).parse(next.head, next.body)
  }

  #endSuspect(): void {
    this.#suspect = null
    this.#isSuspectKept = false
    this.#tryNextSuspect()
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
    const isSuspect = head === this.#suspect
    if (parsed.outcome === 'kept') {
      if (isSuspect) this.#isSuspectKept = true
      if (isSuspect) this.#pages.save()
      return
    }
    const noted = noteOf(head, parsed)
    if (parsed.outcome === 'page') this.#saver.add(head, parsed)
    else if (noted !== null) this.#saver.note(head, noted.came, noted.kept)
    else if (parsed.outcome !== 'same') {
      if (parsed.outcome === 'refused') this.#counts.addRefused(parsed)
      this.#reply(head, parsed)
    }
    this.#saver.flushIfDue()
    if (!isSuspect) return
    if (parsed.outcome === 'page' || noted !== null) this.#saver.flush()
    else this.#endSuspect()
  }

  #reply(head: HandoverHead, result: UnstoredResult): void {
    const { head: receipt, found } = receiptOf(head, result)
    const answer = { ...receipt, cpuMs: costOf(result) }
    this.#scouter?.send(FRAME_TYPES.receipt, ...encodeReceipt(answer, found))
  }

  #tellSaved(pages: readonly SavedPage[], stored: number): void {
    this.#counts.stored = stored
    for (const { head, counts, receipt } of pages) {
      if (counts !== null) this.#counts.addSaved(counts)
      this.#send(this.#scouter, head.url, receipt)
      if (head === this.#suspect) this.#endSuspect()
    }
  }

  /** Resolves when every handed-over page is saved, or at `until` once the parsed ones are. */
  async #drained(until = Number.POSITIVE_INFINITY): Promise<void> {
    const waits = (): boolean => this.#pending > 0 && performance.now() < until
    while (waits()) {
      this.#pages.save()
      await this.#saver.drained()
      if (waits()) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await this.#saver.drained()
  }
}

/** Plug-ins that see pages; absent if there is none. */
function pluginsOf({ plugins, ordering }: CrawlSettings): Pick<WorkerOptions, 'plugins'> {
  const seeing = plugins.filter(
    (plugin) =>
      plugin.hooks.some((hook) => hook === 'admit' || hook === 'parsed' || hook === 'judge') ||
      (plugin.ordering?.name === ordering && plugin.ordering.judges),
  )
  return seeing.length === 0 ? {} : { plugins: seeing }
}

/** Undefined when the crawl has no focus. */
function focusOf({ job: { topic, settings }, seen = [] }: Pick<ParserOptions, 'job' | 'seen'>): {
  readonly focus?: FocusOptions
} {
  const { ordering, orderingOptions, hotThreshold, minRelevance, minTerms, languages } = settings
  const leavesOut = minTerms !== null || languages.length > 0
  const isJudged = settings.plugins.some(({ hooks }) => hooks.includes('judge'))
  const judges = isJudged || orderingOf(settings).judge !== undefined
  const looks = topic !== null || leavesOut || judges
  if (!looks) return {}
  const kept = { minRelevance, minTerms, languages }
  return { focus: { topic, seen, ordering, orderingOptions, hotThreshold, ...kept } }
}
