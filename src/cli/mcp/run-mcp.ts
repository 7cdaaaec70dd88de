// Serves the tools of a workspace over stdin and stdout: a message per line. stdout has answers and nothing else.
//
// Several clients may do so in one workspace at once, also beside `jelajah serve`. One process at a time runs the
// crawls of a workspace: the first that is asked for one, or finds some that an earlier one left unfinished.
import { JobViews } from '../../api/job-views.ts'
import { readJson } from '../../api/json-body.ts'
import { McpServer, type RpcAnswer, unreadable } from '../../api/mcp/protocol.ts'
import { createTools } from '../../api/mcp/tools.ts'
import { InvalidInput } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import { refuseFewFiles } from '../../crawl/file-check.ts'
import { jobsAsTheyAre } from '../../jobs/job-reader.ts'
import { systemClock } from '../../lib/clock.ts'
import { isObject } from '../../lib/present.ts'
import { ResourceStack } from '../../lib/resource-stack.ts'
import { StopSignals } from '../../lib/stop-signals.ts'
import { safeText } from '../../lib/terminal.ts'
import { openReads } from '../../reads/open-reads.ts'
import { workspaceOf } from '../../workspace/open-workspace.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { checkBriefly, type ServeOptions, settingsOf } from '../serve/server-parts.ts'
import { JobRunner } from './job-runner.ts'

/** As over HTTP. */
const MAX_MESSAGE_BYTES = 2 ** 20
/** Messages that are answered at once; more wait in the pipe. */
const MAX_AT_ONCE = 64
/** What others may not do with files made here. */
const OWNER_ONLY = 0o077

export async function runMcp(options: ServeOptions, out: Output): Promise<ExitCode> {
  const log = (text: string): void => out.warn(`jelajah: ${safeText(text)}\n`)
  process.umask(OWNER_ONLY)
  using signals = new StopSignals({})
  await using opened = new ResourceStack()
  const server = await openTools(options, opened, log)
  const served = serveLines(server, process.stdin, out)
  await Promise.race([served, signals.first])
  process.stdin.destroy()
  return EXIT.done
}

async function openTools(
  options: ServeOptions,
  opened: ResourceStack,
  log: (text: string) => void,
): Promise<McpServer> {
  refuseFewFiles()
  const clock = systemClock
  const settings = settingsOf(options)
  const workspace = opened.use(workspaceOf(options))
  await workspace.make()
  const kept = opened.use(await workspace.jobStore())
  const journal = opened.use(await workspace.journal())
  const reads = opened.use(await openReads(workspace.text))
  const dispatcher = opened.use(
    new JobRunner({ options, workspace, jobs: kept, journal, clock, log }),
  )
  await dispatcher.goOn()
  const jobs = jobsAsTheyAre(kept, workspace, (id) => dispatcher.live(id) !== null)
  const views = new JobViews({ dispatcher, reads, journal, clock })
  const tools = createTools({ dispatcher, views, jobs, reads, settings, checkTopic: checkBriefly })
  return new McpServer({ tools, version: VERSION, log })
}

/** Resolves when the client has closed the pipe and everything it asked is answered. */
export async function serveLines(
  server: Pick<McpServer, 'answer'>,
  input: AsyncIterable<Uint8Array>,
  out: Pick<Output, 'write'>,
): Promise<void> {
  const underWay = new Set<Promise<void>>()
  const cancelled = new Set<unknown>()
  for await (const line of messageLines(input, MAX_MESSAGE_BYTES)) {
    const message = readMessage(line)
    const unwanted = cancelledBy(message)
    if (unwanted !== null) cancelled.add(unwanted)
    // Late answers are forgotten when nothing is under way.
    if (underWay.size === 0) cancelled.clear()
    const answered = answerTo(server, message).then(async (answer) => {
      const isWanted = answer !== null && !cancelled.delete(answer.id)
      if (isWanted) await out.write(`${JSON.stringify(answer)}\n`)
      underWay.delete(answered)
    })
    underWay.add(answered)
    if (underWay.size >= MAX_AT_ONCE) await Promise.race(underWay)
  }
  await Promise.all(underWay)
}

type Message = { readonly value: unknown } | { readonly wrong: RpcAnswer }

function readMessage(line: Buffer | null): Message {
  if (line === null) return { wrong: unreadable('a message is at most 1 MiB') }
  try {
    return { value: readJson(line) }
  } catch (error) {
    if (error instanceof InvalidInput) return { wrong: unreadable(`the message ${error.message}`) }
    throw error
  }
}

async function answerTo(
  server: Pick<McpServer, 'answer'>,
  message: Message,
): Promise<RpcAnswer | null> {
  return 'wrong' in message ? message.wrong : server.answer(message.value)
}

/** The id of a request whose answer the client does not want any more; null: this is another message. */
function cancelledBy(message: Message): unknown {
  if (!('value' in message) || !isObject(message.value)) return null
  const { method, params } = message.value
  if (method !== 'notifications/cancelled' || !isObject(params)) return null
  return params.requestId ?? null
}

const NEWLINE = 0x0a

/**
 * The messages of a pipe, one per line, without empty lines. Null: a line was longer than that, and is left
 * out.
 */
export async function* messageLines(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Buffer | null> {
  let parts: Uint8Array[] = []
  let bytes = 0
  const add = (part: Uint8Array): void => {
    bytes += part.length
    if (bytes > maxBytes) parts = []
    else parts.push(part)
  }
  const take = (): Buffer | null => {
    const line = bytes > maxBytes ? null : Buffer.concat(parts)
    parts = []
    bytes = 0
    return line
  }
  for await (const chunk of stream) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at))
      from = at + 1
      const line = take()
      if (line === null || !isBlank(line)) yield line
    }
    add(chunk.subarray(from))
  }
  const rest = take()
  if (rest === null || !isBlank(rest)) yield rest
}

function isBlank(line: Buffer): boolean {
  return line.toString('latin1').trim() === ''
}
