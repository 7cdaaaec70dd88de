// The error for a workspace without a crawl; it also names one in a folder below.
import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { safeText } from '../lib/terminal.ts'
import { storePath } from './folder/paths.ts'
import type { Workspace } from './workspace.ts'

export function noCrawlError(workspace: Workspace): string {
  const below = workspace.folder === null ? null : placeBelow(workspace.folder)
  const hint =
    below === null ? `'jelajah crawl <seed>' makes one` : `did you mean --data ${shortest(below)}?`
  return safeText(`there is no crawl in ${workspace.shown} yet; ${hint}`)
}

/** The first subfolder that has crawls, such as that of the demo. */
function placeBelow(folder: string): string | null {
  const places = namesIn(folder).map((name) => join(folder, name))
  return places.find((place) => existsSync(storePath(place))) ?? null
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** As it would be typed here. */
function shortest(path: string): string {
  const fromHere = relative('', path)
  return fromHere.startsWith('..') ? path : fromHere
}
