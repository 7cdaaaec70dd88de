// The program of one parser thread: takes a body, returns a page record. All costly work on a page
// happens here, so that the parser's main thread only stores and forwards.
import { parentPort, workerData } from 'node:worker_threads'
import { CrawlerError } from '../core/errors.ts'
import type { CanonicalUrl } from '../core/url.ts'
import { createIdentity } from '../core/url-identity.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import type { HandoverHead } from '../wire/handover.ts'
import type { FocusOptions } from './focus.ts'
import { createPageParser, type PageParserOptions } from './parse-page.ts'
import type { ParseResult, SitemapPart } from './parse-result.ts'
import { readSitemap } from './sitemap/read-sitemap.ts'
import { kernelThreadId, ownCpuMs } from './thread-clock.ts'

export type WorkerOptions = PageParserOptions & {
  /** Absent in crawls without a focus. */
  readonly focus?: FocusOptions
}

export type WorkerRequest = {
  readonly head: HandoverHead
  readonly body: Uint8Array<ArrayBuffer>
}

/** Reports that the thread is ready, with its kernel thread id; 0 when unknown. */
export type WorkerReady = { readonly thread: number }

/** Then one answer for each request, in order; a sitemap's answer follows its parts. */
export type WorkerReply = WorkerReady | SitemapPart | ParseResult

const port = parentPort
if (port === null) throw new CrawlerError('process-died', 'a parser thread needs its parser')
// The pool that starts this thread passes exactly this.
const options = workerData as WorkerOptions
const focus = options.focus && (await import('./open-focus.ts')).openFocus(options.focus)
const parsePage = createPageParser(options, focus)
const hash = createUrlHasher(options.salt)
const identity = createIdentity(options.stripParams ?? [])
const signalsForUrl = focus && ((url: CanonicalUrl) => focus.signalsForUrl(url))

/** Requests are answered one after the other; only sitemaps are asynchronous. */
let before: Promise<void> | null = null
port.on('message', (request: WorkerRequest | null) => {
  if (request === null) port.close()
  else if (before === null && request.head.kind === 'page') answer(parse(request))
  else void inTurn(request)
})
const ready: WorkerReply = { thread: kernelThreadId() }
port.postMessage(ready)

function parse({ head, body }: WorkerRequest): ParseResult {
  const startedAt = ownCpuMs()
  return { ...parsePage(head, body), tookMs: ownCpuMs() - startedAt }
}

async function inTurn(request: WorkerRequest): Promise<void> {
  const earlier = before
  const own = (async () => {
    await earlier
    const { head, body } = request
    if (head.kind === 'page') {
      answer(parse(request))
      return
    }
    const startedAt = ownCpuMs()
    const parsed = await readSitemap(head, body, { hash, signalsForUrl, identity, onPart: answer })
    answer({ ...parsed, tookMs: ownCpuMs() - startedAt })
  })()
  before = own
  // An error ends the thread, and the parser reports it.
  await own
  if (before === own) before = null
}

function answer(reply: ParseResult | SitemapPart): void {
  const transfer: ArrayBuffer[] = []
  if ('foundBlock' in reply && reply.foundBlock.buffer instanceof ArrayBuffer) {
    transfer.push(reply.foundBlock.buffer)
  }
  port?.postMessage(reply, transfer)
}
