// One parser thread: takes a body, gives back a page record. Everything that is costly about a page
// happens here, so that the parser's main thread only stores and forwards.
import { parentPort, workerData } from 'node:worker_threads'
import { CrawlerError } from '../core/errors.ts'
import type { HandoverHead } from '../wire/handover.ts'
import { createPageParser, type PageParserOptions } from './parse-page.ts'
import type { Parsed } from './parsed.ts'

export type WorkerRequest = {
  readonly head: HandoverHead
  readonly body: Uint8Array<ArrayBuffer>
}

const port = parentPort
if (port === null) throw new CrawlerError('process-died', 'a parser thread needs its parser')
// The pool that starts this thread hands over exactly this.
const parse = createPageParser(workerData as PageParserOptions)

port.on('message', ({ head, body }: WorkerRequest) => {
  const parsed: Parsed = parse(head, body)
  const transfer: ArrayBuffer[] = []
  if ('foundBlock' in parsed && parsed.foundBlock.buffer instanceof ArrayBuffer) {
    transfer.push(parsed.foundBlock.buffer)
  }
  port.postMessage(parsed, transfer)
})
