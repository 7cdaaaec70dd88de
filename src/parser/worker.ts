// One parser thread: takes a body, gives back a page record. Everything that is costly about a page
// happens here, so that the parser's main thread only stores and forwards.
import { parentPort, workerData } from 'node:worker_threads'
import { CrawlerError } from '../core/errors.ts'
import type { CanonicalUrl } from '../core/url.ts'
import { createIdentity } from '../core/url-identity.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import type { HandoverHead } from '../wire/handover.ts'
import type { FocusOptions } from './focus.ts'
import { createPageParser, type PageParserOptions } from './parse-page.ts'
import type { Parsed, SitemapPart } from './parsed.ts'
import { readSitemap } from './sitemap/read-sitemap.ts'
import { ownCpuMs, threadNumber } from './thread-clock.ts'

/** What a thread is started with. */
export type WorkerOptions = PageParserOptions & {
  /** Left out in crawls that look for nothing. */
  readonly focus?: FocusOptions
}

export type WorkerRequest = {
  readonly head: HandoverHead
  readonly body: Uint8Array<ArrayBuffer>
}

/** Says that it is ready, and which thread it is to the kernel; 0 where that cannot be told. */
export type Ready = { readonly thread: number }

/** After that one answer for each request, in their order, a sitemap's after the parts of it. */
export type WorkerReply = Ready | SitemapPart | Parsed

const port = parentPort
if (port === null) throw new CrawlerError('process-died', 'a parser thread needs its parser')
// The pool that starts this thread hands over exactly this.
const options = workerData as WorkerOptions
const focus = options.focus && (await import('./open-focus.ts')).openFocus(options.focus)
const parsePage = createPageParser(options, focus)
const hash = createUrlHasher(options.salt)
const identity = createIdentity(options.stripParams ?? [])
const listed = focus && ((url: CanonicalUrl) => focus.listed(url))

/** Requests are answered one after the other; only sitemaps take more than one turn. */
let before: Promise<void> | null = null
port.on('message', (request: WorkerRequest | null) => {
  if (request === null) port.close()
  else if (before === null && request.head.kind === 'page') answer(parse(request))
  else void inTurn(request)
})
const ready: WorkerReply = { thread: threadNumber() }
port.postMessage(ready)

function parse({ head, body }: WorkerRequest): Parsed {
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
    const parsed = await readSitemap(head, body, { hash, listed, identity, onPart: answer })
    answer({ ...parsed, tookMs: ownCpuMs() - startedAt })
  })()
  before = own
  // An error is the thread's end, and then its parser says so.
  await own
  if (before === own) before = null
}

function answer(reply: Parsed | SitemapPart): void {
  const transfer: ArrayBuffer[] = []
  if ('foundBlock' in reply && reply.foundBlock.buffer instanceof ArrayBuffer) {
    transfer.push(reply.foundBlock.buffer)
  }
  port?.postMessage(reply, transfer)
}
