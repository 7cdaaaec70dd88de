import type { WorkspaceChoice } from '../core/workspace-url.ts'
import { isServerUrl, type WorkspaceUrl } from '../core/workspace-url.ts'
import { safeText } from '../lib/terminal.ts'
import { closeFolder } from './folder/close-folder.ts'
import { LocalWorkspace } from './folder/local-workspace.ts'
import { ServerWorkspace } from './servers/server-workspace.ts'
import type { Workspace } from './workspace.ts'

/** Opens nothing yet; each method opens what it needs. */
export function openWorkspace(text: WorkspaceUrl): Workspace {
  return isServerUrl(text.data) ? new ServerWorkspace(text) : new LocalWorkspace(text)
}

/**
 * From the options of a command: the folder, or a database instead. A folder of this user that others can
 * enter is closed to them.
 */
export function workspaceOf(
  { dataDir, frontier = null, storeTimeoutMs }: WorkspaceChoice,
  tell: (text: string) => void = tellOnStderr,
): Workspace {
  const closed = isServerUrl(dataDir) ? null : closeFolder(dataDir)
  if (closed !== null) tell(closed)
  const timeout = storeTimeoutMs === undefined ? {} : { storeTimeoutMs }
  return openWorkspace({ data: dataDir, frontier, ...timeout })
}

function tellOnStderr(text: string): void {
  process.stderr.write(`jelajah: ${safeText(text)}\n`)
}
