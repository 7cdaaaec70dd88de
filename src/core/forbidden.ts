// A site that keeps some of its folders to its members is not one that shuts us out. A row of answers that
// forbid ends the folders it came from while they are few, and the host when they are many.
import { type CanonicalUrl, pathOf } from './url.ts'

/** Folders that one run leaves alone before it leaves the host alone. */
const FEW_FOLDERS = 3

/** Of one run; spending.lua has the same rules for Redis. */
export type Forbidden = {
  /** Where the row came from; one more than are few says that they are many. */
  row: readonly string[]
  /** What is not asked for any more. */
  shut: readonly string[]
}

/** The first name of a path: `/members` of `/members/12?tab=1`. */
export function folderOf(url: CanonicalUrl): string {
  return /^\/[^/?]*/.exec(pathOf(url))?.[0] ?? '/'
}

export function noteForbidden(forbidden: Forbidden, folder: string): void {
  const { row } = forbidden
  if (row.length <= FEW_FOLDERS && !row.includes(folder)) forbidden.row = [...row, folder]
}

/** Shuts the folders of a row that is over; false when they are too many for that. */
export function shutFolders(forbidden: Forbidden): boolean {
  const shut = [...new Set([...forbidden.shut, ...forbidden.row])]
  if (shut.length > FEW_FOLDERS) return false
  forbidden.shut = shut
  forbidden.row = []
  return true
}
