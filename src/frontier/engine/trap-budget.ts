// The evidence about the templates of a crawl's hosts, and which templates are closed. The rules are in
// core/template.ts. Rows are written in the same transaction as their pages.
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
import type { TemplateRows } from './rows.ts'

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
  readonly #rows: TemplateRows
  #cache = new Map<string, Template>()
  #dirty: Template[] = []
  /** By host: templates that may be closed. Few hosts have any. */
  readonly #suspects = new Map<number, Map<string, Shown>>()

  constructor(options: { rows: TemplateRows; templateOf: TemplateOf; budget: number }) {
    const { rows, budget } = options
    this.#rows = rows
    this.#templateOf = options.templateOf
    this.#budget = budget
    if (budget > 0) this.#loadSuspects()
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
      const { hostId, key, evidence } = template
      const { debt, streak, likes, pairs } = evidence
      this.#rows.put({ hostId, key, debt, streak, likes, pairs })
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
    const row = this.#rows.get([hostId, key])
    if (row === undefined) return noEvidence()
    const { debt, streak, likes, pairs } = row
    return { debt, streak, likes, pairs }
  }

  #loadSuspects(): void {
    const found = this.#rows.atLeast(this.#budget, streakLimit(true, this.#budget))
    for (const { hostId, key, debt, streak, pairs } of found) {
      this.#suspect(hostId, key, { debt, streak, pairs })
    }
  }

  #suspect(hostId: number, key: string, evidence: Shown): void {
    const suspects = this.#suspects.get(hostId) ?? new Map()
    suspects.set(key, evidence)
    this.#suspects.set(hostId, suspects)
  }
}
