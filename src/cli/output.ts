// stdout for commands that may print a lot: waits for a slow reader instead of filling memory.
import { once } from 'node:events'
import { safeLines } from '../lib/terminal.ts'
import { EXIT } from './exit-codes.ts'

/** Where a command prints. */
export type Output = {
  readonly write: (text: string) => Promise<void>
  readonly warn: (text: string) => void
}

export function standardOutput(): Output {
  return {
    write: toStdout,
    warn(text) {
      // Notes name crawls, files and pages: whatever is in them moves no cursor.
      process.stderr.write(safeLines(text))
    },
  }
}

/** Waits for a slow reader. */
export async function toStdout(piece: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(piece)) await once(process.stdout, 'drain')
}

/** `| head` closes the pipe when it has enough: that is an end, not an error. */
export function endQuietlyWithTheReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.done)
    process.stderr.write(`jelajah: stdout cannot be written: ${error.code ?? error.message}\n`)
    process.exit(error.code === 'ENOSPC' ? EXIT.store : EXIT.error)
  })
  // A log that nobody reads any more must not end a crawl.
  process.stderr.on('error', () => {})
}
