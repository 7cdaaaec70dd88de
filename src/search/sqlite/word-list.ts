// The words at the heads of pages, in a table.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  initialOf,
  type ListedWord,
  MAX_STARTING,
  MAX_WORD_LENGTH,
  type WordList,
} from '../near-words.ts'
import { afterPrefix } from '../title-words.ts'

export class SqliteWordList implements WordList {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  async pages(words: readonly string[]): Promise<readonly number[]> {
    const one = this.#db.prepare(
      'SELECT pages FROM known_words WHERE initial = ? AND length = ? AND word = ?',
    )
    return words.map((word) => Number(one.get(initialOf(word), word.length, word)?.pages ?? 0))
  }

  async alike(
    initial: string,
    from: number,
    to: number,
    limit: number,
  ): Promise<Iterable<ListedWord>> {
    const some = this.#db.prepare(
      'SELECT word, pages FROM known_words WHERE initial = ? AND length BETWEEN ? AND ? LIMIT ?',
    )
    return listed(some, [initial, from, to, limit])
  }

  async startingWith(prefix: string, limit: number): Promise<readonly ListedWord[]> {
    // By length: words are kept in the order of their lengths.
    const some = this.#db.prepare(`
      SELECT word, pages FROM (
        SELECT word, pages FROM known_words
        WHERE initial = ? AND length IN (${lengthsFrom(prefix.length)}) AND word >= ? AND word < ?
        LIMIT ${MAX_STARTING})
      ORDER BY pages DESC, word LIMIT ?`)
    return [...listed(some, [initialOf(prefix), prefix, afterPrefix(prefix), limit])]
  }
}

function lengthsFrom(least: number): string {
  const count = Math.max(0, MAX_WORD_LENGTH + 1 - least)
  return Array.from({ length: count }, (_, nth) => least + nth).join(', ')
}

/** Row by row: there may be very many. */
function* listed(some: StatementSync, values: readonly (string | number)[]): Generator<ListedWord> {
  for (const { word, pages } of some.iterate(...values)) {
    yield { word: String(word), pages: Number(pages) }
  }
}
