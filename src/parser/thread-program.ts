// The program of one parser thread: takes a body, parses it, and saves the page. All costly work on a page
// happens here, so that the parser's main thread only forwards, and a page never moves between threads.
// With a shared store the parser saves pages itself, and gets them from here.
import { parentPort, workerData } from 'node:worker_threads'
import { CrawlerError, type CrawlerErrorCode } from '../core/errors.ts'
import type { PluginRecord } from '../core/plugin.ts'
import { type CanonicalUrl, createIdentity } from '../core/url.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import type { PageStore, StoreModule, StoreOfThreads } from '../store/page-store.ts'
import { FRAME_TYPES, framesOf } from '../wire/connection.ts'
import type { HandoverHead } from '../wire/handover.ts'
import { decodeUrls } from '../wire/receipt.ts'
import type { FocusOptions } from './focus.ts'
import { type CountedPage, PageSaver, type SavedPage } from './page-saver.ts'
import { createPageParser, openFields, type PageParserOptions } from './parse-page.ts'
import { noteOf, type ParseResult, type SitemapPart } from './parse-result.ts'
import type { PluggedParser } from './plugged-parser.ts'
import { readSitemap } from './sitemap/read-sitemap.ts'
import { kernelThreadId, ownCpuMs, PARSED, PASSED_OVER } from './thread-clock.ts'

export type WorkerOptions = PageParserOptions & {
  /** Absent in crawls without a focus. */
  readonly focus?: FocusOptions
  /** Absent if the parser saves pages itself. */
  readonly store?: StoreOfThreads
  /** Absent in crawls without plug-ins for pages. */
  readonly plugins?: readonly PluginRecord[]
}

export type WorkerData = WorkerOptions & {
  /** Two numbers, PASSED_OVER and PARSED of thread-clock.ts. */
  readonly shared: ArrayBufferLike
  /** With plug-ins: see hook-mark.ts. */
  readonly hookMark?: SharedArrayBuffer
}

type PageRequest = { readonly head: HandoverHead; readonly body: Uint8Array<ArrayBuffer> }

export type WorkerRequest =
  | { readonly pages: readonly PageRequest[] }
  /** URLs whose receipts may be forgotten, as in the frame of the scouter. */
  | { readonly settled: Uint8Array }
  | { readonly save: true }

/** Reports that the thread is ready, with its kernel thread id; 0 when unknown. */
type WorkerReady = { readonly thread: number }

/** Pages that were kept are durable now, so many in the order in which they came. */
export type SavedBatch = {
  readonly saved: number
  readonly counts: readonly CountedPage[]
  /** Pages of the crawl in the store. */
  readonly stored: number
  /** Receipts for the scouter, as frames. */
  readonly receipts: Uint8Array<ArrayBuffer>
}

type WorkerBroken = { readonly code: CrawlerErrorCode; readonly message: string }

/** Then one answer for each page, in order, several at a time; a sitemap's answer follows its parts. */
export type WorkerReply =
  | WorkerReady
  | SitemapPart
  | ParseResult
  | { readonly answers: readonly ParseResult[] }
  | SavedBatch
  | { readonly broken: WorkerBroken }

const port = parentPort
if (port === null) throw new CrawlerError('process-died', 'a parser thread needs its parser')
// The pool that starts this thread passes exactly this.
const options = workerData as WorkerData
const { plugins, hookMark } = options
const plugged =
  plugins && hookMark
    ? await (await import('./plugged-parser.ts')).openPlugged({ ...options, plugins, hookMark })
    : null
const focus =
  options.focus && plugged === null
    ? (await import('./open-focus.ts')).openFocus(options.focus)
    : undefined
const parsePage = createPageParser(
  options,
  focus,
  plugged === null ? await openFields(options) : null,
)
const hash = createUrlHasher(options.salt)
const identity = createIdentity(options.stripParams ?? [])
const judge = plugged ?? focus
const signalsForUrl = judge && ((url: CanonicalUrl) => judge.signalsForUrl(url))
const shared = new Int32Array(options.shared)
const store = await openStore(options.store)
const saver =
  store === null
    ? null
    : new PageSaver({
        store,
        storeIsShared: false,
        isIdle,
        onSaved: tellSaved,
        onBroken: tellBroken,
      })

/** An answer waits no longer than this for those of the pages behind it. */
const ANSWER_MS = 20
/** A body so large may take long to parse; what is in the batch does not wait for it. */
const LARGE_BYTES = 512 * 1024
/** Pages given to this thread so far. */
let given = 0
let isTurnOver = true
/** Requests are answered one after the other; only sitemaps and plug-ins are asynchronous. */
let before: Promise<void> | null = null
port.on('message', (request: WorkerRequest | null) => {
  try {
    hear(request)
  } catch (error) {
    end(error)
  }
})
if (plugged !== null) (await import('../plugin/strays.ts')).passOverStrays()
const ready: WorkerReply = { thread: kernelThreadId() }
port.postMessage(ready)

function hear(request: WorkerRequest | null): void {
  if (request === null) leave().catch(end)
  else if ('settled' in request) store?.acknowledge(decodeUrls(request.settled))
  else if ('save' in request) saver?.flush()
  else if (before === null && plugged === null && areAllPages(request.pages)) {
    beginAll(request.pages)
  } else for (const page of request.pages) inTurn(page).catch(end)
}

/** The parser reports it. What plug-ins leave behind ends no thread, but an error of ours does. */
function end(error: unknown): void {
  process.removeAllListeners('uncaughtException')
  process.nextTick(() => {
    throw error
  })
}

async function openStore(store: StoreOfThreads | undefined): Promise<PageStore | null> {
  if (store === undefined) return null
  const { openStoreOfThread } = (await import(store.module)) as StoreModule
  return openStoreOfThread(store.options)
}

/** Pages of one turn of the event loop go into the store together, if they are not to wait at all. */
function isIdle(): boolean {
  return isTurnOver
}

/** A message costs both threads as much as a small page, so pages of one message are answered together. */
function beginAll(pages: readonly PageRequest[]): void {
  let answers: ParseResult[] = []
  let answeredAt = performance.now()
  for (const page of pages) {
    answers.push(begin(page))
    if (performance.now() < answeredAt + ANSWER_MS) continue
    answerAll(answers)
    answers = []
    answeredAt = performance.now()
  }
  if (answers.length > 0) answerAll(answers)
}

function begin({ head, body }: PageRequest): ParseResult {
  given += 1
  const isPassedOver = given <= Atomics.load(shared, PASSED_OVER)
  if (body.byteLength > LARGE_BYTES) saver?.flush()
  const parsed: ParseResult = isPassedOver ? { outcome: 'lost' } : parse({ head, body })
  const result = saver === null ? parsed : keep(saver, head, parsed)
  Atomics.store(shared, PARSED, given)
  return result
}

async function beginPlugged(request: PageRequest, parser: PluggedParser): Promise<ParseResult> {
  given += 1
  const { head, body } = request
  const startedAt = ownCpuMs()
  const isPassedOver = given <= Atomics.load(shared, PASSED_OVER)
  const read: ParseResult = isPassedOver ? { outcome: 'lost' } : await parser.parse(head, body)
  const parsed = { ...read, tookMs: ownCpuMs() - startedAt }
  const result = saver === null ? parsed : keep(saver, head, parsed)
  Atomics.store(shared, PARSED, given)
  return result
}

function areAllPages(requests: readonly PageRequest[]): boolean {
  return requests.every(({ head }) => head.kind === 'page')
}

function keep(keeper: PageSaver, head: HandoverHead, parsed: ParseResult): ParseResult {
  endTurnSoon(keeper)
  if (parsed.outcome === 'page') keeper.add(head, parsed)
  else {
    const noted = noteOf(head, parsed)
    if (noted === null) return parsed
    keeper.note(head, noted.came, noted.kept)
  }
  return { outcome: 'kept', tookMs: parsed.tookMs ?? 0 }
}

function endTurnSoon(keeper: PageSaver): void {
  if (!isTurnOver) return
  isTurnOver = false
  setImmediate(() => {
    isTurnOver = true
    keeper.flushIfDue()
  })
}

function parse({ head, body }: PageRequest): ParseResult {
  const startedAt = ownCpuMs()
  return { ...parsePage(head, body), tookMs: ownCpuMs() - startedAt }
}

async function inTurn(request: PageRequest): Promise<void> {
  const earlier = before
  const own = (async () => {
    await earlier
    if (request.head.kind === 'page') {
      answerAll([plugged === null ? begin(request) : await beginPlugged(request, plugged)])
      return
    }
    given += 1
    const startedAt = ownCpuMs()
    const parsed = await readEntries(request)
    answer({ ...parsed, tookMs: ownCpuMs() - startedAt })
  })()
  before = own
  await own
  if (before === own) before = null
}

/** Plug-ins are asked about the entries of each part before it is sent. */
async function readEntries({ head, body }: PageRequest): Promise<ParseResult> {
  if (plugged === null) {
    return readSitemap(head, body, { hash, signalsForUrl, identity, onPart: answer })
  }
  let sent = Promise.resolve()
  const onPart = ({ outcome, foundBlock }: SitemapPart): void => {
    sent = sent.then(async () =>
      answer({ outcome, foundBlock: await plugged.admitted(head, foundBlock) }),
    )
  }
  const read = await readSitemap(head, body, { hash, signalsForUrl, identity, onPart })
  await sent
  if (read.outcome !== 'sitemap') return read
  return { ...read, foundBlock: await plugged.admitted(head, read.foundBlock) }
}

function answer(reply: ParseResult | SitemapPart): void {
  port?.postMessage(reply, blocksOf(reply))
}

function answerAll(answers: readonly ParseResult[]): void {
  port?.postMessage({ answers }, answers.flatMap(blocksOf))
}

/** What need not be copied. */
function blocksOf(reply: ParseResult | SitemapPart): ArrayBuffer[] {
  const isOwn = 'foundBlock' in reply && reply.foundBlock.buffer instanceof ArrayBuffer
  return isOwn ? [reply.foundBlock.buffer] : []
}

function tellSaved(pages: readonly SavedPage[], stored: number): void {
  const receipts = framesOf(
    FRAME_TYPES.receipt,
    pages.map(({ receipt }) => receipt),
  )
  const counts = pages.flatMap((page) => page.counts ?? [])
  const reply: SavedBatch = { saved: pages.length, counts, stored, receipts }
  port?.postMessage(reply, [receipts.buffer])
}

function tellBroken(error: unknown): void {
  const broken: WorkerBroken = {
    code: error instanceof CrawlerError ? error.code : 'process-died',
    message: error instanceof Error ? error.message : String(error),
  }
  port?.postMessage({ broken })
}

/** Saves what it has, and what the store has not written yet. */
async function leave(): Promise<void> {
  await saver?.drained()
  await store?.[Symbol.asyncDispose]()
  port?.close()
}
