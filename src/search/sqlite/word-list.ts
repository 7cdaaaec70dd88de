// The words at the heads of pages, in a table.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { initialOf, type ListedWord } from '../known-words.ts'
import type { WordList } from '../near-words.ts'

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
}

/** Row by row: there may be very many. */
function* listed(some: StatementSync, values: readonly (string | number)[]): Generator<ListedWord> {
  for (const { word, pages } of some.iterate(...values)) {
    yield { word: String(word), pages: Number(pages) }
  }
}
