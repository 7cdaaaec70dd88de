// What a user sees of a folder who may look into it, but change nothing there.
import { chmodSync } from 'node:fs'

const NOBODY = 65_534

/** Until it is done, all of this process is that user. The folder stays closed to writers. */
export async function asStranger<T>(dir: string, work: () => T | Promise<T>): Promise<T> {
  const { geteuid, seteuid } = process
  if (geteuid === undefined || seteuid === undefined) throw new Error('no users here')
  const me = geteuid()
  chmodSync(dir, 0o555)
  // Root may write everywhere, so it has to become somebody else; others need no more than this.
  if (me === 0) seteuid(NOBODY)
  try {
    return await work()
  } finally {
    if (me === 0) seteuid(me)
  }
}
