// The indexer as a process of its own, beside a crawl or a server: follows the store, with low priority,
// until its parent says "finish" (then to the end of what is stored) or is gone.
//
// To its parent, a line of JSON at each step: {"behind":N}; or {"failed":TEXT} before it leaves.
import { constants, setPriority } from 'node:os'
import { CrawlerError, firstError } from '../core/errors.ts'
import { systemClock } from '../lib/clock.ts'
import { openIndexSource } from './index-writer.ts'
import { indexOn, openRanks, openWriter } from './indexing.ts'

async function main(dataDir: string): Promise<void> {
  const finishing = new AbortController()
  const leaving = new AbortController()
  // The terminal sends Ctrl-C to the whole group; only the parent decides what it means.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  process.stdin.on('data', () => finishing.abort())
  process.stdin.once('end', () => leaving.abort())
  process.stdin.on('error', () => leaving.abort())
  // Nobody hears it: the parent is gone.
  process.stdout.on('error', () => leaving.abort())
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  await using source = await openIndexSource(dataDir)
  if (source === null) return
  const watcher = {
    onBehind: (behind: number) => say({ behind }),
    onAnew: () => say({ anew: true }),
  }
  await using ranked = await openRanks(dataDir, source)
  const options = {
    ...{ dataDir, source, clock: systemClock, watcher, leaving: leaving.signal },
    ranks: ranked.ranks,
  }
  // Who has the index meanwhile will not need help to finish.
  const waiting = { ...options, leaving: AbortSignal.any([leaving.signal, finishing.signal]) }
  await using writer = await openWriter(waiting, Number.POSITIVE_INFINITY)
  if (writer !== null) await indexOn(writer, options, finishing.signal)
}

function say(line: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

try {
  await main(process.argv[2] ?? '')
} catch (thrown) {
  const error = firstError(thrown)
  const failed = error instanceof CrawlerError ? error.message : String(error)
  say({ failed })
  process.exitCode = 1
}
process.stdin.destroy()
