// The evidence about the templates of a crawl's hosts, and which templates are closed. The rules are in
// core/template.ts. Rows are written in the same transaction as their pages.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { UrlTemplate } from '../../core/template.ts'
import {
  noEvidence,
  type Shown,
  type Sight,
  streakLimit,
  type TrapEvidence,
  trapReason,
  weigh,
} from '../../core/template.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { packIds, unpackIds } from './packing.ts'

/** The template of a URL; null if it is never judged by one. */
export type TemplateOf = (url: CanonicalUrl) => UrlTemplate | null

type Template = {
  readonly hostId: number
  readonly key: string
  readonly evidence: TrapEvidence
  dirty: boolean
}

/** Templates in memory; the others are read again when needed. */
const MAX_CACHED = 20_000

export class TrapBudget {
  readonly #templateOf: TemplateOf
  readonly #budget: number
  readonly #read: StatementSync
  readonly #save: StatementSync
  #cache = new Map<string, Template>()
  #dirty: Template[] = []
  /** By host: templates that may be closed. Few hosts have any. */
  readonly #suspects = new Map<number, Map<string, Shown>>()

  constructor(options: { db: DatabaseSync; templateOf: TemplateOf; budget: number }) {
    const { db, budget } = options
    this.#templateOf = options.templateOf
    this.#budget = budget
    this.#read = db.prepare(
      'SELECT debt, streak, likes, pairs FROM template WHERE host_id = ? AND key = ?',
    )
    this.#save = db.prepare(`
      INSERT OR REPLACE INTO template (host_id, key, debt, streak, likes, pairs)
      VALUES (?, ?, ?, ?, ?, ?)`)
    if (budget > 0) this.#loadSuspects(db)
  }

  /** Whether any template may be closed; if not, no check is needed. */
  get areClosed(): boolean {
    return this.#suspects.size > 0
  }

  /** Why no page of this URL's template is requested any more; null if it may be. */
  refusal(hostId: number, url: CanonicalUrl): string | null {
    const suspects = this.#suspects.get(hostId)
    const template = suspects === undefined ? null : this.#templateOf(url)
    const evidence = template === null ? undefined : suspects?.get(template.key)
    if (template === null || evidence === undefined) return null
    return trapReason(template, evidence, this.#budget)
  }

  /** A page was read, or the URL redirected elsewhere. */
  note(hostId: number, url: CanonicalUrl, sight: Sight): void {
    const shape = this.#budget > 0 ? this.#templateOf(url) : null
    if (shape === null) return
    const template = this.#find(hostId, shape.key)
    const { evidence } = template
    weigh(evidence, shape, sight)
    // Without its own pairs, since those of the next URL may all have been seen.
    const mayClose = trapReason({ ...shape, pairs: [] }, evidence, this.#budget) !== null
    const isSuspect = this.#suspects.get(hostId)?.has(shape.key)
    if (mayClose || isSuspect) this.#suspect(hostId, shape.key, evidence)
    if (template.dirty) return
    template.dirty = true
    this.#dirty.push(template)
  }

  /** Writes changed rows. Call it before a transaction ends. */
  write(): void {
    for (const template of this.#dirty) {
      const { debt, streak, likes, pairs } = template.evidence
      this.#save.run(template.hostId, template.key, debt, streak, blobOf(likes), blobOf(pairs))
      template.dirty = false
    }
    this.#dirty = []
    if (this.#cache.size > MAX_CACHED) this.#cache = new Map()
  }

  #find(hostId: number, key: string): Template {
    const name = `${hostId} ${key}`
    const known = this.#cache.get(name)
    if (known) return known
    const template = { hostId, key, evidence: this.#readEvidence(hostId, key), dirty: false }
    this.#cache.set(name, template)
    return template
  }

  #readEvidence(hostId: number, key: string): TrapEvidence {
    const row = this.#read.get(hostId, key)
    if (row === undefined) return noEvidence()
    const { debt, streak, likes, pairs } = row
    return {
      debt: Number(debt),
      streak: Number(streak),
      likes: numbersOf(likes),
      pairs: numbersOf(pairs),
    }
  }

  #loadSuspects(db: DatabaseSync): void {
    const rows = db.prepare(
      'SELECT host_id, key, debt, streak, pairs FROM template WHERE debt >= ? OR streak >= ?',
    )
    for (const row of rows.iterate(this.#budget, streakLimit(true, this.#budget))) {
      const { host_id, key, debt, streak, pairs } = row
      const shown = { debt: Number(debt), streak: Number(streak), pairs: numbersOf(pairs) }
      this.#suspect(Number(host_id), String(key), shown)
    }
  }

  #suspect(hostId: number, key: string, evidence: Shown): void {
    const suspects = this.#suspects.get(hostId) ?? new Map()
    suspects.set(key, evidence)
    this.#suspects.set(hostId, suspects)
  }
}

function blobOf(numbers: readonly number[]): Uint8Array | null {
  return numbers.length === 0 ? null : packIds(numbers)
}

function numbersOf(blob: unknown): readonly number[] {
  return blob instanceof Uint8Array ? Array.from(unpackIds(blob)) : []
}
