import type { PlaceChoice } from '../core/workspace-url.ts'
import { isServerUrl, type PlaceText } from '../core/workspace-url.ts'
import { safeText } from '../lib/terminal.ts'
import { closeFolder } from './folder/close-folder.ts'
import { FolderPlace } from './folder/local-workspace.ts'
import { ServerPlace } from './servers/server-workspace.ts'
import type { Place } from './workspace.ts'

/** Opens nothing yet: that is done by what is asked for. */
export function openPlace(text: PlaceText): Place {
  return isServerUrl(text.data) ? new ServerPlace(text) : new FolderPlace(text)
}

/**
 * As the options of a command name it: the folder, or a database in its place. A folder of this user that
 * others can enter is closed to them.
 */
export function placeOf(
  { dataDir, frontier = null, storeTimeoutMs }: PlaceChoice,
  tell: (text: string) => void = tellOnStderr,
): Place {
  const closed = isServerUrl(dataDir) ? null : closeFolder(dataDir)
  if (closed !== null) tell(closed)
  const timeout = storeTimeoutMs === undefined ? {} : { storeTimeoutMs }
  return openPlace({ data: dataDir, frontier, ...timeout })
}

function tellOnStderr(text: string): void {
  process.stderr.write(`jelajah: ${safeText(text)}\n`)
}
