// The names around an export: where it stands until it is complete, and how it gets its own.
import { constants } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf, orOutError } from './out-error.ts'

export function partPath(out: string): string {
  return `${out}.part`
}

export function workPath(out: string): string {
  return `${out}.part.work`
}

/** The last step, also of an export that was interrupted right before it. */
export async function giveFinalName(out: string, kind: 'file' | 'folder'): Promise<void> {
  await orOutError(out, async () => {
    await rm(workPath(out), { recursive: true, force: true })
    await replace(partPath(out), out, kind)
    await syncFolder(dirname(out))
  })
}

/** A file is replaced in one step; a folder that is in the way goes first, under another name. */
async function replace(from: string, to: string, kind: 'file' | 'folder'): Promise<void> {
  const old = `${to}.part.old`
  if (kind === 'folder') {
    await rm(old, { recursive: true, force: true })
    await rename(to, old).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
    })
  }
  await rename(from, to)
  if (kind === 'folder') await rm(old, { recursive: true, force: true })
}

/** New names in it reach the disk. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, constants.O_RDONLY)
  // Not every file system can do it, and where it cannot there is nothing better.
  await folder.sync().catch(() => undefined)
}
