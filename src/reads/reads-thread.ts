// One thread that reads a workspace: takes named calls, answers each with plain values. open-reads.ts starts it,
// hands over where the workspace is, and sends exactly these messages.
import { parentPort, workerData } from 'node:worker_threads'
import { CrawlerError, InvalidInput } from '../core/errors.ts'
import type { WorkspaceUrl } from '../core/workspace-url.ts'
import { openWorkspace } from '../workspace/open-workspace.ts'
import { openReadsHere, type ReadName } from './reads.ts'

export type ReadCall = {
  readonly id: number
  readonly name: ReadName
  readonly args: readonly unknown[]
}

/** An error as it travels: enough to be thrown again on the other side. */
export type SentError = {
  readonly kind: 'crawler' | 'input' | 'other'
  readonly code: string
  readonly message: string
}

export type ReadReply =
  | 'ready'
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: SentError }

const port = parentPort
if (port === null) throw new CrawlerError('process-died', 'a reading thread needs its server')
// The starter of this thread hands over exactly this.
const workspace = openWorkspace(workerData as WorkspaceUrl)
const reads = openReadsHere(workspace)
const say = (reply: ReadReply): void => port.postMessage(reply)

port.on('message', (call: ReadCall | null) => {
  if (call === null) void leave()
  else void answer(call)
})
say('ready')

async function answer({ id, name, args }: ReadCall): Promise<void> {
  try {
    // The names and arguments are checked where the call is made, by the compiler.
    const read = reads[name] as (...args: readonly unknown[]) => Promise<unknown>
    say({ id, value: await read(...args) })
  } catch (error) {
    say({ id, error: sentError(error) })
  }
}

async function leave(): Promise<void> {
  await reads[Symbol.asyncDispose]()
  await workspace[Symbol.asyncDispose]()
  port?.close()
}

function sentError(error: unknown): SentError {
  if (error instanceof CrawlerError) {
    return { kind: 'crawler', code: error.code, message: error.message }
  }
  if (error instanceof InvalidInput) {
    return { kind: 'input', code: error.at, message: error.message }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { kind: 'other', code: '', message }
}
