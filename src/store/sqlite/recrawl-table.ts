// What a round found: how often its pages change, and how many of them came to what. Counted in memory
// while a batch is written, then written in its transaction.
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import { intervalMs, type Looks, looked, unseen } from '../../core/change-rate.ts'
import { PAGE_KINDS } from '../../core/page.ts'
import { numberOf, numberOrNull } from '../row-values.ts'

type Row = Readonly<Record<string, SQLOutputValue>>
type Counts = { added: number; changed: number; gone: number; unchanged: number }

const NOTHING: Counts = { added: 0, changed: 0, gone: 0, unchanged: 0 }

export class RecrawlTable {
  readonly #crawlId: number
  /** 0: the crawl is not gone over again. */
  readonly round: number
  /** Pages with larger ids were added by this round. */
  readonly #afterPage: number
  readonly #save: StatementSync
  readonly #look: StatementSync
  readonly #lookAt: StatementSync
  #pending: Counts = { ...NOTHING }

  constructor(db: DatabaseSync, crawlId: number, round: number) {
    this.#crawlId = crawlId
    this.round = round
    const began = db.prepare('SELECT after_page FROM crawl_rounds WHERE crawl_id = ? AND round = ?')
    this.#afterPage = numberOf(began.get(crawlId, round) ?? {}, 'after_page')
    this.#save = db.prepare(`
      UPDATE crawl_rounds SET added = added + ?, changed = changed + ?, gone = gone + ?,
        unchanged = unchanged + ?
      WHERE crawl_id = ? AND round = ?`)
    this.#lookAt = db.prepare('SELECT * FROM page_checks WHERE page_id = ?')
    this.#look = db.prepare(`
      INSERT OR REPLACE INTO page_checks (page_id, crawl_id, round, checked_at, checks, changes,
        interval_ms, seen, seen_changed, seen_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  }

  count(what: keyof Counts): void {
    this.#pending[what]++
  }

  /** Whether this round was not told of a page that is stored, until now. */
  isNews(pageId: number): boolean {
    if (this.round === 0 || pageId > this.#afterPage) return false
    return numberOf(this.#lookAt.get(pageId) ?? {}, 'round') < this.round
  }

  /** A page was looked at; `before` is its row as it was. */
  look(before: Row, { changed, at }: { readonly changed: boolean; readonly at: number }): void {
    const pageId = numberOf(before, 'id')
    const last = this.#lookAt.get(pageId)
    const lastAt = numberOrNull(last ?? {}, 'checked_at') ?? numberOf(before, 'fetched_at')
    const looks = looked(looksFrom(last, before), { changed, afterMs: at - lastAt })
    const checks = numberOf(last ?? {}, 'checks') + 1
    const changes = numberOf(last ?? {}, 'changes') + (changed ? 1 : 0)
    this.#look.run(
      ...[pageId, this.#crawlId, this.round, Math.round(at), checks, changes],
      ...[intervalMs(looks), looks.seen, looks.seenChanged, looks.seenMs],
    )
    this.count(changed ? 'changed' : 'unchanged')
  }

  /** To be called inside the transaction of what was counted. */
  write(): void {
    const { added, changed, gone, unchanged } = this.#pending
    if (this.round === 0) return
    this.#save.run(added, changed, gone, unchanged, this.#crawlId, this.round)
  }

  /** What was counted is written, or was for nothing. */
  clear(): void {
    this.#pending = { ...NOTHING }
  }
}

function looksFrom(last: Row | undefined, page: Row): Looks {
  if (last === undefined || numberOf(last, 'seen') === 0) {
    return unseen(PAGE_KINDS.find((kind) => kind === page.kind) ?? 'other')
  }
  return {
    seen: numberOf(last, 'seen'),
    seenChanged: numberOf(last, 'seen_changed'),
    seenMs: numberOf(last, 'seen_ms'),
  }
}
