// The trap budget: how many URLs of one shape a host is granted. A shape that is surely endless is
// closed when its budget is used; any other only when its pages also turn out to be all alike.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CanonicalUrl } from '../../core/url.ts'
import { packNumbers, unpackNumbers } from './packing.ts'

/** The shape of a URL; `strict` when it is of a kind that never ends. Null: it has none. */
export type TemplateOf = (
  url: CanonicalUrl,
) => { readonly key: string; readonly strict: boolean } | null

type Template = {
  readonly hostId: number
  readonly key: string
  used: number
  /** Of the last pages that were read, oldest first. */
  likes: readonly number[]
  repeats: boolean
  dirty: boolean
}

const REMEMBERED_PAGES = 50
/** Of these as many must be alike for a template to be closed. */
const ALIKE_SHARE = 0.8
/** Templates in memory; the rest is read again when it comes up. */
const MAX_CACHED = 20_000

export class Templates {
  readonly #templateOf: TemplateOf
  readonly #budget: number
  readonly #read: StatementSync
  readonly #save: StatementSync
  #cache = new Map<string, Template>()
  #dirty: Template[] = []

  constructor(options: { db: DatabaseSync; templateOf: TemplateOf; budget: number }) {
    this.#templateOf = options.templateOf
    this.#budget = options.budget
    this.#read = options.db.prepare(
      'SELECT used, likes FROM template WHERE host_id = ? AND key = ?',
    )
    this.#save = options.db.prepare(
      'INSERT OR REPLACE INTO template (host_id, key, used, likes) VALUES (?, ?, ?, ?)',
    )
  }

  /** Counts one more URL of its shape and answers null, or says why it may not be queued. */
  grant(hostId: number, url: CanonicalUrl): string | null {
    const shape = this.#budget > 0 ? this.#templateOf(url) : null
    if (shape === null) return null
    const template = this.#find(hostId, shape.key)
    if (template.used >= this.#budget && (shape.strict || template.repeats)) {
      return shape.strict
        ? `trap: ${shape.key} has used its ${this.#budget} pages`
        : `trap: ${shape.key} shows the same page again and again`
    }
    template.used += 1
    this.#touch(template)
    return null
  }

  /** Takes a grant back: the URL left the queue without being fetched. */
  takeBack(hostId: number, url: CanonicalUrl): void {
    const shape = this.#budget > 0 ? this.#templateOf(url) : null
    if (shape === null) return
    const template = this.#find(hostId, shape.key)
    template.used = Math.max(0, template.used - 1)
    this.#touch(template)
  }

  /** A page of this shape was read. */
  noteRead(hostId: number, url: CanonicalUrl, likeness: number): void {
    const shape = this.#budget > 0 ? this.#templateOf(url) : null
    if (shape === null || shape.strict) return
    const template = this.#find(hostId, shape.key)
    // Far from its budget nobody will ask whether it repeats itself.
    if (template.used < this.#budget / 2) return
    template.likes = [...template.likes.slice(1 - REMEMBERED_PAGES), likeness]
    template.repeats = this.#repeats(template.likes)
    this.#touch(template)
  }

  /** Writes what changed; call before a transaction ends. */
  write(): void {
    for (const template of this.#dirty) {
      const likes = template.likes.length === 0 ? null : packNumbers(template.likes)
      this.#save.run(template.hostId, template.key, template.used, likes)
      template.dirty = false
    }
    this.#dirty = []
    if (this.#cache.size > MAX_CACHED) this.#cache = new Map()
  }

  #find(hostId: number, key: string): Template {
    const name = `${hostId} ${key}`
    const known = this.#cache.get(name)
    if (known) return known
    const row = this.#read.get(hostId, key)
    const likes = row?.likes instanceof Uint8Array ? unpackNumbers(row.likes) : []
    const used = Number(row?.used ?? 0)
    const template = { hostId, key, used, likes, repeats: this.#repeats(likes), dirty: false }
    this.#cache.set(name, template)
    return template
  }

  #touch(template: Template): void {
    if (template.dirty) return
    template.dirty = true
    this.#dirty.push(template)
  }

  #repeats(likes: readonly number[]): boolean {
    if (likes.length < Math.min(REMEMBERED_PAGES, this.#budget)) return false
    const counts = new Map<number, number>()
    for (const like of likes) counts.set(like, (counts.get(like) ?? 0) + 1)
    return Math.max(...counts.values()) >= ALIKE_SHARE * likes.length
  }
}
