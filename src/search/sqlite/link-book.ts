// The texts of links in the tables of the index: which page says what about which other page. All of it happens in the
// transaction of its caller.
import type { DatabaseSync } from 'node:sqlite'
import { type GivenText, type LinkText, MAX_HOSTS, TEXTS_PER_HOST } from '../link-texts.ts'
import { Bytes } from '../segments/bytes.ts'

export class SqliteLinkBook {
  readonly #sql: ReturnType<typeof prepare>
  readonly #ids = new Map<string, number>()
  /** By row: how many more pages say so. */
  readonly #more = new Map<number, number>()

  constructor(db: DatabaseSync) {
    this.#sql = prepare(db)
  }

  /** Replaces what a page says. */
  put(pageId: number, from: number, given: readonly GivenText[]): void {
    this.drop(pageId)
    if (given.length === 0) return
    const ids = given.map(({ target, text }) => this.#idOf(target, from, text))
    for (const id of ids) this.#count(id, 1)
    this.#sql.give.run(pageId, packed(ids))
  }

  drop(pageId: number): void {
    const row = this.#sql.taken.get(pageId)
    if (row === undefined) return
    if (row.texts instanceof Uint8Array) for (const id of unpacked(row.texts)) this.#count(id, -1)
  }

  /** Writes the counts. Returns the targets about which something else is said than before. */
  end(): ReadonlySet<number> {
    const targets = new Set<number>()
    for (const [id, more] of this.#more) {
      const row = more === 0 ? this.#sql.unsaid.get(id) : this.#sql.count.get(more, id)
      if (row === undefined) continue
      const pages = Number(row.pages)
      if (pages === 0) this.#sql.remove.run(id)
      if (pages === 0 || pages === more) targets.add(Number(row.target))
    }
    this.forget()
    return targets
  }

  /** After a transaction that failed. */
  forget(): void {
    this.#more.clear()
    this.#ids.clear()
  }

  #idOf(target: number, from: number, text: string): number {
    const key = `${target} ${from} ${text}`
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const found = this.#sql.find.get(target, from, text)?.id
    const id = Number(found ?? this.#sql.add.run(target, from, text).lastInsertRowid)
    this.#ids.set(key, id)
    return id
  }

  #count(id: number, more: number): void {
    this.#more.set(id, (this.#more.get(id) ?? 0) + more)
  }
}

/** Reads what is said about pages. */
export class SqliteLinkTexts {
  readonly #sql: ReturnType<typeof prepareReads>

  constructor(db: DatabaseSync) {
    this.#sql = prepareReads(db)
  }

  /** `own`: the page's own host, which is always heard. */
  about(target: number, own: number): LinkText[] {
    const texts = this.#of(target, own)
    let hosts = 0
    for (let from = this.#next(target, -1); from !== null; from = this.#next(target, from)) {
      if (from === own) continue
      if (++hosts > MAX_HOSTS) break
      texts.push(...this.#of(target, from))
    }
    return texts
  }

  #next(target: number, after: number): number | null {
    const from = this.#sql.next.get(target, after)?.from_host
    return from === undefined ? null : Number(from)
  }

  #of(target: number, from: number): LinkText[] {
    return this.#sql.texts.all(target, from).map(({ text }) => ({ from, text: String(text) }))
  }
}

function prepareReads(db: DatabaseSync) {
  return {
    next: db.prepare(`SELECT from_host FROM link_texts
      WHERE target = ? AND from_host > ? ORDER BY from_host LIMIT 1`),
    texts: db.prepare(`SELECT text FROM link_texts
      WHERE target = ? AND from_host = ? ORDER BY text LIMIT ${TEXTS_PER_HOST}`),
  }
}

function prepare(db: DatabaseSync) {
  return {
    find: db.prepare('SELECT id FROM link_texts WHERE target = ? AND from_host = ? AND text = ?'),
    add: db.prepare('INSERT INTO link_texts (target, from_host, text, pages) VALUES (?, ?, ?, 0)'),
    count: db.prepare(
      'UPDATE link_texts SET pages = pages + ? WHERE id = ? RETURNING target, pages',
    ),
    unsaid: db.prepare('SELECT target, pages FROM link_texts WHERE id = ? AND pages = 0'),
    remove: db.prepare('DELETE FROM link_texts WHERE id = ?'),
    give: db.prepare('INSERT OR REPLACE INTO given_link_texts (page_id, texts) VALUES (?, ?)'),
    taken: db.prepare('DELETE FROM given_link_texts WHERE page_id = ? RETURNING texts'),
  }
}

/** Distances of the numbers in order. */
function packed(ids: readonly number[]): Uint8Array {
  const bytes = new Bytes()
  let before = 0
  for (const id of ids.toSorted((a, b) => a - b)) {
    bytes.varint(id - before)
    before = id
  }
  return bytes.done().slice()
}

function* unpacked(bytes: Uint8Array): Generator<number> {
  let [id, distance, factor] = [0, 0, 1]
  for (const byte of bytes) {
    distance += (byte & 127) * factor
    factor *= 128
    if (byte > 127) continue
    id += distance
    yield id
    distance = 0
    factor = 1
  }
}
