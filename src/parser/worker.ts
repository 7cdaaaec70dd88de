// One parser thread: takes a body, gives back a page record. Everything that is costly about a page
// happens here, so that the parser's main thread only stores and forwards.
import { parentPort, workerData } from 'node:worker_threads'
import { CrawlerError } from '../core/errors.ts'
import type { CanonicalUrl } from '../core/url.ts'
import { createUrlHasher } from '../lib/url-hash.ts'
import type { HandoverHead } from '../wire/handover.ts'
import type { FocusOptions } from './focus.ts'
import { createPageParser, type PageParserOptions } from './parse-page.ts'
import type { Parsed } from './parsed.ts'
import { readSitemap } from './sitemap/read-sitemap.ts'

/** What a thread is started with. */
export type WorkerOptions = PageParserOptions & {
  /** Left out in crawls that look for nothing. */
  readonly focus?: FocusOptions
}

export type WorkerRequest = {
  readonly head: HandoverHead
  readonly body: Uint8Array<ArrayBuffer>
}

/** First that it is ready, then one answer for each request, in their order. */
export type WorkerReply = 'ready' | Parsed

const port = parentPort
if (port === null) throw new CrawlerError('process-died', 'a parser thread needs its parser')
// The pool that starts this thread hands over exactly this.
const options = workerData as WorkerOptions
const focus = options.focus && (await import('./open-focus.ts')).openFocus(options.focus)
const parsePage = createPageParser(options, focus)
const hash = createUrlHasher(options.salt)
const listed = focus && ((url: CanonicalUrl) => focus.listed(url))

port.on('message', (request: WorkerRequest | null) => {
  if (request === null) {
    port.close()
    return
  }
  const { head, body } = request
  const parsed: Parsed =
    head.kind === 'sitemap' ? readSitemap(head, body, { hash, listed }) : parsePage(head, body)
  const transfer: ArrayBuffer[] = []
  if ('foundBlock' in parsed && parsed.foundBlock.buffer instanceof ArrayBuffer) {
    transfer.push(parsed.foundBlock.buffer)
  }
  port.postMessage(parsed, transfer)
})
const ready: WorkerReply = 'ready'
port.postMessage(ready)
