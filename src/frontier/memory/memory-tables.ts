// The tables of a frontier in memory. A row is never changed in place: whoever has read one keeps it as it
// was.
import type { CanonicalUrl } from '../../core/url.ts'
import type * as port from '../engine/rows.ts'
import { QUEUED, type StateNumber } from '../engine/states.ts'
import type { RobotsRecord } from '../frontier.ts'
import { SortedRows } from './sorted-rows.ts'

export class MemoryTable<R extends object, Key extends string | number = number>
  implements port.Table<R, Key>
{
  protected readonly rows = new Map<Key, R>()
  readonly #keyOf: (row: R) => Key

  constructor(keyOf: (row: R) => Key) {
    this.#keyOf = keyOf
  }

  get(key: Key): R | undefined {
    return this.rows.get(key)
  }

  put(row: R): void {
    this.rows.set(this.#keyOf(row), row)
  }

  update(key: Key, fields: Partial<R>): void {
    const row = this.rows.get(key)
    if (row !== undefined) this.rows.set(key, { ...row, ...fields })
  }

  drop(key: Key): void {
    this.rows.delete(key)
  }

  all(): Iterable<R> {
    return [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  }

  clear(): void {
    this.rows.clear()
  }
}

type Queued = Pick<port.UrlRow, 'id' | 'priority'>

/** By id. The queued rows of each origin are also in order. */
export class MemoryUrls implements port.UrlRows {
  readonly #rows: (port.UrlRow | undefined)[] = [undefined]
  readonly #queues = new Map<number, SortedRows<Queued>>()
  /** All queued rows, the worst first; null until somebody asks for them. */
  #worst: SortedRows<port.UrlRow> | null = null

  get(id: number): port.UrlRow | undefined {
    const row = this.#rows[id]
    return row && { ...row }
  }

  add(row: port.UrlRow): void {
    this.#rows[row.id] = { ...row }
    if (row.state === QUEUED) this.#enqueue(row)
  }

  update(id: number, fields: Partial<port.UrlRow>): void {
    const before = this.#rows[id]
    if (before === undefined) return
    const row = { ...before, ...fields }
    this.#rows[id] = row
    const [was, is] = [before.state === QUEUED, row.state === QUEUED]
    const isSame =
      was === is && row.priority === before.priority && row.originId === before.originId
    if (isSame) return
    if (was) this.#unqueue(before)
    if (is) this.#enqueue(row)
  }

  lastId(): number {
    return this.#rows.length - 1
  }

  names(): Iterable<port.UrlRow> {
    return this.#all()
  }

  head(originId: number, limit: number): readonly port.Ranked[] {
    const best = this.#queues.get(originId)?.first(limit) ?? []
    return best.map(({ id, priority }) => [id, priority])
  }

  worst(limit: number): readonly port.UrlRow[] {
    if (this.#worst === null) {
      this.#worst = new SortedRows((a, b) => a.priority - b.priority || b.id - a.id)
      for (const row of this.#all()) if (row.state === QUEUED) this.#worst.add(row)
    }
    return this.#worst.first(limit)
  }

  pending(state: StateNumber): readonly port.UrlRow[] {
    return [...this.#all()].filter((row) => row.state === state)
  }

  scan({ after, upTo, states, limit }: port.UrlScan): readonly port.UrlRow[] {
    const found: port.UrlRow[] = []
    const last = Math.min(upTo, this.lastId())
    for (let id = after + 1; id <= last && found.length < limit; id += 1) {
      const row = this.#rows[id]
      if (row !== undefined && states.includes(row.state)) found.push({ ...row })
    }
    return found
  }

  forgetSignals(after: number, upTo: number): void {
    const last = Math.min(upTo, this.lastId())
    for (let id = after + 1; id <= last; id += 1) this.update(id, { signals: null })
  }

  *#all(): Iterable<port.UrlRow> {
    for (const row of this.#rows) if (row !== undefined) yield row
  }

  #enqueue(row: port.UrlRow): void {
    let queue = this.#queues.get(row.originId)
    if (queue === undefined) {
      queue = new SortedRows(byRank)
      this.#queues.set(row.originId, queue)
    }
    queue.add({ id: row.id, priority: row.priority })
    this.#worst?.add(row)
  }

  #unqueue(row: port.UrlRow): void {
    this.#queues.get(row.originId)?.remove(row)
    this.#worst?.remove(row)
  }
}

function byRank(a: Queued, b: Queued): number {
  return b.priority - a.priority || a.id - b.id
}

export class MemoryEdges extends MemoryTable<port.EdgeRow> implements port.EdgeRows {
  after(fromId: number, limit: number): readonly port.EdgeRow[] {
    const later = [...this.rows.values()].filter((row) => row.fromId > fromId)
    return later.sort((a, b) => a.fromId - b.fromId).slice(0, limit)
  }
}

export class MemoryTemplates implements port.TemplateRows {
  readonly #rows = new MemoryTable<port.TemplateRow, string>((row) => nameOf([row.hostId, row.key]))

  get(key: readonly [number, string]): port.TemplateRow | undefined {
    return this.#rows.get(nameOf(key))
  }

  put(row: port.TemplateRow): void {
    this.#rows.put(row)
  }

  update(key: readonly [number, string], fields: Partial<port.TemplateRow>): void {
    this.#rows.update(nameOf(key), fields)
  }

  drop(key: readonly [number, string]): void {
    this.#rows.drop(nameOf(key))
  }

  all(): Iterable<port.TemplateRow> {
    return this.#rows.all()
  }

  clear(): void {
    this.#rows.clear()
  }

  atLeast(debt: number, streak: number): Iterable<port.TemplateRow> {
    return [...this.all()].filter((row) => row.debt >= debt || row.streak >= streak)
  }
}

function nameOf([hostId, key]: readonly [number, string]): string {
  return `${hostId} ${key}`
}

export class MemoryRobots extends MemoryTable<RobotsRecord, string> implements port.RobotsRows {
  knownRobots(): Iterable<RobotsRecord> {
    return this.all()
  }
}

export class MemorySitemaps extends MemoryTable<port.SitemapRow> implements port.SitemapRows {
  readonly #urls = new Set<string>()

  override put(row: port.SitemapRow): void {
    super.put(row)
    this.#urls.add(row.url)
  }

  has(url: CanonicalUrl): boolean {
    return this.#urls.has(url)
  }
}

export class MemoryRevisits extends MemoryTable<port.RevisitRow> implements port.RevisitRows {
  head(originId: number, limit: number): readonly port.Ranked[] {
    const waiting = this.of(originId).filter((row) => row.nextAt === null)
    const byRank = waiting.sort((a, b) => b.priority - a.priority || a.urlId - b.urlId)
    return byRank.slice(0, limit).map(({ urlId, priority }) => [urlId, priority])
  }

  of(originId: number): port.RevisitRow[] {
    return [...this.rows.values()].filter((row) => row.originId === originId)
  }

  sizes(): readonly { readonly originId: number; readonly urls: number }[] {
    const sizes = new Map<number, number>()
    for (const { originId, nextAt } of this.rows.values()) {
      if (nextAt === null) sizes.set(originId, (sizes.get(originId) ?? 0) + 1)
    }
    return Array.from(sizes, ([originId, urls]) => ({ originId, urls }))
  }

  delayed(): readonly port.RevisitRow[] {
    return [...this.rows.values()].filter((row) => row.nextAt !== null)
  }
}
