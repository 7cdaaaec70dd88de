// What a user sees of a folder who may look into it, but change nothing there: its owner has opened it.
import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const NOBODY = 65_534

/** Until it is done, all of this process is that user. The folder stays closed to writers. */
export async function asStranger<T>(dir: string, work: () => T | Promise<T>): Promise<T> {
  const { geteuid, seteuid } = process
  if (geteuid === undefined || seteuid === undefined) throw new Error('no users here')
  const me = geteuid()
  openToReaders(dir)
  // Root may write everywhere, so it has to become somebody else; others need no more than this.
  if (me === 0) seteuid(NOBODY)
  try {
    return await work()
  } finally {
    if (me === 0) seteuid(me)
  }
}

/** As its owner does who wants others to read it. */
export function openToReaders(dir: string): void {
  chmodSync(dir, 0o555)
  for (const name of readdirSync(dir)) {
    const path = join(dir, name)
    const found = lstatSync(path)
    if (found.isFile() && (found.mode & 0o400) !== 0) chmodSync(path, found.mode | 0o044)
  }
}
