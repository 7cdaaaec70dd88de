// Locks of a workspace on servers: the database holds those between machines, this machine holds that of its
// feed. Children of a crawl need none: the frontier notices sessions that are gone.
import { join } from 'node:path'
import { CrawlerError } from '../../core/errors.ts'
import { shownWorkspace, type WorkspaceUrl } from '../../core/workspace-url.ts'
import type { LockName, WorkspaceLock, WorkspaceLocks } from '../workspace.ts'
import type { Connections } from './connections.ts'
import { makeMachineFolder } from './machine-folder.ts'

const OF_CHILDREN = /^(?:scouter|parser)-/
const NOBODYS: WorkspaceLock = { [Symbol.asyncDispose]: async () => {} }

type ServerLocksOptions = {
  readonly text: WorkspaceUrl
  readonly connections: Connections
  readonly machineFolder: string
}

export class ServerLocks implements WorkspaceLocks {
  readonly #text: WorkspaceUrl
  readonly #connections: Connections
  readonly #machineFolder: string

  constructor({ text, connections, machineFolder }: ServerLocksOptions) {
    this.#text = text
    this.#connections = connections
    this.#machineFolder = machineFolder
  }

  async lock(name: LockName): Promise<WorkspaceLock | null> {
    if (OF_CHILDREN.test(name)) return NOBODYS
    if (name === 'feed') return this.#lockFeed()
    return this.#lockStore(name)
  }

  async waitForLock(name: LockName, forMs: number): Promise<WorkspaceLock> {
    if (OF_CHILDREN.test(name)) return NOBODYS
    if (name === 'feed') {
      const { waitForLock } = await import('../../db/lock.ts')
      return waitForLock(this.#feedPath(), forMs)
    }
    const lock = await this.#lockStore(name, { waitMs: forMs })
    if (lock === null) throw this.#busy(name)
    return lock
  }

  async isLocked(name: LockName): Promise<boolean> {
    if (OF_CHILDREN.test(name) || name === 'feed') return false
    const db = await this.#connections.reading()
    if (db === null) return false
    const { postgresLockIsHeld } = await import('../../db/postgres-lock.ts')
    return postgresLockIsHeld(db, name)
  }

  async holderOf(name: LockName): Promise<string | null> {
    const db = await this.#connections.reading()
    if (db === null) return null
    const { holderOfPostgresLock } = await import('../../db/postgres-lock.ts')
    const held = await holderOfPostgresLock(db, name)
    return held && `${held.holder}, since ${new Date(held.since).toISOString()}`
  }

  async #lockStore(
    name: LockName,
    waiting: { readonly waitMs?: number } = {},
  ): Promise<WorkspaceLock | null> {
    const { openPostgresLock } = await import('../../db/postgres-lock.ts')
    const { data: url, storeTimeoutMs } = this.#text
    const patience = storeTimeoutMs === undefined ? {} : { deadlineMs: storeTimeoutMs }
    return openPostgresLock(name, { url, ...patience, ...waiting })
  }

  async #lockFeed(): Promise<WorkspaceLock | null> {
    const { openLock } = await import('../../db/lock.ts')
    return openLock(this.#feedPath())
  }

  #feedPath(): string {
    makeMachineFolder(this.#machineFolder)
    return join(this.#machineFolder, 'feed.lock')
  }

  #busy(name: LockName): CrawlerError {
    const message = `${name} of ${shownWorkspace(this.#text)} is held by another process`
    return new CrawlerError('store-busy', message)
  }
}
