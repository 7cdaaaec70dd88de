// The destination of an export: what exists there, and whether it may be replaced.
import type { Stats } from 'node:fs'
import { lstat, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { InvalidInput } from '../core/errors.ts'
import { createFolder } from '../lib/folder.ts'
import { errorCode } from '../lib/present.ts'
import { removeState, statePath } from './export-state.ts'
import { orOutError, partPath, workPath } from './part-target.ts'
import { MANIFEST } from './pipe-target.ts'

/** Null if nothing exists. */
export async function lookAt(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new InvalidInput('--out', `${path} cannot be looked at: ${code}`)
  }
}

/**
 * A named device or pipe, such as /dev/stdout, which links to one: no file can be put beside it or renamed to
 * it.
 */
export async function isDevice(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found !== null && !found.isFile() && !found.isDirectory()
}

/** Throws InvalidInput if the export cannot be written there, or only with --force. */
export async function refuseTaken(
  out: string,
  kind: 'file' | 'folder',
  { force }: { readonly force: boolean },
): Promise<void> {
  const found = await lookAt(out)
  if (found === null) return
  if (kind === 'file') {
    if (found.isDirectory()) throw refused(`${out} is a folder; this export is one file`)
    if (!force) throw refused(`${out} is there already; --force replaces it`)
  } else {
    if (!found.isDirectory()) throw refused(`${out} is there, and not a folder as this export is`)
    await refuseFilled(out, force)
  }
}

/** A folder is created with its parents. The parent of a file must exist, since its name may be a typo. */
export async function findRoom(out: string, kind: 'file' | 'folder'): Promise<void> {
  const above = dirname(out)
  if (kind === 'folder') await orOutError(above, async () => createFolder(above))
  else if (!(await isFolder(above))) throw refused(`there is no folder ${above}`)
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false
}

async function refuseFilled(out: string, force: boolean): Promise<void> {
  const names = await orOutError(out, () => readdir(out))
  if (names.length === 0) return
  if (!force) throw refused(`${out} is there already and not empty; --force replaces an export`)
  if (!(await isExport(out))) {
    throw refused(`${out} holds something else than an export, which is never replaced`)
  }
}

async function isExport(folder: string): Promise<boolean> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'))
    return typeof manifest === 'object' && manifest !== null && 'jelajah' in manifest
  } catch {
    return false
  }
}

/** Deletes the remains of an interrupted export. */
export async function removeParts(out: string): Promise<void> {
  await orOutError(out, async () => {
    await rm(partPath(out), { recursive: true, force: true })
    await rm(workPath(out), { recursive: true, force: true })
    await removeState(out)
  })
}

/** A part that we started has a state file beside it. */
export async function refuseForeignPart(out: string): Promise<void> {
  const path = partPath(out)
  const found = await lookAt(path)
  const hasState = (await lookAt(statePath(out))) !== null
  if (found !== null && (!hasState || found.isSymbolicLink())) {
    throw refused(`${path} is in the way, and no unfinished export; move it elsewhere`)
  }
}

function refused(message: string): InvalidInput {
  return new InvalidInput('--out', message)
}
