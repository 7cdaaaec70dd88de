// The indexer as a process of its own, beside a crawl or a server: follows the store, with low priority,
// until its parent says "finish" (then to the end of what is stored) or is gone.
//
// From its parent, a line of JSON that says where: {"data":…,"frontier":…}. To it, a line of JSON at each step: {"behind":N}; or {"failed":TEXT} before it leaves.
import { constants, setPriority } from 'node:os'
import { CrawlerError, firstError } from '../core/errors.ts'
import type { WorkspaceUrl } from '../core/workspace-url.ts'
import { asCrawlerError } from '../db/sqlite-errors.ts'
import { LineCutter } from '../feed/feed-protocol.ts'
import { systemClock } from '../lib/clock.ts'
import { ignoreStopSignals } from '../lib/stop-signals.ts'
import { openIndexSource } from '../search/index/index-writer.ts'
import { indexOn, openRanks, openWriter } from '../search/index/indexing.ts'
import { openWorkspace } from '../workspace/open-workspace.ts'

const MAX_LINE_BYTES = 64 * 1024

async function main(): Promise<void> {
  const finishing = new AbortController()
  const leaving = new AbortController()
  ignoreStopSignals()
  const told = Promise.withResolvers<WorkspaceUrl>()
  const lines = new LineCutter(MAX_LINE_BYTES)
  process.stdin.on('data', (bytes: Buffer) => {
    for (const line of lines.push(bytes)) {
      if (line === 'finish') finishing.abort()
      // Its parent says exactly this.
      else told.resolve(JSON.parse(line ?? '') as WorkspaceUrl)
    }
  })
  process.stdin.once('end', () => leaving.abort())
  process.stdin.on('error', () => leaving.abort())
  // Nobody hears it: the parent is gone.
  process.stdout.on('error', () => leaving.abort())
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const text = await Promise.race([told.promise, aborted(leaving.signal)])
  if (text === null) return
  await using workspace = openWorkspace(text)
  await using source = await openIndexSource(workspace)
  if (source === null) return
  const watcher = {
    onBehind: (behind: number) => say({ behind }),
    onRebuild: () => say({ anew: true }),
  }
  await using ranked = await openRanks(workspace, source)
  const options = {
    ...{ workspace, source, clock: systemClock, watcher, leaving: leaving.signal },
    ranks: ranked.ranks,
  }
  // A process that holds the index meanwhile needs no help to finish.
  const waiting = { ...options, leaving: AbortSignal.any([leaving.signal, finishing.signal]) }
  await using writer = await openWriter(waiting, Number.POSITIVE_INFINITY)
  if (writer !== null) await indexOn(writer, options, finishing.signal)
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)))
}

function say(line: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

try {
  await main()
} catch (thrown) {
  const error = asCrawlerError(firstError(thrown))
  const failed = error instanceof CrawlerError ? error.message : String(error)
  say({ failed })
  process.exitCode = 1
}
process.stdin.destroy()
