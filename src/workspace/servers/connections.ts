// The connections of a workspace on servers. Each is made when it is first needed, shared by everything
// opened over it, and closed with the workspace.
import { CrawlerError } from '../../core/errors.ts'
import { shownWorkspace, type WorkspaceUrl } from '../../core/workspace-url.ts'
import type { Postgres } from '../../db/postgres.ts'
import type { RedisConnection } from '../../db/redis.ts'

/** As long as servers are waited for once they are open. */
const KNOWN_MS = 60_000

export class Connections implements AsyncDisposable {
  readonly #text: WorkspaceUrl
  #writer: Promise<Postgres> | null = null
  #reader: Promise<Postgres | null> | null = null
  #redis: Promise<RedisConnection> | null = null

  constructor(text: WorkspaceUrl) {
    this.#text = text
  }

  /** A store for writing; created, or migrated, if necessary. */
  async writing(): Promise<Postgres> {
    this.#writer ??= this.#openWriter().catch((error: unknown) => {
      this.#writer = null
      throw error
    })
    return this.#writer
  }

  /** Null if there is no store yet; the next call checks again. */
  async reading(): Promise<Postgres | null> {
    if (this.#writer !== null) return this.#writer
    this.#reader ??= this.#openReader()
    const opening = this.#reader
    const reader = await opening.catch((error: unknown) => {
      if (this.#reader === opening) this.#reader = null
      throw error
    })
    if (reader === null && this.#reader === opening) this.#reader = null
    return reader
  }

  async redis(): Promise<RedisConnection> {
    this.#redis ??= this.#openRedis().catch((error: unknown) => {
      this.#redis = null
      throw error
    })
    return this.#redis
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const open = [this.#writer, this.#reader, this.#redis]
    this.#writer = null
    this.#reader = null
    this.#redis = null
    for (const connection of open) {
      const opened = await connection?.catch(() => null)
      await opened?.[Symbol.asyncDispose]()
    }
  }

  async #openWriter(): Promise<Postgres> {
    const { openPostgres } = await import('../../db/postgres.ts')
    return openPostgres({ url: this.#text.data, ...this.#patience })
  }

  async #openReader(): Promise<Postgres | null> {
    const { openPostgresReader } = await import('../../db/postgres.ts')
    return openPostgresReader({ url: this.#text.data, ...this.#patience })
  }

  async #openRedis(): Promise<RedisConnection> {
    const { frontier } = this.#text
    if (frontier === null) {
      const message = `the frontier of ${shownWorkspace(this.#text)} is needed for this: give --frontier redis://…`
      throw new CrawlerError('store-unreachable', message)
    }
    const { openRedis } = await import('../../db/redis.ts')
    return openRedis({ url: frontier, ...this.#patience })
  }

  get #patience(): { readonly deadlineMs?: number; readonly openMs?: number } {
    const { storeTimeoutMs, isKnown } = this.#text
    return {
      ...(storeTimeoutMs === undefined ? {} : { deadlineMs: storeTimeoutMs }),
      ...(isKnown ? { openMs: storeTimeoutMs ?? KNOWN_MS } : {}),
    }
  }
}
